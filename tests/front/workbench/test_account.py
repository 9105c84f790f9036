"""`deduce` in games that have no sentences of their own: what is noted, in order, in the words of the log."""

import io
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from loading import loaded
from tabarro.cli import main
from tabarro.front.workbench.account import DEALT, STATE, Account
from tabarro.front.workbench.conclusions import conclusions, sheet_for, told
from tabarro.front.workbench.worksheet import Worksheet
from tabarro.interpreter import RulesError, load_game
from tabarro.interpreter.cells import cell_of, cells_of
from tabarro.interpreter.errors import Place, Source
from tabarro.mind.courses import Courses
from tabarro.mind.stories import Told, deciding
from tabarro.speech.language import LANGUAGES, Language

GAMES = Path(__file__).parents[2] / "mind" / "games"
LITTLE = ["dealt", "shoe", "votes", "chase", "ranks", "plans", "swap", "counter", "cellar", "peek", "wolves"]
BUNDLED = ["kuhn-poker", "leduc-poker", "liars-dice", "expedition", "last-guest", "night-runner", "little-mystery"]


@cache
def game_of(name):
    return load_game(GAMES / f"{name}.yaml") if name in LITTLE else loaded(name)


def read(account, text):
    return account.read(text, Place(Source("me", text), 1, 1))


def rows_of(game, player):
    """The rows of a log, each with what was added by it."""
    cells, found = game.beginning().cells(), []
    for row in player.log.rows():
        event, added = game.program.events[row[0]], None
        if event.kind == "set":
            cell = cell_of(event.function, row[1:-1])
            old, cells[cell] = cells[cell], row[-1]
            added = tuple((Counter(row[-1]) - Counter(old or ())).elements()) if event.types[-1].many else (row[-1],)
        for function in event.functions:
            for cell in cells_of(function):
                cells[cell] = function.start
        found.append(Told(row, added))
    return found


def played(game, seed, decisions):
    """A random game up to so many decisions: all states at which it came to rest, and where the first decision is."""
    state, rng = game.new(), random.Random(seed)
    states, first = [state.clone()], None
    while not state.over and decisions:
        if state.actor != "chance":
            first = len(states) - 1 if first is None else first
            decisions -= 1
        state.apply(state.sample(rng, habits=True))
        states.append(state.clone())
    return states, first


def account_of(game, seat, language, cells):
    account = Account(game, Language(language))
    account.seat = seat
    for function in account.own:
        account.secrets[function.shape] = cells[cell_of(function, [account.me])]
    return account


def sentences(account, state, opening, only_needed=False):
    """All that a seat has seen, in words; without its own secrets, which stand at the head of a sheet."""
    game, needed = account.game, {event.number for event in deciding(account.game)}
    before = len(opening.player(account.seat).log.rows())
    for place, one in enumerate(rows_of(game, state.player(account.seat))):
        event = game.program.events[one.row[0]]
        lines = [line for line in account.known if event in line.events]
        if not lines or place < before and event.kind == "set" and event.function in account.own:
            continue
        if only_needed and event.number not in needed:
            continue
        yield account.said(min(lines, key=lambda line: line.kind == STATE), one)


def secrets_of(game):
    cells = [cell for function in game.screens.secrets for cell in cells_of(function)]
    return lambda position: tuple(position.cell(cell) for cell in cells)


def compare(name, language, seed, decisions):
    """What follows from the sentences is what follows from the log itself."""
    game, compared = game_of(name), 0
    states, first = played(game, seed, decisions)
    for seat in game.seats:
        rows = states[-1].player(seat).log.rows()
        if states[-1].over or rows == states[first].player(seat).log.rows():
            continue  # before the first decision, others may not have been dealt anything when he was
        account = account_of(game, seat, language, states[first].umpire().cells())
        account.understood([read(account, text) for text in sentences(account, states[-1], states[first])])
        noted, log = account.belief.courses, Courses(game, seat, 300_000).read(rows)
        assert noted.exact and log.exact
        one, other = noted.spread(secrets_of(game)), log.spread(secrets_of(game))
        assert max(abs(one.get(x, 0) - other.get(x, 0)) for x in {*one, *other}) < 1e-9, (name, seed, seat)
        compared += 1
    return compared


@pytest.mark.parametrize(("name", "language"), [*zip(BUNDLED[:6], LANGUAGES), *((name, "en") for name in LITTLE)])
def test_sentences_tell_what_the_log_tells(name, language):
    assert sum(compare(name, language, seed, seed) for seed in range(1, 6))


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BUNDLED)
def test_sentences_tell_what_the_log_tells_in_every_language(name, language):
    assert sum(compare(name, language, *game) for game in ((10, 1), (11, 2), (12, 3), (13, 8), (14, 14)))


@pytest.mark.parametrize("name", ["leduc-poker", "last-guest", "night-runner", "expedition", "cellar", "counter"])
def test_what_need_not_be_noted_may_be_left_out_and_the_truth_stays(name):
    game, looked = game_of(name), 0
    for seed in range(4):
        states, first = played(game, seed, 2 + seed)
        for seat in [] if states[-1].over else game.seats:
            account = account_of(game, seat, "en", states[first].umpire().cells())
            texts = list(sentences(account, states[-1], states[first], True))
            account.understood([read(account, text) for text in texts])
            noted = account.belief.courses
            assert noted.known and not account.lacks_something
            then = next(s for s in states[first:] if list(sentences(account, s, states[first], True)) == texts)
            truth = tuple(then.umpire().cells()[cell] for f in game.screens.secrets for cell in cells_of(f))
            assert noted.spread(secrets_of(game)).get(truth, 0) > 0, (seed, seat)
            looked += 1
    assert looked


def test_games_with_sentences_of_their_own_keep_them():
    assert type(sheet_for(loaded("venice-2013", 4), Language("en"))) is Worksheet
    assert type(sheet_for(loaded("cards-safe", 4), Language("en"))) is Worksheet
    assert type(sheet_for(loaded("leduc-poker"), Language("en"))) is Account


def expedition(seat, role):
    account = Account(loaded("expedition"), Language("en"))
    account.seat = seat
    account.secrets = {
        "role of _": account.words.sets["role"].atoms and account.game.vocabulary.member(role, account.own[0].result)
    }
    account.understood()
    return account


def take(account, *texts):
    for text in texts:
        account.take_entry(read(account, text))
    return account


def shares(account, shape="role"):
    odds = account.understood(account.taken)
    return conclusions(odds, account.seat, account)["secrets"][shape]


def test_a_traitor_who_was_not_shown_the_others_has_forgotten_to_note_it():
    account = expedition("dan", "bribed")
    assert account.lacks_something and account.next_sentences()[0].startswith("Bribed are")
    assert not take(account, "Bribed are Ada and Dan").lacks_something
    assert shares(account)["ben"] == {"honest": 1.0} and shares(account)["ada"] == {"bribed": 1.0}


VOTES = ["Ada votes aye", "Ben votes: aye.", "Dan votes nay", "Cleo votes aye", "Eva votes: nay"]


def test_what_is_chosen_at_the_same_time_is_noted_in_any_order():
    found = []
    for seed in range(3):
        account = take(expedition("cleo", "honest"), "Ada proposes Ada and Ben for this stage valley")
        votes = random.Random(seed).sample(VOTES, len(VOTES))
        for vote in votes:
            take(account, vote)
            assert account.lacks_something or vote in (votes[-1], votes[0]) and (vote == votes[-1] or "Cleo" in vote)
        assert not account.lacks_something
        found.append(shares(take(account, "Number who did harm: 1.")))
    assert found[0] == found[1] == found[2]
    # one of the two who went is bribed: of the ways in which two of four can be, five have one of them in it; of the two
    # deeds of who is bribed each is as likely, and if both are, one of the two harms in half of the cases
    assert found[0]["ada"]["bribed"] == pytest.approx(3 / 5) and found[0]["dan"]["bribed"] == pytest.approx(2 / 5)


def test_what_cannot_come_next_is_told_with_what_can():
    account = take(expedition("cleo", "honest"), "Ada proposes Ada and Ben for this stage valley")
    with pytest.raises(RulesError) as error:
        take(account, "Number who did harm: 1.")
    assert error.value.problems[0].code == "worksheet_not_next"
    assert "votes" in error.value.problems[0].message(Language("en").translate) + str(error.value.problems[0].args)
    assert len(account.taken) == 1 and not account.lacks_something


def test_that_one_is_asked_tells_that_others_have_moved_unseen():
    account = account_of(game_of("chase"), "left", "en", game_of("chase").beginning().cells())
    account.understood()
    news = conclusions(account.understood(()), "left", account)
    turn = conclusions(account.understood([read(account, "It is my turn.")]), "left", account)
    assert (news["when"], turn["when"]) == ("noted", "turn")
    assert set(news["secrets"]["lair"][""]) == {"mill", "barn", "hill"} < set(turn["secrets"]["lair"][""])
    for found, begins in ((news, "This is how it stood after"), (turn, "This is how it stands now")):
        assert told(account.game, account.language, found, account)[0].startswith(begins)


def test_several_cards_are_noted_in_one_sentence(tmp_path):
    game = game_of("cellar")
    account = account_of(game, "ann", "en", game.new(1).umpire().cells())
    line = next(line for line in account.known if line.kind == DEALT)
    assert line.event.types[1].many and len(read(account, "Bob is dealt mouse and cat").facts) == 2


def test_two_steps_that_say_the_same_are_told_apart_by_what_comes_before():
    account = Account(loaded("last-guest"), Language("en"))
    account.seat = "ada"
    entry = read(account, "It is the waiter.")
    exchanged = {"invitation/mine", "invitation/yours"}
    assert {line.event.step for line, _ in entry.readings} == {"look/see", "duel/mine", "duel/yours"} | exchanged


def test_the_example_in_the_docs_comes_out_as_it_says(tmp_path):
    text = (Path(__file__).resolve().parents[3] / "docs" / "deduce.md").read_text(encoding="utf-8")
    pattern = r"<!-- worksheet: expedition 5 -->\n```\n(.*?)```\n\n<!-- says -->\n```\n(.*?)```"
    sheet, says = re.search(pattern, text, re.DOTALL).groups()
    path, out = tmp_path / "mine.yaml", io.StringIO()
    path.write_text(sheet, encoding="utf-8")
    assert main(["--lang", "en", "deduce", "expedition", "--notes", str(path)], out, io.StringIO()) == 0
    assert says in out.getvalue().replace("\N{NO-BREAK SPACE}", " ")


def test_how_others_choose_shifts_the_shares_and_strikes_nothing_out():
    """A deducer raises again with a pair rather than with a jack."""
    found = {}
    for model in ("evenly", "random", "deducer"):
        game = loaded("leduc-poker")
        account = Account(game, Language("en"))
        account.seat, account.model = "first", model
        (hand,) = account.own
        account.secrets = {hand.shape: account.words.member("queen_hearts", hand.result)}
        account.understood()
        take(account, "first raises", "second raises", "first calls", "king of spades is laid on the table")
        take(account, "first checks", "second raises")
        odds = account.understood(account.taken)
        found[model] = conclusions(odds, "first", account, model)
    shares = {model: one["secrets"]["hand"]["second"] for model, one in found.items()}
    assert shares["evenly"] == shares["random"] == dict.fromkeys(shares["evenly"], 0.25)
    assert shares["deducer"].keys() == shares["evenly"].keys()
    assert shares["deducer"]["king_hearts"] > 0.4 > 0.1 > shares["deducer"]["jack_hearts"] > 0
    assert found["deducer"]["exact"] and found["deducer"]["error"] > 0 and not found["random"]["error"]


def test_a_bot_that_thinks_too_long_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("tabarro.mind.models.MOST_TRIES", 10)
    account = expedition("cleo", "honest")
    account.model = "careful"
    account.understood()
    with pytest.raises(RulesError) as error:
        take(account, "Ada proposes Ada and Ben for this stage valley")
    assert error.value.problems[0].code == "worksheet_model"
