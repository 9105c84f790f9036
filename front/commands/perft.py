"""`tabarro perft`: how many ways a game can go, by depth and by first choice. Chance counts like a player.

Two programs that agree on these numbers agree on the rules; where they do not, the first choices tell where to look.
"""

from __future__ import annotations

from ...lab.perft import Counts, deepen, explore
from ...speech.language import N_
from ...speech.narrator import Narrator
from ..common.arguments import add_game, add_json, whole_number
from ..common.loading import asked_game
from ..common.streams import Terminal

LIMIT = 1_000_000


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument(
        "--depth", type=whole_number(language, 1), metavar="D", help=_("how many choices deep to count")
    )
    parser.add_argument(
        "--limit",
        type=whole_number(language, 1),
        metavar="N",
        help=_("go deeper only while that takes no more than about this many nodes"),
    )
    add_json(parser, language)


def run(args, terminal: Terminal) -> int:
    game = asked_game(args, terminal)
    if args.depth is not None and args.limit is None:
        counts = explore(game, args.depth)
        while counts.depth > 1 and counts.at(counts.depth)[0] == 0:  # the games are shorter than that
            for row in counts.nodes + counts.finished:
                row.pop()
    else:
        counts = deepen(game, args.depth, args.limit or LIMIT)
    if args.json:
        terminal.json(_as_data(game, counts))
    else:
        _show(game, counts, args, terminal)
    return 0


def _show(game, counts: Counts, args, terminal: Terminal) -> None:
    _, number = terminal.language.translate, terminal.language.number
    levels = [counts.at(depth) for depth in range(counts.depth + 1)]
    rows = [[number(depth), number(nodes), number(finished)] for depth, (nodes, finished) in enumerate(levels)]
    rows.append([_("In all"), number(sum(n for n, _f in levels)), number(sum(f for _n, f in levels))])
    terminal.table([_("Depth"), _("Nodes"), _("Finished games")], rows, (0, 1, 2))
    if counts.choices:
        terminal.line()
        narrator = Narrator(game, terminal.language)
        terminal.table(
            [
                _("First choice"),
                terminal.language.say(N_("Nodes at depth {depth}"), depth=counts.depth),
                terminal.language.say(N_("Finished at depth {depth}"), depth=counts.depth),
                _("Finished games in all"),
            ],
            [
                [narrator.choice(choice), number(nodes[-1]), number(finished[-1]), number(sum(finished))]
                for choice, nodes, finished in zip(counts.choices, counts.nodes, counts.finished)
            ],
            (1, 2, 3),
        )
    if not counts.complete and counts.depth != args.depth:
        terminal.line()
        terminal.say(
            N_(
                "The games go on beyond depth {depth}, but counting further would take more than {limit} "
                "nodes. Use --depth or a higher --limit to go on."
            ),
            depth=counts.depth,
            limit=number(args.limit or LIMIT),
        )


def _as_data(game, counts: Counts) -> dict:
    return {
        "game": game.id,
        "players": game.players,
        "complete": counts.complete,
        "depths": [
            dict(zip(("depth", "nodes", "finished"), (depth, *counts.at(depth)))) for depth in range(counts.depth + 1)
        ],
        "choices": [
            {"choice": game.words(choice), "nodes": nodes, "finished": finished}
            for choice, nodes, finished in zip(counts.choices, counts.nodes, counts.finished)
        ],
    }
