"""A seventh language, as data alone: Italian for tic-tac-toe and its mistakes, and the checker that leads there."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest
from generating import Conditions
from loading import loaded
from tabarro.cli import main
from tabarro.speech import language
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import Language, person
from tabarro.speech.simplifying import canonical

ITALIAN = Path(__file__).resolve().parents[1] / "italian"


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for variable in [name for name in os.environ if name.startswith(("LC_", "LANG", "TABARRO"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    yield
    language.use_catalogues(())


def tabarro(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = main([*arguments, "--rules", str(ITALIAN)], out, err)
    return code, out.getvalue(), err.getvalue()


def test_italian_is_spoken_where_its_folder_lies():
    assert tabarro("say", "tic-tac-toe", "no square is empty", "--lang", "it")[:2] == (0, "Nessuna casella è vuota.\n")
    assert tabarro("say", "tic-tac-toe", "every square is empty", "--lang", "it")[1] == "Tutte le caselle sono vuote.\n"
    assert tabarro("say", "tic-tac-toe", "any line is held by cross", "--lang", "it")[1] == (
        "Una linea è piena di croci.\n"
    )


def test_italian_is_read_and_its_mistakes_are_told_in_italian():
    assert tabarro("say", "tic-tac-toe", "la casella b2 non è vuota", "--lang", "it")[:2] == (
        0,
        "La casella b2 non è vuota.\n",
    )
    code, _, err = tabarro("say", "tic-tac-toe", "Nessuna casella è vuta", "--lang", "it")
    assert code == 2
    assert "Da qui in poi la frase non si capisce." in err and "è vuota" in err
    code, _, err = tabarro("say", "tic-tac-toe", "b9 is empty", "--lang", "it")
    assert code == 2 and "Niente si chiama «b9»." in err


def test_the_law_holds_in_italian():
    language.use_catalogues((ITALIAN / "locales",))
    this, conditions = Speaker(loaded("tic-tac-toe"), Language("it")), Conditions(loaded("tic-tac-toe"), 5, 3)
    for _ in range(40):
        expr = conditions.next()
        (found,) = this.read(this.sentence(expr), conditions.free)
        assert canonical(this.by_meaning(found)) == canonical(this.by_meaning(expr)), this.sentence(expr)


def test_before_which_names_a_word_is_shortened_is_data():
    language.use_catalogues((ITALIAN / "locales",))
    assert person(Language("it"), "Ada")("di") == "d'Ada"
    assert person(Language("it"), "Bruno")("di") == "di Bruno"


def test_the_checker_finds_nothing_in_italian():
    code, out, _ = tabarro("texts", "tic-tac-toe", "--check", "--lang", "it")
    assert (code, out) == (0, "Nothing is missing or wrong in this language: italiano.\n")


MISTAKES = {
    "a row is missing": ('  add: "{0} più {1}"\n', "", "“say: add”"),
    "a place is missing": ('  add: "{0} più {1}"', '  add: "{0} più"', "“say: add”"),
    "a class is missing": (
        '  isa:      {m: {nom: "un {sg}"}, ms: {nom: "uno {sg}"}, f: {nom: "una {sg}"}}',
        '  isa: {m: {nom: "un {sg}"}}',
        "“det: isa: f”",
    ),
    "a verb is not known": ("verbs: {è: sono, ", "verbs: {", "“… is empty”"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_checker_finds_what_is_missing_or_wrong(mistake, tmp_path):
    right, wrong, named = MISTAKES[mistake]
    shutil.copytree(ITALIAN, tmp_path / "mine")
    path = tmp_path / "mine" / "locales" / "it" / "grammar.yaml"
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    out = io.StringIO()
    code = main(
        ["texts", "tic-tac-toe", "--check", "--lang", "it", "--rules", str(tmp_path / "mine")], out, io.StringIO()
    )
    assert code == 2 and named in out.getvalue(), out.getvalue()


@pytest.mark.parametrize("broken", ["", "[1, 2", "classes: 3\n", "space: ' '\ncases: [nom]\nclasses: [m]\n"])
def test_a_broken_grammar_stops_nobody(broken, tmp_path):
    shutil.copytree(ITALIAN, tmp_path / "mine")
    (tmp_path / "mine" / "locales" / "it" / "grammar.yaml").write_text(broken, encoding="utf-8")
    for arguments, code in (
        (["say", "tic-tac-toe", "no square is empty"], 0),
        (["texts", "tic-tac-toe", "--check"], 2),
    ):
        out, err = io.StringIO(), io.StringIO()
        assert main([*arguments, "--lang", "it", "--rules", str(tmp_path / "mine")], out, err) == code, err.getvalue()
        assert out.getvalue() and not err.getvalue()


def test_the_checker_finds_texts_with_other_places_and_words_that_are_said_alike(tmp_path):
    shutil.copytree(ITALIAN, tmp_path / "mine")
    path = tmp_path / "mine" / "locales" / "it" / "LC_MESSAGES" / "tabarro.po"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('msgstr "{player} segna {square}."', 'msgstr "{player} segna."'), encoding="utf-8")
    out = io.StringIO()
    assert (
        main(["texts", "tic-tac-toe", "--check", "--lang", "it", "--rules", str(tmp_path / "mine")], out, io.StringIO())
        == 2
    )
    assert "{player} marks {square}." in out.getvalue()
