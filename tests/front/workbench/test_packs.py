"""`tabarro pack`: what somebody sends is one file that plays; what somebody hostile sends is refused, with help."""

import io
import json
from pathlib import Path

import pytest
from tabarro.cli import main
from tabarro.front.workbench.packs import FORMAT

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "far").mkdir()
    monkeypatch.chdir(tmp_path / "far")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def told(*arguments):
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, arguments)], out, err)
    return code, out.getvalue() + err.getvalue()


def house(folder, name, text):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def test_a_pack_brings_its_parents_and_its_texts_and_is_played_as_it_is(here):
    home = here / "home"
    house(home, "long", "extends: night-runner\nname: Long night\noptions: {hours: 14}\n")
    house(
        home,
        "longer",
        "extends: long\nname: Longer night\nadd: {game/hi: {before: posts, say: Good night., to: all}}\n",
    )
    (home / "locales/ca/LC_MESSAGES").mkdir(parents=True)
    (home / "locales/ca/LC_MESSAGES/mine.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Good night."\nmsgstr "Bona nit."\n',
        "utf-8",
    )
    code, said = told("pack", home / "longer.yaml", "--lang", "en")
    assert code == 0 and "tabarro play longer.tabarro" in said
    assert list(json.loads(Path("longer.tabarro").read_text("utf-8"))["files"]) == [
        "longer.yaml",
        "long.yaml",
        "locales/ca/LC_MESSAGES/house.po",
    ]
    for file in sorted(home.rglob("*"), reverse=True):  # whoever gets it has nothing else
        file.rmdir() if file.is_dir() else file.unlink()
    assert told("check", "--quick", "longer.tabarro", "--lang", "en")[0] == 0
    code, said = told("watch", "longer.tabarro", "--seed", "1", "--max-decisions", "2", "--lang", "ca")
    assert code == 0 and "Bona nit." in said
    assert "14" in told("rulebook", "longer.tabarro", "--lang", "en")[1]
    assert told("simulate", "longer.tabarro", "--games", "2", "--lang", "en")[0] == 0
    code, said = told("unpack", "longer.tabarro", "-o", "taken", "--lang", "en")
    assert code == 0 and Path("taken/long.yaml").read_text().startswith("extends: night-runner")
    Path("taken/long.yaml").write_text("extends: night-runner\n")
    assert (
        told("unpack", "longer.tabarro", "-o", "taken", "--lang", "en")[0] == 2
    )  # what is changed is not written over
    assert Path("taken/long.yaml").read_text() == "extends: night-runner\n"


def test_what_nobody_could_play_is_not_packed(here):
    house(here / "home", "bad", "extends: night-runner\noptions: {huors: 2}\n")
    code, said = told("pack", here / "home" / "bad.yaml", "--lang", "en")
    assert code == 2 and "huors" in said and not Path("bad.tabarro").exists()


def test_a_pack_has_the_ending_by_which_it_is_known(here):
    house(here / "home", "mine", "extends: night-runner\n")
    code, said = told("pack", here / "home" / "mine.yaml", "-o", "mine.pack", "--lang", "en")
    assert code == 2 and "mine.pack.tabarro" in said and not Path("mine.pack").exists()


GOOD = {"mine.yaml": "extends: kuhn-poker\nname: Mine\n"}
NAMES = ["../mine.yaml", "/tmp/mine.yaml", "a/../../mine.yaml", "a\\..\\mine.yaml", "C:mine.yaml", "mine.py", "mine.yaml\n", "", ".yaml", "locales/ca/mine.py",
         "locales/ca/LC_MESSAGES/other.po", "locales/../x.yaml", "MINE.yaml", "con.yaml", "aux/mine.yaml", "a/b/c/d/e/f/mine.yaml", "kuhn-poker.yaml", "~/mine.yaml"]  # fmt: skip
HOSTILE = {
    "not json": "{",
    "binary": "\x00\x01\x02",
    "another format": json.dumps({"format": "zip", "files": GOOD}),
    "no files": json.dumps({"format": FORMAT, "files": {}}),
    "files are a list": json.dumps({"format": FORMAT, "files": [1]}),
    "a text is none": json.dumps({"format": FORMAT, "files": {"mine.yaml": {"a": 1}}}),
    "deep": "[" * 100_000,
    "the same twice": json.dumps({"format": FORMAT, "files": {"mine.yaml": "", "mine.yam": ""}}).replace(
        'yam"', 'yaml"'
    ),
    "many files": json.dumps({"format": FORMAT, "files": {f"m{n}.yaml": "name: X\n" for n in range(200)}}),
    "large": json.dumps({"format": FORMAT, "files": {"mine.yaml": "#" * 1_500_000}}),
    "huge": "[" + " " * 5_000_000,
    "the game is below": json.dumps({"format": FORMAT, "files": {"a/mine.yaml": "name: X\n"}}),
    "a tag": json.dumps({"format": FORMAT, "files": {"mine.yaml": "name: !!python/object/apply:os.system [ls]\n"}}),
    "a parent elsewhere": json.dumps({"format": FORMAT, "files": {"mine.yaml": "extends: ../../secret\nname: X\n"}}),
    "a parent at the root": json.dumps({"format": FORMAT, "files": {"mine.yaml": "extends: /etc/passwd\nname: X\n"}}),
    "lone surrogate": json.dumps({"format": FORMAT, "files": {"mine.yaml": "\ud800"}}),
    **{f"named {name!r}": json.dumps({"format": FORMAT, "files": GOOD | {name: "name: X\n"}}) for name in NAMES},
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_pack_is_refused_with_help_and_nothing_is_written_elsewhere(here, what):
    Path("mine.tabarro").write_text(HOSTILE[what], encoding="utf-8")
    before = {path for path in here.rglob("*") if "data" not in path.parts}
    for command in (["check", "--quick"], ["unpack"]):
        code, said = told(*command, "mine.tabarro", "--lang", "en")
        inside = what in ("a tag", "a parent elsewhere", "a parent at the root", "lone surrogate")  # told by the loader
        assert code == 2 or (inside and command == ["unpack"]), said
        assert "Traceback" not in said and "not your mistake" not in said
        assert code == 0 or said.count("\n") >= 2  # what is wrong, and what to do
    written = {path for path in here.rglob("*") if "data" not in path.parts} - before
    assert all(path.is_relative_to(here / "far" / "variants") for path in written)
    assert not written or inside


def test_a_page_of_rules_says_how_to_get_a_house_rule(here):
    house(here / "home", "long", "extends: night-runner\nname: Long night\n")
    assert told("rulebook", here / "home" / "long.yaml", "--format", "html", "-o", "long.html", "--lang", "en")[0] == 0
    page = Path("long.html").read_text("utf-8")
    assert "tabarro play long.tabarro" in page and "<svg" in page
    assert told("rulebook", "night-runner", "--format", "html", "-o", "plain.html", "--lang", "en")[0] == 0
    assert ".tabarro" not in Path("plain.html").read_text("utf-8")
