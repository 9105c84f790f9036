"""`tabarro solve`: how a small game should be played, what it is worth, and how far that is from perfect play."""

from __future__ import annotations

import json
import random

from ...interpreter.files import check_place
from ...lab.solve import LIMIT, Sampling, Solution, Solver, TooLarge, Tree, doubling, measured
from ...speech.language import N_
from ...speech.narrator import Narrator
from ..common.arguments import add_force, add_game, seed_or_any, whole_number
from ..common.loading import asked_game
from ..common.progress import Progress
from ..common.streams import Terminal

ITERATIONS = 1_000


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    number = whole_number
    parser.add_argument(
        "--iterations", type=number(language, 1), default=ITERATIONS, metavar="N", help=_("how often players learn")
    )
    parser.add_argument(
        "--sample", action="store_true", help=_("learn from games that are drawn instead of from all that can happen")
    )
    parser.add_argument("--seed", type=number(language), metavar="S", help=_("the same seed gives the same games"))
    parser.add_argument(
        "--limit", type=number(language, 1), default=LIMIT, metavar="N", help=_("the most nodes that are written out")
    )
    parser.add_argument("--strategy", action="store_true", help=_("also say how to play, case by case"))
    parser.add_argument("--json", metavar="FILE", help=_("write everything as JSON into a file; - for the screen"))
    add_force(parser, language)


def run(args, terminal: Terminal) -> int:
    game = asked_game(args, terminal)
    if args.json not in (None, "-"):
        check_place(args.json, args.force)
    try:
        tree = Tree(game, args.limit)
    except TooLarge:
        raise terminal.refusal(
            N_(
                "This game has more than {limit} nodes. How well somebody plays it cannot be told without all of them; "
                "a higher --limit takes more time and memory."
            ),
            limit=terminal.language.number(args.limit),
        ) from None
    steps = [*doubling(args.iterations)]
    found: list[Solution] = []
    learner = Sampling(game, random.Random(seed_or_any(args.seed))) if args.sample else Solver(tree)
    with Progress(terminal, args.iterations) as advance:
        for upto in steps:
            while learner.iterations < upto:
                some = min(10, upto - learner.iterations)
                learner.run(some)
                advance(some)
            strategy = learner.on(tree) if args.sample else learner.average()
            found.append(measured(tree, strategy, upto))
    if args.json is not None:
        data = {"made by": "tabarro solve"} | _as_data(game, tree, strategy, found)
        if args.json == "-":
            terminal.json(data)
            return 0
        terminal.write_file(args.json, json.dumps(data, ensure_ascii=False, indent=1) + "\n", args.force)
    _show(game, tree, found, terminal)
    if args.strategy:
        _show_strategy(game, tree, strategy, terminal)
    return 0


def _show(game, tree: Tree, found: list[Solution], terminal: Terminal) -> None:
    language, narrator = terminal.language, Narrator(game, terminal.language)
    _, number = language.translate, language.number

    def exact(value: float) -> str:
        return language.decimal(round(value, 4) + 0.0, "0.0000")  # a zero has no sign

    terminal.say(
        N_("{nodes} nodes, {finished} finished games, {places} situations that players can tell apart."),
        nodes=number(len(tree)),
        finished=number(tree.finished),
        places=number(len(tree.choices)),
    )
    terminal.line()
    seats = [language.say(N_("{seat} gains"), seat=narrator.seat(seat)) for seat in game.seats]
    terminal.table(
        [_("Iterations"), *seats, _("Exploitability")],
        [[number(s.iterations), *map(exact, s.values), exact(s.exploitability)] for s in found],
        tuple(range(len(seats) + 2)),
    )
    terminal.line()
    if tree.is_zero_sum:
        terminal.say(
            N_(
                "Exploitability is what a player could gain on average by knowing how the other one plays. "
                "At 0 both play perfectly."
            )
        )
    else:
        terminal.say(
            N_(
                "Exploitability is what a player could gain on average by knowing how the others play. That it falls "
                "to 0 is certain only for two players of whom one gains what the other loses; here it is a measure, "
                "and no more."
            )
        )


def _show_strategy(game, tree: Tree, strategy, terminal: Terminal) -> None:
    language = terminal.language
    rows = []
    for (seat, _seen), place in tree.places.items():
        narrator = Narrator(game, language)
        told = " ".join(narrator.tell(tree.seen[place])) or "–"
        for choice, share in zip(tree.choices[place], strategy[place]):
            rows.append([narrator.seat(game.seats[seat])(""), told, narrator.choice(choice), language.percent(share)])
    last: list[str] = []
    for row in rows:  # what is as in the row above need not be said again
        row[:2], last = [a if a != b or row[:2] != last else "" for a, b in zip(row, last or ["", ""])], row[:2]
    terminal.line()
    _ = language.translate
    terminal.table([_("Player"), _("has seen"), _("Choice"), _("Share")], rows, (3,))


def _as_data(game, tree: Tree, strategy, found: list[Solution]) -> dict:
    return {
        "game": game.id,
        "players": game.players,
        "nodes": len(tree),
        "finished": tree.finished,
        "situations": len(tree.choices),
        "zero_sum": tree.is_zero_sum,
        "iterations": [
            {
                "iterations": s.iterations,
                "values": dict(zip(game.seats, s.values)),
                "exploitability": s.exploitability,
            }
            for s in found
        ],
        "strategy": [
            {
                "seat": game.seats[seat],
                "seen": [{"step": e.step, "kind": e.kind, "told": dict(e.told)} for e in tree.seen[place]],
                "choices": [
                    {"choice": game.words(choice), "share": share}
                    for choice, share in zip(tree.choices[place], strategy[place])
                ],
            }
            for (seat, _seen), place in tree.places.items()
        ],
    }
