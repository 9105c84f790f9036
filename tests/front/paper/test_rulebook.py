"""The rulebook says all that the rules say, of this very variant, in every language and form, and nothing twice."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from functools import cache, partial
from html.parser import HTMLParser
from io import StringIO
from itertools import zip_longest

import pytest
from covering import covering, kept
from loading import TABLES, USUAL, compiled, description_of, every_table, is_house_rule
from loading import loaded as game
from tabarro import cli
from tabarro.front.common.layout import width_of, wrapped
from tabarro.front.paper.book import Rulebook, rulebook
from tabarro.front.paper.pages import FORMATS, Block
from tabarro.front.workbench.described import described
from tabarro.interpreter import RulesError, load_game
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.telling import Telling


def of_book(row):
    """Each table, and each game in each language; of house rules, those to one game all together."""
    name, players, language = row
    parents = description_of(name).extends if is_house_rule(name) else (name,)
    return {(name, players) if not is_house_rule(name) else name, *((parent, language) for parent in parents)}


every_book = pytest.mark.parametrize(
    ("name", "players", "language"),
    covering([(*table, language) for table in TABLES for language in LANGUAGES], of_book),
)


pictures = {}  # of boards, by game and language: the number of players does not matter to them


@cache
def blocks(name: str, players: int, language: str) -> list[Block]:
    found = Rulebook(game(name, players), Language(language)).blocks()
    for block in found:
        if block.kind == "picture":
            block.draw = partial(drawn, (name, language), block.draw)
    return found


def drawn(board: tuple[str, str], draw) -> str:
    if board not in pictures:
        pictures[board] = draw()
    return pictures[board]


@cache
def book(name: str, players: int, language: str, form: str) -> str:
    """The rulebook of a game that comes along; many tests look at the same one."""
    return FORMATS[form](blocks(name, players, language), Language(language))


@cache
def told(name: str, players: int, language: str, form: str = "text") -> str:
    return plain(book(name, players, language, form), form)


def written(game, language: str, form: str = "text") -> str:
    """The rulebook in one line, as it would be read: without the breaks and the signs of the form it is written in."""
    return plain(rulebook(game, language, form), form)


def plain(text: str, form: str) -> str:
    if form == "md":
        text = re.sub(r"\\([\\`*_{}\[\]<>|#])", r"\1", text)
    if form == "html":
        page = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
        for parent in page.iter():
            for child in list(parent):
                if child.tag.endswith("}svg") or child.tag in ("style", "head", "nav"):
                    child.clear()
        text = " ".join(page.itertext())
    return tight(text)


def tight(text: str) -> str:
    return re.sub(r"\s+", "", text)


def sentences(data, key: str = "rule") -> set[str]:
    """Every text under a key, however deep, of a map of the rules."""
    found = set()
    for name, value in data.items():
        if name == key and isinstance(value, str):
            found.add(value)
        elif isinstance(value, dict):
            found |= sentences(value, key)
    return found


# --- everything is in it ---------------------------------------------------------------------------------------------
@pytest.mark.long
@every_book
def test_title_conditions_and_options_are_in_the_rulebook_in_every_form(name, players, language):
    this, speaks = game(name, players), Language(language)
    speaker = Speaker(this, speaks)
    description = described(this)
    wanted = [speaks.text(description["name"]), speaks.text(description["about"])]
    for functions in this.vocabulary.functions.values():
        for function in functions:
            if function.kind == "formula" and function.result.kind == "truth":
                wanted += [speaker.cell(function, keys) for keys in function.values]
    for option in this.options.values():
        wanted += [speaks.text(option.about), speaks.text(option.decision)]
    for form in FORMATS:
        found = told(name, players, language, form)
        for text in wanted:
            assert tight(text) in found


@every_table
def test_every_thing_that_is_not_hidden_is_named(name, players):
    this = game(name, players)
    presented = described(this).get("rulebook", {}).get("components") or {}
    hidden = {name for name, entry in presented.items() if entry.get("hidden")}
    speaker, found = Speaker(this, Language("en")), told(name, players, "en", "md").lower()
    for things in this.vocabulary.sets.values():
        if things.name not in hidden and "any of" not in described(this)["things"][things.name]:
            for atom in things.atoms:
                for part in this.vocabulary.atoms[atom].parts or (atom,):
                    assert tight(speaker.narrator.name(part)("list")).lower() in found


helped: dict[str, list] = {}  # options, each with the values that told a sentence which was missing


def other_settings(this) -> Iterator[dict]:
    """Every option set otherwise, one after the other; before that those which have helped at other tables, together."""
    others = {
        option.name: [value for value in option.values or bounds_of(option) if value != option.value]
        for option in this.options.values()
    }
    known = [[(name, value) for value in values if value in others.get(name, ())] for name, values in helped.items()]
    for settings in zip_longest(*known):
        yield dict(filter(None, settings))
    for name, values in reversed(others.items()):
        for value in values:
            yield {name: value}


def bounds_of(option) -> list:
    return [True, False] if option.kind == "yes or no" else [option.least, option.most]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players"), kept(TABLES, [table for table in USUAL if not is_house_rule(table[0])], later=USUAL)
)
def test_every_sentence_of_the_rules_is_told_once_or_belongs_to_an_option_that_is_set_otherwise(name, players):
    this = game(name, players)
    written_down = sentences(described(this)["rules"])
    found = told(name, players, "en")
    for sentence in said(this, written_down):
        assert found.count(sentence) <= 1, sentence
    missing = {sentence for sentence in written_down if not (words := said(this, {sentence})) or words[0] not in found}
    for settings in other_settings(this):
        if not missing:
            break
        try:
            other = compiled(name, players, settings)
        except RulesError:  # some exclude each other
            continue
        more = written(other, "en")
        here = {sentence for sentence in missing if any(words in more for words in said(other, {sentence}))}
        if here:
            for option, value in settings.items():
                if value not in helped.setdefault(option, []):
                    helped[option].append(value)
        missing -= here
    assert missing == set()


def said(this, texts: set[str]) -> list[str]:
    """What these sentences come to in a game; nothing, where they have nothing to say."""
    telling = Telling(this, Language("en"))
    return [words for text in texts if (words := tight(telling.text(text)))]


# --- nothing is left over --------------------------------------------------------------------------------------------
@every_book
def test_no_placeholder_and_no_name_of_the_rules_language_is_left(name, players, language):
    found = book(name, players, language, "text")
    assert not re.search(r"\{|\}", found)
    assert not re.search(r"\w_\w", found)
    assert " | " not in found


@every_book
def test_lines_of_the_plain_text_fit_and_columns_are_aligned(name, players, language):
    lines = book(name, players, language, "text").splitlines()
    assert max(map(width_of, lines)) <= 80
    for rule, line in enumerate(lines):
        if re.fullmatch(r"  -+(  -+)+", line):
            starts = [match.start() for match in re.finditer("-+", line)]
            for row in lines[rule + 1 :]:
                if not row:
                    break
                for start in starts[1:]:
                    assert before(row, start).endswith("  "), row


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("language", ["de", "ja", "en"])
def test_tables_are_folded_between_words_and_fit_however_narrow(width, language):
    this = game("venice-2013", 4)
    book = rulebook(this, language, "text", width)
    assert max(map(width_of, book.splitlines())) <= width
    words = set(re.findall(r"\w+", book))
    missing = set(re.findall(r"[^\W\d_]{5,}", rulebook(this, language, "text", 400))) - words
    assert language == "ja" or not missing, missing  # no word is broken; Japanese has no spaces between its words


def before(line: str, columns: int) -> str:
    """The part of a line that takes so many columns, filled up if it is shorter."""
    part, wide = "", 0
    for letter in line:
        if wide >= columns:
            break
        part, wide = part + letter, wide + width_of(letter)
    return part + " " * (columns - wide)


class Strict(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.links, self.anchors, self.outside = [], set(), set(), []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.add(values.get("id"))
        if values.get("href", "").startswith("#"):
            self.links.add(values["href"][1:])
        self.outside += [values[key] for key in ("src", "href") if not values.get(key, "#").startswith("#")]
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@every_book
def test_the_page_is_whole_and_needs_nothing_else(name, players, language):
    page = book(name, players, language, "html")
    parser = Strict()
    parser.feed(page)
    parser.close()
    assert parser.open == [] and parser.outside == []
    assert parser.links <= parser.anchors
    assert f'<html lang="{language}">' in page
    assert "@media print" in page


@every_book
def test_every_table_of_the_markdown_has_as_many_cells_in_each_row(name, players, language):
    for block in book(name, players, language, "md").split("\n\n"):
        if block.startswith("|"):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


@every_table
def test_sources_are_numbered_in_the_order_in_which_they_are_used(name, players):
    found = book(name, players, "en", "text")
    numbers = list(dict.fromkeys(map(int, re.findall(r"\[(\d+)\]", found))))
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(re.findall(r"(?m)^ ?\d+\. ", found.rsplit("Sources", 1)[-1])) == len(numbers) or not numbers


# --- a game of one's own ---------------------------------------------------------------------------------------------
HOUSE = """\
name: Toss
players: {2: {}}
options:
  shout: {is: yes or no, default: false, about: Whether one shouts first., decision: It is late.}
things:
  player: [ann, bob]
  coin: {columns: {worth: number}, members: {big_one: {worth: 5}}}
seats: players
state:
  calls of player: {is: yes or no, seen by: all}
tables:
  wins of coin for player:
    is: yes or no
    rows: {big_one: not (calls of player)}
words:
  coin is lucky: worth of coin is more than 2
rules:
  game:
    loud:
      rule: One shouts.
      if: shout
      then:
        cry: {rule: It must be heard in the street., say: Ho!}
      else:
        hush: {rule: One is silent., say: Psst.}
    both:
      if: shout and (any player called someone such that calls of someone)
      then:
        cry: {rule: Whoever called shouts twice., say: Ho!}
    toss:
      rule: Ann keeps it, or passes it on.
      ask: ann
      seen by: all
      between:
        keep: {rule: Who keeps it wins., then: {over: {end: ann}}}
        pass: {if: shout, then: {other: {call: passing}}}
        wait: {}
    late: {rule: Then it is over., end: nobody}
  passing:
    over: {rule: Who was passed it loses., end: ann}
"""


def house(tmp_path, **options):
    file = tmp_path / "toss.yaml"
    file.write_text(HOUSE, encoding="utf-8")
    return load_game(file, options=options)


def test_a_game_that_says_nothing_about_its_rulebook_has_one(tmp_path):
    book = rulebook(house(tmp_path), "en", "md")
    assert book.startswith("# Toss\n")
    for text in (
        "Big one",
        "| 5 |",
        "Ann keeps it, or passes it on.",
        "Who keeps it wins.",
        "Whether one shouts first.",
        "It is late.",
        "Then it is over.",
    ):
        assert text in book


def test_what_the_options_switch_off_is_left_out_and_what_they_switch_on_is_told(tmp_path):
    silent, loud = (rulebook(house(tmp_path, shout=shout), "en", "text") for shout in (False, True))
    for text in ("It must be heard in the street.", "Whoever called shouts twice.", "Who was passed it loses."):
        assert text not in silent and text in loud
    assert "One is silent." in silent and "One is silent." not in loud
    assert "Here: “no”." in silent and "Here: “yes”." in loud


def test_steps_are_told_in_the_order_in_which_they_are_carried_out_and_what_a_choice_leads_to_afterwards(tmp_path):
    book = rulebook(house(tmp_path, shout=True), "en", "text")
    order = ["One shouts.", "It must be heard", "Ann keeps it", "Who keeps it", "Then it is over.", "Who was passed it"]
    assert sorted(order, key=book.index) == order


def test_a_variant_of_five_lines_has_its_own_rulebook(tmp_path):
    house(tmp_path)
    (tmp_path / "loud.yaml").write_text(
        """\
extends: toss
name: {en: Loud toss, ca: Cara o creu}
options: {shout: true}
things: {coin: {members: {big_one: {worth: 7}}}}
""",
        encoding="utf-8",
    )
    loud = load_game(tmp_path / "loud.yaml", folders=(tmp_path,))
    assert "# Loud toss" in rulebook(loud, "en", "md") and "# Cara o creu" in rulebook(loud, "ca", "md")
    assert "| 7 |" in rulebook(loud, "en", "md") and "One shouts." in rulebook(loud, "en", "md")


def test_signs_of_markdown_and_html_in_texts_of_the_rules_do_no_harm(tmp_path):
    file = tmp_path / "toss.yaml"
    file.write_text(
        HOUSE.replace("Then it is over.", "Then <b>a|b</b> *is* & over_now.").replace(
            "name: Toss", "name: <script>alert(1)</script>"
        ),
        encoding="utf-8",
    )
    sharp = load_game(file)
    page = rulebook(sharp, "en", "html")
    assert "<script" not in page and "<b>" not in page
    assert "Then<b>a|b</b>*is*&over_now." in plain(page, "html")
    assert "Then<b>a|b</b>*is*&over_now." in plain(rulebook(sharp, "en", "md"), "md")


# --- wrapping --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("width", [2, 8, 20, 80])
def test_wrapped_lines_fit_and_lose_nothing(width):
    for text in (
        "",
        "one",
        "one two  three",
        "x" * 100,
        "これは、長い文章です。" * 9,
        "A案とB案のどちらか（または両方）。",
    ):
        lines = wrapped(text, width)
        assert all(width_of(line) <= width for line in lines)
        assert tight("".join(lines)) == tight(text)


def test_no_line_begins_with_a_full_stop():
    assert not any(line.startswith(("。", "、")) for line in wrapped("これは、長い文章です。" * 9, 21))


# --- the command -----------------------------------------------------------------------------------------------------
def run(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    return cli.main(["rulebook", *arguments, "--lang", "en"], out, err), out.getvalue(), err.getvalue()


def test_the_command_writes_the_rulebook(tmp_path):
    code, out, err = run("tic-tac-toe")
    assert (code, err) == (0, "") and out.strip() == rulebook(game("tic-tac-toe"), "en", "text").strip()
    file = tmp_path / "book.html"
    code, out, err = run("tic-tac-toe", "--format", "html", "-o", str(file))
    assert (code, err) == (0, "") and file.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_command_tells_the_rules_that_people_usually_play_with():
    code, out, err = run("venice-2013")
    assert (code, err) == (0, "") and "may make a sign" in out and "Here: “once a turn”" in " ".join(out.split())
    assert "may make a sign" not in run("venice-2013", "--option", "signals=never")[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("tic-tac-toe", "--format", "pdf"),
        ("tic-tac-toe", "--players", "9"),
        ("tic-tac-toe", "-o", "no/such/folder/book"),
        ("no-such-game",),
    ],
)
def test_what_cannot_be_written_is_refused(arguments):
    code, out, err = run(*arguments)
    assert code == 2 and err.strip() and "Traceback" not in err
