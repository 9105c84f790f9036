"""Games watched and told again at a terminal: turn by turn, back and forth, with the board."""

from __future__ import annotations

import random
import re

import pytest
from loading import loaded
from tabarro.front.terminal.turns import Scenes
from tabarro.front.workbench.conclusions import Moments
from tabarro.interpreter import Reader, Save
from tabarro.lab.knowledge import Knowledge
from tabarro.lab.turns import pieces
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.narrator import Narrator
from terminal import Person, piped


def played(folder, name: str, seed: int = 5):
    """A game by chance, kept as a save."""
    game = loaded(name)
    state, luck = game.new(seed), random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    with Save.create(folder / "told.tabarro", game, seed, None, replace=False, force=True, alone=True) as save:
        while not state.over:
            choice = state.sample(luck, habits=True)
            save.append(game.words(choice), False)
            state.apply(choice)
        save.settle()
    return state


def shown(person: Person, typed: str | int) -> str:
    """What stands on the screen after this was typed, until something is asked again."""
    before = len(person.said)
    person.type(typed)
    assert person.wait() in ("prompt", "more", "end")
    return person.said[before:]


@pytest.mark.parametrize(
    "language", [pytest.param(code, marks=() if code == "en" else pytest.mark.long) for code in LANGUAGES]
)
def test_a_game_told_turn_by_turn_is_the_game_told_at_once(tmp_path, language):
    played(tmp_path, "little-mystery")
    arguments = ("replay", "told.tabarro", "--lang", language)
    whole = [line.strip() for line in piped(tmp_path, *arguments).stdout.splitlines() if line.strip()]
    person = Person(tmp_path, *arguments, languages=(language,))
    assert person.wait() == "prompt"
    told = person.said
    while (more := shown(person, "")) and person.child.isalive():
        told += more
    flat = "".join(told.split())
    places = [flat.find("".join(line.split())) for line in whole]
    assert -1 not in places and len(whole) > 12
    assert language == "en" or "Enter goes on" not in told


def test_one_goes_back_jumps_and_lets_it_run(tmp_path):
    played(tmp_path, "little-mystery")
    person = Person(tmp_path, "replay", "told.tabarro")
    assert person.wait() == "prompt"
    last = int(re.findall(r"Turn 1 of (\d+)", person.said)[0])
    assert f"Turn 2 of {last}" in shown(person, "")
    assert f"Turn 1 of {last}" in shown(person, "back")
    assert f"Turn {last - 1} of {last}" in shown(person, last - 1)
    assert "Everything is revealed now" in shown(person, "run 0.1")
    assert f"Turn {last} of {last}" in shown(person, "back")
    assert "one of these: back, run, secrets, quit." in " ".join(shown(person, "sideways").split())
    shown(person, "quit")
    assert not person.child.isalive() or person.child.wait() == 0


def test_while_it_runs_enter_stops_it(tmp_path):
    played(tmp_path, "little-mystery")
    person = Person(tmp_path, "replay", "told.tabarro")
    assert person.wait() == "prompt"
    person.type("run 30")
    person.child.expect("Turn 2 of")
    person.child.sendline("")
    person.child.expect("Stopped")
    assert person.wait() == "prompt"
    person.child.close(force=True)


def test_the_board_is_drawn_as_it_was(tmp_path):
    state = played(tmp_path, "tic-tac-toe")
    first = next(e for e in Reader(state.game).news(state.umpire()) if e.kind == "ask")
    person = Person(tmp_path, "replay", "told.tabarro")
    assert person.wait() == "prompt" and " X" in person.said and " O" not in person.said and first["square"]
    assert " O" in shown(person, "")
    assert " O" not in shown(person, 1)
    person.child.close(force=True)


def test_secrets_are_known_at_the_turn_that_is_told(tmp_path):
    """The turns are counted by the sentence with which the rules begin each."""
    state = played(tmp_path, "venice-2013", seed=8)
    game, umpire = state.game, state.umpire()
    turn_of, turn, narrator = [0], 0, Narrator(game, Language("en"))
    for entry in Reader(game).news(umpire):
        turn += any(re.match(r"It is (.+'s turn|the turn of .+)\.$", line) for line in narrator.tell([entry]))
        turn_of += [turn] if entry.kind == "ask" else []
    decisions = Knowledge(umpire.log, umpire.log.decisions()).moments()
    found = Moments(umpire, Language("en")).found
    assert (
        turn > 2
        and {s: {n: None if d is None else turn_of[d] for n, d in k.items()} for s, k in decisions.items()} == found
    )


def test_a_game_that_is_watched_is_played_as_one_looks(tmp_path):
    whole = piped(tmp_path, "watch", "kuhn-poker", "--seed", "3").stdout
    person = Person(tmp_path, "watch", "kuhn-poker", "--seed", "3")
    assert person.wait() == "prompt" and "has won" not in person.said
    said = shown(person, 99)
    assert "has won" in said
    shown(person, 1)
    while "has won" not in shown(person, ""):
        pass
    assert all(line.strip() in person.said for line in whole.splitlines()[1:])
    person.child.close(force=True)


def test_in_a_game_that_is_watched_one_can_ask_when_each_secret_could_have_been_known(tmp_path):
    person = Person(tmp_path, "watch", "night-runner", "--seed", "5")
    assert person.wait() == "prompt" and "secrets" in person.said
    assert "Smuggler: hideout (from the beginning)" in shown(person, "secrets")
    assert "Turn 2 of" in shown(person, "")  # it goes on from where one was
    person.child.close(force=True)
    person = Person(tmp_path, "watch", "night-runner", "--seed", "5", "--as", "smuggler")
    assert person.wait() == "prompt" and "secrets" not in person.said
    person.child.close(force=True)


def test_of_a_game_seen_by_one_seat_no_secrets_are_told(tmp_path):
    played(tmp_path, "kuhn-poker")
    person = Person(tmp_path, "replay", "told.tabarro", "--as", "second")
    assert person.wait() == "prompt"
    assert "secrets" not in person.said and "one of these" in shown(person, "secrets")
    person.child.close(force=True)


def test_a_late_turn_is_reached_by_telling_each_turn_once():
    """However far one jumps in a watched game, what is over is not told anew."""
    game, told = loaded("little-mystery"), []
    state, luck, reader = game.new(5), random.Random(5), Reader(game)
    narrator = Narrator(game, Language("en"))
    tell = narrator.told
    narrator.told = lambda piece: told.append(len(piece)) or tell(piece)
    scenes, entries = Scenes(game, narrator), 0
    while not state.over:
        state.apply(state.sample(luck, habits=True))
        news = reader.news(state.umpire())
        entries += len(news)
        scenes.read(news, state.over)
    assert sum(told) == entries and len(scenes.found) > 2
    numbers = [scene.number for scene in scenes.found]
    assert numbers == [number for number, _ in pieces(game, Reader(game).news(state.umpire()))]
