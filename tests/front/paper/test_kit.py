"""What `tabarro print` writes: all that is needed, as often as it is needed, backs behind their fronts, in six languages."""

from __future__ import annotations

import re
import sys
import types
from html import unescape
from pathlib import Path

import pytest
from loading import NAMES, loaded, player_counts
from tabarro.cli import main
from tabarro.front.paper.cutting import kit_pages
from tabarro.front.paper.kit import Kit
from tabarro.speech.language import Language

LANGUAGES = ("ca", "de", "en", "ja", "nl", "no")


def numbers(game) -> dict[str, int]:
    """How many there are of each form."""
    found: dict[str, int] = {}
    for heap in Kit(game, Language("en")).heaps():
        found[heap.form] = found.get(heap.form, 0) + heap.number
    return found


# From the texts: three secret cards for each of four spies, eight cards in each of the colours that play, four figures
# each and the ambassador, ten balls; at cards, eight cards in each colour, eight black ones, five tiles each.
@pytest.mark.parametrize(
    "name, players, wanted",
    [
        ("venice-2013", 3, {"cards": 12 + 3 * 8, "markers": 3 * 4 + 1, "chips": 10}),
        ("venice-2013", 4, {"cards": 12 + 4 * 8, "markers": 4 * 4 + 1, "chips": 10}),
        ("venice-2013", 5, {"cards": 12 + 4 * 8, "markers": 4 * 4 + 1, "chips": 10}),
        ("cards-safe", 4, {"cards": 4 * 8 + 8, "tiles": 5 * 5}),
        ("kuhn-poker", 2, {"cards": 3}),
        ("leduc-poker", 2, {"cards": 6}),
        ("last-guest", 2, {"cards": 15}),
        ("tic-tac-toe", 2, {"chips": 2 * 5}),
        ("four-in-a-row", 2, {"chips": 42}),
        ("little-mystery", 3, {"cards": 8}),
    ],
)
def test_all_that_is_needed_is_there(name, players, wanted) -> None:
    assert numbers(loaded(name, players)) == wanted


def test_a_house_rule_has_a_kit_of_its_own(tmp_path: Path) -> None:
    rules = tmp_path / "five-builds.yaml"
    rules.write_text(
        "extends: venice-2013\nname: Five <builds>\nthings:\n  build: [tall, short, fat, thin, bent]\n"
        "  ball:\n    members: {purple: {count: 4}}\n"
    )
    game = loaded(rules, 4)
    assert numbers(game) == {"cards": 4 + 5 + 4 + 4 * (4 + 5), "markers": 4 * 5 + 1, "chips": 13}
    assert all(
        "Five &lt;builds&gt;" in page and "<builds>" not in page for page in kit_pages(game, Language("en")).values()
    )


OFTEN = ("venice-2013", "cards-phone", "four-in-a-row", "expedition", "liars-dice")


@pytest.mark.parametrize("name", [n if n in OFTEN else pytest.param(n, marks=pytest.mark.soak) for n in NAMES])
def test_every_game_has_pages_in_every_language(name) -> None:
    game = loaded(name, player_counts(name)[-1])
    for code in LANGUAGES:
        language = Language(code)
        pages, kit = kit_pages(game, language), Kit(game, language)
        whole = unescape("".join(pages.values()))
        assert "{" not in re.sub(r"<style>.*?</style>", "", whole, flags=re.DOTALL)
        for heap in kit.heaps():
            for piece in heap.pieces:
                assert piece.title in whole and piece.owner in whole
        if code != "en":
            for english in ("What to print and cut out", "ote sheet", "dashed lines"):
                assert english not in whole


def test_backs_lie_behind_their_fronts() -> None:
    """Turned over the long edge, left and right are exchanged: what is cut out has its own back."""
    page = kit_pages(loaded("cards-safe", 4), Language("en"))["cards"]
    sides = re.findall(r'<section class="page">(.*?)</section>', page)
    assert len(sides) % 2 == 0

    def cut(side: str) -> dict[tuple[float, float], str]:
        found = {}
        for left, top, wide, inside in re.findall(
            r"left:([\d.]+)mm;top:([\d.]+)mm;width:(\d+)mm(.*?)(?=<div class=\"cut|$)", side
        ):
            whose = re.search(r'class="whose"[^>]*>([^<]*)<', inside)
            found[float(left) + float(wide) / 2, float(top)] = whose[1] if whose else ""
        return found

    for front, back in zip(sides[::2], sides[1::2]):
        behind = {(round(210 - x, 1), y): whose for (x, y), whose in cut(back).items()}
        assert {(round(x, 1), y): whose for (x, y), whose in cut(front).items()} == behind


def test_the_command_writes_what_it_says(tmp_path: Path, capsys, monkeypatch) -> None:
    folder = tmp_path / "kit"
    assert main(["print", "kuhn-poker", "-o", str(folder), "--lang", "ca"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["cards.html", "rulebook.html", "sheets.html"]
    assert main(["print", "kuhn-poker", "-o", str(folder), "--lang", "ca"]) == 0  # its own files it replaces
    (folder / "cards.html").write_text("my own")
    assert main(["print", "kuhn-poker", "-o", str(folder)]) == 2
    assert (folder / "cards.html").read_text() == "my own"

    class Paper:
        def __init__(self, string: str):
            self.string = string

        def write_pdf(self, **settings) -> bytes:
            return b"%PDF " + self.string[:20].encode()

    made = types.ModuleType("weasyprint")
    made.HTML = Paper
    monkeypatch.setitem(sys.modules, "weasyprint", made)
    assert main(["print", "kuhn-poker", "-o", str(tmp_path / "pdf"), "--pdf"]) == 0
    assert (tmp_path / "pdf" / "cards.pdf").read_bytes().startswith(b"%PDF")
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    assert main(["print", "kuhn-poker", "-o", str(tmp_path / "none"), "--pdf"]) == 2
    assert not (tmp_path / "none").exists() and "tabarro[pdf]" in capsys.readouterr().err


def test_a_back_tells_nothing_but_whose_a_card_is() -> None:
    """Cards are handed over face down: of what kind they are may be as secret as what they say."""
    for game in ("venice-2013", "cards-safe"):
        sections = kit_pages(loaded(game, 4), Language("en"))["cards"].split("<section")
        backs = {
            re.sub(r'style="[^"]*"', "", back)
            for section in sections
            for back in re.findall(r'<div class="cut card back".*?</svg></div></div>', section)
        }
        assert 1 < len(backs) <= 5  # one for each colour, one for those that belong to nobody
