"""The documents say what is so: every example in them is run, and every list in them is compared with the code."""

from __future__ import annotations

import doctest
import json
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import tabarro.interpreter
import yaml
from tabarro.interpreter import (
    RulesError,
    declarations,
    describe,
    forms,
    keywords,
    load,
    load_game,
    operations,
    parse,
    resolve,
    state,
    steps,
    vocabulary,
)
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.schema import SCHEMA
from tabarro.lab.perft import explore

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("README.md")])
LANGUAGE = ROOT / "docs" / "language.md"
TUTORIAL = "house-rules.md"  # one long session, which test_tutorial.py follows
FENCED = re.compile(r"^(?:<!-- refused: (\w+) -->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = "night-ferry"  # what fragments are laid over, and what expressions are about


# --- reading the pages -----------------------------------------------------------------------------------------------
@dataclass
class Block:
    page: Path
    line: int
    language: str
    text: str
    refused: str  # the problem that a bad example is refused for

    def __str__(self) -> str:
        return f"{self.page.stem}-{self.line}"

    @property
    def file(self) -> str:
        named = re.match(r"# ([\w-]+\.yaml)\n", self.text)
        return named[1] if named else f"{self}.yaml"

    @property
    def whole(self) -> str:
        """The text as a file: a fragment becomes a variant of the example."""
        complete = re.search(r"^(extends|players|abstract|llengua):", self.text, re.MULTILINE)
        return self.text if complete else f"extends: {EXAMPLE}\n{self.text}"


def blocks(*languages: str) -> list[Block]:
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in FENCED.finditer(text) if page.name != TUTORIAL else ():
            if match[2] in languages:
                line = text.count("\n", 0, match.start(2)) + 1
                found.append(Block(page, line, match[2], match[3], match[1] or ""))
    return found


def tables(*headers: str) -> list[list[str]]:
    """The rows of all tables of the reference with this header."""
    rows, wanted = [], None
    for line in LANGUAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            wanted = None
        elif wanted is None:
            wanted = cells == list(headers)
        elif wanted and not set(line) <= set("|- "):
            rows.append([code(cell) for cell in cells])
    assert rows, f"no table with the header {headers}"
    return rows


def examples(*headers: str) -> list[tuple[str, str, str]]:
    """Form, example and what is stated of it."""
    return [(form, example, stated) for form, _, example, stated in tables(*headers)]


def code(cell: str) -> str:
    return cell[1:-1] if re.fullmatch(r"`[^`]*`", cell) else cell


def section(title: str) -> str:
    text = LANGUAGE.read_text(encoding="utf-8")
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


def listed(mark: str) -> set[str]:
    """The words in backticks after a mark, to the end of the sentence."""
    return set(
        re.findall(
            r"`(\w+)`",
            re.search(rf"<!-- {mark} -->(.*?)\.$", LANGUAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1],
        )
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """All YAML blocks as files, beside each other."""
    folder = tmp_path_factory.mktemp("docs")
    for block in blocks("yaml"):
        assert not (folder / block.file).exists(), f"two blocks are called {block.file}"
        (folder / block.file).write_text(block.whole, encoding="utf-8")
    return folder


# --- (a) every block is a game ---------------------------------------------------------------------------------------
def play(game, seed: int, most: int = 150):
    position, rng = game.new(seed=seed), random.Random(seed)
    for _ in range(most):
        if position.over:
            break
        position.apply(position.sample(rng))
    return position


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_every_yaml_block_is_a_game_that_can_be_played_or_is_refused_as_it_says(block, folder):
    path = folder / block.file
    if block.refused:
        with pytest.raises(RulesError) as refusal:
            load_game(path)
        assert {p.code for p in refusal.value.problems} == {block.refused}
    elif "abstract: true" in block.text:
        assert any(f"[{EXAMPLE}, {path.stem}]" in other.text for other in blocks("yaml")), "nothing shows its use"
    else:
        for players in describe(path).players:
            game = load_game(path, players=players)
            for seed in range(12):
                position = play(game, seed)
                assert position.over == (position.result is not None)
                assert all(position.log(seat) for seat in game.seats)


@pytest.mark.parametrize("pair", ["hand", "vote", "pot", "grid"])
def test_before_and_after_are_the_same_game(pair, folder):
    before, after = (explore(load_game(folder / f"{pair}-{which}.yaml"), 8) for which in ("before", "after"))
    assert before.complete and (before.nodes, before.finished) == (after.nodes, after.finished)


def test_the_example_is_among_the_blocks(folder):
    assert (folder / f"{EXAMPLE}.yaml").exists()
    for options in ({"weather": "storm"}, {"watch": False}, {"nights": 2}):
        assert play(load_game(folder / f"{EXAMPLE}.yaml", options=options), 1).over


# --- (b) every expression means what it is said to mean --------------------------------------------------------------
def kinds(text: str, start: str) -> set[str]:
    stack, found = [parse.parse(text, start, Place(Source("docs", text), 1, 1))], set()
    while stack:
        node = stack.pop()
        if isinstance(node, parse.Syntax):
            found.add(node.kind)
            stack += node.kids
    return found


def in_words(value) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(in_words, value)) or "none"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "yes", False: "no"}[value]
    return str(value)


def variant(folder: Path, **sections) -> Path:
    """The example with something more, done for Ann before the first night."""
    rules = {"game": {"look": {"before": "rounds", "call": "look of ann"}}, "look of player": sections.pop("look")}
    path = folder / "probe.yaml"
    path.write_text(yaml.safe_dump({"extends": EXAMPLE, "rules": rules, **sections}, sort_keys=False), encoding="utf-8")
    return path


def shown(folder: Path, **sections) -> list:
    """What the steps called probe showed Bob."""
    position = load_game(variant(folder, **sections)).new(seed=1)
    return [entry["shown"] for entry in position.log("bob") if entry.kind == "show"]


@pytest.mark.parametrize("form, text, value", examples("form", "meaning", "example", "value"))
def test_every_expression_shows_its_form_and_has_the_value_that_is_stated(form, text, value, folder):
    assert form in kinds(text, "expression")
    assert [in_words(v) for v in shown(folder, look={"probe": {"show": text}})] == [value]


@pytest.mark.parametrize("form, text, use", examples("form", "use", "head", "used as"))
def test_every_head_can_be_declared_and_used(form, text, use, folder):
    assert form in kinds(text, "head")
    declared = {text: {"is": "yes or no", "start": True, "seen by": "all"}}
    assert shown(folder, state=declared, look={"probe": {"show": use}}) == [True]


@pytest.mark.parametrize("form, text, start", examples("form", "meaning", "type", "starts as"))
def test_every_type_can_be_declared_and_starts_as_stated(form, text, start, folder):
    assert form in kinds(text, "type")
    declared = {"probed": {"is": text, "seen by": "all"}}
    assert [in_words(v) for v in shown(folder, state=declared, look={"probe": {"show": "probed"}})] == [start]


@pytest.mark.parametrize("form, text, sizes", examples("form", "meaning", "amount", "of three"))
def test_every_amount_allows_as_many_as_stated(form, text, sizes, folder):
    assert form in kinds(text, "amount")
    ask = {"ask": "player", "for": {"chosen": {"some of": "cards", "how many": text}}, "if none": {}}
    position = load_game(variant(folder, look={"probe": ask})).new(seed=1)
    assert sorted({len(choice[0]) for choice in position.legal()}) == [int(n) for n in sizes.split(", ")]


@pytest.mark.parametrize("form, text, order", examples("form", "meaning", "binding", "runs over"))
def test_every_binding_runs_in_the_order_stated(form, text, order, folder):
    assert form in kinds(text, "binding")
    name = text.split()[0]
    seen = shown(folder, look={"loop": {"for each": text, "do": {"probe": {"show": name}}}})
    assert seen == order.split(", ")


def test_expressions_in_running_text_can_be_read(folder):
    """Phrases in backticks that are whole expressions: those that no table lists, but a reader will try."""
    page = re.sub(r"\s+", " ", LANGUAGE.read_text(encoding="utf-8"))
    for text, value in (
        ("1 plus 2 times 3", "9"),
        ("1 plus (2 times 3)", "7"),
        ("worth of coin", "3"),
        ("spot 5", "tower"),
        ("figures of ann", "ann_tall, ann_short"),
        ("player of ann_tall", "ann"),
        ("weather is storm", "no"),
        ("neighbours of harbour along water", "mill"),
        ("any player called other such that purse of other is less than purse of player", "no"),
    ):
        assert f"`{text}`" in page
        assert [in_words(v) for v in shown(folder, look={"probe": {"show": text}})] == [value]


# --- (c) the lists agree ---------------------------------------------------------------------------------------------
def definitions() -> dict:
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def keys_by_verb() -> dict[str, set[str]]:
    clauses = [c for c in definitions()["$defs"]["step"]["allOf"] if "required" in c.get("if", {})]
    return {c["if"]["required"][0]: set(c["then"]["propertyNames"]["enum"]) for c in clauses}


def test_verbs_are_the_same_in_the_reference_the_schema_and_the_code():
    documented = re.findall(r"^### `(.*)`$", section("Steps and verbs"), re.MULTILINE)
    assert documented == list(steps.VERBS) == list(keywords.STEP_VERBS) == list(keys_by_verb())


def test_the_keys_of_each_verb_are_the_same_in_the_reference_and_the_schema():
    common = {row[0] for row in tables("key of any step", "what it says")}
    for verb, keys in keys_by_verb().items():
        sentence = re.search(rf"^### `{verb}`\n\nKeys: (.*?)\.", section("Steps and verbs"), re.MULTILINE | re.DOTALL)[
            1
        ]
        assert set(re.findall(r"`([\w ]+)`", sentence)) | common == keys, verb


def test_sections_and_keys_are_the_same_in_the_reference_and_the_schema():
    schema = definitions()
    assert {row[0] for row in tables("key of a file", "what it says")} == set(schema["properties"])
    for name in ("things", "table", "state", "word", "option", "some", "match", "part", "alternative"):
        documented = {row[0] for row in tables(f"key of {name}", "what it says")}
        assert documented == set(schema["$defs"][name]["properties"]), name


def test_expression_forms_are_the_same_in_the_reference_and_the_grammar():
    grammar = parse.GRAMMAR.read_text(encoding="utf-8")
    forms = set(re.findall(r"-> (\w+)", grammar)) | {"binding", "amount"}
    documented = {
        row[0]
        for header in (
            ("meaning", "example", "value"),
            ("use", "head", "used as"),
            ("meaning", "type", "starts as"),
            ("meaning", "amount", "of three"),
            ("meaning", "binding", "runs over"),
        )
        for row in tables("form", *header)
    }
    assert documented == forms


def test_every_form_of_an_expression_has_a_meaning():
    """What the grammar lets through, the checker must know: else an author would see a traceback."""
    for row in tables("form", "meaning", "example", "value"):
        methods = ("_" + row[0], "say_" + row[0].replace("is_not_", "is_"))
        inner = ("object_quantified", "another", "linked_of", "linked_in", "indefinite", "described")
        inner += ("measure_of", "measure_plain", "measure_by")
        assert row[0] in inner or any(hasattr(forms.Typing, name) for name in methods), row[0]


def test_the_words_that_cannot_be_names_are_the_same_in_the_reference_and_the_grammar():
    assert listed("keywords") == parse.keywords()
    prepositions = re.search(r"PREPOSITION.*?/\((.*?)\)", parse.GRAMMAR.read_text(encoding="utf-8"))[1].split("|")
    assert listed("prepositions") == {*prepositions, "to"}  # which has a token of its own, for rows of numbers
    assert {"number", "amount", "all"} == vocabulary.RESERVED


def test_every_property_of_the_schema_has_a_description():
    def undescribed(node, path):
        if isinstance(node, dict):
            for name, inner in node.get("properties", {}).items() if isinstance(node.get("properties"), dict) else ():
                if not inner.get("description"):
                    yield f"{path}/{name}"
            for key, inner in node.items():
                yield from undescribed(inner, f"{path}/{key}")
        elif isinstance(node, list):
            for index, inner in enumerate(node):
                yield from undescribed(inner, f"{path}/{index}")

    schema = definitions()
    assert list(undescribed(schema, "")) == []
    assert [name for name, inner in schema["$defs"].items() if not inner.get("description")] == []


def test_limits_are_the_same_in_the_reference_and_the_code():
    limits = {
        "bytes in a file": load.MAX_BYTES,
        "levels of nesting in a file": load.MAX_DEPTH,
        "entries in a file, aliases written out": load.MAX_NODES,
        "characters of a text in a file": load.MAX_TEXT,
        "digits of a number": load.MAX_DIGITS,
        "files that extend one another": resolve.MAX_EXTENDS,
        "characters in a file and all that it extends": resolve.MAX_TOGETHER,
        "characters of an expression": parse.MAX_LENGTH,
        "depth of an expression": parse.MAX_DEPTH,
        "things": declarations.MAX_ATOMS,
        "values of the state": declarations.MAX_SLOTS,
        "steps in all rules": steps.MAX_STEPS,
        "things in a match": 7,
        "steps between two decisions": state.BUDGET,
        "elements of a list, of a pile, or of a set of numbers": operations.LONGEST,
    }
    assert {row[0]: int(row[1].replace(",", "")) for row in tables("limit", "value")} == limits


def test_links_inside_a_page_lead_to_a_heading():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        headings = {
            re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-")
            for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        }
        assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= headings
        for target in re.findall(r"\]\((?!#|[a-z]+:)([^)#]*)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


# --- the Python interface --------------------------------------------------------------------------------------------
def test_every_public_name_has_an_example_in_the_api_page():
    examples = "\n".join(b.text for b in blocks("python") if b.page.name == "api.md")
    missing = [n for n in tabarro.interpreter.__all__ if not re.search(rf"\b{n}\b", examples)]
    kinds = (tabarro.Game, tabarro.State, tabarro.Player)
    members = [f".{n}" for kind in kinds for n in dir(kind) if not n.startswith("_")]
    missing += [n for n in members if n not in examples and n not in (".v", ".game", ".frames", ".sees_dealing")]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_examples_give_what_they_say(page, folder, monkeypatch):
    monkeypatch.chdir(folder)
    source = "\n".join(b.text for b in blocks("python") if b.page == page)
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)
    assert test.examples or ">>>" not in source


# --- (d) the command -------------------------------------------------------------------------------------------------
def tabarro_command(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess:
    home = str(Path(tabarro.interpreter.__file__).parents[2])  # where the package is found
    path = os.pathsep.join([home, os.environ.get("PYTHONPATH", "")])
    environment = {
        **os.environ,
        "PYTHONPATH": path,
        "LANGUAGE": "en",
        "LC_ALL": "C.UTF-8",
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    start = "import sys; from tabarro.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def commands() -> set[str]:
    """The commands that the parser knows."""
    import argparse

    from tabarro import cli

    if hasattr(cli, "SUMMARIES"):
        return set(cli.SUMMARIES)
    if hasattr(cli, "build_parser"):
        actions = [a for a in cli.build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
        return {name for action in actions for name in action.choices}
    found = re.search(r"\{([\w,-]+)\}", tabarro_command("--help").stdout)
    return set(found[1].split(",")) if found else set()


def test_every_command_is_documented():
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert commands()
    assert {name for name in commands() if f"tabarro {name}" not in text} == set()


def session(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown."""
    parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2]))


@pytest.mark.parametrize("block", blocks("console"), ids=str)
def test_console_examples_show_what_the_command_prints(block, folder):
    """A line with nothing but … stands for any number of lines; commands of other programs are not run."""
    for line, output in session(block):
        name, *arguments = line.split()
        if name != "tabarro":
            continue
        run = tabarro_command(*arguments, cwd=folder)
        pattern = "".join(
            r"(?:.*\n)*?" if text.strip() == "…" else re.escape(text.rstrip("\n")) + r"[ ]*\n"
            for text in output.splitlines(keepends=True)
        )
        printed = run.stdout + run.stderr
        assert "Traceback" not in printed
        assert not output.strip() or re.fullmatch(pattern, printed.rstrip("\n") + "\n"), printed
