"""How long an editor waits: keystrokes in the largest file of the family, measured in Neovim.

.venv/bin/python tests/editors/latency.py [--keystrokes 60]
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
import time
from pathlib import Path

from hands import nvim
from tabarro.front.lsp.analysis import analyse, mistakes, thorough
from tabarro.front.lsp.completion import complete
from tabarro.front.lsp.desk import COLLECT, Desk
from tabarro.front.lsp.meaning import hover
from tabarro.speech.language import Language

FILE = Path(__file__).resolve().parents[2] / "rules" / "inkognito" / "venice.yaml"
LEAK = [
    "    tell_it:",
    "      if: identity of player is lord_fiddlebottom",
    "      then: {told: {say: It is so., to: all}}",
]


def line_of(lines: list[str], begin: str) -> int:
    return next(number for number, line in enumerate(lines) if line.startswith(begin))


def processor(lines: list[str], place: dict, language: Language) -> None:
    """What each answer costs the server; on a busy machine a clock tells nothing."""
    gc.set_threshold(*COLLECT)
    desk, times = Desk(), {"diagnostics": [], "completion": [], "hover": []}
    first = None
    for number in range(place["keystrokes"]):
        text = "\n".join(lines) + "\n" * (number + 1)
        at = sum(len(line) + 1 for line in lines[: place["line"]]) + place["column"]
        desk.open = {FILE: text}
        begun = time.process_time()
        known = analyse(desk, FILE)
        mistakes(known.problems, FILE, text, known.library, language)
        times["diagnostics"].append(time.process_time() - begun)
        begun = time.process_time()
        complete(known, known, at, language)
        times["completion"].append(time.process_time() - begun)
        first = first or known
        first.speaker(language)
        begun = time.process_time()
        hover(known, known, first, at - 2, language)
        times["hover"].append(time.process_time() - begun)
    for what, found in times.items():
        found = sorted(1000 * seconds for seconds in found[1:])  # the first reads all files
        print(f"{what:12} median {statistics.median(found):4.0f} ms, longest {found[-1]:4.0f} ms, of {len(found)}")
    leak = place["leak"]
    desk.open = {FILE: "\n".join([*lines[: leak["line"]], *leak["text"], *lines[leak["line"] :]]) + "\n"}
    begun, told = time.process_time(), []
    thorough(desk, FILE, lambda: False, lambda found, library: told.append(time.process_time() - begun))
    print(f"secrecy      {1000 * told[0]:.0f} ms; all numbers of players {1000 * told[-1]:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keystrokes", type=int, default=60)
    parser.add_argument("--language", default="ca")
    parser.add_argument("--processor", action="store_true", help="processor time alone, without an editor")
    arguments = parser.parse_args()
    lines = FILE.read_text(encoding="utf-8").splitlines()
    words = line_of(lines, "words:") + 1
    while " is " not in lines[words].partition(":")[2]:
        words += 1
    place = {
        "file": str(FILE),
        "line": words,
        "column": len(lines[words].split("#")[0].rstrip()),
        "keystrokes": arguments.keystrokes,
        "pause": 150,
        "leak": {"line": line_of(lines, "  turn of player:") + 1, "text": LEAK},
    }
    if arguments.processor:
        return processor(lines, place, Language(arguments.language))
    with tempfile.TemporaryDirectory() as folder:
        seen = nvim(Path(folder), arguments.language, measure=place)
    print(f"{FILE.name}: {len(lines)} lines; {lines[words].strip()}")
    for what, times in seen["times"].items():
        print(f"{what:12} median {statistics.median(times):4.0f} ms, longest {max(times):4.0f} ms, of {len(times)}")
    print(f"secrecy      {seen['leak']:.0f} ms: {[one['code'] for one in seen['leak_told']]}")


if __name__ == "__main__":
    main()
