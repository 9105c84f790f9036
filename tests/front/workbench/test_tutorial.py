"""The tutorials for house rules, from the first line to the last, as a newcomer would follow them: in six languages."""

import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from tabarro.cli import main
from tabarro.interpreter import load_game
from tabarro.speech.language import LANGUAGES, Language

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = DOCS / "house-rules.md"
PAGES = {code: DOCS / code / "house-rules.md" for code in LANGUAGES if code != "en"}
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path = PAGE) -> list[tuple[str, str]]:
    return [(kind, text) for kind, text in FENCED.findall(page.read_text(encoding="utf-8")) if kind != "text"]


def command(line: str) -> str:
    """What the command prints, both streams in one, as on a terminal."""
    name, *arguments = shlex.split(line)
    assert name == "tabarro"
    printed = io.StringIO()
    main(arguments, printed, printed)
    return printed.getvalue()


def session(text: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the output that is shown."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    assert parts[0] == ""
    return list(zip(parts[1::2], parts[2::2], strict=True))


def pattern(output: str) -> str:
    """A line with nothing but … stands for any lines, … inside a line for anything in it."""
    return "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.rstrip("\n").split("…"))) + "[ ]*\n"
        for line in output.splitlines(keepends=True)
    )


WRITING = ("tabarro new", "tabarro texts")  # the commands that leave something behind


def follow(folder: Path, until: str | None = None, page: Path = PAGE) -> list[tuple[str, str, str]]:
    """Do everything that the page says, in this folder: commands, what they should print, what they print. Who goes only
    as far as some command does what leads there: files that are written, and commands that write some."""
    done = []
    for kind, text in blocks(page):
        if kind == "yaml":
            name = re.match(r"# (\S+\.yaml)\n", text)[1]
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        elif kind == "console":
            for line, output in session(text):
                if until is not None and until in line:
                    return done
                if until is None or line.startswith(WRITING):
                    done.append((line, output, command(line)))
    return done


@pytest.fixture
def table(tmp_path, monkeypatch):
    """An empty folder of somebody who has never played."""
    monkeypatch.chdir(tmp_path)
    for variable in [name for name in os.environ if name.startswith(("LC_", "LANG", "TABARRO"))]:
        if variable not in ("TABARRO_CACHE", "TABARRO_CC"):  # what others have compiled tells nobody anything
            monkeypatch.delenv(variable)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.mark.long
def test_every_command_of_the_tutorial_prints_what_the_page_shows(table):
    done = follow(table)
    assert len(done) > 12
    for line, output, printed in done:
        assert "Traceback" not in printed
        assert output.strip(), f"the page shows nothing for: {line}"
        assert re.fullmatch(pattern(output), printed.rstrip("\n") + "\n"), f"$ {line}\n{printed}"


@pytest.mark.long
@pytest.mark.parametrize("code", PAGES)
def test_the_tutorial_in_another_language_shows_what_is_printed_there(table, monkeypatch, code):
    monkeypatch.setenv("LANG", f"{code}.UTF-8")
    done = follow(table, page=PAGES[code])
    for line, output, printed in done:
        assert output.strip(), f"the page shows nothing for: {line}"
        assert re.fullmatch(pattern(output), printed.rstrip("\n") + "\n"), f"$ {line}\n{printed}"
    assert [line.split()[1] for line, _, _ in done] == SHOWN


SHOWN = ["show", "try", "check", "say", "diff", "simulate", "pack", "watch"]  # what each of them leads through


def test_the_ball_counts_of_the_tutorial_are_those_of_the_game(table):
    follow(table, until="diff quiet-carnival")
    game = load_game("quiet-carnival", folders=(table / "variants",))
    count = game.vocabulary.functions["count of _"][0]
    names = {game.vocabulary.atoms[ball].name: number for (ball,), number in count.values.items()}
    assert (names["purple"], names["white"], names["orange"]) == (0, 4, 2)


def test_the_mission_of_the_tutorial_reads_well_in_six_languages(table):
    follow(table, until="--lang all")
    printed = command('tabarro say quiet-carnival "the ambassador is on rialto" --lang all')
    sentences = dict(line.split("  ", 1) for line in printed.splitlines())
    assert tuple(sentences) == LANGUAGES
    assert len(set(sentences.values())) == len(LANGUAGES)
    for code, sentence in sentences.items():
        envoy = Language(code).pgettext("envoy", "ambassador")
        assert envoy is not None, code
        stem = re.sub(r"^(el|l'|der|die|the|de) ?", "", envoy.split(" | ")[0].lower())[:5]
        assert stem in sentence.lower(), (code, sentence)
        assert "リアルト" in sentence or "Rialto" in sentence, (code, sentence)
        assert sentence.endswith(("。", ".")), (code, sentence)


def test_what_the_tutorial_shares_is_played_elsewhere(table, monkeypatch):
    follow(table, until="watch tic-tac-toe")
    (table / "variants" / "tic-tac-toe.yaml").unlink()
    elsewhere = table / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert "no rule file called" in command("tabarro watch carnival-at-home --seed 1 --max-decisions 1")
    assert "Tonight we play" in command("tabarro watch carnival-at-home --seed 1 --max-decisions 1 --rules ../variants")
    monkeypatch.setenv("TABARRO_RULES", str(table / "variants"))
    assert "Tonight we play" in command("tabarro watch carnival-at-home --seed 1 --max-decisions 1")
    assert "Carnaval tranquil" in command("tabarro list --lang ca")


def rewritten(folder: Path, page: Path = PAGE) -> str:
    """The page with what the commands print now; where it shows … it stays as it is, if that still fits."""
    done = iter(follow(folder, page=page))

    def fill(block: re.Match) -> str:
        if block[1] != "console":
            return block[0]
        lines = []
        for line, output in session(block[2]):
            printed = next(done)[2].rstrip("\n") + "\n"
            fits = "…" in output and re.fullmatch(pattern(output), printed)
            lines.append(f"$ {line}\n{output if fits else printed}")
        return "```console\n" + "".join(lines) + "```"

    return FENCED.sub(fill, page.read_text(encoding="utf-8"))


if __name__ == "__main__":  # in an empty folder, in its language: LANG=de.UTF-8 python tests/…/test_tutorial.py de
    chosen = PAGES[sys.argv[1]] if len(sys.argv) > 1 else PAGE
    chosen.write_text(rewritten(Path.cwd(), chosen), encoding="utf-8")
