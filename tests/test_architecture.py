"""The house: which room may use which. Every check here has been seen to fail on a deliberate violation (see below)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

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
    "front/terminal": 6,
    "front/commands": 7,
    "": 8,  # cli.py
}
ONLY_THE_INTERPRETER = ("adapters",)


def modules() -> dict[str, Path]:
    """All modules of the packages, by their dotted names below the root."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[0] in ("interpreter", "speech", "mind", "adapters", "lab", "front", "cli", "__init__"):
            found[".".join(parts)] = path
    return found


def room_of(module: str) -> str:
    parts = module.split(".")
    room = "/".join(parts[:2]) if parts[0] == "front" else parts[0]
    return room if room in RANKS else ""


def imports(module: str, tree: ast.AST, known: set[str]) -> Iterator[tuple[str, int, bool]]:
    """The modules of ours that a module imports: which, in which line, inside a function or not."""
    late = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    package = module.split(".")[:-1]
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = package[: len(package) - node.level + 1]
        base += node.module.split(".") if node.module else []
        for alias in node.names:
            for name in (".".join([*base, alias.name]), ".".join(base), ".".join([*base, "__init__"])):
                if name in known:
                    yield name, node.lineno, id(node) in late
                    break


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


if __name__ == "__main__":
    trees = {m: ast.parse(p.read_text()) for m, p in modules().items()}
    print(*against_the_arrows(trees), sep="\n")
    n=0
    for m,t in trees.items():
        for d in ast.walk(t):
            if isinstance(d, ast.FunctionDef):
                for x in ast.walk(d):
                    if isinstance(x,(ast.Import,ast.ImportFrom)): n+=1; print('late',m,ast.unparse(x))
    print(n)
