"""What commands do to files: they read only ordinary ones, and replace only their own."""

import io
import os
import random
import subprocess
import sys
import time

import pytest
from stopwatch import in_time
from surroundings import PLAIN
from tabarro.cli import main
from tabarro.interpreter import RulesError, Save, load_game, resume
from tabarro.interpreter.errors import MESSAGES
from tabarro.interpreter.save import load
from tabarro.speech.language import LANGUAGES, Language

pytestmark = pytest.mark.usefixtures("in_english")


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """In a folder of one's own, with nobody who types."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))


def tabarro(*arguments):
    out, err = io.StringIO(), io.StringIO()
    started = time.process_time()
    code = main([*map(str, arguments)], out, err)
    assert in_time(time.process_time() - started, 10)
    return code, out.getvalue(), err.getvalue()


WRITERS = {
    "rulebook text": ("rulebook", "tic-tac-toe", "-o", "{file}"),
    "rulebook md": ("rulebook", "tic-tac-toe", "--format", "md", "-o", "{file}"),
    "rulebook html": ("rulebook", "tic-tac-toe", "--format", "html", "-o", "{file}"),
    "board": ("board", "tic-tac-toe", "--svg", "{file}"),
    "simulate": ("simulate", "kuhn-poker", "--games", 2, "--seed", 1, "--json", "{file}"),
    "plot": ("simulate", "kuhn-poker", "--games", 2, "--seed", 1, "--plot", "{file}.svg"),
    "solve": ("solve", "kuhn-poker", "--iterations", 1, "--json", "{file}"),
    "play": ("play", "tic-tac-toe", "--save", "{file}"),
    "schema": ("schema", "-o", "{file}"),
    "texts": ("texts", "kuhn-poker", "--lang", "it", "-o", "{file}"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_command_replaces_what_it_has_written_and_nothing_else(name, tmp_path):
    file = tmp_path / "thesis"
    command = [str(word).format(file=file) for word in WRITERS[name]]
    written = file.with_suffix(".svg") if name == "plot" else file
    for thesis in ("A thesis.\n" * 1_000, 'msgid "Masks"\nmsgstr "Maschere"\n'):
        written.write_text(thesis)
        code, out, err = tabarro(*command)
        assert code == 2 and f"{written.name}” is there already" in err or f"{written.name}” is no catalogue" in err
        assert written.read_text() == thesis
    assert tabarro(*command, "--force")[0] == 0
    first = written.read_bytes()
    assert thesis.encode() not in first and first
    assert tabarro(*command)[0] == 0, "its own file can be replaced"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_no_command_replaces_a_device_or_waits_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for words in WRITERS.values():
        if words[0] != "simulate":
            code, _, err = tabarro(*(str(word).format(file=tmp_path / "pipe") for word in words))
            assert code == 2 and "is not an ordinary file" in err
    assert tabarro("play", "tic-tac-toe", "--save", "/dev/null", "--force")[0] == 2
    assert not os.path.isfile("/dev/null")


def test_a_new_rule_file_and_its_schema_replace_nothing(tmp_path):
    (tmp_path / "variants").mkdir()
    schema = tmp_path / "variants" / "tabarro.schema.json"
    schema.write_text("mine")
    code, _, err = tabarro("new", "quiet", "--from", "tic-tac-toe")
    assert code == 2 and "tabarro.schema.json” is there already" in err
    assert os.listdir(tmp_path / "variants") == [schema.name] and schema.read_text() == "mine"
    schema.unlink()
    assert tabarro("new", "quiet", "--from", "tic-tac-toe")[0] == 0
    assert tabarro("new", "loud", "--from", "tic-tac-toe")[0] == 0, "the schema of before is ours"
    code, _, err = tabarro("new", "quiet", "--from", "tic-tac-toe")
    assert code == 2 and "already a rule file" in err


def test_a_game_that_was_begun_is_not_replaced_by_a_new_one(tmp_path):
    path, game = tmp_path / "evening", load_game("tic-tac-toe")
    Save.create(path, game, 1).append(["a1"])
    code, _, err = tabarro("play", "tic-tac-toe", "--save", path)
    assert code == 2 and "a game is saved already" in err and "tabarro resume" in err
    assert load(path)[2].choices == 1
    assert tabarro("play", "tic-tac-toe", "--save", path, "--force")[0] == 0
    assert load(path)[2].choices == 0


def test_what_is_kept_beside_a_save_replaces_nothing(tmp_path):
    (tmp_path / "evening.seats").write_text("mine")
    assert tabarro("play", "tic-tac-toe", "--save", "evening")[0] == 0
    assert (tmp_path / "evening.seats").read_text() == "mine"


# --- reading ----------------------------------------------------------------------------------------------------------
def test_odd_files_among_rules_and_saves_hold_nothing_up(tmp_path, monkeypatch):
    rules, saves = tmp_path / "rules", tmp_path / "saves"
    for folder in (rules, saves):
        folder.mkdir()
        os.mkfifo(folder / "pipe.yaml")
        os.mkfifo(folder / "pipe.tabarro")
        (folder / "circle.yaml").symlink_to("circle.yaml")
        (folder / "circle.tabarro").symlink_to("circle.tabarro")
        (folder / "dangling.tabarro").symlink_to("nowhere")
        (folder / "folder.tabarro").mkdir()
        (folder / "folder.yaml").mkdir()
        (folder / "round").symlink_to(folder)
    monkeypatch.setenv("TABARRO_SAVES", str(saves))
    code, out, err = tabarro("list", "--rules", rules)
    assert code == 2 and "tic-tac-toe" in out
    assert "pipe.yaml” is not an ordinary file" in err and "circle.yaml” lead in a circle" in err
    assert "There is no unfinished game" in tabarro("resume")[1]
    for name in ("pipe", "circle", "dangling", "folder"):
        for command in ("resume", "replay"):
            code, _, err = tabarro(command, saves / f"{name}.tabarro")
            assert code == 2 and "wrong" not in err
    for command in (("check", "{}"), ("play", "{}"), ("deduce", "--notes", "{}"), ("test", "{}"), ("texts", "{}")):
        for name in ("pipe.yaml", "circle.yaml", "folder.yaml"):
            code, _, err = tabarro(*(word.format(rules / name) for word in command))
            assert code == 2 and err and "wrong that is not your mistake" not in err, command


BROKEN = {
    "catalogue_charset": b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=martian-1\\n"\n\nmsgid "Game"\nmsgstr "x"\n',
    "catalogue_syntax": b'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Game\nmsgstr Spiel\n',
    "catalogue_broken": b'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Quiet"\nmsgstr "\xff\xfe"\n',
    "file_special": None,
}


@pytest.mark.parametrize("code", BROKEN)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_broken_catalogue_is_told_and_stops_nothing(language, code, tmp_path):
    home = tmp_path / "variants" / "locales" / language / "LC_MESSAGES"
    home.mkdir(parents=True)
    (tmp_path / "variants" / "quiet.yaml").write_text("extends: tic-tac-toe\nname: Quiet\n")
    if BROKEN[code] is None:
        os.mkfifo(home / "mine.po")
    else:
        (home / "mine.po").write_bytes(BROKEN[code])
    exit, out, err = tabarro("list", "--lang", language)
    message = Language(language).translate(MESSAGES[code][0])
    assert exit == 0 and "tic-tac-toe" in out and "WARNING" not in out
    assert err.count("mine.po") == 1
    for part in (part for part in message.replace("{name}", "{").replace("{file}", "{").split("{") if len(part) > 8):
        assert part.lstrip("}”»」“") in err


def test_a_catalogue_cannot_turn_the_writing_or_move_the_cursor(tmp_path):
    home = tmp_path / "variants" / "locales" / "de" / "LC_MESSAGES"
    home.mkdir(parents=True)
    (tmp_path / "variants" / "quiet.yaml").write_text("extends: tic-tac-toe\nname: Quiet\n")
    (home / "mine.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Quiet"\nmsgstr "Le\u202eise\x1b[2J\u200bs"\n',
        encoding="utf-8",
    )
    code, out, err = tabarro("list", "--lang", "de")
    assert code == 0 and "Leise[2Js" in out and not err


# --- streams ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "streams, code, said",
    [
        (">/dev/full", 2, "Not everything could be written: the disk is full."),
        (">&-", 0, ""),
        ("</dev/null >&- 2>&-", 0, ""),
        ("2>&-", 0, None),
    ],
)
def test_streams_that_take_nothing_are_no_trouble(streams, code, said, tmp_path):
    command = f'"{sys.executable}" -m tabarro.cli list {streams}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=PLAIN, cwd=tmp_path, check=False)
    assert done.returncode == code and "Traceback" not in done.stderr
    assert said is None or done.stderr.strip() == said


def test_a_game_with_no_streams_at_all_is_saved_whole(tmp_path):
    """Else the save would take the place of a stream that is closed, and what is said would be written into it."""
    command = f'"{sys.executable}" -m tabarro.cli play tic-tac-toe --save game --seed 1 <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], env=PLAIN, cwd=tmp_path, check=False).returncode == 0
    assert load(tmp_path / "game")[2].choices == 0


# --- two at once ------------------------------------------------------------------------------------------------------
class Window:
    """Somebody at a prompt."""

    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tabarro.cli", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=PLAIN,
            cwd=folder,
        )

    def prompt(self):
        """Is there one? None if not."""
        said = b""
        while not said.endswith(b"\n> "):
            some = os.read(self.process.stdout.fileno(), 65536)
            if not some:
                return None
            said += some
        return said

    def type(self, text):
        self.process.stdin.write(f"{text}\n".encode())
        self.process.stdin.flush()

    def end(self):
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, err.decode()


ME = ("--seat", "cross=me", "--seat", "nought=me")


def test_of_two_that_begin_in_the_same_file_one_plays_and_nothing_is_lost(tmp_path):
    for beginning in range(3):
        name = f"game{beginning}"
        windows = [Window(tmp_path, "play", "tic-tac-toe", "--seed", "1", "--save", name, *ME) for _ in range(2)]
        prompts = [window.prompt() for window in windows]
        (winner,) = [index for index, prompt in enumerate(prompts) if prompt]
        for square in ("a1", "b2"):
            windows[winner].type(square)
            assert windows[winner].prompt()
        code, err = windows[1 - winner].end()
        assert code == 2 and "another window" in err
        assert windows[winner].end() == (0, "")
        assert load(tmp_path / name)[2].choices == 2


def test_two_processes_at_one_save_lose_nothing_in_whatever_order(tmp_path):
    """Everything that two can do with the same save, in all orders and at once; who cannot is told."""
    game, rng = load_game("tic-tac-toe"), random.Random(1)
    squares = [f"{column}{row}" for row in "123" for column in "abc"]
    for trial in range(150):
        path, acknowledged, saves = tmp_path / f"{trial}", [], [None, None]
        for _ in range(8):
            who, what = rng.randrange(2), rng.choice(("create", "resume", "append", "append", "close", "take_back"))
            save = saves[who]
            try:
                if what == "create" and save is None:
                    saves[who] = Save.create(path, game, 1, replace=False, alone=rng.random() < 0.7)
                    acknowledged = []
                elif what == "resume" and save is None:
                    saves[who] = resume(path, alone=rng.random() < 0.7)[2]
                elif what == "append" and save is not None:
                    square = next(square for square in squares if square not in acknowledged)
                    save.append([square])
                    acknowledged.append(square)
                elif what == "take_back" and save is not None and save.choices:
                    save.take_back()
                    acknowledged.pop()
                elif what == "close" and save is not None:
                    save.close()
                    saves[who] = None
            except RulesError as error:
                known = {"save_in_use", "save_there", "save_changed", "save_illegal", "file_missing"}
                assert {p.code for p in error.problems} <= known, error
            if path.exists():
                _, state, _ = load(path)
                assert [entry["square"] for entry in state.log("cross") if entry.kind == "ask"] == acknowledged
        for save in saves:
            if save is not None:
                save.close()
