"""What somebody knows of his mission and of who is on his side: as soon as it follows from what he has seen."""

import random
from pathlib import Path

import pytest
from loading import loaded
from tabarro.front.terminal.lookup import Lookup
from tabarro.front.terminal.seats import Seat
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
    assert told.count(goal) == 1 and speaks.translate("As far as you know, it can be:") not in told
