"""The gate for files: nothing that is no ordinary file, nothing that is not ours, all of it or nothing."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from stopwatch import within
from surroundings import PLAIN
from tabarro.interpreter import RulesError, Save, load_game, resume, show
from tabarro.interpreter.files import check_place, make_folder, read_bytes, walk, write_new, write_whole
from tabarro.interpreter.save import load

OURS = b'{\n "made by": "tabarro simulate",\n "x": 1\n}\n'


def code_of(action, *args, **kwargs):
    with within(1), pytest.raises(RulesError) as caught:
        action(*args, **kwargs)
    (problem,) = caught.value.problems
    assert "{" not in show(problem)
    return problem.code


def reason_of(action, *args, **kwargs):
    with pytest.raises(RulesError) as caught:
        action(*args, **kwargs)
    (problem,) = caught.value.problems
    assert problem.code in ("file_unwritable", "save_unwritable")
    return problem.args["reason"][0]


@pytest.fixture
def odd(tmp_path):
    """Names that lead to no ordinary file, and what is said to whoever wants to read them."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "there").symlink_to("back")
    (tmp_path / "back").symlink_to("there")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "plain").write_text("x")
    return {
        tmp_path / "pipe": "file_special",
        Path("/dev/zero"): "file_special",
        tmp_path / "folder": "file_is_folder",
        tmp_path / "circle": "file_circle",
        tmp_path / "there": "file_circle",
        tmp_path / "dangling": "file_missing",
        tmp_path / "none": "file_missing",
        tmp_path / "plain" / "below": "file_missing",
        tmp_path / ("x" * 300): "file_unreadable",
        tmp_path / "a\0b": "file_unreadable",
    }


def test_what_is_no_ordinary_file_is_not_read_and_never_waited_for(odd):
    for path, code in odd.items():
        assert code_of(read_bytes, path, 100) == code, path
        assert code_of(load_game, path.with_name(path.name)) in (code, "unknown_game")
        assert code_of(load, path) == code_of(resume, path) == code_of(resume, path, alone=True) == code


def test_no_more_of_a_file_is_read_than_the_limit(tmp_path):
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(10_000_000_000)  # it takes no room on the disk
    assert code_of(read_bytes, path, 1_000) == code_of(load_game, path) == code_of(load, path) == "file_too_big"


def test_a_save_takes_the_place_of_no_ordinary_file_only(odd):
    game = load_game("tic-tac-toe")
    for path in odd:
        if path.name in ("dangling", "none"):
            continue
        for force in (False, True):
            with pytest.raises(RulesError):
                Save.create(path, game, 1, force=force)
        kind = os.lstat(path).st_mode if os.path.lexists(path) else None
        assert kind is None or not (kind & 0o170000 == 0o100000) or path.name == "plain"


def test_a_link_stays_a_link(tmp_path):
    game, link = load_game("tic-tac-toe"), tmp_path / "link"
    (tmp_path / "elsewhere").mkdir()
    link.symlink_to(Path("elsewhere") / "game")
    for _ in range(2):
        Save.create(link, game, 1)
        assert link.is_symlink() and load(link)[0].id == load(tmp_path / "elsewhere" / "game")[0].id == game.id
    other = tmp_path / "other"
    other.symlink_to(Path("elsewhere") / "text")
    for data in (OURS, OURS + b"\n"):
        write_whole(other, data)
        assert other.is_symlink() and (tmp_path / "elsewhere" / "text").read_bytes() == data


FOREIGN = [
    b"A thesis.\n",
    b"tabarro rulebook x\nis what I typed.\n",
    b'{"x": 1}',
    b"\x89PNG\r\n\x1a\n",
    b"# tabarro\n",
    b"\0",
]
MARKED = [
    b"",
    OURS,
    b"The rules\n=========\n\ntabarro rulebook tic-tac-toe\n",
    b"# The rules\n\n<!-- tabarro rulebook tic-tac-toe -->\n",
    b'<!DOCTYPE html>\n<meta name="generator" content="tabarro rulebook"/>\n',
    b'<svg xmlns="x">\n<!-- tabarro board -->\n',
    b"# tabarro texts\n# mine\n",
]


@pytest.mark.parametrize("content", FOREIGN, ids=range(len(FOREIGN)))
def test_what_we_have_not_written_is_replaced_only_if_that_is_wanted(content, tmp_path):
    path, game = tmp_path / "thesis.txt", load_game("tic-tac-toe")
    path.write_bytes(content)
    assert code_of(write_whole, path, OURS) == code_of(check_place, path) == "file_foreign"
    assert code_of(Save.create, path, game, 1) == "file_foreign"
    assert path.read_bytes() == content and os.listdir(tmp_path) == [path.name]
    write_whole(path, OURS, force=True)
    assert path.read_bytes() == OURS
    path.write_bytes(content)
    Save.create(path, game, 1, force=True)
    assert load(path)[0].id == game.id


@pytest.mark.parametrize("content", MARKED, ids=range(len(MARKED)))
def test_what_we_have_written_is_replaced(content, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    path.chmod(0o640)
    write_whole(path, OURS)
    assert path.read_bytes() == OURS and path.stat().st_mode & 0o777 == 0o640


def test_no_file_of_ours_takes_the_place_of_a_save_and_no_save_that_of_another_file(tmp_path):
    path, game = tmp_path / "file", load_game("tic-tac-toe")
    Save.create(path, game, 1)
    assert code_of(write_whole, path, OURS) == "file_foreign"
    write_whole(path, OURS, force=True)
    assert code_of(Save.create, path, game, 1) == "file_foreign"


def test_a_save_in_which_something_was_decided_can_be_kept(tmp_path):
    path, game = tmp_path / "save", load_game("tic-tac-toe")
    Save.create(path, game, 1, replace=False)
    Save.create(path, game, 2, replace=False).append(["a1"])
    assert code_of(Save.create, path, game, 3, replace=False) == "save_there"
    assert load(path)[2].choices == 1
    Save.create(path, game, 3, replace=False, force=True)
    assert load(path)[2].choices == 0


def test_a_new_file_is_not_put_in_the_place_of_another(tmp_path):
    path = tmp_path / "file"
    write_new(path, b"first")
    with pytest.raises(FileExistsError):
        write_new(path, b"second")
    assert path.read_bytes() == b"first" and os.listdir(tmp_path) == ["file"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    now = os.umask(0)
    os.umask(now)
    return now


def test_where_nothing_can_be_written_the_reason_is_said(tmp_path):
    (tmp_path / "plain").write_text("x")
    (tmp_path / "circle").symlink_to("circle")
    for action in (lambda path: write_whole(path, b"x"), lambda path: write_new(path, b"x"), check_place):
        assert reason_of(action, tmp_path / "no" / "such") == "there is no such folder"
        assert reason_of(action, tmp_path / "plain" / "below") == "there is no such folder"
        assert reason_of(action, tmp_path / ("x" * 300)) == "the name is too long"
        assert reason_of(action, tmp_path / "a\0b") == "the system does not allow it"
    assert reason_of(write_whole, tmp_path, b"x") == "it is a folder"
    assert reason_of(check_place, tmp_path / "circle") == "the links to it lead in a circle"
    assert reason_of(make_folder, tmp_path / "plain") == "there is no such folder"
    os.mkfifo(tmp_path / "pipe")
    assert code_of(write_whole, tmp_path / "pipe", b"x") == "file_special"
    assert reason_of(write_whole, tmp_path / "pipe", b"x", force=True) == "nobody reads from it"


def test_a_folder_is_walked_through_only_so_far_and_never_in_circles(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "round").symlink_to(tmp_path)
    (tmp_path / "a" / "x.yaml").write_text("name: x")
    assert [path.name for path in walk(tmp_path, ".yaml")] == ["x.yaml"]
    monkeypatch.setattr("tabarro.interpreter.files.MAX_ENTRIES", 2)
    assert code_of(lambda: list(walk(tmp_path, ".yaml"))) == "folder_too_big"


# --- a full disk ------------------------------------------------------------------------------------------------------
class FullDisk:
    """From a certain call on, whatever would need room fails: sometimes after a part was written."""

    def __init__(self, after, partly, code=errno.ENOSPC):
        self.left, self.partly, self.code = after, partly, code
        self.write, self.fsync, self.open, self.link = os.write, os.fsync, os.open, os.link

    def _count(self):
        self.left -= 1
        if self.left < 0:
            raise OSError(self.code, "full")

    def patched(self, monkeypatch):
        def write(file, data):
            try:
                self._count()
            except OSError:
                if self.partly and len(data) > 1:
                    return self.write(file, bytes(data)[: len(data) // 2]) if self.left == -1 else self._count()
                raise
            return self.write(file, data)

        def fsync(file):
            self._count()
            self.fsync(file)

        def opened(path, flags, mode=0o777, **more):
            if flags & os.O_CREAT:
                self._count()
            return self.open(path, flags, mode, **more)

        def link(*args, **more):
            self._count()
            self.link(*args, **more)

        for name, function in (("write", write), ("fsync", fsync), ("open", opened), ("link", link)):
            monkeypatch.setattr(os, name, function)


@pytest.mark.parametrize("partly", [False, True])
@pytest.mark.parametrize("after", range(9))
def test_a_full_disk_leaves_nothing_behind_and_loses_nothing(after, partly, tmp_path, monkeypatch):
    game = load_game("tic-tac-toe")
    old, text = tmp_path / "old", tmp_path / "text"
    Save.create(old, game, 1).append(["b2"])
    text.write_bytes(OURS)
    files = {path: path.read_bytes() for path in (old, text)}
    for action in (
        lambda: Save.create(tmp_path / "new", game, 1),
        lambda: Save.create(old, game, 2),
        lambda: write_whole(text, OURS * 2),
        lambda: write_new(tmp_path / "new", OURS),
    ):
        with monkeypatch.context() as patch:
            FullDisk(after, partly).patched(patch)
            try:
                action()
            except RulesError as error:
                assert error.problems[0].args["reason"] == ("the disk is full",)
                assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files
            else:
                assert after > 1  # there was room enough
        for path, data in files.items():
            path.write_bytes(data)
        (tmp_path / "new").unlink(missing_ok=True)


@pytest.mark.parametrize("partly", [False, True])
@pytest.mark.parametrize("after", range(8))
def test_what_was_acknowledged_before_the_disk_was_full_is_in_the_save(after, partly, tmp_path, monkeypatch):
    game, path = load_game("tic-tac-toe"), tmp_path / "save"
    save, done = Save.create(path, game, 1), []
    with monkeypatch.context() as patch:
        FullDisk(after, partly).patched(patch)
        for square in ("a1", "b1", "a2", "b2"):
            try:
                save.append([square])
                done.append(square)
            except RulesError as error:
                assert error.problems[0].args["reason"] == ("the disk is full",)
                break
    again = resume(path)
    marked = [entry["square"] for entry in again[1].log("cross") if entry.kind == "ask"]
    assert marked[: len(done)] == done and len(marked) <= len(done) + 1
    again[2].append(["c3"])  # when there is room again, it goes on
    assert load(path)[2].choices == len(marked) + 1


CROWDED = """
import os, resource, signal, sys
from tabarro.interpreter import RulesError, Save, load_game
from tabarro.interpreter.files import write_whole
game, folder = load_game("tic-tac-toe"), sys.argv[1]
save = Save.create(f"{folder}/save", game, 1)
if sys.argv[2] == "disk":
    with open(f"{folder}/rest", "wb", buffering=0) as rest:
        try:
            while True:
                rest.write(b"x" * 100)
        except OSError:
            pass
else:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
decided = 0
def tell(action):
    try:
        action()
    except RulesError as error:
        print(error.problems[0].args["reason"][0])
tell(lambda: write_whole(f"{folder}/text", b"x" * 9_000))
try:
    for square in 3 * ["a1"] * 1000:
        save.append([square])
        decided += 1
except RulesError as error:
    print(error.problems[0].args["reason"][0])
print(decided, sorted(os.listdir(folder)))
"""


def crowded(folder, how):
    command = [sys.executable, "-c", CROWDED, str(folder), how]
    done = subprocess.run(command, capture_output=True, text=True, env=PLAIN, check=False)
    assert done.returncode == 0, done.stderr
    *reasons, last = done.stdout.splitlines()
    whole = (folder / "save").read_bytes().rsplit(b"\n", 1)[0].count(b"\n")
    assert whole == int(last.split()[0]) > 0  # what was acknowledged, and no more
    return reasons, last


def test_where_a_system_allows_no_more_that_is_said_and_nothing_is_lost(tmp_path):
    reasons, last = crowded(tmp_path, "limit")
    assert reasons == ["it would be too large"] * 2 and last.endswith("['save']")
    disk = tmp_path / "disk"
    disk.mkdir()
    if (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True, check=False
        ).returncode
    ):  # who may have a disk of 64 kB tries it with that too
        try:
            reasons, last = crowded(disk, "disk")
            assert reasons == ["the disk is full"] * 2 and last.endswith("['rest', 'save']")
        finally:
            subprocess.run(["umount", str(disk)], check=True)


# --- whoever may not --------------------------------------------------------------------------------------------------
ORDINARY = """
import fcntl, os, sys
from tabarro.interpreter import RulesError, Save, load_game, resume
from tabarro.interpreter.files import write_whole
from tabarro.interpreter.save import load
game, folder = load_game("tic-tac-toe"), sys.argv[1]
if os.geteuid() == 0:  # now that all of the program is loaded, from wherever that is
    os.setgid(65534), os.setuid(65534)
for name, action in {
    "new": lambda: Save.create(f"{folder}/new", game, 1),
    "old": lambda: Save.create(f"{folder}/old", game, 1),
    "text": lambda: write_whole(f"{folder}/text", b"x", force=True),
    "append": lambda: resume(f"{folder}/old", alone=True)[2].append(["c3"]),
    "load": lambda: load(f"{folder}/old"),
    "hidden": lambda: load(f"{folder}/hidden"),
    "over": lambda: write_whole(f"{folder}/hidden", b"x"),
}.items():
    try:
        print(name, action() is not None)
    except RulesError as error:
        print(name, error.problems[0].code, *error.problems[0].args.get("reason", ()))
"""


def test_an_ordinary_user_is_told_what_he_may_not_do(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    save = Save.create(folder / "old", load_game("tic-tac-toe"), 1)
    save.append(["a1"])
    (folder / "text").write_bytes(OURS)
    (folder / "hidden").write_bytes(b"x")
    for name, mode in (("old", 0o444), ("text", 0o444), ("hidden", 0o000), ("", 0o555)):
        (folder / name).chmod(mode)
    for above in (tmp_path, *tmp_path.parents[:4]):
        if above.stat().st_uid == os.geteuid() and above != Path(above.anchor) and "pytest" in str(above):
            above.chmod(above.stat().st_mode | 0o055)
    before = {path.name for path in folder.iterdir()}
    try:
        done = subprocess.run(
            [sys.executable, "-c", ORDINARY, str(folder)],
            capture_output=True,
            text=True,
            env=PLAIN | {"TABARRO_CACHE": ""},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines() == [
            "new save_unwritable you are not allowed to",
            "old save_unwritable you are not allowed to",
            "text file_unwritable you are not allowed to",
            "append save_unwritable you are not allowed to",
            "load True",
            "hidden file_forbidden",
            "over file_foreign",
        ]
        assert {path.name for path in folder.iterdir()} == before and load(folder / "old")[2].choices == 1
    finally:
        folder.chmod(0o755)
