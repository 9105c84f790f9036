"""How long an editor waits: keystrokes in the largest file of the family, measured in Neovim.

.venv/bin/python tests/editors/latency.py [--keystrokes 60]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from hands import nvim

FILE = Path(__file__).resolve().parents[2] / "rules" / "inkognito" / "venice.yaml"
LEAK = [
    "    tell_it:",
    "      if: identity of player is lord_fiddlebottom",
    "      then: {told: {say: It is so., to: all}}",
]


def line_of(lines: list[str], begin: str) -> int:
    return next(number for number, line in enumerate(lines) if line.startswith(begin))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keystrokes", type=int, default=60)
    parser.add_argument("--language", default="ca")
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
    with tempfile.TemporaryDirectory() as folder:
        seen = nvim(Path(folder), arguments.language, measure=place)
    print(f"{FILE.name}: {len(lines)} lines; {lines[words].strip()}")
    for what, times in seen["times"].items():
        print(f"{what:12} median {statistics.median(times):4.0f} ms, longest {max(times):4.0f} ms, of {len(times)}")
    print(f"secrecy      {seen['leak']:.0f} ms: {[one['code'] for one in seen['leak_told']]}")


if __name__ == "__main__":
    main()
