"""Every expression of the tables in docs/language.md, said in six languages: `python tests/speech_sentences.py` writes
docs/sentences.md anew. The words of the example are those of tests/ferry; a translator can read the page from top to end."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tabarro.interpreter import load_game
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, RulesError, Source
from tabarro.interpreter.model import Var
from tabarro.speech import language as languages
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import LANGUAGES, Language

ROOT = Path(__file__).resolve().parent.parent
PAGE, FERRY = ROOT / "docs" / "sentences.md", ROOT / "tests" / "ferry"
HEADERS = ("| form | meaning | example | value |",)
TOP = """# The example, said in six languages

Every expression of the tables in [the reference](language.md#expressions), as Tabarro says it: conditions as sentences,
values as they stand in one. `player` is whoever is asked about. The page is written by `python tests/speech_sentences.py`,
and a test holds it against the program; what reads wrong here is mended in `locales/<language>/grammar.yaml`, or, if it is a
word of the example, in `tests/ferry`.
"""


def expressions() -> list[str]:
    found: dict[str, None] = {}
    table = False
    for line in (ROOT / "docs" / "language.md").read_text(encoding="utf-8").splitlines():
        table = line in HEADERS or (table and line.startswith("|"))
        cells = [cell.strip() for cell in line.strip("|").split("|")] if table else []
        if len(cells) == 4 and re.fullmatch(r"`[^`]+`", cells[2]):
            found.setdefault(cells[2][1:-1])
    return list(found)


def ferry():
    """The example as the page has it, with the words of six languages."""
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        example = re.search(r"^```yaml\n(# night-ferry\.yaml\n.*?)^```$", text, re.MULTILINE | re.DOTALL)
        (Path(folder) / "night-ferry.yaml").write_text(example[1], encoding="utf-8")
        (Path(folder) / "ferry.yaml").write_text((FERRY / "ferry.yaml").read_text(encoding="utf-8"), encoding="utf-8")
        return load_game(Path(folder) / "ferry.yaml")


def said() -> dict[str, dict[str, str]]:
    """By expression and language."""
    game, found = ferry(), {}
    player = Var("player", game.vocabulary.sets["player"].type)
    languages.use_catalogues((FERRY / "locales",))
    try:
        speakers = {code: Speaker(game, Language(code)) for code in LANGUAGES}
        for text in expressions():
            try:
                place = Place(Source("", text), 1, 1)
                expr = game.vocabulary.checker.expression(text, place, Scope({"player": player}))
            except RulesError:
                continue  # a part of an expression
            found[text] = {
                code: this.sentence(expr) if expr.type.kind == "truth" else this.value(expr, {})("")
                for code, this in speakers.items()
            }
    finally:
        languages.use_catalogues(())
    return found


def page() -> str:
    parts = [TOP]
    for text, row in said().items():
        parts.append(f"`{text}`\n\n" + "\n".join(f"- {code}: {row[code]}" for code in LANGUAGES) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
