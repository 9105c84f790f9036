"""`tabarro say`: a condition in words; with a saved game or a position, whether it holds there, and why not."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .arguments import add_game, load
from .language import N_, Language, Said, fill, forms, known, spoken
from .terminal import Terminal

SUMMARY = N_("say a condition in words, and whether it holds")
ALL = "all"  # languages
MOST = 3  # reasons of one kind that are given
WORLDS = 2_000  # cases in which a value is looked up, one by one
MISTAKES = (TypeError, IndexError, KeyError, AttributeError)


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument("expression", metavar="EXPRESSION", help=_("a condition, as rules say it"))
    parser.add_argument("--let", action="append", default=[], metavar="NAME=VALUE", dest="lets",
                        help=_("what a name in the condition stands for; can be given several times"))
    parser.add_argument("--save", metavar="FILE", help=_("whether it holds in this saved game"))
    parser.add_argument("--position", metavar="FILE", help=_("whether it holds in the position of this scenario"))
    parser.add_argument("--as", dest="seat", metavar="SEAT", help=_("as far as this seat can know"))


def run(args, terminal: Terminal) -> int:
    from ..interpreter.model import TRUTH
    from .say import Speaker

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
        raise terminal.refusal(N_("The language “{name}” is not spoken here. These are: {languages}."), name=asked,
                               languages=", ".join([*spoken(), ALL]))
    return [known(asked)]


# --- where ------------------------------------------------------------------------------------------------------------
def _situation(args, terminal: Terminal):
    """The game, and the state in which to look, if there is one."""
    from .folders import folders

    if args.save and args.position:
        raise terminal.refusal(N_("Give a saved game or a position, not both."))
    if args.save:
        from ..interpreter.save import load as read_save

        game, state, _ = read_save(Path(args.save), folders(), strict=False)
        return _seated(game, args, terminal), state
    game = load(args, terminal)
    if args.position:
        return _seated(game, args, terminal), _placed(args, game)
    if args.seat is not None:
        raise terminal.refusal(N_("What somebody can know needs a saved game or a position: --save or --position."))
    return game, None


def _seated(game, args, terminal: Terminal):
    if args.seat is not None and args.seat not in game.seats:
        raise terminal.refusal(N_("Nobody at the table is called “{name}”. The seats are: {seats}."), name=args.seat,
                               seats=", ".join(game.seats))
    return game


def _placed(args, game):
    """The position of a scenario, or a file that is nothing but one."""
    from ..interpreter import RulesError
    from ..interpreter.load import Map, load_file
    from ..interpreter.resolve import Library
    from .scenario import Wrong, _Player, _Position

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
    player = _Player(whole, path)
    try:
        _Position(player).take()
    except Wrong:
        raise RulesError(player.problems) from None
    player.let_fall()
    return player.state


# --- what -------------------------------------------------------------------------------------------------------------
def _typed(game, args, terminal: Terminal):
    """The expression, and the values of the names in it that tables of conditions use."""
    from ..interpreter.check import Scope
    from ..interpreter.errors import Place, Source
    from ..interpreter.evaluate import evaluate

    words = game.vocabulary
    free = {}
    for same in words.functions.values():
        for function in same:
            if function.kind == "formula":
                free |= {v.name: v for v in function.variables[function.keys:]}
    values = {}
    for text in args.lets:
        name, equals, value = text.partition("=")
        if not equals or name not in free:
            raise terminal.refusal(N_("“{text}” gives no name a value. These names can have one: {names}."), text=text,
                                   names=", ".join(free) or "-")
        place = Place(Source("--let", value), 1, 1)
        typed = words.checker.expression(value, place, Scope(), free[name].type)
        values[free[name]] = words.fixed(typed, place, len(value)) if typed.op != "const" else evaluate(typed, (), {})
    place = Place(Source(N_("EXPRESSION"), args.expression), 1, 1)
    return words.checker.expression(args.expression, place, Scope(free)), values


# --- whether ----------------------------------------------------------------------------------------------------------
def _judge(expr, names: dict, game, state, seat: str | None, terminal: Terminal) -> None:
    from ..interpreter.evaluate import evaluate
    from ..interpreter.source import HEADER
    from .belief import Belief, Unknown

    missing = [v.name for v in _free(expr) if v not in names]
    if missing:
        raise terminal.refusal(N_("Whether it holds depends on what “{name}” stands for. Say it: --let {name}=…"),
                               name=missing[0])
    if seat is None:
        slots: Any = state.v[HEADER:]
        if expr.type.kind != "truth":
            said = forms(str(game.named(evaluate(expr, slots, names))))
            terminal.say(N_("Now it is this: {value}."), value=said)
            return
        holds = _holds(expr, slots, names)
        _verdict(holds, Why(game, slots, terminal.language), expr, names, terminal)
        return
    language = terminal.language
    belief = Belief.of(state, seat).ready()
    if not belief.exact:
        terminal.say(N_("What {seat} can know cannot be counted: there are too many cases."), seat=seat)
        return
    for slot in belief.seen_slots:  # where a position was set up, the log does not tell it
        belief.known[slot] = state.v[HEADER + slot]
    why = Why(game, _Known(belief, Unknown), language, Unknown)
    name = why.speaker.narrator.seat(seat)
    if expr.type.kind != "truth":
        try:
            terminal.say(N_("Now it is this: {value}."), value=str(game.named(why.value(expr, names))))
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
        terminal.say(N_("It holds in {number} of the {all} cases that {seat} must reckon with."), seat=name,
                     number=round(likely * len(belief.worlds)), all=len(belief.worlds))
    for part in _parts(expr) if len(_parts(expr)) > 1 else ():
        status = {0.0: N_("known not to hold: {clause}"), 1.0: N_("known to hold: {clause}")}.get(
            belief.chance_of(part, names), N_("unknown: {clause}"))
        terminal.line("  " + language.say(status, clause=why.speaker.clause(part, why.said(names))))


def _verdict(holds: bool, why: Why, expr, names: dict, terminal: Terminal) -> None:
    terminal.say(N_("This holds now.") if holds else N_("This does not hold now."))
    if not holds:
        for line in dict.fromkeys(why.reasons(expr, names, why.said(names))):
            terminal.line("  " + line)


def _holds(expr, slots, names: dict) -> bool:
    from ..interpreter.evaluate import evaluate

    try:
        return bool(evaluate(expr, slots, names))
    except MISTAKES:
        return False  # something in it is nothing


def _parts(expr) -> list:
    """What is joined by `and` and `or`, one by one."""
    if expr.op in ("and", "or"):
        return [part for side in expr.args for part in _parts(side)]
    return [expr]


def _free(expr) -> list:
    """The names in an expression that nothing in it binds."""
    from ..interpreter.model import Expr, Var

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


class _Known:
    """The state as far as one seat knows it: what it sees, and what is the same in all its worlds."""

    def __init__(self, belief, unknown: type[Exception]):
        self.belief, self.unknown = belief, unknown

    def __getitem__(self, slot: int) -> Any:
        place = self.belief.place.get(slot)
        if place is not None:
            values = {world[place] for world in self.belief.worlds}
            if len(values) == 1:
                return next(iter(values))
        elif slot in self.belief.seen_slots:
            return self.belief.known[slot]
        raise self.unknown

    def value(self, expr, names: dict) -> Any:
        """What it must be, whatever the truth is."""
        from ..interpreter.evaluate import evaluate
        from .belief import _Slots

        try:
            return evaluate(expr, self, names)
        except self.unknown:
            if len(self.belief.worlds) > WORLDS:
                raise
        slots, found = _Slots(self.belief), set()
        for slots.world in self.belief.worlds:
            found.add(evaluate(expr, slots, names))
            if len(found) > 1:
                raise self.unknown
        return next(iter(found))


class Why:
    """Why a condition does not hold: its smallest parts that fail, and how far things are from where they should be."""

    def __init__(self, game, slots, language: Language, unknown: type[Exception] = KeyError):
        from .say import Speaker
        from .warn import links

        self.game, self.slots, self.language, self.unknown = game, slots, language, unknown
        self.speaker = Speaker(game, language)
        self.links = links(game)

    def said(self, names: dict) -> dict[Any, Said]:
        return {var: self._name(value) for var, value in names.items()}

    def _name(self, value: Any) -> Said:
        if isinstance(value, tuple):
            items = [self.speaker.named(x) for x in value]
            return lambda form: self.language.list([item(form) for item in items])
        return (
            self.speaker.named(value) if isinstance(value, int) and not isinstance(value, bool) else forms(str(value))
        )

    def value(self, expr, names: dict) -> Any:
        from ..interpreter.evaluate import evaluate

        return self.slots.value(expr, names) if isinstance(self.slots, _Known) else evaluate(expr, self.slots, names)

    def reasons(self, expr, names: dict, env: dict) -> Iterator[str]:
        """Sentences; none where the reason cannot be known."""
        try:
            yield from self._reasons(expr, names, env)
        except self.unknown:
            yield self.language.say(N_("Why, cannot be known: {clause}."), clause=self.speaker.clause(expr, env))
        except MISTAKES:
            yield self._not(expr, env)

    def _reasons(self, expr, names: dict, env: dict) -> Iterator[str]:
        op, args = expr.op, expr.args
        if op in ("and", "or"):
            for part in args:
                if not self._true(part, names):
                    yield from self.reasons(part, names, env)
        elif op in ("exists", "every"):
            yield from self._quantified(expr, names, env)
        elif op in ("word", "formula") and expr.type.kind == "truth":
            yield from self._defined(expr, names, env)
        elif op == "eq":
            yield from self._equal(expr, names, env)
        elif op == "not":
            yield self._sentence(self.speaker.clause(args[0], env))
        else:
            yield self._not(expr, env)

    def _true(self, expr, names: dict) -> bool:
        try:
            return bool(self.value(expr, names))
        except self.unknown:
            return False
        except MISTAKES:
            return False

    def _not(self, expr, env: dict) -> str:
        return self._sentence(self.speaker.clause(expr, env, "not"))

    def _sentence(self, clause: str) -> str:
        return self.language.say(N_("{clause}."), clause=lambda form: clause)

    def _quantified(self, expr, names: dict, env: dict) -> Iterator[str]:
        var, source, body = expr.args
        elements = self.value(source, names)
        if not elements:
            yield self.language.say(N_("There is none of these: {things}."), things=self.speaker.key(source))
            return
        failing = [x for x in elements if not self._true(body, {**names, var: x})]
        if expr.op == "exists":  # the one that is nearest to it
            failing.sort(key=lambda x: self._how_far(body, {**names, var: x}))
        for element in failing[: 1 if expr.op == "exists" else MOST]:
            yield from self.reasons(body, {**names, var: element}, {**env, var.origin: self._name(element)})

    def _defined(self, expr, names: dict, env: dict) -> Iterator[str]:
        function, inputs = expr.args
        values = [self.value(a, names) for a in inputs]
        if None in values:
            lacking = inputs[values.index(None)]
            yield self._sentence(self.language.say(N_("{x} is nobody and nothing"), x=self.speaker.value(lacking, env)))
            return
        inner = dict(zip(function.variables, values, strict=True))
        said = {v: self._called(a, value, env) for v, a, value in zip(function.variables, inputs, values, strict=True)}
        body = function.body if expr.op == "word" else function.values[tuple(values[: function.keys])]
        placed = self._placed(function, body, inner, said)
        if placed is not None:
            yield placed
        else:
            yield from self.reasons(body, inner, said)

    def _called(self, expr, value: Any, env: dict) -> Said:
        """A thing by its name and, where the condition calls it otherwise, by that too."""
        if expr.op in ("const", "var") or isinstance(value, tuple):
            return self.speaker.value(expr, env)
        name, other = self._name(value), self.speaker.value(expr, env)("")
        return lambda form: f"{name(form)} ({other})"

    def _placed(self, function, body, names: dict, said: dict) -> str | None:
        """`x is on y`, where x is elsewhere: where it is, and how far that is."""
        if body.op != "eq" or function.shape not in self.speaker.phrases:
            return None
        for here, wanted in (body.args, body.args[::-1]):
            if here.op == "state" and wanted.op == "var":
                place, target = self.value(here, names), self.value(wanted, names)
                if place is None or self._linked(place) is None:
                    return None
                params, text = self.speaker.phrases[function.shape]
                actual = {**said, wanted.args[0].origin: self.speaker.named(place)}
                clause = fill(forms(text)(""), dict(zip(params, (actual[v] for v in function.variables), strict=True)))
                return self._far(clause, place, target)
        return None

    def _equal(self, expr, names: dict, env: dict) -> Iterator[str]:
        one, other = expr.args
        here, there = self.value(one, names), self.value(other, names)
        language = self.language
        if isinstance(here, int) and isinstance(there, int) and self._linked(here) is not None:
            if one.op == other.op == "state" and one.args[1] and other.args[1]:
                a, b = (self._called(x.args[1][0], self.value(x.args[1][0], names), env) for x in (one, other))
                steps = self._distance(here, there)
                values = {"one": a, "other": b, "here": self._name(here), "there": self._name(there)}
                if steps is None:
                    yield language.say(N_("No way leads from {one} to {other}: {here}, {there}."), **values)
                else:
                    yield language.ngettext(
                        "{one} and {other} are {number} step apart: {here}, {there}.",
                        "{one} and {other} are {number} steps apart: {here}, {there}.",
                        steps,
                        **values,
                    )
                return
            clause = language.say(N_("{one} is {other}"), one=self.speaker.value(one, env), other=self._name(here))
            yield self._far(clause, here, there)
            return
        actual = language.translate(N_("nothing")) if here is None else self._plain(here, one.type)
        yield self._sentence(language.say(N_("{one} is {other}"), one=self.speaker.value(one, env), other=actual))

    def _plain(self, value: Any, kind) -> str:
        if kind.kind == "number":
            return self.language.number(value)
        if isinstance(value, bool):
            return self.language.translate(N_("yes") if value else N_("no"))
        return self._name(value)("")

    def _far(self, clause: str, here: int, there: int) -> str:
        steps, target = self._distance(here, there), self.speaker.named(there)
        said = {"clause": lambda form: clause, "target": target}
        if steps is None:
            return self.language.say(N_("{clause}, from where no way leads to {target}."), **said)
        return self.language.ngettext(
            "{clause}, {number} step from {target}.", "{clause}, {number} steps from {target}.", steps, **said
        )

    # --- distances ----------------------------------------------------------------------------------------------------
    def _linked(self, atom: int):
        return next((near for near in self.links if atom in near.params[0].type.atoms), None)

    def _distance(self, here: int, there: int) -> int | None:
        from .warn import neighbours

        near = self._linked(here)
        around, seen, queue = neighbours(near) if near else {}, {here: 0}, deque([here])
        while queue:
            at = queue.popleft()
            if at == there:
                return seen[at]
            for other in around.get(at, ()):
                if other not in seen:
                    seen[other] = seen[at] + 1
                    queue.append(other)
        return None

    def _how_far(self, expr, names: dict) -> int:
        """The steps that are missing; many if that cannot be said."""
        far = 1_000
        try:
            if expr.op in ("word", "formula") and expr.type.kind == "truth":
                function, inputs = expr.args
                inner = dict(zip(function.variables, (self.value(a, names) for a in inputs), strict=True))
                return self._how_far(function.body if expr.op == "word" else expr, inner) if expr.op == "word" else far
            if expr.op == "eq":
                here, there = (self.value(side, names) for side in expr.args)
                steps = self._distance(here, there) if isinstance(here, int) and isinstance(there, int) else None
                return far if steps is None else steps
        except (self.unknown, *MISTAKES):
            return far
        return far
