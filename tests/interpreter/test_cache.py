"""The cache: what was compiled once is not compiled again, and nothing else than what we have written is ever used."""

from __future__ import annotations

import os
import stat
from multiprocessing import get_context

import pytest
from tabarro.interpreter import cache

KEY = cache.key_of("a test")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    place = tmp_path / "caches" / "tabarro"
    monkeypatch.setenv("TABARRO_CACHE", str(place))
    return place


def entry(folder):
    return folder / f"{KEY}.bin"


def test_what_is_stored_is_found_again_in_a_folder_of_ones_own(folder):
    assert cache.load(KEY) is None
    cache.store(KEY, {"a": [1, (2, None)], "b": "ü"})
    assert cache.load(KEY) == {"a": [1, (2, None)], "b": "ü"}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(entry(folder).stat().st_mode) == 0o600
    assert cache.load(cache.key_of("another test")) is None


def test_where_it_is_kept(monkeypatch, tmp_path):
    monkeypatch.delenv("TABARRO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "tabarro"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.folder() == tmp_path / "home" / ".cache" / "tabarro"
    monkeypatch.setenv("TABARRO_CACHE", "")
    assert cache.folder() is None
    monkeypatch.setenv("TABARRO_CACHE", "here")
    assert cache.folder() is None


@pytest.mark.parametrize("length", [0, 1, 15, 40, 60])
def test_a_torn_entry_is_as_if_there_were_none(folder, length):
    cache.store(KEY, list(range(100)))
    data = entry(folder).read_bytes()
    entry(folder).write_bytes(data[:length])
    assert cache.load(KEY) is None
    cache.store(KEY, "anew")
    assert cache.load(KEY) == "anew"


def test_a_single_changed_byte_is_noticed(folder):
    cache.store(KEY, list(range(100)))
    data = entry(folder).read_bytes()
    for at in range(0, len(data), 7):
        entry(folder).write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert cache.load(KEY) is None, at


def test_an_entry_under_another_key_is_not_taken_for_it(folder):
    other = cache.key_of("another test")
    cache.store(other, "other")
    os.rename(folder / f"{other}.bin", entry(folder))
    assert cache.load(KEY) is None


def test_links_are_not_followed(folder, tmp_path):
    cache.store(KEY, "mine")
    os.rename(entry(folder), tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", entry(folder))
    assert cache.load(KEY) is None
    entry(folder).unlink()
    os.rename(tmp_path / "elsewhere", entry(folder))
    assert cache.load(KEY) == "mine"
    os.rename(folder, tmp_path / "moved")
    os.symlink(tmp_path / "moved", folder)
    assert cache.load(KEY) is None
    cache.store(KEY, "through a link")
    assert b"through" not in (tmp_path / "moved" / f"{KEY}.bin").read_bytes()


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o755, 0o707, 0o701])
def test_a_folder_that_others_can_look_into_is_not_used(folder, mode):
    cache.store(KEY, "mine")
    folder.chmod(mode)
    assert cache.load(KEY) is None
    cache.store(KEY, "again")
    folder.chmod(0o700)
    assert cache.load(KEY) == "mine"


@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602])
def test_an_entry_that_others_can_write_is_not_used(folder, mode):
    cache.store(KEY, "mine")
    entry(folder).chmod(mode)
    assert cache.load(KEY) is None


def test_what_belongs_to_somebody_else_is_not_used(folder, monkeypatch):
    cache.store(KEY, "mine")
    monkeypatch.setattr("os.geteuid", lambda: entry(folder).stat().st_uid + 1)
    assert cache.load(KEY) is None
    cache.store(KEY, "somebody else's")
    monkeypatch.undo()
    os.environ["TABARRO_CACHE"] = str(folder)
    try:
        assert cache.load(KEY) == "mine"
    finally:
        del os.environ["TABARRO_CACHE"]


def test_a_pipe_or_a_folder_in_place_of_an_entry_holds_nobody_up(folder):
    cache.store(KEY, "mine")
    entry(folder).unlink()
    os.mkfifo(entry(folder), 0o600)
    assert cache.load(KEY) is None
    entry(folder).unlink()
    entry(folder).mkdir(0o700)
    assert cache.load(KEY) is None
    cache.store(KEY, "mine")
    assert cache.load(KEY) is None


def test_where_nothing_can_be_written_nothing_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file" / "tabarro", tmp_path / "file", tmp_path / "x\0y", "/proc/tabarro"):
        try:
            monkeypatch.setenv("TABARRO_CACHE", str(place))
        except ValueError:  # no system takes such a name
            continue
        cache.store(KEY, "mine")
        assert cache.load(KEY) is None


def test_a_full_disk_leaves_no_half_entries(folder, monkeypatch):
    cache.store(KEY, "mine")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    cache.store(KEY, "again")
    assert [path.name for path in folder.iterdir()] == [entry(folder).name]
    monkeypatch.undo()


def test_what_marshal_does_not_take_is_not_stored(folder):
    cache.store(KEY, object())
    assert not folder.exists() or not list(folder.iterdir())


def test_only_so_many_entries_are_kept(folder, monkeypatch):
    monkeypatch.setattr(cache, "MOST", 5)
    for number in range(9):
        cache.store(cache.key_of(number), number)
        os.utime(folder / f"{cache.key_of(number)}.bin", (number, number))
    cache.store(KEY, "the last")
    assert len(list(folder.iterdir())) == 5
    assert cache.load(KEY) == "the last" and cache.load(cache.key_of(0)) is None


def test_it_can_be_switched_off(folder):
    cache.store(KEY, "mine")
    with cache.switched_off():
        assert cache.load(KEY) is None
        cache.store(KEY, "not mine")
    assert cache.load(KEY) == "mine"


def _write_often(number: int) -> None:
    for _ in range(200):
        cache.store(KEY, [number] * 10_000)
        found = cache.load(KEY)
        assert found is not None and len(set(found)) == 1 and len(found) == 10_000


def test_several_processes_can_write_the_same_entry_at_once(folder):
    with get_context("fork").Pool(3) as pool:
        pool.map(_write_often, range(3))
    assert [path.name for path in folder.iterdir()] == [entry(folder).name]
