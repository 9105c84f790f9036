"""Games from the cache are the games that were compiled, and are compiled anew when anything they hang on changes."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from loading import every_game
from surroundings import PLAIN
from tabarro.front.paper.book import rulebook
from tabarro.interpreter import RulesError, cache, compiling, load_game, save
from tabarro.speech.language import Language, use_catalogues


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def compiled(monkeypatch):
    """How often a game is compiled."""
    found = []
    real = compiling.compile_game

    def counting(library, path, *more):
        found.append(path.name)
        return real(library, path, *more)

    monkeypatch.setattr(compiling, "compile_game", counting)
    return found


@pytest.mark.long
@every_game
def test_a_kept_game_is_the_game_that_was_compiled(folder, compiled, name, players):
    fresh, kept = load_game(name, players), load_game(name, players)
    assert len(compiled) == 1 and fresh is not kept
    assert (kept.id, kept.players, kept.digest, kept.origin) == (fresh.id, fresh.players, fresh.digest, fresh.origin)
    assert (kept.seats, kept.name, kept.about, kept.habits) == (fresh.seats, fresh.name, fresh.about, fresh.habits)
    assert kept.program.source == fresh.program.source
    one, other, rng, habits = fresh.new(7), kept.new(7), random.Random(7), random.Random(7)
    for _ in range(40):
        if one.over:
            break
        assert one.actor == other.actor and one.legal() == other.legal()
        choice = one.sample(rng, habits=True)
        assert other.sample(habits, habits=True) == choice
        one.apply(choice)
        other.apply(choice)
    assert all(one.log(seat) == other.log(seat) for seat in fresh.seats) and one == other
    assert rulebook(fresh, Language("ca"), "text", 80) == rulebook(kept, Language("ca"), "text", 80)


PARENT = "extends: tic-tac-toe\nname: House\n"
CHILD = "extends: house\nname: Small house\n"


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_it_is_compiled_anew_when_a_file_has_changed_that_it_is_made_of(folder, compiled):
    put(folder / "house.yaml", PARENT)
    child = put(folder / "child.yaml", CHILD)
    assert [load_game(child).name for _ in range(3)] == ["Small house"] * 3 and len(compiled) == 1
    put(folder / "child.yaml", CHILD.replace("Small", "Large"))
    assert load_game(child).name == "Large house" and len(compiled) == 2
    before = load_game(child).digest
    put(
        folder / "house.yaml",
        PARENT + "rules: {game: {more: {after: begin, say: Hello., to: all}}}\n".replace("begin", "turns"),
    )
    try:
        assert load_game(child).digest != before
    except RulesError:
        pass  # whatever it says: it was read
    assert len(compiled) == 3


def test_it_is_compiled_anew_when_a_catalogue_has_changed(folder, compiled):
    """A house rule in a language of its own may call things by the names that a catalogue gives them."""
    entry = (
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgctxt "square"\nmsgid "b2"\nmsgstr "{}"\n'
    )
    catalogue = folder / "locales" / "de" / "LC_MESSAGES" / "house.po"
    rule = put(folder / "house.yaml", "Sprache: de\nerweitert: tic-tac-toe\nName: Haus\n")
    put(catalogue, entry.format("Mitte"))
    use_catalogues((folder / "locales",))
    try:
        assert [load_game(rule).id for _ in range(2)] == ["house"] * 2 and len(compiled) == 1
        put(catalogue, entry.format("Zentrum"))
        assert load_game(rule).id == "house" and len(compiled) == 2
    finally:
        use_catalogues(())


def test_a_file_that_now_comes_first_is_noticed(folder, compiled):
    one, two = folder / "one", folder / "two"
    one.mkdir()
    put(two / "house.yaml", PARENT)
    child = put(folder / "elsewhere" / "child.yaml", CHILD.replace("name: Small house\n", ""))
    assert load_game(child, folders=(one, two)).name == "House"
    assert load_game(child, folders=(one, two)).name == "House" and len(compiled) == 1
    put(one / "house.yaml", PARENT.replace("House", "Other house"))
    assert load_game(child, folders=(one, two)).name == "Other house"
    put(folder / "elsewhere" / "house.yaml", PARENT.replace("House", "House next door"))
    assert load_game(child, folders=(one, two)).name == "House next door"


def test_players_and_options_are_games_of_their_own(folder, compiled):
    for _ in range(2):
        assert load_game("cards-safe", 3).players == 3
        assert load_game("cards-safe", 4).players == 4
        assert load_game("cards-safe", 4, {"points_to_win": 3}).options["points_to_win"].value == 3
        assert load_game("cards-safe", 4, {"points_to_win": "3"}).options["points_to_win"].value == 3
    assert len(compiled) == 4


def test_what_is_refused_is_refused_every_time(folder):
    wrong = put(folder / "wrong.yaml", "extends: tic-tac-toe\nwords: {square is good: squar is empty}\n")
    for _ in range(2):
        with pytest.raises(RulesError):
            load_game(wrong)


def test_messages_name_a_file_as_it_is_seen_from_here(folder, monkeypatch):
    path = put(folder / "variants" / "house.yaml", PARENT)
    names = []
    for place in (folder, folder / "variants", folder):
        monkeypatch.chdir(place)
        states = [f for fs in load_game(path).vocabulary.functions.values() for f in fs]
        names.append({f.place.source.name for f in states if f.place is not None})
    assert names[0] == names[2]


def test_a_kept_game_needs_neither_yaml_nor_grammar(folder):
    script = (
        "import sys, random; from tabarro import load_game; game = load_game('venice-2013', 4); state = game.new(1)\n"
        "for _ in range(30): state.apply(state.sample(random.Random(1), habits=True))\n"
        "print([n for n in ('yaml', 'lark', 'jsonschema', 'babel', 'rich') if n in sys.modules], len(state.log('red')) > 3)"
    )
    environment = PLAIN | {"TABARRO_CACHE": str(folder / "cache")}
    said = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, env=environment, timeout=60, check=True
        )
        said.append(done.stdout.decode().strip())
    assert said == ["['yaml', 'lark'] True", "[] True"]


def test_only_these_modules_are_loaded_to_play_a_kept_game(folder):
    script = (
        "import sys, random; from tabarro import load_game; state = load_game('venice-2013', 4).new(1)\n"
        "state.apply(state.sample(random.Random(1))); state.player('red').log.entries()\n"
        "print(*sorted(n.split('.')[2] for n in sys.modules if n.startswith('tabarro.interpreter.')))"
    )
    for _ in range(2):
        said = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            env=PLAIN | {"TABARRO_CACHE": str(folder / "cache")},
            timeout=60,
            check=True,
        ).stdout.decode()
    page = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert said.split() == sorted(re.findall(r"`(\w+)\.py` ○", page))


def test_new_expressions_can_be_typed_in_a_kept_game(folder):
    load_game("venice-2013", 4)
    words = load_game("venice-2013", 4).vocabulary
    place = words.functions["place of _"][0].place
    from tabarro.interpreter.check import Scope

    assert str(words.checker.expression("count of figures", place, Scope()).type) == "number"


def test_mistakes_in_play_are_placed_in_a_kept_game_too(folder):
    from tabarro.interpreter import show

    text = (Path(__file__).with_name("bad") / "budget.yaml").read_text(encoding="utf-8")
    path, said = put(folder / "budget.yaml", text), []
    for _ in range(2):
        with pytest.raises(RulesError) as refused:
            state = load_game(path).new(1)
            while not state.over:
                state.apply(state.legal()[0])
        said.append([show(problem) for problem in refused.value.problems])
    assert said[0] == said[1] and said[0]


def test_saves_do_not_hang_on_the_cache(folder):
    path = folder / "game.tabarro"
    game = load_game("kuhn-poker")
    saved = save.Save.create(path, game, 7)
    saved.append(["bet"])
    with cache.switched_off():
        _, one, _ = save.resume(path)
    _, other, _ = save.resume(path)
    assert one == other and one.game.digest == other.game.digest
