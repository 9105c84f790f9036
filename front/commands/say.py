"""`tabarro say`: a condition in words; with a saved game or a position, whether it holds there, and why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...interpreter import RulesError
from ...interpreter.check import Scope
from ...interpreter.errors import Place, Source
from ...interpreter.evaluate import evaluate
from ...interpreter.load import Map, load_file
from ...interpreter.model import TRUTH, Expr, Var
from ...interpreter.resolve import Library
from ...interpreter.save import load as read_save
from ...interpreter.slots import HEADER
from ...lab.scenario import Performance, SetUp, Wrong
from ...mind.belief import Belief, Unknown
from ...speech.conditions import Speaker
from ...speech.language import N_, Language, forms, known, spoken
from ..common.arguments import add_game
from ..common.folders import folders
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..workbench.why import KnownSlots, Why, _holds

ALL = "all"  # languages


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument("expression", metavar="EXPRESSION", help=_("a condition, as rules say it"))
    parser.add_argument(
        "--let",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="lets",
        help=_("what a name in the condition stands for; can be given several times"),
    )
    parser.add_argument("--save", metavar="FILE", help=_("whether it holds in this saved game"))
    parser.add_argument("--position", metavar="FILE", help=_("whether it holds in the position of this scenario"))
    parser.add_argument("--as", dest="seat", metavar="SEAT", help=_("as far as this seat can know"))


def run(args, terminal: Terminal) -> int:
    codes = _languages(getattr(args, "lang", None), terminal)
    game, state = _situation(args, terminal)
    expr, names = _typed(game, args, terminal)
    if expr.type.kind != "truth":
        terminal.say(N_("This is no condition. It is of this type: {type}."), type=str(expr.type))
    for code in codes:
        speaker = Speaker(game, Language(code))
        said = speaker.sentence(expr) if expr.type == TRUTH else speaker.value(expr, {})("")
        terminal.line(f"{code}  {said}" if len(codes) > 1 else said)
    if state is not None:
        _judge(expr, names, game, state, args.seat, terminal)
    return 0


def _languages(asked: str | None, terminal: Terminal) -> list[str]:
    if asked is None:
        return [terminal.language.code]
    if asked == ALL:
        return list(spoken())
    if known(asked) is None:
        raise terminal.refusal(
            N_("The language “{name}” is not spoken here. These are: {languages}."),
            name=asked,
            languages=", ".join([*spoken(), ALL]),
        )
    return [known(asked)]


# --- where ------------------------------------------------------------------------------------------------------------
def _situation(args, terminal: Terminal):
    """The game, and the state in which to look, if there is one."""
    if args.save and args.position:
        raise terminal.refusal(N_("Give a saved game or a position, not both."))
    if args.save:
        game, state, _ = read_save(Path(args.save), folders(), strict=False)
        return _seated(game, args, terminal), state
    game = asked_game(args, terminal)
    if args.position:
        return _seated(game, args, terminal), _placed(args, game)
    if args.seat is not None:
        raise terminal.refusal(N_("What somebody can know needs a saved game or a position: --save or --position."))
    return game, None


def _seated(game, args, terminal: Terminal):
    if args.seat is not None and args.seat not in game.seats:
        raise terminal.refusal(
            N_("Nobody at the table is called “{name}”. The seats are: {seats}."),
            name=args.seat,
            seats=", ".join(game.seats),
        )
    return game


def _placed(args, game):
    """The position of a scenario, or a file that is nothing but one."""
    path = Path(args.position)
    data = load_file(path, Library.shown(path.resolve()))
    whole = Map(data.at)
    for key in ("position", "seed"):
        if key in data:
            whole[key] = data[key]
            whole.key_at[key], whole.value_at[key] = data.key_at[key], data.value_at[key]
    if "position" not in data:
        whole["position"] = data
        whole.key_at["position"] = whole.value_at["position"] = data.at
    meant = Path(args.game)
    whole["game"] = str(meant.resolve()) if args.game.endswith((".yaml", ".yml")) else args.game
    whole["players"] = game.players
    whole["options"] = {name: option.value for name, option in game.options.items()}
    for key in ("game", "players", "options"):
        whole.key_at[key] = whole.value_at[key] = data.at
    player = Performance(whole, path, folders())
    try:
        SetUp(player).take()
    except Wrong:
        raise RulesError(player.problems) from None
    player.let_fall()
    return player.state


# --- what -------------------------------------------------------------------------------------------------------------
def _typed(game, args, terminal: Terminal):
    """The expression, and the values of the names in it that tables of conditions use."""
    words = game.vocabulary
    free = {}
    for same in words.functions.values():
        for function in same:
            if function.kind == "formula":
                free |= {v.name: v for v in function.variables[function.keys :]}
    values = {}
    for text in args.lets:
        name, equals, value = text.partition("=")
        if not equals or name not in free:
            raise terminal.refusal(
                N_("“{text}” gives no name a value. These names can have one: {names}."),
                text=text,
                names=", ".join(free) or "-",
            )
        place = Place(Source("--let", value), 1, 1)
        typed = words.checker.expression(value, place, Scope(), free[name].type)
        values[free[name]] = words.fixed(typed, place, len(value)) if typed.op != "const" else evaluate(typed, (), {})
    place = Place(Source(N_("EXPRESSION"), args.expression), 1, 1)
    return words.checker.expression(args.expression, place, Scope(free)), values


# --- whether ----------------------------------------------------------------------------------------------------------
def _judge(expr, names: dict, game, state, seat: str | None, terminal: Terminal) -> None:
    missing = [v.name for v in _free(expr) if v not in names]
    if missing:
        raise terminal.refusal(
            N_("Whether it holds depends on what “{name}” stands for. Say it: --let {name}=…"), name=missing[0]
        )
    if seat is None:
        slots: Any = state.v[HEADER:]
        if expr.type.kind != "truth":
            said = forms(str(game.named(evaluate(expr, slots, names), expr.type)))
            terminal.say(N_("Now it is this: {value}."), value=said)
            return
        holds = _holds(expr, slots, names)
        _verdict(holds, Why(game, slots, terminal.language), expr, names, terminal)
        return
    language = terminal.language
    belief = Belief.of(state.player(seat)).ready()
    if not belief.exact:
        terminal.say(N_("What {seat} can know cannot be counted: there are too many cases."), seat=seat)
        return
    for slot in belief.seen_cells:  # where a position was set up, the log does not tell it
        belief.known[slot] = state.v[HEADER + slot]
    why = Why(game, KnownSlots(belief, Unknown), language, Unknown)
    name = why.speaker.narrator.seat(seat)
    if expr.type.kind != "truth":
        try:
            terminal.say(N_("Now it is this: {value}."), value=str(game.named(why.value(expr, names), expr.type)))
        except Unknown:
            terminal.say(N_("{seat} cannot know what it is."), seat=name)
        return
    likely = belief.chance_of(expr, names)
    if likely in (0.0, 1.0):
        terminal.say(N_("{seat} can know this:"), seat=name)
        _verdict(likely == 1.0, why, expr, names, terminal)
        return
    terminal.say(N_("{seat} cannot know whether this holds."), seat=name)
    if likely is not None:
        terminal.say(
            N_("It holds in {number} of the {all} cases that {seat} must reckon with."),
            seat=name,
            number=round(likely * len(belief.worlds)),
            all=len(belief.worlds),
        )
    for part in _parts(expr) if len(_parts(expr)) > 1 else ():
        status = {0.0: N_("known not to hold: {clause}"), 1.0: N_("known to hold: {clause}")}.get(
            belief.chance_of(part, names), N_("unknown: {clause}")
        )
        terminal.line("  " + language.say(status, clause=why.speaker.clause(part, why.said(names))))


def _verdict(holds: bool, why: Why, expr, names: dict, terminal: Terminal) -> None:
    terminal.say(N_("This holds now.") if holds else N_("This does not hold now."))
    if not holds:
        for line in dict.fromkeys(why.reasons(expr, names, why.said(names))):
            terminal.line("  " + line)


def _parts(expr) -> list:
    """What is joined by `and` and `or`, one by one."""
    if expr.op in ("and", "or"):
        return [part for side in expr.args for part in _parts(side)]
    return [expr]


def _free(expr) -> list:
    """The names in an expression that nothing in it binds."""
    found: dict = {}
    stack: list[tuple[Any, frozenset]] = [(expr, frozenset())]
    while stack:
        value, bound = stack.pop()
        if isinstance(value, Expr):
            if value.op == "var":
                if value.args[0].origin not in bound:
                    found[value.args[0].origin] = True
                continue
            bound = bound | {a.origin for a in value.args if isinstance(a, Var)}
            stack += [(arg, bound) for arg in value.args]
        elif isinstance(value, tuple):
            stack += [(inner, bound) for inner in value]
    return list(found)
