"""`tabarro list`: every game, for how many players, with which options."""

from __future__ import annotations

from ...interpreter import RulesError, describe
from ...interpreter.describing import described
from ...interpreter.shelves import RULES
from ...speech.language import N_
from ..common.arguments import add_json
from ..common.folders import folders
from ..common.layout import wrapped
from ..common.loading import game_or_path, possible_values, typed_value
from ..common.streams import PIPE_WIDTH, Terminal


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("game", nargs="?", metavar="GAME", help=_("only this game; without it, all"))
    add_json(parser, language)


def run(args, terminal: Terminal) -> int:
    if args.game is not None:
        game = describe(game_or_path(args.game), folders())
        if args.json:
            terminal.json(_as_data(game, terminal))
        else:
            show_game(game, terminal)
        return 0
    games, problems = described(folders())
    found = [game for game in games.values() if game is not None]
    if args.json:
        terminal.json([_as_data(game, terminal) for game in found])
    else:
        show_games(found, terminal)
    terminal.complain(RulesError(problems).problems)
    return 2 if problems else 0


def show_games(games, terminal: Terminal) -> None:
    """By their kinds: each has a folder of its own."""
    _, text = terminal.language.translate, terminal.language.text
    kinds = sorted({_kind(game) for game in games}, key=lambda kind: (kind == "examples", kind))
    for kind in kinds:
        if kind != kinds[0]:
            terminal.line()
        terminal.heading(_kind_name(kind, terminal.language))
        terminal.table(
            [_("Game"), _("Name"), _("Players"), _("About")],
            [
                [game.id, text(game.name), ", ".join(map(str, game.players)), text(game.about)]
                for game in games
                if _kind(game) == kind
            ],
        )
    for game in games:
        if game.options:
            terminal.line()
            show_options(game, terminal)


def show_game(game, terminal: Terminal) -> None:
    """One game: what it is, for how many, what can be decided about it, and how it is begun."""
    language = terminal.language
    terminal.heading(language.text(game.name))
    for line in wrapped(language.text(game.about), terminal.columns(PIPE_WIDTH)):
        terminal.line(line)
    terminal.line()
    terminal.line(language.labelled(language.translate(N_("Players")), language.row(map(str, game.players))))
    if game.options:
        terminal.line()
        show_options(game, terminal)
    terminal.line()
    for command in ("play", "rulebook", "show"):
        terminal.line(f"  tabarro {command} {game.id}")


def show_options(game, terminal: Terminal) -> None:
    _, text = terminal.language.translate, terminal.language.text
    terminal.heading(terminal.language.say(N_("Options of {game}"), game=game.id))
    terminal.table(
        [_("Option"), _("Values"), _("Default"), _("Meaning")],
        [[o.name, possible_values(o), typed_value(o.default), text(o.about)] for o in game.options],
    )


def _kind(game) -> str:
    return game.path.parent.name if game.path.is_relative_to(RULES) else ""


def _kind_name(kind: str, language) -> str:
    """What a folder of games is called; games that did not come along have no kind."""
    if not kind:
        return language.translate(N_("Your own games"))
    said = (language.pgettext("kinds", kind) or kind).replace("-", " ")
    return said[:1].upper() + said[1:]


def _as_data(game, terminal: Terminal) -> dict:
    text = terminal.language.text
    return {
        "id": game.id,
        "kind": _kind(game),
        "name": text(game.name),
        "about": text(game.about),
        "players": list(game.players),
        "options": [
            {
                "name": o.name,
                "kind": o.kind,
                "values": [True, False] if o.kind == "yes or no" else list(o.values),
                "from": o.least,
                "to": o.most,
                "default": o.default,
                "about": text(o.about),
            }
            for o in game.options
        ],
    }
