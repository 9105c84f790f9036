"""The command from outside: what it prints, and with which exit code it ends."""

import io
import json
import re
import shutil
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from surroundings import PLAIN
from tabarro import __version__
from tabarro.cli import SUMMARIES, main
from tabarro.interpreter import games, load_game

ROOT = Path(__file__).resolve().parents[3]


def tabarro(*arguments, cwd=None, **environment):
    """The command as a user runs it: exit code, output, errors."""
    done = subprocess.run(
        [sys.executable, "-m", "tabarro.cli", *map(str, arguments)],
        capture_output=True,
        cwd=cwd,
        env=PLAIN | environment,
        timeout=120,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def here(*arguments):
    """The same in this process, which is faster."""
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, arguments)], out, err)
    return code, out.getvalue(), err.getvalue()


pytestmark = pytest.mark.usefixtures("in_english")


@pytest.fixture
def house(tmp_path):
    """Writes a rule file and gives its path."""

    def write(text, name="house.yaml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


WITH_OPTIONS = """\
extends: kuhn-poker
name: {en: Loud poker, ca: Pòquer sorollós}
options:
  noise: {is: [low, high], default: low, about: How loud it is.}
  rounds: {is: number, from: 1, to: 9, default: 3, about: How long it lasts.}
  cheering: {is: yes or no, default: false, about: Whether people cheer.}
"""


# --- help and mistakes of usage -------------------------------------------------------------------------------------


def test_without_a_command_the_help_is_shown():
    code, out, err = tabarro()
    assert (code, err) == (0, "")
    assert all(command in out for command in SUMMARIES)
    assert tabarro("--help") == (code, out, err)


def test_the_version_is_printed(tmp_path):
    code, out, err = tabarro("--version", cwd=tmp_path)
    assert (code, out.splitlines()[0], err) == (0, f"tabarro {__version__}", "")
    assert here("--lang", "ja", "--version")[1].startswith(f"tabarro {__version__}\n")
    assert metadata.version("tabarro") == __version__


@pytest.mark.parametrize("command", SUMMARIES)
def test_every_command_has_a_help(command):
    code, out, err = here(command, "--help")
    assert (code, err) == (0, "")
    assert f"tabarro {command}" in out


def test_the_help_imports_nothing_slow():
    script = (
        "import sys; from tabarro.cli import main; main(['--help']);"
        "slow = 'yaml', 'lark', 'jsonschema', 'rich', 'babel';"
        "print([name for name in slow if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=PLAIN | {"LANG": "C"}, timeout=60)
    assert done.stderr.decode().strip() == "[]"


SLOW = ("yaml", "lark", "jsonschema", "textual", "tabarro.interpreter.compiling")
SLOW += ("tabarro.interpreter.resolve", "tabarro.interpreter.check", "tabarro.mind.bots", "tabarro.mind.deducer")
SLOW += ("tabarro.speech.conditions", "tabarro.front.paper.book", "tabarro.front.workbench")


@pytest.mark.parametrize("words", ["play venice-2013 --plain --seat red=me --seat blue=me", "list"])
def test_what_is_in_the_cache_is_asked_and_listed_without_what_is_slow(tmp_path, words):
    """Red begins, so that no bot has thought before."""
    words += f" --save {tmp_path / 'game'} --seed 1" if words.startswith("play") else ""
    script = (
        f"import sys; from tabarro.cli import main; main({words.split()!r})\n"
        f"print([name for name in {SLOW!r} if name in sys.modules], file=sys.stderr)"
    )
    for _ in range(2):  # the first time it may have to be read
        done = subprocess.run(
            [sys.executable, "-c", script], input=b"", capture_output=True, env=PLAIN | {"LANG": "C"}, timeout=60
        )
        (tmp_path / "game").unlink(missing_ok=True)
    assert (b"\n> " if words.startswith("play") else b"venice-2013") in done.stdout
    assert done.stderr.decode().strip() == "[]"


@pytest.mark.parametrize(
    "arguments",
    [
        ["dance"],
        ["watch"],
        ["watch", "kuhn-poker", "--players", "many"],
        ["watch", "kuhn-poker", "--players", "0"],
        ["watch", "kuhn-poker", "--players", "7"],
        ["watch", "kuhn-poker", "--seed"],
        ["watch", "kuhn-poker", "--as", "me"],
        ["watch", "kuhn-poker", "--option", "loud"],
        ["watch", "kuhn-poker", "--option", "loud=true"],
        ["watch", "no-such-game"],
        ["watch", "no-such-file.yaml"],
        ["perft", "tic-tac-toe", "--depth", "-1"],
        ["list", "--lang", "tlh"],
        ["list", "--volume=11"],
        ["check"],
        ["perft", "../../etc/passwd"],
        ["watch", "9" * 5000],
    ],
)
def test_what_cannot_be_done_is_refused_with_exit_code_2(arguments):
    code, out, err = here(*arguments)
    assert (code, out) == (2, "")
    assert err.strip()
    assert "Traceback" not in err


def test_a_misspelt_command_or_game_is_guessed():
    assert "“watch”" in here("wacth", "kuhn-poker")[2]
    assert "“kuhn-poker”" in here("watch", "khun-poker")[2]


def test_a_number_that_is_none_is_called_so():
    assert "“many” is not a whole number." in here("watch", "kuhn-poker", "--players", "many")[2]


# --- languages ------------------------------------------------------------------------------------------------------


def test_the_environment_decides_in_which_language_errors_are_told():
    english = tabarro("watch", "no-such-game", LANG="C")
    german = tabarro("watch", "no-such-game", LANG="de_DE.UTF-8")
    assert (german[0], german[1]) == (2, "")
    assert "no-such-game" in german[2]
    assert german[2] != english[2]
    assert "„no-such-game“" in german[2]


@pytest.mark.parametrize("language", ["ca", "de", "ja", "nl", "no", "nb"])
def test_each_language_has_its_own_words(language):
    assert here("--lang", language, "watch", "kuhn-poker", "--seed", "1") == here(
        "watch", "kuhn-poker", "--seed", "1", "--lang", language
    )
    told = here("watch", "kuhn-poker", "--seed", "1", "--lang", language)[1]
    assert len(set(told.splitlines()) & set(here("watch", "kuhn-poker", "--seed", "1")[1].splitlines()) - {""}) == 0


def test_the_help_speaks_the_language_too():
    code, out, err = here("--lang", "de", "watch", "--help")
    assert "usage" not in out and "show this help" not in out


def test_a_terminal_without_the_letters_still_gets_the_game():
    code, out, err = tabarro(
        "watch", "little-mystery", "--seed", "1", "--lang", "ja", PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )
    assert (code, err) == (0, "")
    assert out == here("watch", "little-mystery", "--seed", "1")[1].replace("…", "...")  # rather than question marks


def test_a_terminal_without_accents_gets_the_letters_without_them():
    code, out, err = tabarro(
        "watch", "little-mystery", "--seed", "1", "--lang", "de", PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )
    assert (code, err) == (0, "")
    assert out.isascii() and "?" not in out and "Gartner" in out


# --- list -----------------------------------------------------------------------------------------------------------


def test_list_shows_every_game():
    code, out, err = here("list")
    assert (code, err) == (0, "")
    assert all(re.search(rf"^{re.escape(name)} ", out, re.MULTILINE) for name in games())


def test_list_as_json_tells_players_and_options():
    code, out, err = here("list", "--json")
    assert (code, err) == (0, "")
    by_id = {game["id"]: game for game in json.loads(out)}
    assert set(by_id) == set(games())
    assert by_id["little-mystery"]["players"] == [3]
    assert by_id["kuhn-poker"]["name"] == "Kuhn poker"


def test_options_are_listed_with_their_values_default_and_meaning(house):
    from tabarro.front.commands import list as listing
    from tabarro.front.common.streams import Terminal
    from tabarro.interpreter import describe
    from tabarro.speech.language import Language

    out = io.StringIO()
    listing.show_games([describe(house(WITH_OPTIONS))], Terminal(out, out, Language("ca")))
    lines = {line.split()[0]: line for line in out.getvalue().splitlines() if line.strip()}
    assert "Pòquer sorollós" in lines["house"]
    assert re.search(r"low, high +low +How loud it is\.", lines["noise"])
    assert re.search(r"1…9 +3 ", lines["rounds"])
    assert re.search(r"true, false +false ", lines["cheering"])


@pytest.mark.parametrize("environment", [{}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}])
def test_a_pipe_gets_no_colours(environment):
    assert "\x1b" not in tabarro("list", **environment)[1]


# --- check ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuhn-poker", "little-mystery", "tic-tac-toe"])
def test_check_finds_nothing_wrong_with_the_games_that_come_along(name):
    """What a rule takes for granted is told, and is no mistake."""
    code, out, err = here("check", name)
    told = re.findall(r"^\S+:\d+:\d+: (.*)", err, re.MULTILINE)
    assert code == 0 and name in out
    assert {line.split(":")[0] for line in told} == ({"Taken for granted"} if name == "little-mystery" else set())


def test_check_tells_all_mistakes_of_a_file_at_once(house):
    path = house("extends: kuhn-poker\nwords:\n  one: hand of frist\n  two: 1 plus true\n")
    code, out, err = here("check", path)
    assert (code, out) == (2, "")
    assert "house.yaml:3:16: " in err and "house.yaml:4:" in err
    assert "“first”" in err


def test_check_as_json_gives_places_and_words(house):
    path = house("extends: kuhn-poker\nplayes: {2: {}}\n")
    code, out, err = here("check", path, "--json")
    assert (code, err) == (2, "")
    (found,) = json.loads(out)
    assert set(found) == {"file", "line", "column", "length", "code", "message", "remedy"}
    assert found["file"].endswith("house.yaml")
    assert (found["line"], found["column"], found["length"]) == (2, 1, len("playes"))
    assert "players" in found["remedy"]


def test_check_as_json_of_a_good_file_is_an_empty_list(house):
    assert here("check", "kuhn-poker", "--json") == (0, "[]\n", "")


def test_check_looks_at_every_number_of_players(house):
    path = house(
        "extends: little-mystery\nplayers:\n  3: {}\n  4: {things: {player: [ada, ben, cleo, dora]}, seats: playrs}\n"
    )
    code, out, err = here("check", path)
    assert code == 2
    assert "house.yaml:4:" in err


def test_an_abstract_file_is_checked_for_its_shape_alone(house):
    assert here("check", house("abstract: true\nwords: {one: hand of nobody_known}\n"))[0] == 0
    assert here("check", house("abstract: true\nwoords: {one: 1}\n"))[0] == 2


def test_one_bad_file_does_not_hide_the_others(house):
    good = house("extends: kuhn-poker\n", "good.yaml")
    bad, worse = house("nme: x\n", "bad.yaml"), house("", "worse.yaml")
    code, out, err = here("check", bad, good, worse)
    assert code == 2
    assert "good.yaml" in out
    assert "bad.yaml:1:1" in err and "worse.yaml:1:1" in err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("binary.yaml", bytes(range(256)) * 8),
        ("binary.dat", bytes(range(256))),
        ("empty.yaml", b""),
        ("deep.yaml", b"[" * 100_000),
        ("text.txt", b"just a text"),
        ("nul.yaml", b"name: \x00\n"),
    ],
)
def test_check_refuses_what_is_no_rule_file(house, name, content):
    code, out, err = tabarro("check", house(content, name))
    assert (code, out) == (2, "")
    assert name in err
    assert "Traceback" not in err


def test_check_refuses_folders_and_missing_files(tmp_path):
    (tmp_path / "folder.yaml").mkdir()
    for name in (tmp_path, tmp_path / "folder.yaml", tmp_path / "missing.yaml", tmp_path / "missing", ""):
        code, out, err = here("check", name)
        assert (code, out) == (2, "")
        assert err.strip() and "Traceback" not in err


# --- perft ----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_perft_counts_all_games_of_tic_tac_toe():
    code, out, err = here("perft", "tic-tac-toe")
    assert (code, err) == (0, "")
    assert "255,168" in out


def test_perft_counts_nodes_and_finished_games_by_depth_and_first_choice():
    code, out, err = here("perft", "tic-tac-toe", "--depth", "6", "--json")
    counts = json.loads(out)
    assert [level["nodes"] for level in counts["depths"]] == [1, 9, 72, 504, 3024, 15120, 54720]
    assert [level["finished"] for level in counts["depths"]] == [0, 0, 0, 0, 0, 1440, 5328]
    assert not counts["complete"]
    for depth in range(1, 7):
        for what in ("nodes", "finished"):
            assert sum(choice[what][depth] for choice in counts["choices"]) == counts["depths"][depth][what]
    assert len({tuple(choice["choice"]) for choice in counts["choices"]}) == 9


def test_perft_counts_chance_as_nodes():
    counts = json.loads(here("perft", "kuhn-poker", "--json")[1])
    assert counts["complete"]
    # Two cards are dealt, then the first player speaks.
    assert [level["nodes"] for level in counts["depths"]][:4] == [1, 3, 6, 12]
    assert sum(level["finished"] for level in counts["depths"]) == 30


def test_perft_deeper_than_the_game_stops_where_the_game_does():
    assert json.loads(here("perft", "kuhn-poker", "--depth", "50", "--json")[1]) == json.loads(
        here("perft", "kuhn-poker", "--json")[1]
    )


def test_perft_stays_within_its_limit_and_says_so():
    code, out, err = here("perft", "tic-tac-toe", "--limit", "1000")
    assert code == 0
    assert "3,024" not in out and "504" in out
    assert "--limit" in out


# --- watch ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuhn-poker", "little-mystery", "tic-tac-toe"])
def test_the_same_seed_is_told_in_the_same_words(name):
    first = tabarro("watch", name, "--seed", "11", PYTHONHASHSEED="1")
    assert first[0] == 0
    assert first == tabarro("watch", name, "--seed", "11", PYTHONHASHSEED="2")
    assert first != tabarro("watch", name, "--seed", "12", PYTHONHASHSEED="1")


def test_a_game_without_a_seed_tells_its_seed_and_can_be_repeated():
    told = here("watch", "little-mystery")[1]
    seed = re.search(r"seed is (\d+)", told).group(1)
    assert here("watch", "little-mystery", "--seed", seed)[1] == told


def test_the_umpire_sees_all_hands_and_a_player_only_his_own():
    told = here("watch", "little-mystery", "--seed", "3")[1]
    for seat in ("Ada", "Ben", "Cleo"):
        assert f"{seat} is dealt " in told
        own = here("watch", "little-mystery", "--seed", "3", "--as", seat.lower())[1]
        assert re.findall(r"(\w+) is dealt ", own) == [seat]
        covered = re.sub(r"(shows \w+) the \w+", r"\1 a card", told)  # to whom it was not shown
        assert set(own.splitlines()[3:]) <= {*told.splitlines(), *covered.splitlines()}


def test_a_shown_card_is_told_only_to_the_one_who_asked():
    told = here("watch", "little-mystery", "--seed", "3")[1]
    shown = re.compile(r"^(\w+) shows (\w+) the .*$", re.MULTILINE)
    involved = {found.group(0): {found.group(1).lower(), found.group(2).lower()} for found in shown.finditer(told)}
    assert involved
    for seat in load_game("little-mystery").seats:
        own = here("watch", "little-mystery", "--seed", "3", "--as", seat)[1]
        seen = {found.group(0) for found in shown.finditer(own)}
        assert seen == {line for line, players in involved.items() if seat in players}


def test_what_is_told_is_told_once():
    told = here("watch", "tic-tac-toe", "--seed", "2")[1].splitlines()
    marks = [line for line in told if " marks " in line]
    assert len(marks) == len(set(marks)) >= 5


def test_watch_stops_after_so_many_decisions():
    told = here("watch", "tic-tac-toe", "--seed", "2", "--max-decisions", "3")[1]
    assert told.count(" marks ") == 3
    assert "3 decisions" in told


def test_the_winner_is_told_at_the_end():
    for seed in range(5):
        last = here("watch", "tic-tac-toe", "--seed", seed)[1].splitlines()[-1]
        assert re.fullmatch(r"(Cross|Nought|Nobody) has won\.", last)


def test_what_has_no_text_is_told_all_the_same(house):
    path = house("""\
name: Silent
players: {2: {}}
things: {player: [left_hand, right_hand], stone: [pebble, big_rock]}
seats: players
rules:
  game:
    find: {draw: 1, from: stones, as: found, seen by: all}
    take: {ask: left_hand, for: {stone: stones}, seen by: all}
    go:   {ask: right_hand, between: {carry_off: {for: {which: stones}}}, seen by: all}
    open: {show: found, to: all}
    over: {end: nobody}
""")
    code, out, err = here("watch", path, "--seed", "1")
    assert (code, err) == (0, "")
    sentences = out.splitlines()[2:]
    assert re.fullmatch(r"This is drawn: (pebble|big rock)\.", sentences[0])
    assert re.fullmatch(r"Left hand chooses (pebble|big rock)\.", sentences[1])
    assert re.fullmatch(r"Right hand chooses carry off and (pebble|big rock)\.", sentences[2])
    assert re.fullmatch(r"This is revealed: (pebble|big rock)\.", sentences[3])


def test_a_house_variant_with_options_can_be_watched(house):
    path = house(WITH_OPTIONS)
    assert here("watch", path, "--option", "noise=high", "--option", "rounds=2", "--seed", "1")[0] == 0
    code, out, err = here("watch", path, "--option", "noise=deafening")
    assert code == 2
    assert "low, high" in err


# --- schema ---------------------------------------------------------------------------------------------------------


def test_schema_prints_a_valid_json_schema():
    code, out, err = here("schema")
    assert (code, err) == (0, "")
    Draft202012Validator.check_schema(json.loads(out))


# --- being interrupted ----------------------------------------------------------------------------------------------


def test_a_reader_who_goes_away_causes_no_noise():
    command = subprocess.Popen(
        [sys.executable, "-m", "tabarro.cli", "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=PLAIN
    )
    command.stdout.close()
    assert command.stderr.read() == b""
    command.stderr.close()
    assert command.wait(timeout=60) not in (0, 1, 2)


def test_ctrl_c_ends_silently_with_130(house):
    path = house("""\
name: Endless
players: {1: {}}
things: {player: [somebody], side: [left, right]}
seats: players
rules:
  game:
    on: {repeat: {go: {ask: somebody, for: {side: sides}, seen by: all}}}
""")
    command = subprocess.Popen(
        [sys.executable, "-m", "tabarro.cli", "watch", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=PLAIN,
    )
    command.stdout.readline()  # by now it is playing
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=60)
    assert (command.returncode, err) == (130, b"")


def test_bots_that_think_can_be_watched_and_the_same_seed_tells_the_same_game():
    games = [here("watch", "little-mystery", "--bot", "deducer", "--seed", seed) for seed in ("7", "7", "8")]
    assert games[0] == games[1] != games[2] and games[0][0] == 0
    assert "--bot deducer" in games[0][1] and games[0][1].rstrip().endswith("has won.")


def test_a_bot_that_does_not_exist_cannot_be_watched():
    code, told, refused = here("watch", "cards-safe", "--bot", "genius")
    assert (code, told) == (2, "") and "genius" in refused and "deducer" in refused


@pytest.mark.parametrize("seen", [[], ["--as", "red"], ["--as", "blue"]])
def test_a_sign_to_all_is_told_once_to_everybody(seen):
    _, told, _ = here(
        "watch", "venice-2013", "--seed", "7", "--option", "signals=once_a_turn", "--option", "round_limit=4", *seen
    )
    lines = told.split("\n")
    signs = [index for index, line in enumerate(lines) if "makes a sign to all" in line]
    assert len({lines[index].split(" ")[0] for index in signs}) > 1
    assert all(lines[index - 1].endswith("turn.") for index in signs)
    assert all(
        "shakes the Phantom of Prophecy" in lines[index + 1] or "declares" in lines[index + 1] for index in signs
    )


# --- help and completion ----------------------------------------------------------------------------------------------
def test_help_tells_of_all_commands_and_of_each_what_its_option_tells():
    code, out, _ = here("help")
    assert code == 0 and all(f"tabarro {name}" in out for name in SUMMARIES)
    for code in ("en", "ja"):
        assert here("help", "play", "--lang", code)[1] == here("play", "--help", "--lang", code)[1]
    code, _, err = here("help", "pley")
    assert code == 2 and "play" in err


@pytest.mark.parametrize(("shell", "program"), [("bash", "bash"), ("zsh", "zsh"), ("fish", "fish")])
def test_completion_knows_commands_options_and_games(shell, program, tmp_path):
    code, out, _ = here("completion", shell)
    assert code == 0
    for word in ("play", "rulebook", "hints", "venice-2013", "lang"):
        assert word in out
    if shutil.which(program):
        script = tmp_path / "script"
        script.write_text(out, encoding="utf-8")
        assert subprocess.run([program, "-n", str(script)], check=False).returncode == 0
    if shell == "bash":
        asked = "COMP_WORDS=(tabarro play ven) COMP_CWORD=2; _tabarro; echo ${COMPREPLY[@]}"
        said = subprocess.run(["bash", "-c", f"{out}\n{asked}"], capture_output=True, text=True, check=True).stdout
        assert "venice-2013" in said.split() and "tic-tac-toe" not in said


def test_one_game_is_listed_with_its_options_and_how_it_is_begun():
    code, out, _ = here("list", "cards-safe")
    assert code == 0 and "tabarro play cards-safe" in out and "points_to_win" in out and "tic-tac-toe" not in out
    assert json.loads(here("list", "tic-tac-toe", "--json")[1])["id"] == "tic-tac-toe"
    assert here("list", "nowhere")[0] == 2


# --- names of games ---------------------------------------------------------------------------------------------------
def test_the_beginning_of_a_name_means_the_game_as_in_the_menu():
    code, out, _ = here("list", "tic")
    assert code == 0 and "tic-tac-toe" in out
    code, _, err = here("watch", "venic")  # nothing but games: `venice` holds only what they share
    assert code == 2 and [line.strip() for line in err.splitlines()[1:]] == [
        "venice-2013",
        "venice-classic",
        "venice-japan",
    ]
    assert "“venice-2013”" in here("watch", "venise-2013")[2]


def test_a_part_of_games_says_so_and_names_them(house):
    code, _, err = here("watch", "cards")
    assert code == 2 and "no game by itself" in err and "cards-phone, cards-safe, double-or-nothing" in err
    mine = house("abstract: true\nthings: {player: [ann, bob]}\n", "mine.yaml")
    game = "extends: mine\nplayers: {2: {}}\nseats: players\nrules: {game: {over: {end: nobody}}}\n"
    house(game, "dull.yaml")
    code, _, err = here("watch", "mine", "--rules", mine.parent)
    assert code == 2 and "of it: dull." in err


@pytest.mark.parametrize(
    "code, text, wanted",
    [
        ("no", "På Rialto står ambassadøren", "med høyest"),
        ("de", "Auf Rialto steht der", "mit höchster"),
        ("ja", "På Rialto står ambassadøren", "の上に"),
    ],
)
def test_what_may_follow_is_told_in_the_words_of_the_reader(code, text, wanted):
    exit_code, out, err = here("say", "venice-2013", text, "--lang", code)
    assert exit_code and wanted in err + out
    assert "with the highest" not in err + out and "starting with" not in err + out


def test_an_expression_in_the_words_of_the_reader_is_said():
    game, said = "venice-2013", "no és cert que algun figure és a rialto"
    assert here("say", game, said, "--lang", "ca") == here("say", game, "not any figure is on rialto", "--lang", "ca")


def test_of_the_rules_language_its_own_words_may_follow():
    assert "with the highest" in "".join(
        here("say", "venice-2013", "every figure is ambassador is", "--lang", "ca")[1:]
    )


def test_translate_leaves_a_sentence_of_the_language_bare_and_tells_a_mistake(house):
    text = """llengua: ca
amplia: venice-2013
nom: Casa
afegeix:
  taules:
    casa de side per players anomenat team:
      és: cert o fals
      files:
        lords: Cap figura de l'equip no és a Rialto, i l'ambaixador és a l'espai 5.
        madames: cap figure de team és a rialto
"""
    code, there, err = here("translate", house(text), "--to", "de")
    assert code == 0 and not err and "{ca: " in there
    back = here("translate", house(there), "--to", "ca")[1]
    assert "{" not in back and "Cap figura de l'equip no és a Rialto, i" in back
    code, there, err = here("translate", house(text.replace("a Rialto", "a Rialtto")), "--to", "de")
    assert code == 0 and "Rialtto" in there and "house.yaml:9:" in err
