"""Writes docs/balance.md: a series of games among bots for each edition and number of players, by `tabarro simulate`.

    python tests/bench/balance.py --board 200 --cards 1000 --deducers 20 --jobs 2

Each section is what the command prints; the command that repeats it stands above it. The tables at the top are drawn from
the same series.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
from math import sqrt
from pathlib import Path

from tabarro.cli import main

ROOT = Path(__file__).resolve().parents[2]
GAMES = [
    ("venice-2013", 3),
    ("venice-2013", 4),
    ("venice-2013", 5),
    ("venice-classic", 3),
    ("venice-classic", 4),
    ("venice-japan", 4),
    ("cards-safe", 3),
    ("cards-safe", 4),
    ("cards-safe", 5),
    ("cards-phone", 3),
    ("cards-phone", 4),
    ("cards-phone", 5),
]
HEAD = """# The balance of the games

How the twelve games come out when bots play them: who wins and how often, how long it takes, which missions are
worth having, and when the players could have known. Everything below is printed by `tabarro simulate`; to make
the page anew run

```
python tests/bench/balance.py --board {board} --cards {cards} --deducers {deducers}
```

The bots called `careful` move, ask and answer at random, but declare only what they have worked out and are sure of. So
the shares tell what the rules alone give to a seat, a role or a mission; people who play for their mission are faster.
An interval of 95 % that does not hold the fair share hints at a real difference, but one in twenty misses it by chance;
what stands out below would come by chance less than once in a thousand times.
A game that takes more than {most} decisions is cut off and not counted. A mission is named by its side and its two
letters.
"""

DEDUCERS = """On the board, players that think come to the point in a few rounds; with cards, where they show as little as they
can, it takes them longer. There are fewer games of them to count: {games} each, with the same seeds, by the same command
with `--bots deducer`."""


def series(game: str, players: int, games: int, bots: str, most: int, jobs: int, *more: str) -> tuple[str, dict]:
    """What the command prints, under the command itself, and the same as data."""
    words = [
        "simulate",
        game,
        "--players",
        str(players),
        "--games",
        str(games),
        "--bots",
        bots,
        "--seed",
        "1",
        "--max-decisions",
        str(most),
        *more,
    ]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.json"
        out, err = io.StringIO(), io.StringIO()
        code = main([*words, "--jobs", str(jobs), "--markdown", "--json", str(data), "--lang", "en"], out, err)
        if code:
            raise SystemExit(err.getvalue())
        found = json.loads(data.read_text(encoding="utf-8"))
    head, _, rest = out.getvalue().partition("\n")
    return f"{head}\n\n`tabarro {' '.join(words)}`\n{rest}", found


def standing_out(data: dict) -> list[str]:
    """What wins more or less often than the rest of its kind, by more than 3.29 standard errors: the most striking first,
    which is then left out of the rest. Of the missions only those that win least and most."""
    found = []
    for key, table in data["wins"].items():
        rows = {name: row for name, row in table.items() if row["cases"] > 100}
        while key not in ("side", "bot", "start") and len(rows) > 1:
            far = {name: _distance(row, [r for n, r in rows.items() if n != name]) for name, row in rows.items()}
            name = max(far, key=far.get)
            if far[name] <= 3.29:
                break
            rest = _share([r for n, r in rows.items() if n != name])
            found.append(
                f"{key} {name.replace('_', ' ')} wins {_percent(rows.pop(name)['share'])}, the others {_percent(rest)}"
            )
    cells = sorted((cell for cell in data["table"] if cell["cases"] > 20), key=lambda cell: cell["share"])
    if cells and max(_distance(cell, cells) for cell in (cells[0], cells[-1])) > 3.29:
        ends = [f"{' '.join(cell['keys'])} ({_percent(cell['share'])})" for cell in (cells[0], cells[-1])]
        found.append(f"missions are won from {ends[0]} to {ends[1]}")
    return found


def _share(rows: list[dict]) -> float:
    return sum(row["hits"] for row in rows) / max(1, sum(row["cases"] for row in rows))


def _distance(row: dict, rest: list[dict]) -> float:
    """How far a share is from that of the rest, in standard errors."""
    usual, own = _share(rest), (row["high"] - row["low"]) / 2 / 1.96
    return abs(row["share"] - usual) / sqrt(own**2 + usual * (1 - usual) / max(1, sum(r["cases"] for r in rest)))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def summary(rows: list[tuple[str, int, dict]]) -> str:
    lines = [
        "",
        "| Game | Players | Games | Decisions, half below | Rounds, half below | Begins and wins | Cut off |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for game, players, data in rows:
        lengths, first = data["lengths"], data["wins"].get("start", {}).get("first")
        begins = f"{100 * first['low']:.1f} – {100 * first['high']:.1f} %" if first else "–"
        lines.append(
            f"| {game} | {players} | {data['finished']:,} | {lengths['decisions']['median']:,.0f} | "
            f"{lengths.get('rounds', {}).get('median', 0):,.0f} | {begins} | {data['cut_off']} |"
        )
    return "\n".join([*lines, ""])


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", type=int, default=10_000, help="games of each board game among careful players")
    parser.add_argument("--cards", type=int, default=10_000, help="games of each card game among careful players")
    parser.add_argument("--deducers", type=int, default=100, help="games of each among deducers")
    parser.add_argument("--most", type=int, default=10_000, help="decisions")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for finished series, which are not played again")
    args = parser.parse_args()

    def played(game: str, players: int, games: int, bots: str, *more: str) -> tuple[str, dict]:
        kept = args.keep / f"{game}-{players}-{games}-{bots}-{args.most}.json" if args.keep else None
        if kept and kept.exists():
            return tuple(json.loads(kept.read_text(encoding="utf-8")))
        found = series(game, players, games, bots, args.most, args.jobs, *more)
        if kept:
            kept.write_text(json.dumps(found), encoding="utf-8")
        print(game, players, bots, found[1]["finished"], flush=True)
        return found

    texts, careful, thinking = [], [], []
    for game, players in GAMES:
        text, data = played(
            game, players, args.board if game.startswith("venice") else args.cards, "careful", "--knowledge"
        )
        texts.append(text)
        careful.append((game, players, data))
    for game, players in GAMES:
        thinking.append((game, players, played(game, players, args.deducers, "deducer")[1]))
    stands = [
        f"- `{game}`, {players} players: {'; '.join(found)}"
        for game, players, data in careful
        if (found := standing_out(data))
    ]
    head = HEAD.format(board=args.board, cards=args.cards, deducers=args.deducers, most=f"{args.most:,}")
    whole = "\n".join(
        [
            head,
            "## Among careful players",
            summary(careful),
            "What stands out:",
            "",
            *(stands or ["- nothing"]),
            "",
            "## Among deducers",
            "",
            DEDUCERS.format(games=args.deducers),
            summary(thinking),
            *texts,
        ]
    )
    (ROOT / "docs" / "balance.md").write_text(whole.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    run()
