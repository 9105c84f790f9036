"""Every operation of the rules language has a saying in every language, said and read back."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from loading import loaded
from tabarro.cli import main
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.model import NUMBER, Expr, Type, Var, const
from tabarro.interpreter.operations import OPERATIONS
from tabarro.speech import language as languages
from tabarro.speech.checking import SAID_BY, unsaid
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.simplifying import canonical
from tabarro.speech.tongue import tongue

ITALIAN = Path(__file__).resolve().parents[1] / "italian"
EXAMPLES = {
    "leduc-poker": [
        "sum of stake of players is more than 3",
        "largest of stake of players is stake of first",
        "(smallest of stake of players) is less than 2",
        "every player in (players with the highest stake) is paired",
        "first is in players with the lowest value of rank of hand",
        "any player in (players with the lowest (stake of it times 2)) is paired",
        "stake of first divided by 2 is at least 3",
        "(remainder of stake of first divided by 2) is 0",
        "stake of first is in 1 to 5",
        "every number called n in (1 to stake of first) such that n is less than 4",
        "(if first is paired then stake of first else raised) is 0 minus 1",
        "deck without hand of first is none",
        "players without first are players with the highest stake",
        "stake of first plus 1 is 3",
        "count of (cards of jack plus board) is 2",
        "rank of hand of players is within ranks",
        "no two players share a hand",
        "board is nothing or first of (players after second) is first",
        "(last of (reversed players)) is (the only players where it is paired)",
        "exactly 1 player is paired and not (second is paired)",
        "first of (players starting with second) is second",
    ],
    "last-guest": [
        "rank of hand of ada is within 1 to 3",
        "host is in hand of ada",
        "at least 2 guests in (hand of ada plus hand of ben) are in gone",
        "hand of ada without host is hand of ben",
        "sum of rank of hand of ada is 9",
        "first of (gone plus host) is last of (gone plus (hand of ada))",
        "first of (gone without gossip) is host",
        "count of (guests as often as copies) is 15",
    ],
    "night-runner": [
        "hideout is in neighbours within 1 step of market along foot",
        "hideout is in neighbours within 3 steps of (market or park) along ways",
        "every spot in (neighbours within any number of steps of hideout along boat) is watched",
        "any guard such that place of guard is in (neighbours within 2 steps of place of guard along foot)",
    ],
    "venice-2013": ["mission of lords for A with B by players", "figures of players are figures"],
}


def typed(name: str, text: str) -> Expr:
    return loaded(name).vocabulary.checker.expression(text, Place(Source("", text), 1, 1), Scope({}))


def operations(expr) -> set[str]:
    if isinstance(expr, tuple):
        return set().union(*map(operations, expr), set())
    return {expr.op, *operations(expr.args)} if isinstance(expr, Expr) else set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_operation_is_said_and_read_back(name, language):
    this = Speaker(loaded(name), Language(language))
    for text in EXAMPLES[name]:
        expr = typed(name, text)
        sentence = this.sentence(expr)
        assert this.grammar.data["say"]["unsaid"] not in sentence.casefold(), text
        (found,) = this.read(sentence)
        assert canonical(this.by_meaning(found)) == canonical(this.by_meaning(expr)), (text, sentence)


def test_the_examples_are_of_all_operations():
    met = set().union(*(operations(typed(name, text)) for name, texts in EXAMPLES.items() for text in texts))
    assert set(OPERATIONS) - met == {"matched", "amount"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_part_of_a_condition_by_itself_is_said_too(language):
    """An amount, and what a match gives to somebody."""
    game = loaded("leduc-poker")
    this, words = Speaker(game, Language(language)), game.vocabulary
    two, three = const(2, NUMBER), const(3, NUMBER)
    assert (
        this.value(Expr("amount", (two, three), Type("amount", "amount")), {})("") != this.grammar.data["say"]["unsaid"]
    )
    players = words.sets["player"].type
    theory = Var("theory", Type("match", "match", players.atoms, words.sets["card"].type))
    matched = Expr("matched", (theory, words.atom_const(min(players.atoms))), words.sets["card"].type)
    sentence = this.sentence(
        Expr(
            "eq",
            (matched, words.atom_const(min(words.sets["card"].type.atoms))),
            typed("leduc-poker", "first is paired").type,
        )
    )
    assert this.grammar.data["say"]["unsaid"] not in sentence.casefold()
    assert len(this.read(sentence, {"theory": theory})) == 1


def test_every_operation_has_rows_and_no_language_lacks_one():
    assert set(SAID_BY) == set(OPERATIONS)
    assert {code: unsaid(code) for code in LANGUAGES} == {code: {} for code in LANGUAGES}


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    shutil.copytree(ITALIAN, tmp_path / "mine")
    yield tmp_path / "mine"
    languages.use_catalogues(())


RULES = """
extends: tic-tac-toe
name: Much
state:
  chips of player: {is: number, seen by: all}
tables:
  bonus of player for player called other:
    is: yes or no
    rows:
      cross:  sum of chips of players is 3
      nought: chips of other is 2
rules:
  game:
    pay: {before: rounds, if: bonus of cross for nought, then: {gain: {set: {chips of cross: 1}}}}
"""


def test_a_condition_that_a_language_cannot_say_is_a_mistake(mine):
    (mine / "much.yaml").write_text(RULES, encoding="utf-8")
    path = mine / "locales" / "it" / "grammar.yaml"
    text = path.read_text(encoding="utf-8")

    def check() -> tuple[int, str]:
        err = io.StringIO()
        code = main(
            ["check", str(mine / "much.yaml"), "--quick", "--lang", "en", "--rules", str(mine)], io.StringIO(), err
        )
        return code, err.getvalue()

    assert check()[0] == 0
    path.write_text("".join(line + "\n" for line in text.splitlines() if not line.startswith("  total:")), "utf-8")
    tongue.cache_clear()
    code, err = check()
    assert code == 2 and "much.yaml:10:15" in err and "“it”" in err and "“say: total”" in err
    assert err.count("grammar.yaml") == 1  # the other condition can be said
    tongue.cache_clear()
