"""What is offered as a remedy mends the mistake: each is carried out here, and the file looked at again."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tabarro.front.lsp.analysis import analyse, mistakes
from tabarro.front.lsp.desk import Desk
from tabarro.front.lsp.remedies import mended
from tabarro.speech.language import Language

HERE = Path(__file__).resolve().parent / "house.yaml"  # never written
VENICE = "extends: venice-2013\nname: {en: Quiet}\n"


@cache
def desk() -> Desk:
    return Desk()


def offered(text: str) -> list[str]:
    """The file as it would be with each of the remedies."""
    desk().open = {HERE: text}
    known = analyse(desk(), HERE)
    told = mistakes(known.problems, HERE, text, known.library, Language("en"))
    assert told, "no mistake"
    return [new for one in told for _, new in mended(one, known, desk(), Language("en"))]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("options: {repaets: forbidden}\n", "options: {repeats: forbidden}\n"),
        ("options: {repeats: forbiden}\n", "options: {repeats: forbidden}\n"),
        ("opitons: {repeats: forbidden}\n", "options: {repeats: forbidden}\n"),
        ("change: {turn of player/shaek/draw: 4}\n", "change: {turn of player/shake/draw: 4}\n"),
        ("change: {turn of playr/shake/draw: 4}\n", "change: {turn of player/shake/draw: 4}\n"),
        ("remove: [purpel]\n", "remove: [purple]\n"),
        ("things: {ball: {members: {purple: {cuont: 0}}}}\n", "things: {ball: {members: {purple: {count: 0}}}}\n"),
        ("things:\n  ball:\n    members:\n      purpel: {count: 0}\n", "things:\n  ball:\n    members:\n      purple: {count: 0}\n"),
        ("rules:\n  turn of player:\n    shaek: {draw: 4}\n", "rules:\n  turn of player:\n    shake: {draw: 4}\n"),
        ("words:\n  player is lucky: any figur of player is on rialto\n", "words:\n  player is lucky: any figure of player is on rialto\n"),
        ("words:\n  player is lucky: any figure of player is on rialta\n", "words:\n  player is lucky: any figure of player is on rialto\n"),
        ("words:\n  player is lucky: place of ambassador = rialto\n", "words:\n  player is lucky: place of ambassador is rialto\n"),
        ("words:\n  player is lucky: not (player is ready\n", None),
        ("rules:\n  turn of player:\n    hi: {before: shaek, say: Hello., to: all}\n", "rules:\n  turn of player:\n    hi: {before: shake, say: Hello., to: all}\n"),
        ("about: One thing: another\n", 'about: "One thing: another"\n'),
        ("about: {en: [Hello}\n", None),
        ("about: 'Hello\n", "about: 'Hello'\n"),
        ("about: @home\n", 'about: "@home"\n'),
        ("things: {ball: {members: {purple: {count: 0}}}\n", "things: {ball: {members: {purple: {count: 0}}}}\n"),
        ("things:\n\tball: {members: {purple: {count: 0}}}\n", "things:\n  ball: {members: {purple: {count: 0}}}\n"),
        ("state:\n  mood of player: {seen by: all}\n", "state:\n  mood of player: {seen by: all, is: }\n"),
    ],
)  # fmt: skip
def test_a_remedy_is_offered_that_mends_the_mistake(wrong, right):
    found = offered(VENICE + wrong)
    assert found, "nothing is offered"
    if right is not None:
        assert VENICE + right in found


def test_a_file_in_another_language_is_mended_in_its_own_words():
    assert "llengua: ca\namplia: venice-2013\nopcions: {repeats: forbidden}\n" in offered(
        "llengua: ca\namplia: venice-2013\nopcoins: {repeats: forbidden}\n"
    )
    assert "llengua: ca\namplia: venice-2013\nmots:\n  player és ric: algun figure de player és a rialto\n" in offered(
        "llengua: ca\namplia: venice-2013\nmots:\n  player és ric: algun figure de player és a rialta\n"
    )
