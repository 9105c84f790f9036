"""What a step does, said from the step itself: for a rulebook, where nobody has written a sentence for it.

The parts are said by the grammar of the language, as conditions are; what joins them are whole sentences in which
nothing has to agree.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..interpreter.evaluate import settled_value
from ..interpreter.model import Alternative, Expr, Function, Part, Step
from .conditions import Speaker
from .language import N_, Said
from .telling import Telling

__all__ = ["NOTICED", "Stating"]

NOTICED = frozenset("ask plan draw deal shuffle set move show end".split())  # the others only lead to these


class Stating:
    def __init__(self, speaker: Speaker, telling: Telling):
        self.speaker, self.telling, self.language = speaker, telling, speaker.language

    def step(self, step: Step) -> str:
        """What a step does by itself; nothing, if nobody can notice it."""
        said = getattr(self, f"_{step.verb}", None) if step.verb in NOTICED else None
        return " ".join(said(step)) if said is not None else ""

    def condition(self, expr: Expr, sentence: str) -> str:
        """A sentence that counts only under a condition."""
        return self._say(N_("If this holds: {condition}, then: {sentence}"), condition=expr, sentence=sentence)

    def otherwise(self, expr: Expr, sentence: str) -> str:
        return self._say(N_("Unless this holds: {condition}, then: {sentence}"), condition=expr, sentence=sentence)

    def loop(self, step: Step) -> str:
        """How often what a step holds is done."""
        if step.verb == "for each":
            return self._say(N_("For each of these, one after the other: {set}."), set=step.at["for each"])
        said = []
        if "while" in step.at:
            said.append(self._say(N_("This is done as long as this holds: {condition}."), condition=step.at["while"]))
        if "until" in step.at:
            said.append(self._say(N_("This is done until this holds: {condition}."), condition=step.at["until"]))
        return " ".join(said)

    def alternative(self, step: Step, alternative: Alternative) -> str:
        """One of several things that somebody may do."""
        label = self.speaker.narrator.choice_name(alternative.name)("list")
        first = self._say(N_("{who} may choose: {what}."), who=step.at["ask"], what=label)
        said = [first, *(self._part(step, part) for part in alternative.parts)]
        if alternative.where is not None:
            said.append(self._say(N_("Then this must hold: {condition}."), condition=alternative.where))
        return " ".join(said)

    # --- verbs --------------------------------------------------------------------------------------------------------
    def _ask(self, step: Step) -> Iterator[str]:
        if "at once" in step.at:
            yield self._say(N_("All of these choose at the same time, unseen: {who}."), who=step.at["at once"])
        for part in step.parts:
            yield self._part(step, part)
        if step.alternatives:
            name = self.speaker.narrator.choice_name
            labels = self.language.list([name(a.name)("list") for a in step.alternatives], "or")
            yield self._say(N_("{who} may choose: {what}."), who=step.at["ask"], what=labels)
            for alternative in step.alternatives:
                for part in alternative.parts:
                    yield self.language.labelled(name(alternative.name)("list"), self._part(step, part))
        if "where" in step.at:
            yield self._say(N_("Then this must hold: {condition}."), condition=step.at["where"])
        yield self._seen(step) if step.audience != "nobody" else ""

    def _part(self, step: Step, part: Part) -> str:
        who = step.at["ask"]
        if part.shape == "match" and part.onto is not None:
            text = N_("{who} gives each of these: {set}, one of these: {others}.")
            return self._say(text, who=who, set=part.source, others=part.onto)
        if part.shape == "some" and part.amount is not None:
            said = [
                self._say(N_("{who} chooses {number} of these: {set}."), who=who, number=part.amount, set=part.source)
            ]
            for _, condition, amount in part.which:
                text = N_("Of these, {number}: {condition}.")
                said.append(self._say(text, number=amount, condition=condition))
            return " ".join(said)
        return self._say(N_("{who} chooses one of these: {set}."), who=who, set=part.source)

    def _plan(self, step: Step) -> Iterator[str]:
        for _, condition in step.must:
            yield self._say(
                N_("When {who} has done so, this must hold: {condition}."), who=step.at["plan"], condition=condition
            )

    def _draw(self, step: Step) -> Iterator[str]:
        yield self._say(N_("Drawn at random: {number} of these: {set}."), number=step.at["draw"], set=step.at["from"])
        yield self._seen(step)

    def _deal(self, step: Step) -> Iterator[str]:
        text = N_("Dealt at random: {set}. To each of these {number}: {who}.")
        yield self._say(text, set=step.at["deal"], number=step.at["each"], who=step.at["to"])

    def _shuffle(self, step: Step) -> Iterator[str]:
        yield self._say(N_("Shuffled: {set}."), set=step.at["shuffle"])

    def _set(self, step: Step) -> Iterator[str]:
        for function, args, value in step.targets:
            yield self._becomes(function, args, value)

    def _becomes(self, function: Function, args: list[Expr], value: Expr) -> str:
        what = Expr("state", (function, tuple(args)), function.result)
        if function.result.kind != "truth":
            return self._say(N_("From then on {what} is: {value}."), what=what, value=value)
        if value.op == "const":
            said = self.speaker.clause(what, {}, "" if value.args[0] else "not")
            return self.language.say(N_("From then on: {condition}."), condition=said)
        return self._say(N_("From then on: {condition}."), condition=Expr("eq", (what, value), value.type))

    def _move(self, step: Step) -> Iterator[str]:
        put = step.at.get("under") or step.at["to"]
        yield self._say(
            N_("Moved: {what}. From: {source}. To: {target}."), what=step.at["move"], source=step.at["from"], target=put
        )

    def _show(self, step: Step) -> Iterator[str]:
        if step.at["show"].op != "const":
            yield self._say(N_("Shown: {what}."), what=step.at["show"])
            yield self._seen(step)

    def _end(self, step: Step) -> Iterator[str]:
        yield self._say(N_("The game is over. Who wins: {who}."), who=step.at["end"])

    # --- pieces -------------------------------------------------------------------------------------------------------
    def _seen(self, step: Step) -> str:
        if isinstance(step.audience, Expr):
            return self._say(N_("Who sees it: {who}."), who=step.audience)
        return self.language.translate(N_("All see it.") if step.audience == "all" else N_("Nobody sees it."))

    def _say(self, text: str, **values: Expr | str) -> str:
        return self.language.say(text, **{name: self._value(value) for name, value in values.items()})

    def _value(self, value: Expr | str) -> Said:
        if isinstance(value, str):
            return lambda form: str(value)
        expr, known = value, settled_value(value)
        if expr.type.kind == "truth":
            return lambda form: self.speaker.clause(expr, {})
        if expr.type.kind == "amount":
            if known is None:
                return self.speaker.value(expr, {}) if expr.op == "amount" else lambda form: self._column(expr)
            least, most = known[0]
            return lambda form: self.telling.figures(least, most)
        return self.speaker.value(expr, {})

    def _column(self, expr: Expr) -> str:
        """An amount that stands in a table of the rulebook: by the title of its column."""
        function = expr.args[0] if expr.op in ("table", "formula") else None
        name = function.shape.split(" ")[0] if isinstance(function, Function) else ""
        titles = [shown.titles for shown in self.speaker.game.rulebook.components.values() if shown.titles]
        title = next((self.telling.text(here[name]) for here in titles if name in here), name.replace("_", " "))
        return self.language.say(N_("as many as it says under “{title}”"), title=title)
