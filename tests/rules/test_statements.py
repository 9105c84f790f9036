"""What the texts say (rules/inkognito/statements.yml) is played, tested and told, and every source says what it is said to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from loading import LIBRARY, description_of, loaded
from tabarro.front.paper.book import rulebook
from tabarro.interpreter import games
from tabarro.interpreter.resolve import RULES
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.telling import Telling

FILE = RULES / "inkognito" / "statements.yml"


def _read(path):
    return yaml.load(
        path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )  # ten times as fast


DATA = _read(FILE)
SILENT = DATA.pop("silent")
STATEMENTS = {id: (text, entry) for text, part in DATA.items() for id, entry in part["statements"].items()}
TESTS = Path(__file__).parents[1]
SCENARIOS = {path.stem: _read(path) for path in (TESTS / "scenarios").glob("*.yaml")}
BODIES = {"then": "", "do": "", "repeat": "", "else": "/else", "if none": "/if none"}  # what a step holds, and its sign
SECTIONS = {
    "things": "things",
    "table": "tables",
    "state": "state",
    "word": "words",
    "option": "options",
    "links": "links",
}
every_statement = pytest.mark.parametrize("id", STATEMENTS)


# --- the entries of a game's rules, by their names ----------------------------------------------------------------------
def steps(body: Any, way: str) -> Iterator[tuple[str, Any]]:
    for name, step in body.items():
        here = f"{way}/{name}"
        yield here, step
        for key, sign in BODIES.items():
            if isinstance(step.get(key), dict):
                yield from steps(step[key], here + sign)
        for choice, alternative in (step.get("between") or {}).items():
            if isinstance(alternative, dict):
                yield f"{here}/{choice}", alternative
                yield from steps(alternative.get("then") or {}, f"{here}/{choice}")


@cache
def entries(game: str, players: int) -> dict[str, Any]:
    description = LIBRARY.resolve(LIBRARY.find(game), players).description
    found: dict[str, Any] = {"players": {}}
    for word, section in SECTIONS.items():
        for head, entry in (description.get(section) or {}).items():
            found[f"{word} {head}"] = entry if isinstance(entry, dict) else {}
    for section in ("screens", "rulebook"):
        for key, entry in (description.get(section) or {}).items():
            found[f"{section} {key}"] = entry
            if section == "rulebook" and key in ("components", "tables", "chapters"):
                found |= {f"rulebook {key[:-1]} {name}": presented for name, presented in entry.items()}
    for head, body in description["rules"].items():
        found |= dict(steps(body, head.split(" ")[0]))
    return found


def found_in(game: str, players: int, name: str) -> list[str]:
    """The entries that a name means: a head may be cut short."""
    here = entries(game, players)
    return [name] if name in here else [key for key in here if key.startswith(f"{name} ")]


def tables(text: str) -> list[tuple[str, int]]:
    return [(game, players) for game in DATA[text]["games"] for players in description_of(game).players]


def is_about(entry: dict[str, Any], game: str, players: int) -> bool:
    """Whether a statement holds at this table."""
    return players in entry.get("players", [players]) and game in entry.get("editions", [game])


def tables_of(id: str) -> list[tuple[str, int]]:
    text, entry = STATEMENTS[id]
    return [table for table in tables(text) if is_about(entry, *table)]


def texts_of(source: Any) -> list[str]:
    return [text for text in re.split(r",\s*", str(source or "")) if text in DATA]


# --- what the rulebook tells ---------------------------------------------------------------------------------------------
@cache
def book(game: str, players: int) -> str:
    return re.sub(r"\s+", "", rulebook(loaded(game, players), "en", "text"))


def sentences(game: str, players: int, name: str) -> list[str]:
    """What a rulebook would say of an entry."""
    here = entries(game, players)
    entry = here[name]
    word, _, rest = name.partition(" ")
    if name == "players":
        return ["players"]
    if word == "option":
        return [entry["about"]]
    if word in ("things", "table"):
        kind = "component" if word == "things" else "table"
        shown = here.get(f"rulebook {kind} {rest.split(' ')[0]}") or {}
        return [] if shown.get("hidden") else [shown[key] for key in ("name", "about") if key in shown]
    if word == "rulebook" and isinstance(entry, str):
        return [entry]
    if name == "rulebook said":
        return list(entry.values())
    key = "about" if word == "rulebook" else "rule"
    return [entry[key]] if isinstance(entry, dict) and key in entry else []


@cache
def telling(game: str, players: int) -> Telling:
    return Telling(loaded(game, players), Language("en"))


def is_told(id: str, names: list[str]) -> bool:
    return any(
        (said := re.sub(r"\s+", "", telling(*table).text(sentence))) and said in book(*table)
        for table in tables_of(id)
        for name in names
        for entry in found_in(*table, name)
        for sentence in sentences(*table, entry)
    )


# --- the file ------------------------------------------------------------------------------------------------------------
def test_statements_are_no_game_and_are_numbered_without_gaps():
    assert "statements" not in games()
    for text, part in DATA.items():
        assert list(part["statements"]) == [f"{text}-{n}" for n in range(1, len(part["statements"]) + 1)]
    assert len({entry["says"] + id[:3] for id, (_, entry) in STATEMENTS.items()}) == len(STATEMENTS)


@every_statement
def test_a_statement_is_played(id):
    _, entry = STATEMENTS[id]
    assert set(entry) <= {"says", "players", "editions", "played", "tested", "told", "open", "outside"}
    assert set(entry.get("open", {})) <= {"played", "tested", "told"}
    if "outside" in entry:  # there is nothing to play, and nothing claims to
        assert not {"played", "tested"} & set(entry)
        return
    assert entry["played"]
    for name in (*entry["played"], *entry.get("told", ())):
        assert any(found_in(*table, name) for table in tables_of(id)), f"nothing is called {name}"


def test_a_statement_is_about_tables_that_there_are():
    known = set(games())
    for id, (_, entry) in STATEMENTS.items():
        assert tables_of(id), id
        assert set(entry.get("players", ())) <= {3, 4, 5} and set(entry.get("editions", ())) <= known


@every_statement
def test_a_statement_is_tested(id):
    text, entry = STATEMENTS[id]
    assert ("tested" in entry) != ("outside" in entry or "tested" in entry.get("open", {}))
    for name in entry.get("tested", ()):
        if name in SCENARIOS:
            assert text in texts_of(SCENARIOS[name].get("source")), f"{name} does not come from {text}"
        else:
            assert name == "referee" or name in names_of_tests(), f"there is no test {name}"


@cache
def names_of_tests() -> set[str]:
    return {
        name
        for path in TESTS.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    }


@every_statement
def test_a_statement_is_told_or_said_to_be_open(id):
    _, entry = STATEMENTS[id]
    told = is_told(id, [*entry.get("played", ()), *entry.get("told", ())])
    if entry.get("told"):
        assert is_told(id, entry["told"])
    if "told" in entry.get("open", {}):
        # an example or a case of a rule can be missing where the rule itself is told
        assert entry.get("told") is None
    else:
        assert told or "outside" in entry


# --- what somebody learns who reads one rulebook ---------------------------------------------------------------------------
CARDS = ("001", "003")  # both texts of the card games say what both play
LEARNT = {
    "cards-safe": CARDS,
    "cards-phone": CARDS,
    "venice-classic": ("002", "004"),
    "venice-japan": ("002", "004"),
}  # of which texts, if not only its own


def facts(game: str, players: int, code: str) -> set[str]:
    """The statements that this very rulebook tells, in this language."""
    language = Language(code)
    whole = re.sub(r"\s+", "", rulebook(loaded(game, players), language, "text", 4_000))
    said = Telling(loaded(game, players), language)
    found = set()
    for text in LEARNT.get(game) or [text for text, part in DATA.items() if game in part["games"]]:
        about = {id: entry for id, entry in DATA[text]["statements"].items() if is_about(entry, game, players)}
        for id, entry in about.items():
            for name in entry.get("told") or entry.get("played", ()):
                for sentence in (s for e in found_in(game, players, name) for s in sentences(game, players, e)):
                    told = (
                        language.number(players) if sentence == "players" else re.sub(r"\s+", "", said.text(sentence))
                    )
                    found |= {id} if told and told in whole else set()
    return found


TWELVE = sorted({(game, n) for part in DATA.values() for game in part["games"] for n in description_of(game).players})


@pytest.mark.parametrize(("game", "players"), TWELVE)
def test_a_rulebook_tells_fifty_facts_of_its_texts(game, players):
    assert len(facts(game, players, "en")) >= 50


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), TWELVE)
@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_what_a_rulebook_tells_it_tells_in_every_language(game, players, language):
    assert facts(game, players, language) == facts(game, players, "en")


# --- the other way round -------------------------------------------------------------------------------------------------
FAMILY = [(game, n) for part in DATA.values() for game in part["games"] for n in description_of(game).players]


def supported(text: str) -> set[str]:
    """The entries that some statement of a text is said to be played by."""
    return {
        key
        for _, entry in STATEMENTS.values()
        if _ == text
        for name in entry.get("played", ())
        for table in tables(text)
        for key in found_in(*table, name)
    }


@pytest.mark.parametrize("text", DATA)
def test_a_source_is_supported_by_a_statement_of_that_text(text):
    claimed = {
        (name, game)
        for game, players in FAMILY
        for name, entry in entries(game, players).items()
        if isinstance(entry, dict) and text in texts_of(entry.get("source")) and game in DATA[text]["games"]
    }
    assert claimed
    assert sorted({name for name, _ in claimed} - supported(text)) == []


def test_every_decision_concerns_a_statement_or_something_of_which_all_texts_are_silent():
    decided = {
        name
        for game, players in FAMILY
        for name, entry in entries(game, players).items()
        if isinstance(entry, dict) and "decision" in entry
    }
    concerned = set().union(*(supported(text) for text in DATA))
    assert sorted(decided - concerned - set(SILENT)) == []
    assert set(SILENT) <= decided and not set(SILENT) & concerned


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_of_the_family_tests_a_statement_of_each_of_its_sources(name):
    for text in texts_of(SCENARIOS[name].get("source")):
        cited = [id for id, (where, entry) in STATEMENTS.items() if where == text and name in entry.get("tested", ())]
        assert cited, f"no statement of {text} names it"
