"""`tabarro perft`: how many ways a game can go, by depth and by first choice. Chance counts like a player.

Two programs that agree on these numbers agree on the rules; where they do not, the first choices tell where to look.
"""

from __future__ import annotations

from dataclasses import dataclass

from .arguments import add_game, load, whole_number
from .language import N_
from .terminal import Terminal

SUMMARY = N_("count the ways in which a game can go")
LIMIT = 1_000_000


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument("--depth", type=whole_number(language, 1), metavar="D", help=_("count so many choices deep"))
    parser.add_argument("--limit", type=whole_number(language, 1), metavar="N",
                        help=_("go deeper only while it takes no more than about so many nodes"))
    parser.add_argument("--json", action="store_true", help=_("write JSON, for other programs"))


@dataclass(slots=True)
class Counts:
    """Nodes and finished games by depth, for each first choice."""

    choices: list[tuple]
    nodes: list[list[int]]  # by choice, then by depth; depth 0 is the beginning
    finished: list[list[int]]
    at_once: bool  # nothing is chosen in this game at all

    @property
    def depth(self) -> int:
        return len(self.nodes[0]) - 1 if self.nodes else 0

    def at(self, depth: int) -> tuple[int, int]:
        if depth == 0:
            return 1, int(self.at_once)
        return sum(row[depth] for row in self.nodes), sum(row[depth] for row in self.finished)

    @property
    def complete(self) -> bool:
        """Has every game come to its end?"""
        nodes, finished = self.at(self.depth)
        return nodes == finished


class TooMany(Exception):
    pass


def explore(game, depth: int, most: int | None = None) -> Counts:
    start = game.new()
    choices = start.legal()
    counts = Counts(choices, [], [], start.over)
    visited = 0
    for choice in choices:
        nodes, finished = [0] * (depth + 1), [0] * (depth + 1)
        first = start.clone()
        first.apply(choice, trusted=True)
        stack = [(first, 1)]
        while stack:
            state, at = stack.pop()
            nodes[at] += 1
            if state.over:
                finished[at] += 1
            elif at < depth:
                legal = state.legal()
                visited += len(legal)
                if most is not None and visited > most:
                    raise TooMany
                for further in legal:
                    child = state.clone()
                    child.apply(further, trusted=True)
                    stack.append((child, at + 1))
        counts.nodes.append(nodes)
        counts.finished.append(finished)
    return counts


def deepen(game, depth: int | None, limit: int) -> Counts:
    """Deeper and deeper, until all is counted, or the next depth would probably be too much."""
    counts = explore(game, 1)
    while not counts.complete and counts.depth != depth:
        nodes, finished = counts.at(counts.depth)
        before, ended = counts.at(counts.depth - 1)
        expected = (nodes - finished) * nodes // max(1, before - ended)
        if sum(counts.at(d)[0] for d in range(counts.depth + 1)) + expected > limit:
            break
        try:
            counts = explore(game, counts.depth + 1, 2 * limit)  # the guess may have been far too low
        except TooMany:
            break
    return counts


def run(args, terminal: Terminal) -> int:
    game = load(args, terminal)
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
    from .narrate import Narrator

    _, number = terminal.language.translate, terminal.language.number
    levels = [counts.at(depth) for depth in range(counts.depth + 1)]
    rows = [[number(depth), number(nodes), number(finished)] for depth, (nodes, finished) in enumerate(levels)]
    rows.append([_("In all"), number(sum(n for n, _f in levels)), number(sum(f for _n, f in levels))])
    terminal.table([_("Depth"), _("Nodes"), _("Finished games")], rows, (0, 1, 2))
    if counts.choices:
        terminal.line()
        narrator = Narrator(game, terminal.language)
        terminal.table(
            [_("First choice"), terminal.language.say(N_("Nodes at depth {depth}"), depth=counts.depth),
             terminal.language.say(N_("Finished at depth {depth}"), depth=counts.depth), _("Finished games in all")],
            [[narrator.choice(choice), number(nodes[-1]), number(finished[-1]), number(sum(finished))]
             for choice, nodes, finished in zip(counts.choices, counts.nodes, counts.finished)], (1, 2, 3))
    if not counts.complete and counts.depth != args.depth:
        terminal.line()
        terminal.say(N_("The games go on beyond depth {depth}, but counting further would take more than {limit} "
                        "nodes. Use --depth or a higher --limit to go on."),
                     depth=counts.depth, limit=number(args.limit or LIMIT))


def _as_data(game, counts: Counts) -> dict:
    return {
        "game": game.id, "players": game.players, "complete": counts.complete,
        "depths": [dict(zip(("depth", "nodes", "finished"), (depth, *counts.at(depth))))
                   for depth in range(counts.depth + 1)],
        "choices": [{"choice": game.words(choice), "nodes": nodes, "finished": finished}
                    for choice, nodes, finished in zip(counts.choices, counts.nodes, counts.finished)],
    }
