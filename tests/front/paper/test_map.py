"""The board, drawn from the rules: in the terminal at every width, and as a picture."""

from __future__ import annotations

import itertools
import json
import random
import re
import unicodedata
import xml.etree.ElementTree as ElementTree
from functools import cache
from io import StringIO
from itertools import product

import pytest
from covering import covering
from loading import LIBRARY, description_of
from loading import loaded as game
from tabarro import cli
from tabarro.front.paper.codes import lettering_of, narrow
from tabarro.front.paper.map import board_of, codes_of, draw, drawn
from tabarro.front.paper.sheet import svg
from tabarro.interpreter import RulesError, games, known_state, load_game
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.narrator import Narrator

SVG = "{http://www.w3.org/2000/svg}"
STYLES = re.compile(r"\x1b\[[0-9;]*m")


@cache
def drawn_games() -> list[str]:
    """By their rules alone, since tests are made of them wherever tests are collected."""
    screens = {name: LIBRARY.merged(description_of(name).path).get("screens") or {} for name in games(library=LIBRARY)}
    return [name for name, told in screens.items() if "map" in told]


@cache
def mapped_games() -> list[str]:
    return [name for name in drawn_games() if not board_of(game(name)).grid]


def numbered_games() -> list[str]:
    return [name for name in mapped_games() if any(space.number for space in board_of(game(name)).spaces)]


@cache
def seen(name: str, decisions: int = 60, seed: int = 7) -> dict:
    """What the first seat knows after so many decisions of a game."""
    state, chooser = game(name).new(seed), random.Random(seed)
    for _ in range(decisions):
        if state.over:
            break
        state.apply(state.sample(chooser, habits=True))
    return known_state(game(name), state.log(game(name).seats[0]))


def cells(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def marks(picture: str, wanted: str) -> list[tuple[int, int]]:
    """Where some signs stand: row and column, in cells of the terminal."""
    return [
        (row, cells(line[:column]))
        for row, line in enumerate(picture.splitlines())
        for column, letter in enumerate(line)
        if letter in wanted
    ]


# --- in the terminal --------------------------------------------------------------------------------------------------
def test_some_games_have_a_board():
    assert drawn_games() == [name for name in games() if board_of(game(name)) is not None]
    assert "tic-tac-toe" in drawn_games()
    assert len(mapped_games()) >= 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_every_space_and_every_piece_is_on_the_map(width, language):
    for name in mapped_games():
        known = seen(name)
        told = draw(game(name), known, width, lang=language)
        board, said = board_of(game(name)), Narrator(game(name), Language(language)).name
        codes = codes_of(game(name), Language(language))
        assert len(set(codes.spaces.values())) == len(board.spaces)
        for space in board.spaces:
            assert said(space.atom)("list") in told
        assert len(set(codes.pieces.values())) == len(board.movable)
        for (piece,) in known["place of _"]:
            assert codes.pieces[piece] in told
        assert {piece for (piece,) in known["place of _"]} == set(codes.pieces)


@pytest.mark.parametrize(
    ("name", "width", "language"),
    covering(product(drawn_games(), [1, 5, 20, 40, 59, 60, 61, 80, 100, 132], ["en", "ja"])),
)
def test_no_line_is_wider_than_the_terminal(name, width, language):
    for known in ({}, seen(name)):
        told = draw(game(name), known, width, lang=language)
        assert told.strip()
        if width >= 20:
            assert max(cells(line) for line in told.splitlines()) <= width


@pytest.mark.parametrize("width", [60, 80, 120])
def test_in_every_language_the_numbers_stay_where_they_are_whatever_stands_there(width):
    for name in numbered_games():
        for language in LANGUAGES:
            empty, later = (draw(game(name), known, width, lang=language, legend=False) for known in ({}, seen(name)))
            assert marks(empty, "12345678") == marks(later, "12345678")
            assert len(marks(empty, "12345678")) == 8


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_full_width_names_and_letters_keep_their_columns(tmp_path, width):
    """A variant in which everything on the board has a Japanese name."""
    base = game(numbered_games()[0])
    members = {
        space.id: {"name": {"ja": "運河" * (index % 4) + f"橋{index}"[:1] + "甲乙丙丁戊"[index % 5]}}
        for index, space in enumerate(board_of(base).spaces)
    }
    colours = {name: {"name": {"ja": sign}} for name, sign in zip(("red", "blue", "green", "yellow"), "赤青緑黄")}
    builds = {
        name: {"name": {"ja": sign}}
        for name, sign in zip(("tall", "short", "fat", "thin"), ("ノッポ", "チビ", "デブ", "ヤセ"))
    }
    rules = {
        "extends": base.id,
        "things": {"space": {"members": members}, "player": {"members": colours}, "build": {"members": builds}},
    }
    file = tmp_path / "japanese.yaml"
    file.write_text(json.dumps(rules), encoding="utf-8")
    wide = load_game(file)
    state = wide.new(3)
    known = known_state(wide, state.log(wide.seats[0]))
    empty, full = (draw(wide, seen, width, lang="ja", legend=False) for seen in ({}, known))
    assert marks(empty, "12345678") == marks(full, "12345678") and len(marks(full, "12345678")) == 8
    assert max(cells(line) for line in full.splitlines()) <= width
    codes = codes_of(wide, Language("ja"))
    assert codes.pieces["red_tall"] == "赤ノ" and codes.pieces["yellow_thin"] == "黄ヤ"
    for code in codes.pieces.values():
        assert code in draw(wide, known, width, lang="ja")


def test_a_piece_stands_behind_the_sign_of_its_space():
    name = mapped_games()[0]
    board = board_of(game(name))
    piece = game(name).vocabulary.atoms[board.movable[0]].name
    code = codes_of(game(name), Language("en")).pieces[piece]
    for space in board.spaces:
        told = draw(game(name), {"place of _": {(piece,): space.id}}, 100, legend=False)
        lines = [line for line in told.splitlines() if f":{code}" in line]
        assert len(lines) == 1
        short = codes_of(game(name), Language("en")).spaces[space.id]
        assert re.search(rf"({re.escape(short)}|{re.escape(space.name)}\s*|[○⌂\drbgy]):{code}", lines[0])


def test_many_pieces_on_one_space_are_told_below_if_they_do_not_fit():
    name = mapped_games()[0]
    board = board_of(game(name))
    pieces = [game(name).vocabulary.atoms[atom].name for atom in board.movable]
    codes = codes_of(game(name), Language("en")).pieces
    for width, space in itertools.product((60, 80, 120), board.spaces):
        told = draw(game(name), {"place of _": {(piece,): space.id for piece in pieces}}, width)
        assert ("+" in told) == ("Together: " in told)
        if "Together: " in told:
            together = told[told.index("Together: ") :]
            assert all(re.search(rf"\b{codes[piece]}\b", together) for piece in pieces)
        else:
            assert ":" + "".join(codes[piece] for piece in pieces) in told


# --- reading a map back: its strokes by hand, from nothing but the picture
SORTS = {  # by the level stroke: an upright one, and corners
    "─": "│└┘┌┐",
    "━": "┃┗┛┏┓",
    "═": "║╚╝╔╗",
    "╌": "╎╰╯╭╮",
    "┅": "┇┕┙┍┑",
    "┈": "┊╘╛╒╕",
    "╍": "╏┖┚┎┒",
    "┄": "┆╙╜╓╖",
}
LEADS = {
    **dict.fromkeys("┼╫╪╬╂┿╋", "NESW"),
    **{
        sign: leads
        for level, others in SORTS.items()
        for sign, leads in zip(level + others, ("EW", "NS", "NE", "NW", "SE", "SW"), strict=True)
    },
}
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
TURNED = {"N": "S", "S": "N", "E": "W", "W": "E"}
KINDS = {level: level + others for level, others in SORTS.items()}


def read_back(name: str, picture: str, width: int) -> dict[tuple[str, str], str]:
    """The routes that somebody finds who follows the strokes from each label with a finger."""
    board, codes = board_of(game(name)), codes_of(game(name), Language("en"))
    rows = [line.ljust(width) for line in picture.splitlines()]
    owner: dict[tuple[int, int], str] = {}
    for space in board.spaces:
        labels = "|".join(sorted(map(re.escape, (space.name, codes.spaces[space.id])), key=len, reverse=True))
        pattern = re.compile(rf"(?<![\w'])[○⌂\w] (?:{labels})(?![\w'])(?: [\w.' ]*?(?=[:─╌═ ]))?(?::[\w+]+)?")
        named = Narrator(game(name), Language("en")).name(space.atom)("list")
        pattern = re.compile(rf"(?<!\w)[○⌂\w] (?:{re.escape(named)}|{labels})(?!\w)(?::[A-Za-z+]+)?")
        found = [(y, met) for y, row in enumerate(rows) for met in pattern.finditer(row)]
        assert len(found) == 1, (space.name, found)
        y, met = found[0]
        owner.update({(x, y): space.id for x in range(*met.span())})
    return followed(rows, owner, width)


def followed(rows: list[str], owner: dict[tuple[int, int], str], width: int) -> dict[tuple[str, str], str]:
    """The routes that lead from cells of one space to those of another."""
    routes: dict[tuple[str, str], set[str]] = {}
    for (x, y), start in owner.items():
        for direction, (dx, dy) in STEP.items():
            at, going, kind = (x + dx, y + dy), direction, ""
            while at not in owner and 0 <= at[0] < width and 0 <= at[1] < len(rows):
                sign = rows[at[1]][at[0]]
                leads = LEADS.get(sign, "")
                if TURNED[going] not in leads:
                    assert not kind, f"a route from {start} ends nowhere, at {at}"
                    break
                kind = kind or next((k for k, signs in KINDS.items() if sign in signs), "")
                going = going if len(leads) == 4 else leads.replace(TURNED[going], "")
                at = (at[0] + STEP[going][0], at[1] + STEP[going][1])
            if at in owner and kind:
                routes.setdefault(tuple(sorted((start, owner[at]))), set()).add(kind)
    assert all(len(kinds) == 1 for kinds in routes.values())
    return {pair: next(iter(kinds)) for pair, kinds in routes.items()}


def links(name: str) -> dict[tuple[str, str], str]:
    """The routes that there are, each with the sign that the legend gives to its kinds."""
    board, said = board_of(game(name)), Narrator(game(name), Language("en")).name
    legend = dict(reversed(item.split(" ", 1)) for item in routes_told(draw(game(name), {}, 100)).split(", "))
    assert len(set(legend.values())) == len(legend)
    found: dict[tuple[str, str], list[str]] = {}
    for route in board.routes:
        pair = tuple(sorted(board.spaces[end].id for end in route.ends))
        found.setdefault(pair, []).append(said(route.kind)("list"))
    return {pair: legend[kinds[0]] if len(kinds) == 1 else legend["both"] for pair, kinds in found.items()}


def routes_told(picture: str) -> str:
    """The line of the legend that tells the kinds of routes."""
    return next(line for line in picture.splitlines() if line.startswith("Routes: ")).removeprefix("Routes: ")


def reads_back(width: int) -> None:
    by_kinds = {len({route.kind for route in board_of(game(name)).routes}): name for name in mapped_games()}
    assert max(by_kinds) > 2
    for name in by_kinds.values():
        for known in ({}, seen(name)):
            picture = draw(game(name), known, width, legend=False)
            assert read_back(name, picture, width) == links(name)


@pytest.mark.parametrize("width", range(80, 201, 12))
def test_a_map_shows_exactly_the_routes_that_there_are(width):
    reads_back(width)


@pytest.mark.long
def test_a_map_of_every_width_shows_exactly_the_routes_that_there_are():
    for width in range(80, 201):
        reads_back(width)


def on_screen(name: str, known: dict, size: tuple[int, int]) -> dict[tuple[str, str], str]:
    """The routes of a map that fills a screen: a label begins where a click finds it, and ends with who stands there."""
    picture, (width, _) = drawn(game(name), known, size, Language("en")), size
    rows = [STYLES.sub("", line).ljust(width) for line in picture.text.splitlines()]
    owner: dict[tuple[int, int], str] = {}
    for space, (x, y, wide) in picture.spots.items():
        end = x + wide
        while end < width and (rows[y][end].isalnum() or rows[y][end] in ":·+"):
            end += 1
        owner.update({(column, y): space for column in range(x, end)})
    return followed(rows, owner, width)


@pytest.mark.long
@pytest.mark.parametrize("size", [(65, 26), (75, 30), (102, 45)])
def test_a_map_that_fills_a_screen_shows_exactly_the_routes_that_there_are(size):
    for known in ({}, seen(mapped_games()[0])):
        assert on_screen(mapped_games()[0], known, size) == links(mapped_games()[0])


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "language"), [((65, 26), "en"), ((65, 26), "ja"), ((102, 45), "ca"), ((102, 45), "ja")]
)
def test_on_a_screen_no_place_loses_its_name_and_nobody_is_hidden(size, language):
    name = numbered_games()[0]
    known, board = seen(name), board_of(game(name))
    picture = drawn(game(name), known, size, Language(language))
    rows = STYLES.sub("", picture.text).splitlines()
    assert len(rows) + len(picture.key.splitlines()) <= size[1] and max(map(cells, rows)) <= size[0]
    labels = []
    for space in board.spaces:
        x, y, wide = picture.spots[space.id]
        line = "".join(letter + "\0" * (cells(letter) - 1) for letter in rows[y])
        labels.append(line[x : x + wide].replace("\0", ""))
        assert re.search(r"[^\W\d_]", labels[-1]), space.id
    assert len(set(labels)) == len(labels)
    codes = codes_of(game(name), Language(language)).pieces
    text = "\n".join(rows)
    for piece in codes.values():
        assert piece in text or narrow(piece).rstrip("\uff9e\uff9f") in text, piece


def letters_of(label: str) -> int:
    return sum(letter.isalpha() for letter in label)


@pytest.mark.parametrize("size", [(65, 26), (78, 35), (102, 45)])
def test_what_is_typed_for_a_space_hides_neither_its_number_nor_its_name(size):
    name = numbered_games()[0]
    known, board = seen(name), board_of(game(name))
    taken = set(known[board.pieces].values())
    wanted = [space for space in board.spaces if space.number is not None or space.id in taken]
    lit = {space.id: str(n) for n, space in enumerate(wanted, 1)}
    picture = drawn(game(name), known, size, Language("en"), lit)
    rows = [STYLES.sub("", line).ljust(size[0]) for line in picture.text.splitlines()]
    for space in wanted:
        x, y, wide = picture.spots[space.id]
        begin, _, reach = picture.reach[space.id]
        text = rows[y][x : x + wide]
        if space.number is not None:
            assert text.startswith(f"{lit[space.id]})#{space.number}"), text
        assert text.startswith(lit[space.id]), text
        if letters_of(text) < 3:  # there is no room for more
            behind = rows[y][begin + reach : begin + reach + 3 - letters_of(text)]
            assert len(behind.strip()) > 0 or begin + reach + 3 > size[0], (text, behind)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_spaces_are_called_the_same_at_any_size(language):
    for name in mapped_games():
        letters = lettering_of(game(name), Language(language))
        meant: dict[str, set[str]] = {}
        for limit, dots in product(range(3, 41), (True, False)):
            for space, label in letters.labels(limit, dots).items():
                assert cells(label) <= limit
                meant.setdefault(label.rstrip(".").casefold(), set()).add(space)
                for shorter in letters.shorter(space, label):
                    if cells(shorter) >= cells(letters.codes.spaces[space]):
                        meant.setdefault(shorter.casefold(), set()).add(space)
        assert [label for label, spaces in meant.items() if len(spaces) > 1] == []
        assert letters.labels(3) == codes_of(game(name), Language(language)).spaces  # as where there is a legend


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_place_is_called_by_the_sign_of_a_piece_nor_have_two_pieces_the_same(language):
    for name in mapped_games():
        letters = lettering_of(game(name), Language(language))
        assert len({*letters.codes.pieces.values()}) == len(letters.codes.pieces)
        for limit, dots in product(range(2, 41), (True, False)):
            for space, label in letters.labels(limit, dots).items():
                called = {label.rstrip("."), *letters.shorter(space, label)}
                assert not called & letters.signs, (name, called & letters.signs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_piece_has_the_letter_of_the_word_that_tells_it_from_the_others(language):
    """A red guard and a blue one are no G and U; and none of them makes room for the place that one keeps to oneself."""
    letters = lettering_of(game("night-runner"), Language(language))
    signs = letters.codes.pieces
    for atom in letters.board.movable:
        sign = signs[game("night-runner").vocabulary.atoms[atom].name]
        word = next(word for word in letters.called(atom).split() if word[:1].upper() == sign)
        assert sum(word in letters.called(other) for other in letters.board.movable) == 1 or language == "ja"
    known = {"place of _": {("red_guard",): "bridge", ("blue_guard",): "market"}, "*": {("hideout",): "bridge"}}
    picture = STYLES.sub("", drawn(game("night-runner"), known, (65, 22), Language(language)).text)
    assert f"*{signs['red_guard']}" in picture and "+" not in picture


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_takes_no_rows_that_a_map_needs(language):
    for name in mapped_games()[:1]:
        picture = drawn(game(name), seen(name), (65, 24), Language(language), more="names: F7")
        rows, key = (STYLES.sub("", part).splitlines() for part in (picture.text, picture.key))
        assert len(rows) + len(key) <= 24 and max(map(cells, key)) <= 65
        assert key[-1].endswith("names: F7")  # nobody can guess what is cut


def test_in_japanese_no_piece_is_taken_for_another_and_no_sound_loses_its_sign():
    sounds = re.compile("[^\uff9e\uff9f][\uff9e\uff9f]*")
    for name in mapped_games():
        letters = lettering_of(game(name), Language("ja"))
        for pair in ("チテ", "シツ", "ソン", "クタ", "ウワ", "コユ", "ルレ"):
            alike = [
                atom
                for atom, letter in letters.codes.letters.items()
                if unicodedata.normalize("NFD", letter)[0] in pair
            ]
            sets = [game(name).vocabulary.atoms[atom].set for atom in alike]
            assert len(set(sets)) == len(sets), (pair, alike)
        for space, limit in product(letters.board.spaces, range(2, 9)):
            whole = {*sounds.findall(narrow(letters.called(space.atom)))}
            label = narrow(letters.labels(limit, dots=False)[space.id])
            assert {*sounds.findall(label)} <= whole, (label, whole)


def test_what_was_put_on_a_square_last_stands_in_brackets_and_nothing_moves():
    known = {"mark of _": {("b2",): "cross", ("a1",): "nought"}}
    for size in ((40, 9), (60, 24)):
        before, after = (drawn(game("tic-tac-toe"), known, size, Language("en"), last=last) for last in (None, "b2"))
        assert before.spots == after.spots and len(before.text.splitlines()) == len(after.text.splitlines())
        rows, (x, y, wide) = STYLES.sub("", after.text).splitlines(), after.spots["b2"]
        assert rows[y][x : x + wide].strip() == "(X)"
        assert "(" not in STYLES.sub("", before.text) and STYLES.sub("", after.text).count("(") == 1


def test_what_lies_on_a_square_without_a_colour_is_not_taken_for_what_can_be_chosen():
    picture = drawn(game("tic-tac-toe"), {"mark of _": {("b2",): "cross"}}, (60, 24), Language("en"), {"c3": "3"})
    assert "\x1b[1;7m3\x1b[0m" in picture.text and re.search(r"\x1b\[1m *X *\x1b\[0m", picture.text)


def test_a_board_of_squares_grows_with_the_screen_and_names_its_edges():
    known = {"mark of _": {("b2",): "cross"}}
    small, large = (drawn(game("tic-tac-toe"), known, size, Language("en")) for size in ((40, 9), (60, 24)))
    for picture, high in ((small, 1), (large, 5)):
        rows = STYLES.sub("", picture.text).splitlines()
        assert len(rows) == 3 * (high + 1) + 2 and rows[-1].split() == ["a", "b", "c"]
        x, y, wide = picture.spots["b2"]
        assert rows[y][x : x + wide].strip() == "X"
        assert [row.split()[0] for row in rows if row[0] != " "] == ["3", "2", "1"]


def test_labels_do_not_change_with_who_stands_there():
    for name in numbered_games()[:1]:
        for width in (80, 117, 160):
            empty, full = (draw(game(name), known, width, legend=False).splitlines() for known in ({}, seen(name)))
            for before, after in zip(empty, full, strict=True):
                bare = re.sub(r":[A-Za-z+]+", lambda met: " " * len(met[0]), after)
                assert re.findall(r"\w[\w' ]*\w", re.sub("[─╌═]", " ", bare)) == re.findall(
                    r"\w[\w' ]*\w", re.sub("[─╌═]", " ", before)
                )


MADE_MAP = """\
players: {1: {}}
things:
  player: [ann]
  way: [path, cart, rope, raft, sled, kite]
  spot:
    columns: {xy: list of number, number: number}
    members:
      one:   {xy: [0, 0], number: 9}
      two:   {xy: [100, 0], number: 10}
      six: {xy: [100, 100], number: 11}
      ten:  {xy: [0, 100], number: 21}
      hub:  {xy: [50, 50], number: 120}
seats: players
links:
  neighbours of spot along way:
    path: [[one, two]]
    cart: [[two, six]]
    rope: [[six, ten]]
    raft: [[ten, one], [hub, one]]
    sled: [[hub, two]]
    kite: [[hub, one], [hub, six], [one, two]]
rules:
  game: {over: {end: ann}}
screens:
  map:
    spaces: spot
    at: xy
    number: number
    links: neighbours of spot along way
    lines: {path: solid, cart: solid, rope: dashed, raft: dashed, sled: dashed, kite: dashed}
"""


def made_map(tmp_path):
    rules = tmp_path / "made.yaml"
    rules.write_text(MADE_MAP, encoding="utf-8")
    return load_game(rules)


def test_the_whole_number_of_a_space_stands_on_the_map(tmp_path):
    made, wanted = made_map(tmp_path), {"one": "9", "two": "10", "six": "11", "ten": "21", "hub": "120"}
    for width in (60, 80, 120):
        told = draw(made, {}, width, legend=False)
        assert all(re.search(rf"(?<!\d){number} {name}\b", told, re.I) for name, number in wanted.items())
    for size in ((60, 20), (100, 40)):
        picture = drawn(made, {}, size, Language("en"))
        rows = STYLES.sub("", picture.text).splitlines()
        for name, number in wanted.items():
            x, y, wide = picture.spots[name]
            assert rows[y][x : x + wide].startswith(f"#{number}")


def test_each_kind_of_way_and_all_that_share_a_route_have_a_sign_of_their_own(tmp_path):
    made = made_map(tmp_path)
    for unicode in (True, False):
        told = draw(made, {}, 100, unicode=unicode)
        signs = dict(reversed(item.split(" ", 1)) for item in routes_told(told).split(", "))
        assert [*signs] == ["path", "cart", "rope", "raft", "sled", "kite", "path + kite", "raft + kite"]
        assert len(set(signs.values())) == len(signs)
    told = draw(made, {}, 100)
    rows = [line.ljust(100) for line in draw(made, {}, 100, legend=False).splitlines()]
    owner = {}
    for space in board_of(made).spaces:
        ((y, met),) = [(y, m) for y, row in enumerate(rows) for m in re.finditer(rf"{space.number} {space.id}", row)]
        owner.update({(x, y): space.id for x in range(*met.span())})
    signs = dict(item.split(" ", 1) for item in routes_told(told).split(", "))
    assert {pair: signs[sign] for pair, sign in followed(rows, owner, 100).items()} == {
        ("one", "two"): "path + kite",
        ("six", "two"): "cart",
        ("six", "ten"): "rope",
        ("one", "ten"): "raft",
        ("hub", "one"): "raft + kite",
        ("hub", "two"): "sled",
        ("hub", "six"): "kite",
    }
    picture = ElementTree.fromstring(svg(made))
    lines = {
        (line.get("data-kind"), line.get("stroke-width"), line.get("stroke-dasharray"))
        for line in picture.iter(f"{SVG}line")
        if line.get("class") == "route"
    }
    assert len({tuple(look) for _, *look in lines}) == len(lines) == 6


def test_land_and_water_look_different():
    told = draw(game(mapped_games()[0]), {}, 80)
    assert "─" in told and "╌" in told and "═" in told


def test_without_unicode_the_map_is_drawn_with_plain_signs():
    names = "".join(space.name for space in board_of(game(mapped_games()[0])).spaces)
    told = draw(game(mapped_games()[0]), {}, 80, unicode=False)
    assert {letter for letter in told if ord(letter) > 127} <= set(names)
    assert "~" in told and "-" in told


def test_colours_never_stand_alone():
    """Without its colours the map says the same."""
    for name in drawn_games():
        coloured = draw(game(name), seen(name), 90, colour=True)
        assert "\x1b[" in coloured
        assert [line.rstrip() for line in STYLES.sub("", coloured).splitlines()] == draw(
            game(name), seen(name), 90
        ).splitlines()


def test_a_narrow_terminal_gets_a_list_with_all_routes():
    name = mapped_games()[0]
    board, said = board_of(game(name)), Narrator(game(name), Language("en")).name
    told = " ".join(draw(game(name), {}, 50).split())
    for route in board.routes:
        one, other = (said(board.spaces[end].atom)("list") for end in route.ends)
        assert one in told and other in told
    assert told.count(" land: ") == len({end for route in board.routes if not route.dashed for end in route.ends})


def test_a_board_of_squares_shows_what_is_on_them():
    told = draw(game("tic-tac-toe"), {"mark of _": {("b2",): "cross", ("a1",): "nought", ("c3",): None}}, 40)
    assert "X" in told and "O" in told
    assert "b2" not in told and "a1" not in told and "c3" in told
    assert len({cells(line) for line in told.splitlines()}) == 1


def test_a_game_without_a_board_draws_nothing():
    assert draw(game("kuhn-poker"), {}, 80) == ""


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("spaces: spott", "spott"),
        ("spaces: spot\n    at: yx", "yx"),
        ("spaces: spot\n    at: xy\n    links: way of spot", "way of spot"),
        ("spaces: spot\n    at: xy\n    pieces: spot of piece", "piece"),
    ],
)
def test_a_map_of_what_there_is_not_is_a_mistake_of_the_rules(tmp_path, line, wrong):
    rules = tmp_path / "game.yaml"
    rules.write_text(
        f"""\
players: {{1: {{}}}}
things:
  player: [ann]
  spot: {{columns: {{xy: list of number}}, members: {{here: {{xy: [1, 2]}}, there: {{xy: [3, 4]}}}}}}
seats: players
rules:
  game: {{over: {{end: ann}}}}
screens:
  map:
    {line}
""",
        encoding="utf-8",
    )
    with pytest.raises(RulesError) as refusal:
        draw(load_game(rules), {}, 80)
    (problem,) = refusal.value.problems
    assert problem.args["name"] == wrong and problem.place.line >= 10


def test_a_board_with_a_single_space_can_be_drawn(tmp_path):
    rules = tmp_path / "game.yaml"
    rules.write_text(
        """\
players: {1: {}}
things:
  player: [ann]
  spot: {columns: {xy: list of number}, members: {here: {xy: [1, 2]}}}
seats: players
rules:
  game: {over: {end: ann}}
screens:
  map: {spaces: spot, at: xy}
""",
        encoding="utf-8",
    )
    assert "here" in draw(load_game(rules), {}, 80)
    assert "here" in svg(load_game(rules))


# --- as a picture -----------------------------------------------------------------------------------------------------
def of_picture(row):
    """Each game; each board in each language, which many house rules leave as it is."""
    name, language = row
    return {name, (str(LIBRARY.merged(description_of(name).path)["things"].get("space")), language)}


@pytest.mark.parametrize(("name", "language"), covering(product(drawn_games(), LANGUAGES), of_picture))
def test_the_picture_has_every_space_and_every_route_and_no_two_names_overlap(name, language):
    board, said = board_of(game(name)), Narrator(game(name), Language(language)).name
    picture = ElementTree.fromstring(svg(game(name), language))
    assert {group.get("data-name") for group in picture.iter(f"{SVG}g") if group.get("class") == "space"} == {
        space.id for space in board.spaces
    }
    routes = [
        (line.get("data-from"), line.get("data-to"), line.get("data-kind"))
        for line in picture.iter(f"{SVG}line")
        if line.get("class") == "route"
    ]
    atoms = game(name).vocabulary.atoms
    assert sorted(routes) == sorted(
        (*(board.spaces[end].id for end in route.ends), atoms[route.kind].name) for route in board.routes
    )
    labels = {text.get("data-name"): text for text in picture.iter(f"{SVG}text") if text.get("class") == "name"}
    for space in board.spaces:
        written = "".join(labels[space.id].itertext())  # on one line or two, broken at a space or a middle dot
        assert "".join(written.split()) == "".join(said(space.atom)("list").split())
    _, _, wide, high = map(float, picture.get("viewBox").split())
    boxes = [tuple(map(float, label.get("data-box").split())) for label in labels.values()]
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= wide and 0 <= top < bottom <= high
    for one, other in itertools.combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_dashed_routes_are_dashed():
    name = mapped_games()[0]
    picture = ElementTree.fromstring(svg(game(name)))
    dashed = {
        route.get("data-kind"): "stroke-dasharray" in route.attrib
        for route in picture.iter(f"{SVG}line")
        if route.get("class") == "route"
    }
    assert dashed == {"land": False, "water": True}


def test_every_colour_on_the_picture_has_its_letter():
    name = mapped_games()[0]
    board, letters = board_of(game(name)), codes_of(game(name), Language("en")).letters
    picture = ElementTree.fromstring(svg(game(name)))
    groups = {group.get("data-name"): group for group in picture.iter(f"{SVG}g") if group.get("class") == "space"}
    for space in board.spaces:
        if space.colour is not None:
            assert [text.text for text in groups[space.id].iter(f"{SVG}text")] == [letters[space.colour]]
        if space.number is not None:
            assert [text.text for text in groups[space.id].iter(f"{SVG}text")] == [str(space.number)]


def test_the_same_game_gives_the_same_picture():
    assert svg(game("tic-tac-toe")) == svg(load_game("tic-tac-toe"))
    name = mapped_games()[0]
    assert svg(game(name), "ca") == svg(load_game(name), "ca")


# --- the command ------------------------------------------------------------------------------------------------------
def run(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    return cli.main([*arguments, "--lang", "en"], out, err), out.getvalue(), err.getvalue()


def test_the_command_draws_the_board_and_writes_the_picture(tmp_path):
    code, out, err = run("board", "tic-tac-toe")
    assert code == 0 and "b2" in out and not err
    file = tmp_path / "board.svg"
    code, out, err = run("board", "tic-tac-toe", "--svg", str(file), "--paper", "a4")
    assert code == 0 and not err
    assert ElementTree.parse(file).getroot().get("width") == "297mm"


@pytest.mark.parametrize(
    "arguments",
    [
        ("kuhn-poker",),
        ("tic-tac-toe", "--paper", "a9"),
        ("tic-tac-toe", "--svg", "no/such/folder/board.svg"),
        ("tic-tac-toe", "--svg", "a\0b"),
    ],
)
def test_what_cannot_be_drawn_or_written_is_refused(arguments):
    code, out, err = run("board", *arguments)
    assert code == 2 and err.strip() and "Traceback" not in err
