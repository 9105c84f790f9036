"""What a player has before his eyes: state by its label or its own name, his secrets whatever they are."""

import random

import pytest
from loading import loaded
from tabarro.front.common.layout import width_of
from tabarro.front.paper.map import codes_of
from tabarro.front.terminal.aims import aims
from tabarro.front.terminal.notebook import Notebook
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.tabletop import sheets
from tabarro.front.terminal.view import View
from tabarro.interpreter import known_state, load_game
from tabarro.speech.language import Language
from tabarro.speech.narrator import Narrator

GAME = """
name: Shapes
players: {2: {}}
things:
  player: [ann, bob]
  card:   [rope, coin]
  spot:   [mill, tower]
  guard:  [goat, goose, gull]
  ghost:  [grim, grey]
  piece:  {any of: [guard, ghost]}
seats: players
state:
  purse of player: {is: number, start: 8, seen by: player}
  brave of player: {is: yes or no, seen by: player, label: {en: Courage, ca: Valor}}
  hand of player:  {is: list of card, start: [rope, rope], seen by: player}
  marks of player: {is: set of card, seen by: player}
  rival of player: {is: player or nothing, seen by: player}
  pledge of player: {is: card, seen by: player}
  hidden of player: {is: number, start: 5, seen by: nobody}
  night:           {is: number, seen by: all, label: Night}
  place of piece:  {is: spot, start: mill, seen by: all}
screens:
  secrets: [purse of player, brave of player, hand of player, marks of player, rival of player, pledge of player, hidden of player]
  public:  [night]
  map:     {spaces: spot, rows: [[mill, tower]], pieces: place of piece}
rules:
  game:
    count: {set: {purse of ann: 3, night: night plus 1}}
    turn:  {ask: ann, between: {go: , stay: }, seen by: all}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    path = tmp_path_factory.mktemp("shapes") / "shapes.yaml"
    path.write_text(GAME, encoding="utf-8")
    return load_game(path)


def notebook(game, language):
    said = Language(language)
    book = Notebook(game, "ann", Narrator(game, said), said)
    return book, known_state(game, game.new(1).log("ann"))


def test_own_secrets_are_shown_whatever_their_shape(game):
    book, known = notebook(game, "en")
    assert book.secrets(known) == [
        ("purse", "3"),
        ("Courage", "no"),
        ("hand", "rope and rope"),
        ("marks", "nothing"),
        ("rival", "nothing"),
    ]


def test_state_is_called_by_its_label_or_its_own_name(game):
    book, known = notebook(game, "ca")
    assert dict(book.secrets(known))["Valor"] == "no"
    assert book.public(known) == [("Night", "1")]


def test_each_piece_has_a_sign_of_its_own(game):
    signs = codes_of(game, Language("en")).pieces
    assert len(set(signs.values())) == len(signs) == 5


@pytest.mark.parametrize("width", [40, 63, 98])
def test_of_notes_what_was_shown_comes_first_and_what_is_left_out_is_told(tmp_path, width):
    game, language = loaded("cards-safe"), Language("en")
    chooser, pages = random.Random(3), []
    state = game.new(3)
    while not pages:
        state = game.new(chooser.randrange(1000)) if state.over else state
        state.apply(state.sample(chooser, habits=True))
        view = View(state.player(game.seats[0]), Seat(game.seats[0]), language, tmp_path / "one.tabarro")
        pages = view.notebook.pages(view.known(), width)
    whole, *less = sheets(view, width)
    heights = [len(lines) for lines in less]
    assert heights == sorted(heights, reverse=True) and heights[-1] == 1
    assert all(line in "\n".join(whole) for line in pages[0]) and not whole[-1].startswith("…")
    for lines in less:
        assert lines[-1].endswith("… F2 notes") and all(width_of(line) <= width for line in lines)
        assert ("X: you were shown it" in "\n".join(lines)) == (len(lines) > 1) or width == 40  # nobody can guess that
        assert lines[0].startswith(pages[0][0]) or len(lines) == 1


def test_how_somebody_wins_is_told_before_how_nobody_does():
    """Of a board of squares stands only one row of that above it."""
    first, *more = aims(loaded("tic-tac-toe"), Language("en"))
    assert first == "Whoever holds a whole line wins." and "nobody wins" in more[-1]
