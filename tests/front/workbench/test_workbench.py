"""The workbench of somebody who writes house rules: where they live, a beginning, warnings, differences, texts."""

import io
import json
import os
import re
import shutil
from itertools import cycle
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from covering import kept
from loading import NAMES, is_house_rule
from tabarro.cli import main
from tabarro.front.workbench.described import described
from tabarro.interpreter import RulesError, load_game, show
from tabarro.speech.language import LANGUAGES, Language


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    """An empty folder of somebody who speaks English."""
    monkeypatch.chdir(tmp_path)
    for variable in [name for name in os.environ if name.startswith(("LC_", "LANG", "TABARRO"))]:
        if variable not in ("TABARRO_CACHE", "TABARRO_CC"):  # what others have compiled tells nobody anything
            monkeypatch.delenv(variable)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def tabarro(*arguments):
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, arguments)], out, err)
    assert "Traceback" not in err.getvalue()
    assert code != 1, err.getvalue()
    return code, out.getvalue(), err.getvalue()


def write(name, text):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def warnings(name, *more):
    return [w for w in json.loads(tabarro("check", name, "--json", *more)[1]) if w.get("warning")]


# --- where variants live --------------------------------------------------------------------------------------------
MINE = "extends: tic-tac-toe\nname: My own tic-tac-toe\n"


@pytest.mark.parametrize("place", ["variants", "data/tabarro/variants", "given", "environment"])
def test_variants_are_found_where_they_live(place, monkeypatch):
    write(f"{place}/mine.yaml", MINE)
    more = ["--rules", "given"] if place == "given" else []
    if place == "environment":
        monkeypatch.setenv("TABARRO_RULES", os.pathsep.join(["nowhere", "environment"]))
    assert "My own tic-tac-toe" in tabarro("list", *more)[1]
    assert tabarro("check", "mine", "--quick", *more)[0] == 0
    assert "My own tic-tac-toe" in tabarro("watch", "mine", "--seed", 1, *more)[1]
    assert tabarro("perft", "mine", "--depth", 1, *more)[0] == 0
    assert "My own tic-tac-toe" in tabarro("rulebook", "mine", *more)[1]
    assert "My own tic-tac-toe" in tabarro("diff", "mine", *more)[1]


def test_what_is_named_first_is_taken_first():
    for folder in ("variants", "given"):
        write(f"{folder}/mine.yaml", f"extends: tic-tac-toe\nname: From {folder}\n")
    assert "From variants" in tabarro("watch", "mine")[1]
    assert "From given" in tabarro("watch", "mine", "--rules", "given")[1]


def test_a_folder_that_is_not_there_is_refused():
    code, _, err = tabarro("list", "--rules", "nowhere")
    assert code == 2
    assert "nowhere" in err


def test_no_variant_takes_the_place_of_a_game_that_comes_along():
    write("variants/tic-tac-toe.yaml", "extends: kuhn-poker\nname: A trap\n")
    for command in (
        ["watch", "tic-tac-toe"],
        ["check", "tic-tac-toe"],
        ["check", "variants/tic-tac-toe.yaml"],
        ["list"],
    ):
        code, out, err = tabarro(*command)
        assert code == 2
        assert "variants/tic-tac-toe.yaml:1:1" in err
        assert "another name" in err
        assert "A trap" not in out


def test_the_games_that_come_along_extend_their_own_files_whatever_a_variant_is_called():
    write("variants/cast.yaml", "abstract: true\nthings: {player: [nobody]}\n")
    assert tabarro("watch", "venice-2013", "--seed", 1, "--max-decisions", 1)[0] == 0


def test_scenarios_beside_variants_are_no_games():
    write("variants/mine.yaml", MINE)
    write("variants/scenarios/first.yaml", "title: The first mark\ngame: mine\nplay:\n  - now: {asked: crosses}\n")
    code, out, err = tabarro("list")
    assert (code, err) == (0, "")
    assert "first" not in [line.split(" ")[0] for line in out.splitlines()]
    assert tabarro("test", "variants/scenarios")[0] in (0, 2)


def test_a_save_of_a_variant_is_found_again(monkeypatch):
    write("given/mine.yaml", MINE)
    code, out, err = tabarro("watch", "mine", "--rules", "given", "--seed", 1)
    assert code == 0
    game = load_game("mine", folders=(Path("given"),))
    from tabarro.interpreter.save import Save

    Save.create("game.tabarro", game, 1)
    code, out, err = tabarro("say", "mine", "mark of b2 is nothing", "--save", "game.tabarro", "--rules", "given")
    assert (code, err) == (0, "")
    assert "This holds now." in out


# --- new ------------------------------------------------------------------------------------------------------------
PARENTS = [(name,) for name in NAMES]
EDITIONS = [parent for parent in PARENTS if not is_house_rule(*parent)]
FIRST = [parent for parent in EDITIONS if parent[0] not in ("venice-classic", "venice-japan", "cards-phone")]


def switched_on(text):
    """The file with every line of rules that was switched off."""
    return re.sub(r"^#(?=\S|  )", "", text, flags=re.MULTILINE)


@pytest.mark.long
@pytest.mark.parametrize("parent", kept(PARENTS, FIRST, later=EDITIONS))
def test_a_new_variant_checks_as_it_is_and_with_everything_switched_on(parent):
    code, out, err = tabarro("new", "mine", "--from", parent)
    assert (code, err) == (0, "")
    path = Path("variants/mine.yaml")
    assert "variants/mine.yaml" in out
    text = path.read_text(encoding="utf-8")
    first, *_ = text.splitlines()
    assert first == "# yaml-language-server: $schema=tabarro.schema.json"
    assert json.loads((path.parent / "tabarro.schema.json").read_text(encoding="utf-8"))["$schema"]
    rules = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert rules == [f"extends: {parent}", "name: Mine"]
    for name in load_game(parent).options:
        assert re.search(rf"^# {name}: .*\w", text, re.MULTILINE)
        assert re.search(rf"^#  {name}: \w", text, re.MULTILINE)
    write("variants/whole.yaml", switched_on(text))
    assert tabarro("check", "whole", "--quick")[0] == 0
    assert "welcome" in tabarro("diff", "whole")[1]


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_the_comments_of_a_new_variant_are_in_the_language_of_the_author(language):
    tabarro("new", "mine", "--from", "tic-tac-toe", "--lang", language)
    tabarro("new", "yours", "--from", "tic-tac-toe")
    mine, yours = (Path(f"variants/{name}.yaml").read_text(encoding="utf-8") for name in ("mine", "yours"))
    prose = [line for line in mine.splitlines()[1:] if re.match(r"# \S", line)]
    assert prose
    assert not set(prose) & set(yours.replace("yours", "mine").splitlines())
    write("variants/whole.yaml", switched_on(mine))
    assert tabarro("check", "whole", "--quick")[0] == 0


def test_nothing_is_ever_overwritten():
    tabarro("new", "mine", "--from", "tic-tac-toe")
    path = write("variants/mine.yaml", "extends: tic-tac-toe\nname: Precious\n")
    for name in ("mine", "tic-tac-toe"):
        code, _, err = tabarro("new", name, "--from", "kuhn-poker")
        assert code == 2 and name in err
    assert "Precious" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["a/b", "--from", "tic-tac-toe"],
        ["../x", "--from", "tic-tac-toe"],
        ["x"],
        ["x", "--from", "nothing_there"],
        ["", "--from", "tic-tac-toe"],
        ["x", "--board", "--from", "kuhn-poker"],
    ],
)
def test_what_cannot_be_begun_is_refused(arguments):
    code, out, err = tabarro("new", *arguments)
    assert (code, out) == (2, "")
    assert err


def test_a_new_board_checks_and_can_be_drawn():
    code, _out, err = tabarro("new", "--board", "barcelona", "--from", "little-venice")
    assert (code, err) == (0, "")
    assert tabarro("check", "barcelona", "--quick")[0] == 0
    assert "Rialto" in tabarro("board", "barcelona")[1]
    path = Path("variants/barcelona.yaml")
    path.write_text(path.read_text(encoding="utf-8").replace("name: Rialto", "name: Plaça Reial"), encoding="utf-8")
    assert "Plaça Reial" in tabarro("board", "barcelona")[1]


# --- variants of variants ---------------------------------------------------------------------------------------------
def test_a_variant_of_a_variant_of_a_variant_has_what_each_of_them_says():
    write("variants/one.yaml", "extends: venice-2013\nthings: {ball: {members: {white: {count: 4}}}}\n")
    write("variants/two.yaml", "extends: one\noptions: {repeats: allowed}\n")
    write(
        "variants/three.yaml",
        "extends: two\nname: Third\nrules:\n  turn of player:\n    pause: {after: begin, say: A pause., to: all}\n",
    )
    write("variants/four.yaml", "extends: three\nrules:\n  turn of player:\n    pause: {say: A longer pause.}\n")
    assert tabarro("check", "four", "--quick")[0] == 0
    assert "A longer pause." in tabarro("watch", "four", "--seed", 1, "--max-decisions", 3)[1]
    assert "A pause." in tabarro("watch", "three", "--seed", 1, "--max-decisions", 3)[1]
    game = load_game("four", folders=(Path("variants"),))
    assert game.options["repeats"].value == "allowed"
    changes = tabarro("diff", "venice-2013", "four")[1]
    assert all(word in changes for word in ("white, count", "repeats", "pause", "Third"))


def test_a_step_that_the_parent_no_longer_has_is_told_and_not_ignored():
    first = next(iter(described(load_game("tic-tac-toe"))["rules"]["game"]))
    write(
        "variants/parent.yaml",
        f"extends: tic-tac-toe\nrules:\n  game:\n    hello: {{before: {first}, say: Hello., to: all}}\n",
    )
    child = "extends: parent\nrules:\n  game:\n    hello: {to: nobody}\n    bye: {after: hello, say: Bye., to: all}\n"
    write("variants/child.yaml", child)
    assert tabarro("check", "child", "--quick")[0] == 0
    write("variants/parent.yaml", "extends: tic-tac-toe\n")
    for command in (["check", "child"], ["watch", "child"], ["diff", "child"], ["say", "child", "1 is 1"]):
        code, _, err = tabarro(*command)
        assert code == 2
        assert "variants/child.yaml:4:5" in err and "“hello”" in err
        assert "variants/child.yaml:5:18" in err


# --- warnings ---------------------------------------------------------------------------------------------------------
def codes(found):
    return sorted(w["code"] for w in found if w["code"] != "untranslated")


UNUSED = """\
extends: tic-tac-toe
add:
  things:
    bystander: [mouse, cat]
  state:
    square is dusty: {is: yes or no, seen by: all}
  words:
    square is tidy: mark of square is nothing
  options:
    weather: {is: [sun, rain], default: sun, about: What it is like outside.}
  rules:
    interval:
      rest: {say: Everybody rests., to: all}
"""


def test_what_is_declared_and_not_used_is_told_with_its_place():
    write("variants/mine.yaml", UNUSED)
    found = warnings("mine", "--quick")
    assert codes(found) == ["idle_option", "unused_rules", "unused_state", "unused_things", "unused_words"]
    lines = {w["code"]: UNUSED.splitlines()[w["line"] - 1][w["column"] - 1 :][: w["length"]] for w in found}
    assert lines["unused_things"] == "bystander"
    assert lines["unused_state"] == "square is dusty"
    assert lines["unused_words"] == "square is tidy"
    assert lines["idle_option"] == "weather"
    assert lines["unused_rules"] == "interval"
    assert not any(w["guess"] for w in found)
    assert tabarro("check", "mine", "--quick")[0] == 0


def test_a_rulebook_that_speaks_of_what_there_is_not_is_told():
    write(
        "variants/mine.yaml",
        "extends: kuhn-poker\nrulebook:\n  components:\n    card: {printed: tiles, printed for: playr}\n"
        "    crd: {name: The cards}\n  chapters:\n    zzz: {name: The end}\n",
    )
    found = [w for w in warnings("mine", "--quick") if w["code"].startswith("presents")]
    assert [(w["line"], "player" in w["remedy"], "card" in w["remedy"]) for w in found] == [
        (4, True, False),
        (5, False, True),
        (7, False, False),
    ]


def test_an_option_that_is_used_and_a_word_that_is_used_are_not_told():
    first = next(iter(described(load_game("tic-tac-toe"))["rules"]["game"]))
    write(
        "variants/mine.yaml",
        f"""\
extends: tic-tac-toe
add:
  words: {{square is tidy: mark of square is nothing}}
  options: {{noise: {{is: yes or no, default: false, about: Whether it is loud.}}}}
  game/hello:
    before: {first}
    if: noise and every square is tidy
    then:
      say: {{say: Hello., to: all}}
""",
    )
    assert codes(warnings("mine", "--quick")) == []


ISLAND = """\
extends: little-venice
add:
  space:
    # it has no neighbours
    lido: {name: Lido, xy: [999, 900]}
tables:
  mission of side for letter called first with letter called second by players called team:
    rows:
      lords:
        A-B: the ambassador is on lido
        A-C: the ambassador is on rialto and the ambassador is on molo
        A-D: any figure of the team is on rialto or no figure of the team is on rialto
"""


def test_a_space_nobody_can_reach_and_goals_that_never_or_always_hold_are_told_as_guesses():
    write("variants/island.yaml", ISLAND)
    found = warnings("island", "--quick")
    told = {(w["code"], w["line"]) for w in found if w["code"] != "untranslated"}
    assert told == {("out_of_reach", 5), ("never_holds", 10), ("never_holds", 11), ("always_holds", 12)}
    assert all(w["guess"] and "guess" in w["remedy"] for w in found if w["code"] != "untranslated")


def test_the_missions_of_the_games_that_come_along_can_be_fulfilled_and_fail():
    for name in ("venice-2013", "venice-classic", "little-venice"):
        assert codes(warnings(name, "--quick")) == []


def test_games_that_are_over_at_once_are_tried_with_every_number_of_players():
    """Those with the first number would otherwise take all the games that are played, and the rest look unreachable."""
    write(
        "coins.yaml",
        """
        name: Coins
        players: {2: {}, 3: {things: {player: [ann, bob, cleo]}, rules: {game: {third: {before: over, say: "Three."}}}}}
        things: {player: [ann, bob], side: [heads, tails]}
        seats: players
        rules:
          game:
            toss: {draw: 1, from: sides, as: fallen, seen by: all}
            over: {end: if fallen is heads then ann else bob}
        """,
    )
    code, out, err = tabarro("check", "coins.yaml")
    assert code == 0 and "3 of 3 steps were reached" in out and "never reached" not in out + err


def test_random_games_tell_what_is_never_reached_and_that_nobody_wins():
    steps = list(described(load_game("tic-tac-toe"))["rules"]["game"])
    write(
        "variants/mine.yaml",
        f"""\
extends: tic-tac-toe
rules:
  game:
    never:
      before: {steps[0]}
      if: count of squares is 1
      then:
        say: {{say: How small., to: all}}
    stop: {{after: never, end: nobody}}
""",
    )
    found = warnings("mine")
    assert {"nobody_wins", "not_reached"} <= set(codes(found))
    assert "never" in next(w["message"] for w in found if w["code"] == "not_reached")
    code, out, _ = tabarro("check", "mine")
    assert code == 0
    assert re.search(r"Random games: \d+ of \d+ ended, 0 were won", out)


def test_a_mistake_that_shows_only_in_play_is_one():
    write(
        "variants/mine.yaml",
        """\
name: Mine
players: {2: {}}
things: {player: [ann, bob], card: [king, queen]}
seats: players
state: {pile: {is: set of card, seen by: all, start: none}}
rules:
  game:
    first: {ask: ann, for: {one: cards}, seen by: all}
    second: {ask: bob, for: {two: cards where it is in pile}, seen by: all, if none: never}
    over: {end: bob}
""",
    )
    code, _out, err = tabarro("check", "mine")
    assert code == 2
    assert "variants/mine.yaml:9:" in err
    assert tabarro("check", "mine", "--quick")[0] == 0


def test_texts_without_a_translation_are_told_once_a_file():
    write("variants/mine.yaml", "extends: tic-tac-toe\nname: {en: Mine, de: Meins}\nabout: All mine.\n")
    (found,) = [w for w in warnings("mine", "--quick") if w["code"] == "untranslated"]
    assert "2" in found["message"] and "ca, de, ja, nl, no" in found["message"]
    assert "tabarro texts" in found["remedy"]


in_english = {}


@pytest.mark.long
@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_warnings_are_in_the_language_of_the_author(language):
    write("variants/mine.yaml", UNUSED)
    write("variants/island.yaml", ISLAND)
    for name in ("mine", "island"):
        if name not in in_english:  # the same for every other language
            in_english[name] = warnings(name, "--quick")
        english, other = in_english[name], warnings(name, "--quick", "--lang", language)
        assert len(english) == len(other) > 3
        for one, two in zip(english, other, strict=True):
            assert one["message"] != two["message"]
            assert one["remedy"] != two["remedy"]


# --- diff -------------------------------------------------------------------------------------------------------------
def test_a_difference_is_told_rule_by_rule_in_words():
    write(
        "variants/mine.yaml",
        """\
extends: venice-2013
name: Mine
options: {repeats: forbidden}
things: {ball: {members: {purple: {count: 2}}}}
tables:
  mission of side for letter called first with letter called second by players called team:
    rows: {lords: {D-C: the ambassador is on space 7}}
words: {piece is lost: place of piece is nothing}
rules:
  turn of player:
    shake: {draw: 4}
    hello: {before: shake, say: Hello., to: all}
    signal: {remove: true}
""",
    )
    told = tabarro("diff", "mine")[1]
    for words in (
        "The option repeats is now forbidden, not objected.",
        "ball purple, count is now “2”, not “1”.",
        "on space 7",
        "on space 8",
        "piece is lost is new",
        "turn, shake, draw is now “4”, not “3”.",
        "comes a new step hello",
        "the step signal is gone",
    ):
        assert words in told, words
    assert "the ambassador is on space" not in told  # conditions are said, not written


@pytest.mark.long
def test_any_two_games_can_be_compared_and_a_game_is_the_same_as_itself():
    assert "is the same as" in tabarro("diff", "venice-2013", "venice-2013")[1]
    assert "It can no longer be played with 5 players." in tabarro("diff", "venice-2013", "venice-classic")[1]
    for one, other in zip(NAMES, cycle(("tic-tac-toe", "cards-phone"))):
        assert tabarro("diff", one, other)[0] == 0
    code, _, err = tabarro("diff", "tic-tac-toe")
    assert code == 2 and "extends nothing" in err


# --- say --------------------------------------------------------------------------------------------------------------
POSITION = """\
identity of red: colonel_bubble
build of red: tall
identity of blue: agent_x
build of blue: fat
place of red_tall: rialto
place of blue_fat: san_marco
place of ambassador: san_marco
"""


def says(expression, *more):
    write("position.yaml", POSITION)
    code, out, err = tabarro("say", "venice-2013", expression, "--players", 4, "--position", "position.yaml", *more)
    assert code == 0, err
    return out


@pytest.mark.parametrize(
    ("condition", "language", "said"),
    [
        ("any figure of red is on space 5", "en", "At least one of Red's figures is on space 5."),
        ("every figure of red is on space 5", "de", "Jede Figur von Rot steht auf Feld 5."),
        ("not (every figure of red is on space 5)", "en", "Not all of Red's figures are on space 5."),
        ("not (every figure of red is on space 5)", "de", "Nicht jede Figur von Rot steht auf Feld 5."),
        ("not (every figure of red is on space 5)", "nl", "Niet elke figuur van Rood staat op veld 5."),
        ("not (every figure of red is on space 5)", "no", "Ikke alle figurene til Rød står på felt 5."),
        ("not (every figure of red is on space 5)", "ca", "No totes les figures del vermell són a l'espai 5."),
        ("no figure of team of red is on space 5", "en", "No figure of the members of Red's team is on space 5."),
        (
            "no figure of team of red is on space 5",
            "de",
            "Keine Figur der Mitglieder des Teams von Rot steht auf Feld 5.",
        ),
        ("no figure of red is on space 5", "ca", "Cap figura del vermell no és a l'espai 5."),
        ("any figure of red is on space 5", "ja", "赤の駒のどれかが5番のマスにいる。"),
        ("no figure of red is on space 5", "ja", "赤の駒はどれも5番のマスにいない。"),
        (
            "any figure in (figures of red where it is on space 1) is on space 5",
            "en",
            "At least one of Red's figures that is on space 1 is on space 5.",
        ),
        (
            "lord_fiddlebottom is on space 5 and any figure of red is on space 5",
            "en",
            "Lord Fiddlebottom is on space 5, and at least one of Red's figures is on space 5.",
        ),
    ],
)
def test_sets_without_a_phrase_of_their_own_are_said_by_their_kind_and_whose_they_are(condition, language, said):
    assert said in says(condition, "--lang", language)


def test_a_condition_that_does_not_hold_is_told_with_how_far_it_is():
    told = says("colonel_bubble is on space 1")
    assert "This does not hold now." in told
    assert re.search(r"red.* Rialto, 3 steps from space 1", told)
    assert re.search(r"1 step apart: .*San Marco", says("colonel_bubble is with agent_x"))
    assert "This holds now." in says("agent_x is with the ambassador")


def test_only_the_parts_that_fail_are_told():
    told = says("the ambassador is on san_marco and colonel_bubble is on rialto and the ambassador is on rialto")
    _, verdict = told.split("This does not hold now.")
    assert len(verdict.strip().splitlines()) == 1
    assert "San Marco" in verdict


def test_a_seat_is_told_only_what_it_can_know():
    assert "This does not hold now." in says("identity of red is agent_x", "--as", "red")
    told = says("identity of blue is agent_x", "--as", "red")
    assert "cannot know" in told
    assert "72 of the 216" in told
    assert "This holds now." in says("identity of blue is agent_x")
    for seat in ("green", "yellow"):
        told = says("colonel_bubble is on rialto and the ambassador is on san_marco", "--as", seat)
        assert "unknown: " in told and "known to hold: " in told
        assert "Red" not in told.splitlines()[1:]
    assert "Rialto, 3 steps" in says("colonel_bubble is on space 1", "--as", "red")


def test_names_that_stand_for_something_are_asked_for():
    code, out, err = tabarro("say", "venice-2013", "any figure of the team is with agent_x")
    assert code == 0 and out
    write("position.yaml", POSITION)
    command = ["say", "venice-2013", "any figure of the team is with agent_x", "--position", "position.yaml"]
    code, _, err = tabarro(*command)
    assert code == 2 and "--let team=" in err
    assert "does not hold" in tabarro(*command, "--let", "team=red or green")[1]
    assert tabarro(*command, "--let", "nothing")[0] == 2


def test_a_mistake_in_an_expression_is_shown_with_its_place():
    code, out, err = tabarro("say", "venice-2013", "the ambassador = rialto")
    assert (code, out) == (2, "")
    assert "1:16" in err and "“is”" in err
    assert tabarro("say", "venice-2013", "the ambassador is on rialto", "--as", "red")[0] == 2
    assert tabarro("say", "venice-2013", "the ambassador is on rialto", "--lang", "tlh")[0] == 2
    assert "space" in tabarro("say", "venice-2013", "place of ambassador")[1]


# --- texts ------------------------------------------------------------------------------------------------------------
def catalogue(path, code):
    with Path(path).open("rb") as file:
        return read_po(file, locale=code, abort_invalid=True)


def translate(path, code, translations):
    text = Path(path).read_text(encoding="utf-8")
    for message, translation in translations.items():
        assert f'msgid "{message}"\nmsgstr ""' in text
        text = text.replace(f'msgid "{message}"\nmsgstr ""', f'msgid "{message}"\nmsgstr "{translation}"')
    Path(path).write_text(text, encoding="utf-8")


def test_the_texts_of_a_variant_are_translated_by_a_catalogue_beside_it():
    write("variants/mine.yaml", "extends: tic-tac-toe\nname: My own game\nabout: {en: All mine., de: Alles meins.}\n")
    path = "variants/locales/ca/LC_MESSAGES/mine.po"
    code, out, err = tabarro("texts", "mine", "--lang", "ca", "-o", path)
    assert (code, err) == (0, "")
    before, whole = map(int, re.findall(r"\d+", out))
    assert whole - before == 2
    assert {m.id for m in catalogue(path, "ca") if m.id} == {"My own game", "All mine."}
    translate(path, "ca", {"My own game": "El meu joc"})
    after, _ = map(int, re.findall(r"\d+", tabarro("texts", "mine", "--lang", "ca", "-o", path)[1]))
    assert after == before + 1
    assert {m.id: m.string for m in catalogue(path, "ca") if m.id} == {"My own game": "El meu joc", "All mine.": ""}
    assert "El meu joc" in tabarro("list", "--lang", "ca")[1]
    assert "El meu joc" not in tabarro("list", "--lang", "de")[1]
    assert {m.id for m in read_po(io.StringIO(tabarro("texts", "mine", "--lang", "de")[1]), locale="de") if m.id} == {
        "My own game"
    }


def test_a_catalogue_comes_along_with_a_file_that_is_named_by_its_path():
    write("elsewhere/mine.yaml", "extends: tic-tac-toe\nname: My own game\n")
    path = "elsewhere/locales/nl/LC_MESSAGES/mine.po"
    tabarro("texts", "elsewhere/mine.yaml", "--lang", "nl", "-o", path)
    translate(path, "nl", {"My own game": "Mijn eigen spel"})
    assert "Mijn eigen spel" in tabarro("watch", "elsewhere/mine.yaml", "--seed", 1, "--lang", "nl")[1]


def test_our_texts_cannot_be_changed_by_a_catalogue_of_a_variant():
    write(
        "variants/locales/de/LC_MESSAGES/x.po",
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Nobody has won."\nmsgstr "Ätsch."\n',
    )
    assert Language("de").translate("Nobody has won.") != "Ätsch."
    tabarro("list", "--lang", "de")
    assert Language("de").translate("Nobody has won.") != "Ätsch."


def test_a_seventh_language_is_added_to_everything_without_touching_the_program():
    assert tabarro("list", "--lang", "it")[0] == 2
    path = "variants/locales/it/LC_MESSAGES/tabarro.po"
    code, out, err = tabarro("texts", "tic-tac-toe", "--lang", "it", "-o", path)
    assert (code, err) == (0, "")
    assert len(catalogue(path, "it")) > 500
    translate(
        path,
        "it",
        {
            "Nobody has won.": "Nessuno ha vinto.",
            "commands": "comandi",
            "Tic-tac-toe": "Tris",
            "The board is full. Nobody wins.": "Tutto pieno. Nessuno vince.",
        },
    )
    code, out, err = tabarro("list", "--lang", "it")
    assert (code, err) == (0, "")
    assert "Tris" in out
    assert "comandi" in tabarro("--help", "--lang", "it")[1]
    drawn = next(
        out
        for seed in range(30)
        if "Nessuno ha vinto." in (out := tabarro("watch", "tic-tac-toe", "--seed", seed, "--lang", "it")[1])
    )
    assert "Tutto pieno. Nessuno vince." in drawn
    assert "it" in tabarro("list", "--lang", "tlh")[2]
    assert tabarro("say", "tic-tac-toe", "1 is 1", "--lang", "all")[1].count("\n") == 7
    shutil.rmtree("variants")
    assert tabarro("list", "--lang", "it")[0] == 2


def test_a_catalogue_that_is_none_is_refused_and_kept():
    for name, text in (("broken.po", 'msgid "open\n'), ("notes.po", "buy milk")):
        write(name, text)
        code, _, err = tabarro("texts", "tic-tac-toe", "--lang", "it", "-o", name)
        assert code == 2 and name in err
        assert Path(name).read_text(encoding="utf-8") == text
    assert tabarro("texts", "tic-tac-toe", "--lang", "qqq")[0] == 2


def test_a_broken_catalogue_of_a_variant_does_no_harm():
    write("variants/mine.yaml", MINE)
    write("variants/locales/de/LC_MESSAGES/x.po", 'msgid "open\n')
    write("variants/locales/xx/LC_MESSAGES/x.po", "")
    assert tabarro("list", "--lang", "de")[0] == 0
    assert tabarro("list", "--lang", "xx")[0] == 2


# --- editors ----------------------------------------------------------------------------------------------------------
def test_the_schema_can_be_written_to_a_file():
    assert tabarro("schema", "-o", "mine.json")[:2] == (0, "")
    assert json.loads(Path("mine.json").read_text(encoding="utf-8")) == json.loads(tabarro("schema")[1])
    assert tabarro("schema", "-o", "nowhere/mine.json")[0] == 2


# --- mistakes ---------------------------------------------------------------------------------------------------------
PRELUDE = "extends: venice-2013\nname: Mine\n"
HEAD = "mission of side for letter called first with letter called second by players called team"


def mission(condition, row="A-B"):
    return PRELUDE + f"tables:\n  {HEAD}:\n    rows: {{lords: {{{row}: {condition}}}}}\n"


def step(content, name="hello"):
    return PRELUDE + f"rules: {{turn of player: {{{name}: {{{content}}}}}}}\n"


MISTAKES = {  # what an author did, the file, the line of the mistake, a word of the remedy
    "a key is misspelt": (PRELUDE + "optoins: {repeats: allowed}\n", 3, "options"),
    "an indentation is wrong": (PRELUDE + "options:\n  repeats: allowed\n   signals: true\n", 5, "column"),
    "a tab is used": (PRELUDE + "options:\n\trepeats: allowed\n", 4, "spaces"),
    "a quote is missing": (PRELUDE + 'about: "A quiet game.\noptions: {repeats: allowed}\n', 3, '"'),
    "a bracket is missing": (PRELUDE + "options: {repeats: allowed\n", 3, "}"),
    "a colon is missing": (PRELUDE + "options:\n  repeats allowed\n  signals: true\n", 5, "column"),
    "a text has a colon in it": (PRELUDE + "about: The rule is this: be quiet.\n", 3, "quotes"),
    "a key stands twice": (PRELUDE + "name: Yours\n", 3, None),
    "an option has another value": (PRELUDE + "options: {repeats: sometimes}\n", 3, "forbidden"),
    "an option is misspelt": (PRELUDE + "options: {repeat: allowed}\n", 3, None),
    "yes is written for true": (PRELUDE + "options: {step_from_ambassador: yes}\n", 3, "true"),
    "= is written for is": (mission("the ambassador = rialto"), 5, "“is”"),
    "a name is misspelt": (mission("the ambassador is on rialta"), 5, "rialto"),
    "a name is of the wrong set": (mission("the ambassador is on agent_x"), 5, None),
    "a space number does not exist": (mission("the ambassador is on space 9"), 5, None),
    "a row does not exist": (mission("the ambassador is on rialto", "A-E"), 5, None),
    "a condition is not finished": (mission("the ambassador is on"), 5, None),
    "a bracket in a condition is open": (mission("not (the ambassador is on rialto"), 5, ")"),
    "a number is a text": (PRELUDE + "things: {ball: {members: {white: {count: four}}}}\n", 3, None),
    "a column is misspelt": (PRELUDE + "things: {ball: {members: {white: {cuont: 4}}}}\n", 3, "count"),
    "a step to change is misspelt": (step("text: x", "shak"), 3, "shake"),
    "a new step has no verb": (step("to: all"), 3, "one of these keys: if, cases, for each"),
    "a step goes after none": (step("after: shaking, say: Hi., to: all"), 3, "shake"),
    "a choice may be empty": (step("after: shake, ask: player, for: {one: pieces where it is moved}"), 3, "if none"),
    "a secret would be told": (
        step("after: shake, if: identity of player is agent_x, then: {say: {say: Hi., to: all}}"),
        3,
        None,
    ),
    "the game is misspelt": ("extends: venice-2031\nname: Mine\n", 1, "venice-2013"),
}


def test_there_are_twenty_typical_mistakes():
    assert len(MISTAKES) >= 20


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_typical_mistake_gets_its_place_what_is_wrong_and_a_remedy_in_six_languages(mistake):
    text, line, remedy = MISTAKES[mistake]
    path = write("variants/mine.yaml", text)
    with pytest.raises(RulesError) as caught:
        load_game(path)
    found = [p for p in caught.value.problems if p.place is not None and p.place.line == line]
    assert found, caught.value
    problem = found[0]
    assert remedy is None or remedy in problem.remedy(), show(problem)
    assert problem.remedy(), show(problem)
    for code in LANGUAGES:
        if code != "en":
            translate = Language(code).translate
            assert problem.message(translate) != problem.message(), (code, show(problem))
            assert problem.remedy(translate) != problem.remedy(), (code, show(problem))
    assert tabarro("check", "variants/mine.yaml")[0] == 2


def test_a_mission_that_nobody_can_fulfil_is_a_typical_mistake_too():
    write("variants/island.yaml", ISLAND)
    code, _out, err = tabarro("check", "variants/island.yaml", "--quick")
    assert code == 0
    assert re.search(r"island\.yaml:10:\d+: .*never held", err)
