"""What somebody knows of his mission and of who is on his side: as soon as it follows from what he has seen."""

import random
from pathlib import Path

import pytest
from loading import NAMES, loaded
from tabarro.front.paper.book import Rulebook, rulebook
from tabarro.front.paper.map import OWN, draw
from tabarro.front.terminal.aims import aims
from tabarro.front.terminal.lookup import Lookup
from tabarro.front.terminal.menu import walk_of
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.sight import sight_of
from tabarro.front.terminal.view import View
from tabarro.front.workbench.conclusions import conclusions
from tabarro.mind.odds import Odds
from tabarro.speech.language import LANGUAGES, Language


def under_way(name: str, decisions: int, seed: int = 5):
    """A game in which nobody takes up what stands open, so that it goes on."""
    state, luck = loaded(name).new(seed), random.Random(4)
    for _ in range(decisions):
        state.apply(state.player(state.actor).question().passing or state.sample(luck, habits=True))
    return state


def mission(state, seat: str, language: str = "en") -> tuple[list[str], str]:
    view = View(state.player(seat), Seat(seat), Language(language), Path("nowhere"))
    return view.certain(), "\n".join(Lookup(view).lines("mission", None, 2000, list))


@pytest.mark.parametrize("decisions", [0, 300, 700])
def test_the_missions_that_can_be_ones_own_are_those_of_some_world(decisions):
    state = under_way("venice-2013", decisions)
    game = state.game
    for seat in game.seats[:2]:
        view = View(state.player(seat), Seat(seat), Language("en"), Path("nowhere"))
        goals = conclusions(Odds.of(state.player(seat)), seat)["goals"]
        words = game.vocabulary
        rows = {
            tuple(words.member(k, e.type) for k, e in zip(goal["keys"], game.screens.table.keys, strict=True))
            for goal in goals
            if goal["share"] > 0
        }
        certain, told = mission(state, seat)
        assert view.possible_rows() == rows
        for row in game.screens.table.function.values:
            assert (view.notebook.goals.row(row) in told) == any(
                view.notebook.goals.row(row) == view.notebook.goals.row(one) for one in rows
            )
        assert any(text.startswith("This is your goal:") for text in certain) == (len(rows) == 1)


@pytest.mark.parametrize(
    "language", [pytest.param(code, marks=() if code == "ca" else pytest.mark.long) for code in LANGUAGES]
)
def test_who_knows_his_partner_is_told_so_and_what_both_have_to_do(language):
    state = under_way("venice-2013", 1000)
    certain, told = mission(state, "blue", language)
    view = View(state.player("blue"), Seat("blue"), Language(language), Path("nowhere"))
    speaks, cells = Language(language), state.umpire().cells()
    goal = view.notebook.goals.row(view.notebook.goals.keys(cells, "blue"))
    assert speaks.say("This is your goal: {goal}", goal=goal) in certain and goal in told
    you, yellow = speaks.translate("you"), view.narrator.seat("yellow")("list")
    assert any(speaks.list([you, yellow]) in text for text in certain)
    assert told.count(goal) == 1 and speaks.translate("As far as you know, these are possible:") not in told


def test_every_game_tells_what_one_is_after():
    """By its table of goals, or by the rules with which it ends."""
    for name in NAMES:
        state = under_way(name, 0)
        assert mission(state, state.game.seats[0])[1].strip(), name
    assert "A guard who comes to where the smuggler is" in mission(under_way("night-runner", 3), "smuggler")[1]
    assert "after twelve hours" in mission(under_way("night-runner", 3), "smuggler")[1]
    assert "After 15 rounds" not in mission(under_way("cards-safe", 3), "red")[1]  # by an option that is not chosen
    assert (
        "All of it must be right" in mission(under_way("cards-safe", 3), "red")[1]
    )  # what is to be said, not only its end


@pytest.mark.parametrize(("name", "language"), [("venice-2013", "ca"), ("cards-safe", "en"), ("family-cards", "de")])
def test_whom_one_looks_for_stands_beside_ones_identity(name, language):
    state, speaks = under_way(name, 8), Language(language)
    for seat in state.game.seats:
        view = View(state.player(seat), Seat(seat), speaks, Path("nowhere"))
        (_, mine), *_ = view.notebook.secrets(view.known())
        ((title, partner),) = view.notebook.looked_for(view.known())
        book = Rulebook(state.game, speaks)
        own = next(a for a in state.game.vocabulary.sets["identity"].atoms if view.narrator.name(a)("list") == mine)
        assert (title, partner) in book.facts(own) and partner != mine
        assert partner in mission(state, seat, language)[1].splitlines()[0]


def test_a_place_that_one_keeps_to_oneself_is_marked_on_ones_own_board_only():
    state = under_way("night-runner", 12)  # a lamp has shown it by now
    (secret,) = state.game.screens.secrets
    hideout = state.game.named(state.umpire().value(secret), secret.result)
    for seat in state.game.seats:
        view = View(state.player(seat), Seat(seat), Language("en"), Path("nowhere"))
        marked = {space.id for space in view.board.spaces if space.id in view.on_board()[OWN].values()}
        assert marked == ({hideout} if seat == "smuggler" else set())
        told = draw(state.game, view.on_board(), 100)
        assert ("* hideout" in told.casefold()) == (seat == "smuggler") and told.count("*") == 2 * len(marked)
        assert "*" not in draw(state.game, view.known_to_all(), 100)


@pytest.mark.parametrize("game", NAMES)
def test_without_a_table_of_goals_it_is_told_how_the_game_is_decided(game):
    """By what the rulebook says of it, also where a rule of its own reveals everything and ends the game."""
    rules = loaded(game)
    if rules.screens.table is None:
        told = aims(rules, Language("en"))
        book = " ".join(rulebook(rules, "en", "text", 1000).split())
        assert told and all(" ".join(text.split()) in book for text in told)
        assert told != [Language("en").text(rules.about)]  # that says what it is about


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("expedition", "If three are reached, the honest win; if three fail, the bribed win."),
        ("expedition", "After five refusals for the same stage the bribed have won."),
        ("liars-dice", "the one who doubted loses; otherwise the one who named them"),
    ],
)
def test_what_decides_a_game_that_ends_in_a_rule_of_its_own_is_looked_up(game, said):
    state = loaded(game).new(1)
    assert said in " ".join(mission(state, state.actor)[1].split())


def explained(state, language: str = "en") -> str:
    view = View(state.player(state.actor), Seat(state.actor), Language(language), Path("nowhere"))
    sight = sight_of(view, view.player.question(), walk_of(view), [])
    return " ".join("\n".join(Lookup(view).lines("?", sight, 2000, list)).split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_beside_each_thing_stands_what_the_rules_say_of_it(language):
    state = loaded("last-guest").new(3)
    told, speaks = explained(state, language), Language(language)
    for rule in ("gossip", "look", "duel", "trick", "invitation"):
        words = state.game.program.rules[f"{rule} of _"].steps[0].told.rule
        held = {"gossip": "gossip", "look": "waiter", "duel": "duellist", "trick": "juggler", "invitation": "host"}[
            rule
        ]
        named = state.player(state.actor).legal()
        can = any(state.game.words(choice) == [held] for choice in named)
        assert (" ".join(speaks.text(words).split()) in told) == can
    assert speaks.say("No rule text stands beside this choice.") not in told


@pytest.mark.parametrize("game", NAMES)
def test_something_is_told_of_every_question(game):
    assert len(explained(under_way(game, 1))) > 60
