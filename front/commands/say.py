"""`tabarro say`: a condition in words; with a saved game or a position, whether it holds there, and why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...interpreter import Game, State
from ...interpreter.check import Scope
from ...interpreter.errors import Place, RulesError, Source, problem
from ...interpreter.evaluate import evaluate
from ...interpreter.idiom import PLAIN, Idiom, idiom
from ...interpreter.model import TRUTH, Expr, Var
from ...interpreter.parse import keywords
from ...interpreter.retelling import parsed
from ...interpreter.save import load as read_save
from ...interpreter.trees import free_variables
from ...lab.scenario import position_in
from ...speech.conditions import Speaker
from ...speech.effort import TooHard
from ...speech.language import N_, Language, known, spoken
from ..common.arguments import add_game, check_seat
from ..common.folders import folders
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..workbench.why import tell_what_is_known, tell_whether

ALL = "all"  # languages
NO_EXPRESSION = frozenset({"unexpected_word", "keyword_here", "expression_ends_early", "sign_not_word"})


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument("expression", metavar="EXPRESSION", help=_("a condition, as rules say it or as a sentence"))
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
        try:
            said = speaker.told(expr) if expr.type == TRUTH else speaker.value(expr, {})("")
        except TooHard:
            place = Place(Source(N_("EXPRESSION"), args.expression), 1, 1)
            raise RulesError(problem("sentence_too_hard", place, len(args.expression))) from None
        terminal.line(f"{code}  {said}" if len(codes) > 1 else said)
    if state is None:
        return 0
    missing = [v.name for v in free_variables(expr) if v not in names]
    if missing:
        raise terminal.refusal(
            N_("Whether it holds depends on what “{name}” stands for. Say it: --let {name}=…"), name=missing[0]
        )
    if args.seat is None:
        tell_whether(expr, names, state.umpire(), terminal)
    else:
        set_up = state if args.position else None
        tell_what_is_known(expr, names, state.player(args.seat), terminal, set_up)
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


def _situation(args, terminal: Terminal) -> tuple[Game, State | None]:
    """The game, and the state in which to look, if there is one."""
    if args.save and args.position:
        raise terminal.refusal(N_("Give a saved game or a position, not both."))
    state = None
    if args.save:
        game, state, _ = read_save(Path(args.save), folders(), strict=False)
    else:
        game = asked_game(args, terminal)
    if state is None and not args.position and args.seat is not None:
        raise terminal.refusal(N_("What somebody can know needs a saved game or a position: --save or --position."))
    if args.seat is not None:
        args.seat = check_seat(args.seat, game.seats, terminal)
    return game, position_in(Path(args.position), game) if args.position else state


def _typed(game: Game, args, terminal: Terminal) -> tuple[Expr, dict[Var, Any]]:
    """The expression, and the values of the names in it that tables of conditions use."""
    words = game.vocabulary
    free: dict[str, Var] = {}
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
    try:
        return words.checker.expression(args.expression, place, Scope(free)), values
    except RulesError as mistake:
        return _read(game, args.expression, place, free, mistake, terminal), values


def _read(game: Game, text: str, place: Place, free: dict[str, Var], mistake: RulesError, terminal: Terminal) -> Expr:
    """What is no expression may be a sentence, or an expression in the words, of the language that is spoken."""
    if mistake.problems[0].code not in NO_EXPRESSION and not _is_one_word(text, mistake):
        raise mistake
    words = idiom(terminal.language.code, folders()) if terminal.language.code != PLAIN else None
    try:
        return Speaker(game, terminal.language).understood(text, place, free)
    except RulesError as other:
        mistakes = [other]
    if words is not None:
        try:
            own = Source(place.source.name, text)
            own.cited, own.phrased, own.language = words.cited, words.phrased, words.code
            said, at = parsed(words, "expression", text, Place(own, 1, 1))
            return game.vocabulary.checker.expression(said, at, Scope(free))
        except RulesError as other:
            mistakes += [] if _is_one_word(text, other) else [other]
    if words is None:
        mistakes.insert(0, mistake)
    elif _is_plain(text, mistake, words):
        mistakes.append(mistake)
    raise _latest(mistakes)


def _is_one_word(text: str, mistake: RulesError) -> bool:
    """Was all of it taken for a name, where nobody writes spaces?"""
    return mistake.problems[0].args.get("name") == text and not text.isascii()


def _is_plain(text: str, mistake: RulesError, words: Idiom) -> bool:
    """Is it in the words of the rules language, as far as it can be read? Some of them are words of others, too."""
    found = mistake.problems[0].place
    read = text if found is None else text[: found.column - 1]
    theirs = {part for said in words.phrasing.taken for part in said.split()}
    return bool(({*read.casefold().split()} & keywords()) - theirs)


def _latest(mistakes: list[RulesError]) -> RulesError:
    """Of several ways to read it, the mistake of the one that reads most of it; the first of those alike."""
    whole = [found for found in mistakes if found.problems[0].code not in {*NO_EXPRESSION, "sentence_unread"}]
    return whole[0] if whole else max(mistakes, key=_column)


def _column(mistake: RulesError) -> int:
    place = mistake.problems[0].place
    return 0 if place is None else place.column
