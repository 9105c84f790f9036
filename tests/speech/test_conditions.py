"""The law of saying: every condition is said in every language, read back it is the same, and no sentence means two."""

from __future__ import annotations

from functools import cache

import pytest
from covering import kept
from generating import Conditions
from loading import NAMES, is_house_rule, loaded
from positions import cells, truth
from tabarro.interpreter import load_game
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.model import Expr
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.reading import Unread
from tabarro.speech.restating import restated
from tabarro.speech.simplifying import canonical, simple


@cache
def speaker(name: str, language: str) -> Speaker:
    return Speaker(loaded(name), Language(language))


def names(game):
    formulas = [f for same in game.vocabulary.functions.values() for f in same if f.kind == "formula"]
    return {v.name: v for f in formulas if f.result.kind == "truth" for v in f.variables[f.keys :]}


def typed(name: str, text: str) -> Expr:
    game = loaded(name)
    return game.vocabulary.checker.expression(text, Place(Source("", text), 1, 1), Scope(names(game)))


def said(text: str, language: str, name: str = "venice-2013") -> str:
    return speaker(name, language).sentence(typed(name, text))


def means(speaker: Speaker, expr: Expr):
    return canonical(speaker.by_meaning(expr))


def holds_the_law(name: str, language: str, count: int, seed: int, depth: int) -> None:
    this, conditions = speaker(name, language), Conditions(loaded(name), seed, depth)
    meanings: dict[str, object] = {}
    for _ in range(count):
        expr = conditions.next()
        sentence = this.sentence(expr)
        assert this.grammar.data["say"]["unsaid"] not in sentence.casefold(), expr
        (found,) = this.read(sentence, conditions.free)
        assert means(this, found) == means(this, expr), sentence
        assert meanings.setdefault(sentence, means(this, expr)) == means(this, expr), sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["tic-tac-toe", "little-mystery", "venice-2013"])
def test_what_is_said_is_read_back_as_the_same(name, language):
    holds_the_law(name, language, 12, seed=7, depth=3)


ALL = [(name, language) for name in NAMES for language in LANGUAGES]


@pytest.mark.long
@pytest.mark.parametrize(("name", "language"), kept(ALL, [row for row in ALL if not is_house_rule(row[0])]))
def test_what_is_said_is_read_back_as_the_same_in_all_games(name, language):
    holds_the_law(name, language, 15 if language == "ja" else 30, seed=11, depth=4)


# --- truth ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "venice-2013"])
def test_what_is_read_back_is_as_true_as_what_was_said(name):
    """The simplifications before saying change no truth: not by how sentences look, but by what conditions are worth."""
    this, game = speaker(name, "en"), loaded(name)
    conditions = Conditions(game, 5, 3)
    positions = [cells(game, seed) for seed in range(12)]
    for _ in range(60):
        expr = conditions.next()
        (found,) = this.read(this.sentence(expr), conditions.free)
        for position in positions:
            worth = truth(expr, position, conditions.free)
            if worth != "nothing":
                assert truth(found, position, conditions.free) in (worth, "nothing"), this.sentence(expr)


@pytest.mark.parametrize(
    "name", ["night-runner", "last-guest", "leduc-poker", "liars-dice", "cards-safe", "venice-2013"]
)
def test_what_is_simplified_is_as_true_and_cannot_be_simplified_again(name):
    """Also what is then said in the words of the game: piece is on space, for place of piece is space."""
    game, grammar = loaded(name), speaker(name, "en").grammar
    conditions, positions = Conditions(game, 17, 4), [cells(game, seed) for seed in range(4)]
    for _ in range(80):
        expr = conditions.next()
        plain = simple(expr)
        said = restated(plain, grammar)
        assert canonical(plain) == canonical(expr) == canonical(said)
        for position in positions:
            worth = truth(expr, position, conditions.free)
            if worth != "nothing":
                assert truth(plain, position, conditions.free) in (worth, "nothing")
                assert truth(said, position, conditions.free) in (worth, "nothing")


APART = {
    "last-guest": [
        "host is in ((hand of ada plus hand of ben) plus gone)",
        "host is in (gone plus gossip)",
        "any guest called one in hand of ada such that not (one is in ((hand of ben plus gossip) plus host))",
        "every guest called one in gone such that one is in (hand of ada plus hand of ben)",
        "host is in (hand of ada where gone is none or it is in gone)",
        "any guest called one in gone such that one is in (hand of ada where rank of it is more than 3)",
    ],
    "tic-tac-toe": [
        "a1 is in (squares where mark of it is mark of b2)",
        "no two squares in (a1 or b2) share a mark",
        "not (no two squares in (a1 or b2) share a mark)",
        "no two squares in ((a1 or b2) or c3) share a mark",
    ],
}


@pytest.mark.parametrize("name", APART)
def test_what_is_taken_apart_is_as_true(name):
    game = loaded(name)
    positions = [cells(game, seed) for seed in range(60)]
    for text in APART[name]:
        expr = typed(name, text)
        worth = [truth(expr, position, {}) for position in positions]
        assert {True, False} == set(worth), text
        assert [truth(simple(expr), position, {}) for position in positions] == worth, text


DEEP = {
    "venice-2013": ["not (place of ambassador is place of ambassador) and blue_fat is settled"],
    "cards-safe": [
        "ambassador is in (envoys with the highest points) and "
        "((black_codes of code of blue) plus black_codes) are within (black_codes without black_codes of code of red)",
    ],
    "little-mystery": [
        "(if ada is out then 4 else count of (players where it is out)) is less than "
        "count of ((hand of ada without hand of cleo) without (cards without hand of ada))",
        "(suspects without (captain or baker)) are within (cards where it is in clues and ben is out)",
        "hand of ada are within (cards where it is in clues and ben is out)",
        "not ((hand of ada without hand of cleo) is (hand of ada where ben is out and not (ben is out)))",
    ],
    "expedition": [
        "(any player called who such that who is in party) or wanted",
        "not (every player called who such that not (who is in party) or role of who is bribed)",
        "(any player called who such that who is in party and role of who is bribed) or wanted",
    ],
    "last-guest": [
        "not ((players without guests_left) is (others of ada where gone is none and not (gone is none)))",
        "any player called who such that who is in guests_left and hand of who is none",
    ],
    "tic-tac-toe": [
        "last of ((players starting with cross) plus nought) is cross",
        "every square called one in ((squares without squares) where it is not a1) such that one is empty",
        "0 is count of (squares without a1)",
        "not (every line called one in (middle or right) such that any player called who such that b1 is marked by who)",
    ],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DEEP)
def test_parts_of_parts_are_read_back_as_they_were_put(name, language):
    """Brackets that are read once, rows with one more, what nothing is in."""
    this = speaker(name, language)
    for text in DEEP[name]:
        expr = typed(name, text)
        (found,) = this.read(this.sentence(expr))
        assert means(this, found) == means(this, expr), text


# --- sentences that must differ ---------------------------------------------------------------------------------------
OPPOSITES = [
    ("no figure of red is with any figure of blue", "any figure of red is with any figure of blue"),
    ("not (every figure of the team is not on rialto)", "every figure of the team is on rialto"),
    ("no figure of red is not on rialto", "no figure of red is on rialto"),
    ("count of players is more than 3", "count of players is less than 3"),
    ("at least 2 figures of red are on rialto", "at most 2 figures of red are on rialto"),
    (
        "(paused or rialto is free) and agent_x is on space 5",
        "paused or (rialto is free and agent_x is on space 5)",
    ),
    (
        "place of red_tall is in neighbours of rialto along land",
        "place of red_tall is in neighbours of rialto along water",
    ),
    ("no two figures of the team share a place", "no two figures of the team share a build"),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pair", OPPOSITES, ids=[one for one, _ in OPPOSITES])
def test_conditions_that_differ_are_said_differently(pair, language):
    one, other = (said(text, language) for text in pair)
    assert one != other


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "no figure of red is with any figure of blue",
            {
                "en": "None of Red's figures is on the same space as any of Blue's figures.",
                "de": "Keine Figur von Rot steht auf demselben Feld wie eine Figur von Blau.",
                "ca": "Cap figura del vermell no és al mateix espai que cap figura del blau.",
                "ja": "赤の駒はどれも青の駒と同じマスにいない。",
            },
        ),
        (
            "not (every figure of the team is not on rialto)",
            {
                "en": "At least one of the team's figures is at Rialto.",
                "no": "En av lagets figurer står ved Rialto.",
                "ja": "チームの駒のどれかがリアルトにいる。",
            },
        ),
        ("no figure of red is not on rialto", {"ca": "Totes les figures del vermell són a Rialto."}),
        (
            "count of players is more than 3",
            {"en": "There are more than 3 players.", "nl": "Er zijn meer dan 3 spelers."},
        ),
        ("at least 2 figures of red are on rialto", {"de": "Mindestens 2 Figuren von Rot stehen auf dem Feld Rialto."}),
        (
            "no two figures of the team share a place",
            {"ca": "No hi ha dues figures de l'equip al mateix espai."},
        ),
        (
            "if the ambassador is on rialto then lord_fiddlebottom is on space 5 else agent_x is on space 2",
            {
                "no": "Hvis ambassadøren står ved Rialto, så står Lord Fiddlebottom på felt 5; "
                "ellers står Agent X på felt 2.",
                "de": "Wenn der Botschafter auf dem Feld Rialto steht, dann steht Lord Fiddlebottom auf Feld 5; "
                "sonst steht Agent X auf Feld 2.",
            },
        ),
    ],
)
def test_sentences_are_those_of_the_language(text, sentences):
    for language, sentence in sentences.items():
        assert said(text, language) == sentence


def test_one_of_several_groups_is_one_of_this_or_of_that():
    text = "host is in ((hand of ada plus hand of ben) plus gone)"
    assert said(text, "en", "last-guest") == (
        "The host is one of the cards in Ada's hand, one of the cards in Ben's hand or a guest who was sent away."
    )
    assert said(text, "nl", "last-guest") == (
        "De gastheer is een handkaart van Ada, een handkaart van Ben of een weggestuurde gast."
    )


def test_what_one_of_them_is_cannot_be_taken_for_what_all_of_them_are():
    near = "neighbours of rialto along land"
    for text in (f"any free space is in {near}", f"any space in ({near}) is free"):
        assert said(text, "en") == "At least one space adjacent to Rialto by land is free."
        assert said(text, "ca") == "Algun espai connectat per terra amb Rialto està lliure."
        this = speaker("venice-2013", "en")
        (read,) = this.read("A space adjacent to Rialto by land is free.")
        assert means(this, read) == means(this, typed("venice-2013", text))


def test_all_of_a_kind_and_values_of_named_things_are_said_of_each():
    text = "winners with blue are players"
    assert said(text, "en", "double-or-nothing") == "Every player wins together with Blue."
    assert said(text, "ja", "double-or-nothing") == "プレイヤーは全員青とともに勝つ。"
    text = "1 is in points of (green or red)"
    assert said(text, "en", "private-mission") == "Either Green's score is 1, or Red's score is 1."


def test_what_holds_where_there_is_none_has_words_of_its_own():
    this = speaker("liars-dice", "en")
    for text, sentence in (
        ("bidder is nothing", "Nobody has bid yet."),
        ("bidder is not nothing", "Somebody has bid."),
    ):
        assert said(text, "en", "liars-dice") == sentence
        (read,) = this.read(sentence)
        assert means(this, read) == means(this, typed("liars-dice", text))


def test_what_follows_an_exception_does_not_seem_to_belong_to_it():
    text = "(holder of madame_zsa_zsa) is in ((players without team of green) plus team of red)"
    assert said(text, "en", "little-venice") == (
        "Either the player with the identity Madame Zsa Zsa is one of the players except the members of Green's team, "
        "or the player with the identity Madame Zsa Zsa is on the same team as Red."
    )


def test_an_opposite_without_a_negation_is_not_taken_for_one(tmp_path):
    """Cap «seat» queda lliure would say that all are taken; what is meant is that none is."""
    path = tmp_path / "full.yaml"
    path.write_text(
        """
name: Full
players: {2: {}}
things: {player: [ann, bob], seat: [left, right]}
seats: players
state: {seat is taken: {is: yes or no, seen by: all}}
phrases: {seat is taken: {ca: "{seat} està ocupat | not: {seat} queda lliure"}}
rules: {game: {over: {end: nobody}}}
""",
        encoding="utf-8",
    )
    game = load_game(path)
    this = Speaker(game, Language("ca"))
    expr = game.vocabulary.checker.expression("no seat is taken", Place(Source("", ""), 1, 1), Scope({}))
    sentence = this.sentence(expr)
    assert "queda lliure" not in sentence
    (read,) = this.read(sentence)
    assert canonical(this.by_meaning(read)) == canonical(this.by_meaning(expr))


# --- games of strangers -----------------------------------------------------------------------------------------------
STRANGE = """
name: Strange
about: A game without a phrase.
players: {2: {}}
things:
  player: [ann, bob]
  goblin: [grik, snag, mugh]
  den: {members: [deep, dark]}
seats: players
state:
  lair of goblin: {is: den, seen by: all}
  owner of goblin: {is: player or nothing, seen by: all}
  gold of player: {is: number, seen by: all}
  goblin is fed: {is: yes or no, seen by: all}
  friends of goblin: {is: set of goblin, seen by: all}
  dark_night: {is: yes or no, seen by: all}
words:
  goblin is near goblin called other: lair of goblin is lair of other
  goblin is alone: no goblin called other such that other is not goblin and other is near goblin
rules:
  game:
    over: {end: nobody}
"""


@cache
def strange():
    import tempfile
    from pathlib import Path

    from tabarro.interpreter import load_game

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "strange.yaml"
        path.write_text(STRANGE, encoding="utf-8")
        return load_game(path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_law_holds_for_a_game_without_any_phrase(language):
    this, conditions = Speaker(strange(), Language(language)), Conditions(strange(), 3, 3)
    for _ in range(40):
        expr = conditions.next()
        sentence = this.sentence(expr)
        (found,) = this.read(sentence, conditions.free)
        assert means(this, found) == means(this, expr), sentence


ENGLISH = r"(?<![\w„«“「])(the|of|is|are|and|or|not|with|every|any|that|which)(?![\w”»」])"


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language not in ("en", "nl")])
def test_no_english_glue_in_other_languages(language):
    import re

    this, conditions = Speaker(strange(), Language(language)), Conditions(strange(), 4, 3)
    for _ in range(30):
        sentence = re.sub(r"[„«「].*?[“»」]", "", this.sentence(conditions.next()))
        assert not re.search(ENGLISH, sentence), sentence


def test_what_a_step_is_stands_at_the_end_of_the_sentence():
    text = "every spot in (neighbours within 2 steps of market along foot) is watched"
    step = "a step leads from a spot to the spots linked on foot to that spot"
    assert said(text, "en", "night-runner") == f"Every spot within 2 steps of the market is being watched ({step})."


def test_those_at_a_place_are_counted_and_compared_without_a_clause():
    text = "count of (figures of red where it is on rialto) is points of red"
    assert said(text, "en") == "The number of Red's figures at Rialto is equal to Red's score."
    assert said(text, "no") == "Antallet av Røds figurer ved Rialto er lik poengsummen til Rød."
    text = "largest of points of players is more than 2"
    assert said(text, "en") == "The highest score among the players is more than 2."
    assert said(text, "de") == "Der höchste Punktestand unter den Spielern liegt über 2."


def test_no_two_of_what_was_put_together_need_no_second_noun():
    text = "no two squares in (squares of centre plus squares of bottom) share a mark"
    sentence = "Entre les caselles de la columna del mig i les caselles de la fila de baix, no n'hi ha dues amb la mateixa marca."
    assert said(text, "ca", "tic-tac-toe") == sentence
    assert said(f"not ({text})", "ca", "tic-tac-toe") == sentence.replace("no n'hi", "n'hi")


def test_what_has_no_subject_of_its_own_follows_either():
    text = "not (paused and rialto is free)"
    assert said(text, "en") == "Either Rialto is not free, or movement is not paused."
    assert said(text, "ca") == "O bé Rialto no està lliure, o bé el moviment no està en pausa."


@pytest.mark.parametrize("quantifier", ["any", "every", "no"])
def test_what_is_other_in_japanese_is_the_thing_and_not_its_owner(quantifier):
    """Where what belongs to a noun comes before it, “other” stands between the two: 赤の別の駒, a figure of Red."""
    game = loaded("venice-2013")
    text = f"{quantifier} figure of red is with another figure of red"
    expr = game.vocabulary.checker.expression(text, Place(Source("", text), 1, 1), Scope({}))
    speaker = Speaker(game, Language("ja"))
    said = speaker.sentence(expr)
    assert "赤の別の駒" in said
    assert [canonical(found) for found in speaker.read(said)] == [canonical(expr)]
    with pytest.raises(Unread):
        speaker.read("赤の駒のどれかが別の赤の駒と同じマスにいる。")
