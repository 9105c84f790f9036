"""Writes docs/balance.md: a series of games among bots for each edition and number of players, by `tabarro simulate`.

    python tests/bench/balance.py --board 200 --cards 1000 --jobs 2

Each section is what the command prints; the command that repeats it stands above it.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
from pathlib import Path

from tabarro.cli import main

ROOT = Path(__file__).resolve().parents[2]
GAMES = [("venice-2013", 3), ("venice-2013", 4), ("venice-2013", 5), ("venice-classic", 3), ("venice-classic", 4),
         ("venice-japan", 4), ("cards-safe", 3), ("cards-safe", 4), ("cards-safe", 5), ("cards-phone", 3),
         ("cards-phone", 4), ("cards-phone", 5)]
HEAD = """# The balance of the games

How the twelve games come out when bots play them: who wins and how often, how long it takes, which missions are
worth having, and when the players could have known. Everything below is printed by `tabarro simulate`; to make
the page anew run

```
python tests/bench/balance.py --board {board} --cards {cards}
```

The bots called `careful` move, ask and answer at random, but declare only what they have worked out and are sure of. So
the shares tell what the rules alone give to a seat, a role or a mission; people who play for their mission are faster.
An interval of 95 % that does not hold the fair share hints at a real difference, but one in twenty misses it by chance.
A game that takes more than {most} decisions is cut off and not counted. A mission is named by its side and its two
letters.
"""


def section(game: str, players: int, games: int, bots: str, most: int, jobs: int) -> tuple[str, dict]:
    words = ["simulate", game, "--players", str(players), "--games", str(games), "--bots", bots, "--seed", "1",
             "--max-decisions", str(most), "--knowledge"]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.json"
        out, err = io.StringIO(), io.StringIO()
        code = main([*words, "--jobs", str(jobs), "--markdown", "--json", str(data), "--lang", "en"], out, err)
        if code:
            raise SystemExit(err.getvalue())
        found = json.loads(data.read_text(encoding="utf-8"))
    head, _, rest = out.getvalue().partition("\n")
    return f"{head}\n\n`tabarro {' '.join(words)}`\n{rest}", found


def summary(rows: list[tuple[str, int, dict]]) -> str:
    lines = ["", "| Game | Players | Games | Decisions, half below | Rounds, half below | Begins and wins | Cut off |",
             "|---|--:|--:|--:|--:|--:|--:|"]
    for game, players, data in rows:
        lengths, first = data["lengths"], data["wins"].get("start", {}).get("first")
        begins = f"{100 * first['low']:.1f} – {100 * first['high']:.1f} %" if first else "–"
        lines.append(f"| {game} | {players} | {data['finished']} | {lengths['decisions']['median']} | "
                     f"{lengths.get('rounds', {}).get('median', '–')} | {begins} | {data['cut_off']} |")
    return "\n".join([*lines, "", ""])


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", type=int, default=10_000, help="games of each board game")
    parser.add_argument("--cards", type=int, default=10_000, help="games of each card game")
    parser.add_argument("--bots", default="careful")
    parser.add_argument("--most", type=int, default=10_000, help="decisions")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for finished sections, which are not played again")
    args = parser.parse_args()
    texts, rows = [], []
    for game, players in GAMES:
        games = args.board if game.startswith("venice") else args.cards
        kept = args.keep / f"{game}-{players}-{games}-{args.bots}-{args.most}.json" if args.keep else None
        if kept and kept.exists():
            text, data = json.loads(kept.read_text(encoding="utf-8"))
        else:
            text, data = section(game, players, games, args.bots, args.most, args.jobs)
            if kept:
                kept.write_text(json.dumps([text, data]), encoding="utf-8")
        texts.append(text)
        rows.append((game, players, data))
        print(game, players, data["finished"], flush=True)
    head = HEAD.format(board=args.board, cards=args.cards, most=f"{args.most:,}")
    whole = head + summary(rows) + "\n".join(texts)
    (ROOT / "docs" / "balance.md").write_text(whole.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    run()
