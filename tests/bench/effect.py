"""Is a known effect found as often as promised?

    python tests/bench/effect.py --runs 100 --state build/effect.json

`games/edge.yaml` is a game in which an option is worth exactly five points of a hundred to one player. Each run is the
whole command, `tabarro simulate … --compare edge=false,true --until 5` with another seed, and random bots: it plays as
many games as it finds that it needs. Counted is how often it then calls the difference real, of the right sign, and how
often its interval holds the five points. With `--none` both settings are the same game: how often it finds what is not
there. It can be interrupted, and goes on with `--state`.
"""

from __future__ import annotations

import argparse
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from tabarro.cli import main as tabarro

GAME = Path(__file__).with_name("games") / "edge.yaml"


def run(seed: int, none: bool) -> tuple[bool, bool, int]:
    """Was a difference found, is the true one in its interval, and how many pairs were played?"""
    with TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        found = Path(folder) / "found.json"
        compared = ["--against", str(GAME)] if none else ["--compare", "edge=false,true"]
        if none:
            compared += ["--against-option", "shuffled=true"]
        tabarro(
            ["simulate", str(GAME), *compared, "--until", "5", "--games", "200", "--bots", "random"]
            + ["--seed", str(seed), "--json", str(found)]
        )
        comparison = json.loads(found.read_text())["comparison"]
    better = next(row for row in comparison["wins"] if row["name"] == "better")
    true = 0.0 if none else 0.05
    real = better["real"] and (none or better["difference"] > 0)
    return real, better["low"] <= true <= better["high"], comparison["pairs"]


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--none", action="store_true", help="both settings are the same")
    parser.add_argument("--state", type=Path)
    args = parser.parse_args(argv)
    done = json.loads(args.state.read_text()) if args.state and args.state.exists() else []
    for seed in range(len(done), args.runs):
        done.append(run(seed, args.none))
        if args.state:
            args.state.parent.mkdir(exist_ok=True)
            args.state.write_text(json.dumps(done))
    pairs = sorted(row[2] for row in done)
    print(
        f"{len(done)} runs: found in {sum(row[0] for row in done)}, the true difference within the interval in "
        f"{sum(row[1] for row in done)}; {pairs[0]:,} to {pairs[-1]:,} pairs, half of them up to {pairs[len(pairs) // 2]:,}"
    )


if __name__ == "__main__":
    main()
