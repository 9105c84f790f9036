"""Sitting at the command from outside: through pipes, and at a real pseudo-terminal whose screen is read back.

Nothing here looks into the program. A player knows what stands on the screen, the words of the catalogue, and the
save, once the game is over.
"""

from __future__ import annotations

import io
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import chdir
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import pexpect
import pyte
import tabarro.interpreter
from tabarro.cli import main
from tabarro.speech.language import LANGUAGES, Language

WIPED = "\r\x1b[K"  # a line that was there while one waited: what follows stands in its place
START = "import sys; from tabarro.cli import main; sys.exit(main())"
GOLDEN = Path(__file__).parent / "golden"
HOME = str(Path(tabarro.interpreter.__file__).parents[2])  # where the package is found
PROMPT = "> "
PAUSES = {
    "pass": "{name}, type {words} to see your screen:",
    "read": "Press Enter to go on.",
    "more": "Press Enter for more, or type anything to stop.",
}
DECLARING = ("accomplished", "declare", "accuse")  # what ends games


def environment(folder: Path, **more: str) -> dict[str, str]:
    path = os.pathsep.join([HOME, os.environ.get("PYTHONPATH", "")])
    unwanted = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {
        **kept,
        "PYTHONPATH": path,
        "LANGUAGE": "en",
        "LC_ALL": "C.UTF-8",
        "PYTHONIOENCODING": "utf-8",
        "TERM": "xterm-256color",
        "TABARRO_SAVES": str(folder),
        "TABARRO_PACE": "0",
        **more,
    }


def run(
    arguments: Iterable[str], answers: str, surroundings: dict[str, str], folder: Path | None = None
) -> subprocess.CompletedProcess:
    """The command with its answers from a pipe, in this process, which has imported everything long ago; with streams,
    environment, folder and signals as in one of its own."""
    encoding = surroundings.get("PYTHONIOENCODING", "utf-8")
    typed, out, err = (io.TextIOWrapper(io.BytesIO(given), encoding) for given in (answers.encode(), b"", b""))
    heard = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)}
    try:
        with (
            patch.dict(os.environ, surroundings, clear=True),
            patch.multiple(sys, stdin=typed, stdout=out, stderr=err),
            chdir(folder or Path.cwd()),
        ):
            code = main([*map(str, arguments)])
            out.flush()
            err.flush()
    finally:
        for number, hears in heard.items():
            signal.signal(number, hears)
    said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(arguments, code, said, complained)


def piped(folder: Path, *arguments: str, answers: str = "", **more: str) -> subprocess.CompletedProcess:
    """The same at home in a folder, so that files can be named without theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    return run(arguments, answers, environment(folder, **more), folder)


def saved(folder: Path) -> Path:
    return max(folder.glob("*.tabarro"), key=lambda path: path.stat().st_mtime)


def quoted(text: str) -> str:
    """The first of the words in quotes, in the last line of a text that has some, of any language; a prompt may have
    been broken into several."""
    lines = text.rstrip().splitlines()
    found = (re.findall(r"[“„«「‘](.+?)[”“»」’]", " ".join(lines[-count:])) for count in (1, 2, 3))
    return next(filter(None, found))[0]


class Shown(dict[int | str, str]):
    """The choices above a prompt, by what is typed for them: numbers; at a prompt where Enter goes on, nothing and the
    names of what stands open. Beside numbers these names are only `open`. `yes` is to be typed where one is asked
    whether one really wants something."""

    def __init__(self, numbered: dict[int, str], standing: list[str], goes_by: str, yes: str):
        super().__init__(numbered or ({"": goes_by, **{name: name for name in standing}} if goes_by else {}))
        self.open, self.yes = standing, yes


def _said(text: str, languages: Iterable[str]) -> list[tuple[Language, re.Pattern[str]]]:
    """A text of the catalogue, as it stands on a screen in each language."""
    found = []
    for code in languages:
        parts = re.split(r"\{(\w+)\}", Language(code).translate(text))
        pattern = "".join(
            f"(?P<{part}>.+?)" if i % 2 else r"\s*".join(["", *map(re.escape, "".join(part.split())), ""])
            for i, part in enumerate(parts)
        )
        found.append((Language(code), re.compile(pattern, re.S)))
    return found


def offers(text: str, languages: Iterable[str] = ("en",)) -> Shown:
    """What can be chosen at the last prompt in a text."""
    block = text[: text.rfind("\n>") + 1].rstrip().rsplit("\n\n", 1)[-1]
    languages = [*languages]
    for language, pattern in _said("Type “{yes}” to confirm; anything else takes you back.", languages):
        if pattern.search(block):
            return Shown({}, [], "", language.translate("yes"))
    found = re.findall(r"(?:^|  ) *(\d+) (\S.*?)(?=   |$)", block, re.M)
    numbered = {int(number): label.strip() for number, label in found}
    for stops in (True, False):
        said = "Press Enter for “{what}”. Or type: {standing}." if stops else "Or type: {standing}."
        for language, pattern in _said(said, languages):
            if met := pattern.search(block):
                comma = language.row(["", ""]).strip()
                standing = [" ".join(name.split()) for name in met["standing"].split(comma)]
                return Shown({} if stops else numbered, standing, " ".join(met["what"].split()) if stops else "", "")
    return Shown(numbered, [], "", "")


class Person:
    """Somebody who sits at a terminal of 24 rows and 80 columns, and reads what stands on it.

    The terminal knows no alternate screen, which is the hardest case for secrets: what is not cleared stays, and can
    be scrolled back to.
    """

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        languages: Iterable[str] = ("en",),
        rows: int = 24,
        columns: int = 80,
        **more: str,
    ):
        folder.mkdir(parents=True, exist_ok=True)
        self.columns, self.screens, self.languages = columns, [], [*languages]
        self.waited: list[float] = []  # seconds, before each time that something was asked
        ends = {  # of prompts, which may have been broken anywhere before
            kind: [Language(code).translate(text).rpartition("}")[2] for code in languages]
            for kind, text in PAUSES.items()
        }
        any_of = {
            kind: "(" + "|".join(r"\s*".join(map(re.escape, "".join(text.split()))) for text in texts) + ") $"
            for kind, texts in ends.items()
        }
        self.kinds = [*any_of, "prompt", "end"]
        self.signs = [*any_of.values(), r"(?:\n|\[\d+\] |\x1b\[3J)> $", pexpect.EOF]
        self.started = time.perf_counter()
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", START, *arguments],
            env=environment(folder, **more),
            encoding="utf-8",
            timeout=60,
            dimensions=(rows, columns),
            cwd=str(folder),
        )
        self.child.delaybeforesend = None
        self.glass = pyte.HistoryScreen(columns, rows, history=100_000)
        self.stream = pyte.Stream(self.glass)
        self._above: list[tuple[object, str]] = []  # rows of its scrollback, with what stands in them

    def wait(self) -> str:
        """What is asked next: a choice (`prompt`), Enter (`pass`, `read`, `more`), or nothing more (`end`)."""
        found = self.child.expect(self.signs)
        self.waited.append(time.perf_counter() - self.started)
        said = self.child.before + (self.child.after if isinstance(self.child.after, str) else "")
        self.stream.feed(said)
        self.screens.append(said)
        return self.kinds[found]

    def type(self, text: str | int = "") -> None:
        self.started = time.perf_counter()
        self.child.sendline(str(text))

    @property
    def name(self) -> str:
        """What is to be typed by whoever is given the keyboard: it stands in quotes at the end of the screen."""
        return quoted(self.screens[-1])

    @property
    def said(self) -> str:
        """All that was ever written, without what only moves the cursor or paints."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", "".join(self.screens).replace(WIPED, "\n")).replace("\r", "")

    @property
    def screen(self) -> list[str]:
        """The rows that can be seen now."""
        return [row.rstrip() for row in self.glass.display]

    @property
    def text(self) -> str:
        """What can be seen now, and all that can be scrolled back to."""
        gone, known = self.glass.history.top, self._above
        if len(gone) < len(known) or known and gone[len(known) - 1] is not known[-1][0]:  # it was cleared
            known.clear()
        for row in islice(gone, len(known), None):  # what has been scrolled away stays as it is
            known.append((row, "".join(row[x].data for x in range(self.columns)).rstrip()))
        return "\n".join([*(text for _, text in known), *self.screen]).rstrip()

    def offers(self) -> Shown:
        return offers(self.text, self.languages)

    def play(
        self,
        choose: Callable[[Shown], int | str],
        looking: Callable[[str], None] = lambda asked: None,
        most: int = 2_000,
    ) -> None:
        """Answer everything, to the end of the game."""
        for _ in range(most):
            asked = self.wait()
            looking(asked)
            if asked == "end":
                self.child.close()
                assert self.child.exitstatus == 0
                return
            self.type(choose(self.offers()) if asked == "prompt" else self.name if asked == "pass" else "")
        raise AssertionError("the game does not end")


def calm(seed: int, languages: Iterable[str] = ("en",), lasts: int = 20) -> Callable[[Shown], int | str]:
    """A player who chooses by chance, and declares only when the game has lasted so many choices: then at once."""
    luck, turns = random.Random(seed), 0
    declaring = {
        (Language(code).pgettext("choice", word) or word).split(" | ")[0].casefold()
        for code in languages
        for word in DECLARING
    }

    def choose(shown: Shown) -> int | str:
        nonlocal turns
        turns += 1
        if shown.yes:
            return shown.yes
        known = {**shown, **{name: name for name in shown.open}}
        declares = [typed for typed, label in known.items() if label.casefold().startswith(tuple(declaring))]
        if declares and turns > lasts:
            return luck.choice(declares)
        others = [typed for typed in shown if typed not in declares] or declares
        return others[0] if "" in others else luck.choice(others)

    return choose


# --- transcripts ----------------------------------------------------------------------------------------------------


def transcripts() -> list[tuple[str, str]]:
    """The games that are kept in writing, each in every language."""
    return [(path.stem, language) for path in sorted(GOLDEN.glob("*.answers")) for language in LANGUAGES]


def transcript(game: str, language: str, folder: Path) -> tuple[str, Path]:
    """What somebody sees who gives the answers that are kept, and where it is kept.

    The first line of the answers is the command, the others are typed; they are numbers, the same in all languages.
    """
    command, *answers = (GOLDEN / f"{game}.answers").read_text(encoding="utf-8").splitlines()
    ran = piped(
        folder,
        *command.split(),
        "--lang",
        language,
        "--save",
        "golden.tabarro",
        answers="".join(f"{line}\n" for line in answers),
    )
    assert ran.returncode == 0 and ran.stderr == "", ran.stderr
    return ran.stdout, GOLDEN / f"{game}.{language}.txt"


if __name__ == "__main__":
    for one in transcripts():
        with tempfile.TemporaryDirectory() as empty:
            text, kept = transcript(*one, Path(empty))
        kept.write_text(text, encoding="utf-8")
