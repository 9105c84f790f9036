"""`tabarro try`: whoever saves a rule file sees at once what it has become, and is left in peace by Ctrl-C."""

import io
import os
import sys
from pathlib import Path

import pexpect
import pytest
from tabarro.cli import main
from tabarro.speech.language import LANGUAGES

FIRST = "extends: night-runner\nname: Long night\noptions: {hours: 14}\n"
WRONG = "extends: night-runner\nname: Long night\noptions: {huors: 14}\n"
SECOND = """\
extends: night-runner
name: Long night
options: {hours: 16}
change: {posts/rule: The guards begin wherever a gate is.}
"""


def save(path, text):
    """As editors do: another file in its place."""
    other = path.with_suffix(".tmp")
    other.write_text(text, encoding="utf-8")
    os.replace(other, path)


def test_each_time_it_is_saved_it_is_looked_at_until_somebody_stops_it(tmp_path):
    path = tmp_path / "long.yaml"
    save(path, FIRST)
    command = ["-m", "tabarro.cli", "try", "long.yaml", "--games", "5", "--lang", "en"]
    child = pexpect.spawn(sys.executable, command, cwd=tmp_path, encoding="utf-8", timeout=60, dimensions=(40, 100))
    child.expect("long.yaml has no mistakes")
    child.expect("The option hours is now 14, not 12")
    child.expect("Games: 5 of 5")
    child.expect("smuggler")
    child.expect("Ctrl-C ends")
    save(path, WRONG)
    child.expect("There is no “huors” here to change")
    child.expect("1 mistake was found")
    save(path, SECOND)
    child.expect("What has changed")
    child.expect("The option hours is now 16, not 14")  # of the last version that was right
    child.expect("- Each guard begins at a gate of his own")
    child.expect(r"\+ The guards begin wherever a gate is")
    child.expect("Before")  # how often who has won, beside the games of the version before
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert "Traceback" not in child.before and "Interrupt" not in child.before


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_can_look_once_and_says_all_in_the_language_of_the_reader(tmp_path, monkeypatch, language):
    monkeypatch.chdir(tmp_path)
    Path("long.yaml").write_text(FIRST, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    assert main(["try", "long.yaml", "--once", "--games", "2", "--lang", language], out, err) == 0
    said = out.getvalue()
    assert "14" in said and "12" in said
    if language != "en":
        assert "has changed" not in said and "Games:" not in said
