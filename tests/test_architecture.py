"""The house: which room may use which. Every check here has been seen to fail on a deliberate violation (see below)."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# A room may use those of a lower rank; rooms of the same rank do not know each other.
RANKS = {
    "interpreter": 0,
    "speech": 1,
    "mind": 1,
    "adapters": 1,
    "lab": 2,
    "front/common": 3,
    "front/paper": 4,
    "front/workbench": 5,
    "front/lsp": 6,
    "front/terminal": 6,
    "front/commands": 7,
    "": 8,  # cli.py, and what most people import
}
ONLY_THE_INTERPRETER = ("adapters",)


@cache
def modules() -> dict[str, Path]:
    """All modules of the packages, by their dotted names below the root."""
    found = [*ROOT.glob("*.py")]
    for room in ("interpreter", "speech", "mind", "adapters", "lab", "front"):
        found += (ROOT / room).rglob("*.py")
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in sorted(found)}


def room_of(module: str) -> str:
    parts = module.split(".")
    room = "/".join(parts[:2]) if parts[0] == "front" else parts[0]
    return room if room in RANKS else ""


def imports(module: str, tree: ast.AST, known: set[str]) -> Iterator[tuple[str, int, bool]]:
    """The modules of ours that a module imports: which, in which line, inside a function or not."""
    package = module.split(".")[:-1]
    for node, inside in relative_imports(tree):
        base = package[: len(package) - node.level + 1]
        base += node.module.split(".") if node.module else []
        for alias in node.names:
            for name in (".".join([*base, alias.name]), ".".join(base), ".".join([*base, "__init__"])):
                if name in known:
                    yield name, node.lineno, inside
                    break


@cache
def relative_imports(tree: ast.AST) -> list[tuple[ast.ImportFrom, bool]]:
    """Those of a module, and whether each stands inside a function."""
    inside = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    return [(node, id(node) in inside) for node in found]


def against_the_arrows(trees: dict[str, ast.AST]) -> list[str]:
    found = []
    for module, tree in trees.items():
        here = room_of(module)
        for target, line, _ in imports(module, tree, set(trees)):
            there = room_of(target)
            allowed = RANKS[there] < RANKS[here] or there == here
            if here in ONLY_THE_INTERPRETER:
                allowed = there in (here, "interpreter")
            if there == here == "front/commands" and target.rsplit(".", 1)[-1] != "__init__":
                allowed = False  # nothing imports a command
            if not allowed:
                found.append(f"{module}:{line} -> {target}")
    return found


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


class _WithoutTypes(ast.NodeTransformer):
    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if _is_for_types(node) else node


@cache
def _run(tree: ast.AST) -> ast.AST:
    """A module as it runs: without what only type checkers read."""
    return _WithoutTypes().visit(copy.deepcopy(tree)) if any(map(_is_for_types, ast.walk(tree))) else tree


def in_circles(trees: dict[str, ast.AST]) -> list[str]:
    """Modules that need each other, inside functions too: each circle once, by one of its modules."""
    trees = {module: _run(tree) for module, tree in trees.items()}
    graph = {m: {t for t, _, _ in imports(m, tree, set(trees)) if t != m} for m, tree in trees.items()}
    done: set[str] = set()
    for start in graph:
        path, stack = {}, [(start, iter(graph[start]))]
        path[start] = True
        while stack:
            module, rest = stack[-1]
            found = next(rest, None)
            if found is None:
                stack.pop()
                path.pop(module)
                done.add(module)
            elif found in path:
                return [" -> ".join([*list(path)[list(path).index(found) :], found])]
            elif found not in done:
                path[found] = True
                stack.append((found, iter(graph[found])))
    return []


def late(trees: dict[str, ast.AST]) -> set[tuple[str, str]]:
    """What is imported inside functions: (module, what)."""
    found = set()
    for module, tree in trees.items():
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Import):
                    found |= {(module, alias.name) for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    found.add((module, "." * node.level + (node.module or "")))
    return found


TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in modules().items()}


def with_line(module: str, line: str) -> dict[str, ast.AST]:
    """The packages as they would be if this line stood in a function of this module."""
    source = modules()[module].read_text(encoding="utf-8") + f"\n\ndef broken():\n    {line}\n"
    return {**TREES, module: ast.parse(source)}


def test_no_module_imports_against_the_arrows():
    assert against_the_arrows(TREES) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("interpreter.load", "from ..speech.language import Language"),
        ("speech.language", "from ..mind.belief import Belief"),
        ("mind.belief", "from ..speech import narrator"),
        ("lab.workers", "from ..front.common.streams import Terminal"),
        ("front.paper.map", "from ..workbench.worksheet import Worksheet"),
        ("front.terminal.table", "from ..commands import play"),
        ("front.commands.play", "from .resume import run"),
    ],
)
def test_an_import_against_the_arrows_is_found_wherever_it_hides(module, line):
    assert len(against_the_arrows(with_line(module, line))) == 1


def test_no_modules_need_each_other():
    assert in_circles(TREES) == []


def test_a_circle_is_found_also_inside_a_function():
    assert in_circles(with_line("mind.belief", "from .bots import BOTS")) != []


# --- the pipeline -----------------------------------------------------------------------------------------------------
def pipeline() -> dict[str, int]:
    """The modules of the interpreter, each with its row in the table of CONTRIBUTING.md."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if re.match(r"\| (`[a-z_.]+`( ○)?(, )?)+ \|", line)]
    return {name: number for number, row in enumerate(rows) for name in re.findall(r"`(\w+)\.py`", row)}


def test_the_interpreter_is_a_pipeline_as_its_table_says():
    rows = pipeline()
    inside = {module: tree for module, tree in TREES.items() if module.startswith("interpreter.")}
    assert set(rows) == {module.split(".")[1] for module in inside} - {"__init__"}
    backwards = []
    for module, tree in inside.items():
        here = module.split(".")[1]
        for target, line, late in imports(module, _run(tree), set(TREES)):
            there = target.split(".")[1]
            if not late and there in rows and here in rows and rows[there] > rows[here]:
                backwards.append(f"{module}:{line} -> {target}")
    assert backwards == []


# --- files ------------------------------------------------------------------------------------------------------------
GATES = {
    "interpreter.files",
    "interpreter.cache",  # by handles of its folder
    "interpreter.save",  # adds lines, and takes a torn one out
    "front.terminal.saves",  # a lock
}


def opened(trees: dict[str, ast.AST]) -> list[str]:
    """Where a file is opened beside the gate."""
    found = []
    for module, tree in trees.items():
        for node in ast.walk(tree) if module not in GATES else ():
            called = node.func if isinstance(node, ast.Call) else None
            name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            plain = isinstance(called, ast.Name) and name == "open"
            if plain or name in ("read_text", "write_text", "write_bytes", "mkstemp", "fdopen"):
                found.append(f"{module}:{node.lineno} {name}")
    return found


def test_files_are_opened_through_one_gate():
    assert opened(TREES) == []
    assert len(opened(with_line("lab.playout", "return open('figures.txt')"))) == 1
    assert len(opened(with_line("front.paper.book", "return path.write_text('')"))) == 1


# Imported when it is needed: slow, or not there on every machine. All else stands at the top of its module.
LATE = {
    "babel": {"speech.language"},  # by .formats and .catalogue_files: 50 ms, and --help needs none of it
    "the pipeline": {
        "cli",
        "__init__",
        "interpreter.__init__",
        "interpreter.pipeline",
        "interpreter.resolve",
        "interpreter.describing",
    },
    "what only new rules need": {"interpreter.save", "interpreter.vocabulary"},
    "what only who takes back needs": {"interpreter.state"},  # where the cache knows the game
    "lark": {"interpreter.parse", "interpreter.phrasing"},
    "sentences in rule files": {"speech.__init__"},
    "yaml": {"speech.tongue", "speech.language"},  # who says no condition reads no grammar
    "jsonschema": {"interpreter.schema"},  # asked for what is refused
    "rich": {"front.common.layout", "front.common.progress", "front.common.streams"},
    "distributed": {"lab.cluster"},  # an extra
    "cairosvg": {"front.paper.plot"},  # an extra
    "weasyprint": {"front.commands.print"},  # an extra
    "pygls": {"front.commands.lsp"},  # an extra
    # What a first question does without: bots that think, grammars, books, the end. See test_cli.py.
    "not at once": {
        "front.terminal.ending",
        "front.terminal.lookup",
        "front.terminal.table",
        "front.commands.resume",
        "speech.goals",
    },
    "textual": {"front.terminal.table"},  # an extra, by .full
    "systems": {"interpreter.files", "front.terminal.screen"},  # fcntl and termios are not everywhere
}


def test_what_is_imported_late_is_slow_or_optional():
    assert {module for module, _ in late(TREES)} == set().union(*LATE.values())
    assert len(late(TREES)) <= 42


# --- what is behind the boundaries ------------------------------------------------------------------------------------
def peeps(trees: dict[str, ast.AST]) -> list[str]:
    """Where somebody outside the interpreter looks at slots, at a raw description, or behind what is private."""
    found = []
    for module, tree in trees.items():
        if room_of(module) == "interpreter":
            continue
        for node in ast.walk(tree):
            what = ""
            if isinstance(node, ast.Attribute) and node.attr == "v":
                what = "the slots of a state"
            elif isinstance(node, ast.Attribute) and node.attr == "description" and module not in READERS_OF_FILES:
                what = "a raw description"
            elif isinstance(node, ast.Attribute) and node.attr in ("_state", "_chain", "_look", "_legal", "_sample"):
                what = "what is private to a player or a log"
            elif isinstance(node, ast.ImportFrom) and (node.module or "").endswith("interpreter.slots"):
                what = "where slots are"
            elif isinstance(node, ast.ImportFrom) and (node.module or "").endswith(
                ("interpreter.load", "interpreter.resolve")
            ):
                what = "" if module in READERS_OF_FILES else "raw YAML"
            if what:
                found.append(f"{module}:{node.lineno} looks at {what}")
    return found


# Tools that work on files that people write: rule files, scenarios, worksheets. They read YAML, but no game's.
READERS_OF_FILES = {
    "lab.scenario",
    "lab.stated",
    "speech.extract",
    "speech.lines",
    "front.lsp.analysis",
    "front.lsp.completion",
    "front.lsp.meaning",
    "front.lsp.worker",
    "front.lsp.desk",
    "front.workbench.described",
    "front.workbench.differences",
    "front.workbench.game_schema",
    "front.workbench.index",
    "front.workbench.doubts",
    "front.workbench.sentences",
    "front.workbench.drafts",
    "front.workbench.texts",
    "front.workbench.translating",
    "speech.understanding",
    "front.workbench.lessons",
    "front.workbench.worksheet",
    "front.commands.translate",
    "front.common.loading",
    "front.terminal.choosing",
    "front.commands.check",
    "front.commands.pack",
    "front.commands.try",
    "front.workbench.packs",
    "front.workbench.trying",
    "front.commands.diff",
    "front.commands.list",
    "front.commands.new",
    "front.commands.play",
    "front.commands.resume",
    "front.commands.say",
    "front.commands.texts",
}


def states_for_players(trees: dict[str, ast.AST]) -> list[str]:
    """Where a state is handed to somebody who should get a player: by an import, an annotation or a parameter's name."""
    found = []
    for module, tree in trees.items():
        if room_of(module) not in ("speech", "mind", "front/paper", "front/terminal") or module in DEALERS:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and any(alias.name == "State" for alias in node.names):
                found.append(f"{module}:{node.lineno} imports State")
            elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
                arguments = node.args
                for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                    kind = ast.unparse(argument.annotation) if argument.annotation is not None else ""
                    if argument.arg == "state" or kind in ("State", "State | None"):
                        found.append(f"{module}:{node.lineno} takes a state")
    return found


DEALERS = {"front.terminal.table"}  # who deals the turns has the state, and hands players out


def test_only_the_interpreter_knows_slots_and_descriptions():
    assert peeps(TREES) == []


def test_screens_bots_and_speech_get_players_and_no_states():
    assert states_for_players(TREES) == []


@pytest.mark.parametrize(
    ("module", "line", "check"),
    [
        ("mind.belief", "return state.v[0]", peeps),
        ("front.paper.book", "return self.game.description", peeps),
        ("front.terminal.view", "return self.player._state", peeps),
        ("lab.playout", "from ..interpreter.slots import HEADER", peeps),
        ("speech.narrator", "from ..interpreter.load import Map", peeps),
        ("mind.bots", "from ..interpreter import State", states_for_players),
        ("front.terminal.notebook", "return lambda state: state.log('red')", states_for_players),
        ("speech.goals", "return lambda state: 1", states_for_players),
    ],
)
def test_a_look_behind_a_boundary_is_noticed(module, line, check):
    assert len(check(with_line(module, line))) == 1


if __name__ == "__main__":
    print(*against_the_arrows(TREES), *in_circles(TREES), *peeps(TREES), *states_for_players(TREES), sep="\n")
    print(*sorted(late(TREES)), sep="\n")
