"""Somebody who explains a first game: a face before another one, which it leads as a lesson says.

What is expected next is told and can be chosen; something else is refused with the reason. After the last step the game
goes on as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...speech.language import N_
from .faces import Face
from .sight import Answer, Back, Gesture, GoOn, Sight, TakeUp

if TYPE_CHECKING:
    from ..workbench.lessons import Lesson, Step
    from .ending import Ending

__all__ = ["Teacher"]


class Teacher:
    def __init__(self, face: Face, lesson: Lesson, table: Any):
        self.face, self.lesson, self.table = face, lesson, table
        self.parted = False  # has the last word been said?
        self.moments: dict[int, list[int]] = {}  # by steps: before which decisions one may only go on

    def __getattr__(self, name: str) -> Any:
        return getattr(self.face, name)  # all but asking is done by the other one

    def ask(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        made = sum(map(self._was_asked, self.table.done))
        if made >= len(self.lesson.steps):
            return self._after(sight, refused)
        step, say = self.lesson.steps[made], sight.view.language.text
        told = [say(self.lesson.about)] if made == 0 and self.lesson.about and not self.table.asked else []
        text = self._before(made, step) if sight.menu is None else step.say
        told += [say(text)] if text else []
        while True:
            gesture = self.face.ask(replace(sight, told=told), refused)
            if isinstance(gesture, Back) or self._fits(gesture, step, sight):
                return gesture
            taken_up = isinstance(gesture, TakeUp)  # which the step does not speak of
            told = [say(step.why) if step.why and not taken_up else self._reason(step, sight, taken_up)]
            told += [say(text)] if text else []

    def part(self, endings: Sequence[Ending], another: bool) -> str | None:
        """The last word, where the game was over with the last step."""
        for ending in endings if not self.parted and self.lesson.end else ():
            ending.told = ending.language.text(self.lesson.end)
        return self.face.part(endings, another)

    def _before(self, made: int, step: Step) -> Any:
        """What is said where one may only go on: each text has its moment, and is not said at a later one."""
        moments, now = self.moments.setdefault(made, []), self.table.save.choices
        moments[:] = [*(moment for moment in moments if moment < now), now]
        return step.before[len(moments) - 1] if len(moments) <= len(step.before) else ""

    def _was_asked(self, step: Any) -> bool:
        """Was this a decision of the one who learns, that neither went by nor was the only one possible?"""
        seat = self.lesson.seat
        return step.seat == seat and not step.passed and len(step.state.player(seat).legal()) > 1

    def _after(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        told = [] if self.parted or not self.lesson.end else [sight.view.language.text(self.lesson.end)]
        gesture = self.face.ask(replace(sight, told=told), refused)
        self.parted = self.parted or not isinstance(gesture, Back)
        return gesture

    def _fits(self, gesture: Gesture, step: Step, sight: Sight) -> bool:
        """Can it still become what is expected?"""
        if isinstance(gesture, GoOn):
            return True
        game, player = sight.view.game, sight.view.player
        if isinstance(gesture, Answer):
            return step.expected(game, player.legal()) in gesture.walk.left
        assert isinstance(gesture, TakeUp)
        return any(step.wants(game, choice) for choice in gesture.walk.left)

    def _reason(self, step: Step, sight: Sight, taken_up: bool) -> str:
        """What can be chosen now on the way to what is expected."""
        view = sight.view
        fitting = [offer.label for offer in sight.offers if self._fits(Answer(offer.walk), step, sight)]
        if taken_up or not fitting:
            return view.language.say(N_("Later you can do that. For now, let it go by."))
        return view.language.say(
            N_("Later you can choose that, too. For this lesson choose: {choice}."),
            choice=view.language.row(dict.fromkeys(fitting)),
        )
