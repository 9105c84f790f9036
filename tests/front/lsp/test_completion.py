"""What an editor offers where the cursor is (|), in files of several languages, whole and broken."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tabarro.front.lsp import following
from tabarro.front.lsp.analysis import Analysis, analyse
from tabarro.front.lsp.completion import complete
from tabarro.front.lsp.desk import Desk
from tabarro.speech.language import Language

HERE = Path(__file__).resolve().parent / "house.yaml"  # never written
VENICE = "extends: venice-2013\nname: {en: Quiet}\n"


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """All names are tried, however busy the machine is."""
    monkeypatch.setattr(following, "PATIENCE", 60)


@cache
def desk() -> Desk:
    return Desk()


def understood(text: str) -> Analysis:
    desk().open = {HERE: text}
    return analyse(desk(), HERE)


def offered(text: str) -> list[str]:
    """What is offered at the bar, the likeliest first."""
    known = understood(text.replace("|", "", 1))
    found = complete(known, known, text.index("|"), Language("en"))
    return [item.label for item in sorted(found, key=lambda item: (item.rank, item.label))]


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("ext|", ["extends", "rules", "change"], ["members"]),
        ("extends: |", ["venice-2013", "tic-tac-toe"], ["house"]),
        (VENICE + "opt|", ["options", "rules"], ["extends", "name"]),
        (VENICE + "options: {|}", ["repeats"], ["extends"]),
        (VENICE + "options: {repeats: |}", ["forbidden", "allowed"], ["true"]),
        (VENICE + "options:\n  repeats: f|", ["forbidden"], []),
        (VENICE + "things:\n  ball:\n    |", ["members", "columns"], ["draw"]),
        (VENICE + "things:\n  ball:\n    members:\n      |", ["purple", "white"], ["members"]),
        (VENICE + "things: {ball: {members: {purple: {|}}}}", ["count", "name"], ["purple"]),
        (VENICE + "rules:\n  tu|", ["turn of player"], []),
        (VENICE + "rules:\n  turn of player:\n    sh|", ["shake"], []),
        (VENICE + "rules:\n  turn of player:\n    shake:\n      draw: 4\n      |", ["from", "as"], ["ask", "draw"]),
        (VENICE + "rules:\n  turn of player:\n    hi: {before: |}", ["shake"], ["hi"]),
        (VENICE + "rules:\n  turn of player:\n    hi: {before: shake, |}", ["say", "ask"], ["before"]),
        (VENICE + 'rules:\n  turn of player:\n    hi: {before: shake, say: "Hello {|"}', ["player"], []),
        (VENICE + "change:\n  turn of player/|", ["shake"], ["turn of player"]),
        (VENICE + "change: {turn of player/shake/|: 4}", ["draw"], []),
        (VENICE + "remove: [ball/|]", ["purple"], []),
        (VENICE + "words:\n  player is lucky: |", ["any", "not", "player"], []),
        (VENICE + "words:\n  player is lucky: any |", ["figure", "space"], ["rialto", "any"]),
        (VENICE + "words:\n  player is lucky: place of |", ["ambassador"], ["rialto", "orange", "repeats"]),
        (VENICE + "words:\n  player is lucky: place of ambassador is |", ["rialto", "not"], ["red", "orange"]),
        (VENICE + "words:\n  player is lucky: any figure of player is on ri|", ["rialto"], ["red"]),
        (VENICE + "state:\n  mood of player: {is: |}", ["number", "yes or no", "space", "set of"], []),
        (VENICE + "state:\n  mood of player: {is: set of |}", ["space"], []),
        ("abstract: |", ["true", "false"], []),
        ("llengua: ca\namplia: venice-2013\n|", ["regles", "opcions"], ["rules", "amplia"]),
        (
            "llengua: ca\namplia: venice-2013\nmots:\n  player és afortunat: alguna figure de player és a ri|",
            ["rialto"],
            [],
        ),
        ("Sprache: de\nerweitert: venice-2013\n|", ["Regeln"], ["rules"]),
        ("言語: ja\n|", ["規則"], ["rules"]),
    ],
)
def test_what_may_stand_there_is_offered(text, wanted, unwanted):
    found = offered(text)
    assert [word for word in wanted if word not in found] == []
    assert [word for word in unwanted if word in found] == []


def test_nothing_stands_twice_among_what_is_offered():
    for text in (VENICE + "words:\n  player is lucky: |", VENICE + "things: {ball: {members: {purple: {|}}}}"):
        found = offered(text)
        assert len(found) == len(set(found))


def test_where_the_file_is_broken_the_last_good_state_helps():
    good = understood(VENICE + "words:\n  player is lucky: any figure of player is on rialto\n")
    text = VENICE + "things: {ball: {members\nwords:\n  player is lucky: place of |"
    known = understood(text.replace("|", ""))
    assert known.problems
    assert "ambassador" in {item.label for item in complete(known, good, text.index("|"), Language("en"))}
