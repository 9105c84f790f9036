"""How choices are marked on a board: by numbers that can be told from others, each space once."""

from __future__ import annotations

import random
from pathlib import Path

from loading import loaded
from tabarro.front.paper.map import board_of
from tabarro.front.terminal.frames import Frame, frame_of
from tabarro.front.terminal.menu import walk_of
from tabarro.front.terminal.panes import Panes
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.sight import Sight, sight_of
from tabarro.front.terminal.view import View
from tabarro.speech.language import Language

SIZE = (120, 40)


def sights(name: str, seeds: int, decisions: int):
    """What everybody sees who is asked something, in several games."""
    game = loaded(name)
    for seed in range(seeds):
        state, chooser = game.new(seed), random.Random(seed)
        views = {seat: View(state.player(seat), Seat(seat), Language("en"), Path("nowhere")) for seat in game.seats}
        for _ in range(decisions):
            if state.over:
                break
            if state.actor in views:
                view = views[state.actor]
                view.player = state.player(state.actor)
                yield sight_of(view, view.player.question(), walk_of(view), [])
            state.apply(state.sample(chooser, habits=True))


def marked(sight: Sight) -> tuple[Frame, dict[str, tuple[int, ...]]]:
    """The frame, and by what stands where a click finds it, which choices are meant."""
    frame = frame_of(sight, SIZE)
    rows = frame.board.plain.split("\n")
    return frame, {rows[y][x : x + wide]: places for (x, y, wide), places in frame.spots.items()}


def test_goals_of_moves_are_marked_and_not_where_they_begin():
    seen = 0
    for sight in sights("venice-2013", 1, 60):
        board = board_of(sight.view.game)
        spaces, pieces = {space.atom for space in board.spaces}, set(board.movable)
        moves = sight.offers
        if not any(spaces & {*offer.atoms} and pieces & {*offer.atoms} for offer in moves):
            continue
        seen += 1
        frame, found = marked(sight)
        goals = {atom for offer in moves for atom in offer.atoms if atom in spaces}
        assert len([text for text in found if ")" in text]) == len(goals)
        for text, places in found.items():
            touched = [{*moves[place].atoms} & spaces for place in places]
            if ")" in text:  # all that lead there, and it bears the number of the first
                assert all(one == touched[0] for one in touched)
                assert text.startswith(f"{places[0] + 1}{'+' * (len(places) > 1)})")
            else:
                assert len(places) > 1  # there somebody stands who can go: a click leaves his moves
    assert seen > 1


def test_a_click_on_a_space_that_several_choices_touch_chooses_none_of_them():
    for sight in sights("venice-2013", 1, 60):
        frame, found = marked(sight)
        spot, places = next(((s, p) for s, p in frame.spots.items() if len(p) > 1), (None, ()))
        if spot is None:
            continue
        panes = Panes()
        panes.show(frame, SIZE)
        panes.drawn()
        board = panes.panes["board"]
        x, y, wide = spot
        for column in range(x, x + wide):  # those who stand there belong to it
            assert panes.choices_at(board.x + board.indent + column, board.y + board.sink - board.top + y) == places
        return
    raise AssertionError("no space is touched by two choices")


def test_what_is_no_piece_on_the_board_marks_none():
    seen = 0
    for sight in sights("venice-2013", 1, 60):
        board = board_of(sight.view.game)
        on_board = {space.atom for space in board.spaces} | {*board.movable}
        if sight.offers and not any(on_board & {*offer.atoms} for offer in sight.offers):
            seen += 1
            assert not frame_of(sight, SIZE).spots
    assert seen
