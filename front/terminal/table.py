"""The table at which a game is played: people at one keyboard and bots, one decision after the other.

Each person has a place of his own, with his language, his log and his notes; what his screen shows comes from there.
The table alone holds the state: who sits at it is a `Player`.
Every decision is on the disk before the next one is asked for.
"""

from __future__ import annotations

import os
import random
import shlex
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...interpreter import Player, Question, RulesError, State
from ...interpreter.model import Step
from ...interpreter.observe import Entry
from ...interpreter.trees import walk_expressions
from ...mind.kinds import USUAL
from ...speech.language import N_
from ...speech.narrator import Narrator
from ..common.luck import luck_of
from ..common.streams import Terminal
from . import seats as seating
from .asker import Quit
from .faces import Face
from .hangup import ends_with_its_terminal
from .lookup import Lookup
from .menu import risk_of, walk_of
from .passing import Passing
from .plain import Plain
from .prompt import Walk, question
from .screen import EndOfInput, Screen, has_room
from .seats import Seat
from .sight import Answer, Back, GoOn, TakeUp, sight_of
from .teacher import Teacher
from .turns import turns
from .view import View

if TYPE_CHECKING:
    from ...mind.thinker import Bot
    from ..workbench.lessons import Lesson
    from .ending import Ending

__all__ = ["Table"]

TRAIL = 100  # decisions before an interruption that can be looked back at, and perhaps taken back
PACE = 0.1  # seconds
INSTALL = "pip install 'tabarro[screen]'"


@dataclass(slots=True)
class _Step:
    """A decision that can perhaps be taken back: whose, and everything as it was before."""

    seat: str
    state: State
    passed: bool = False  # a standing offer that has gone by
    _forced: bool | None = None
    _begun: tuple[Question, Walk] | None = None

    @property
    def decided(self) -> bool:
        """Has somebody said something? Not where an offer went by, nor where there was one choice only."""
        if self._forced is None:
            self._forced = len(self.state.player(self.seat).legal()) == 1
        return not self.passed and not self._forced

    def begun(self, view: View) -> tuple[Question, Walk]:
        """What was asked then, of which nothing is chosen yet."""
        if self._begun is None:
            player = self.state.player(self.seat)
            question = player.question()
            self._begun = question, Walk(question.step, tuple(player.legal()), rank=view.rank)
        return self._begun


@dataclass(slots=True)
class _Ahead:
    """A decision for a question that will come if nobody takes up what stands open: if it does, all is as expected."""

    number: int
    rows: list
    choice: tuple

    def fits(self, player: Player) -> bool:
        question = player.question().number == self.number
        return question and player.log.rows() == self.rows and player.is_legal(self.choice)


class Table:
    def __init__(
        self,
        terminal: Terminal,
        screen: Screen,
        game,
        state,
        save,
        seats: dict[str, Seat],
        seed: int,
        hints: bool = False,
        trail=(),
        think: float | None = None,
        face: Face | None = None,
    ):
        self.terminal, self.screen, self.game, self.state, self.save = terminal, screen, game, state, save
        self.seats, self.seed, self.hints = seats, seed, hints
        self.face: Face = Plain(terminal, screen) if face is None else face
        self.people = [seat for seat in seats.values() if seat.is_person]
        self.secret = len(self.people) > 1 and not _is_open(game)
        self.views = {
            seat.seat: View(state.player(seat.seat), seat, terminal.language, save.path) for seat in self.people
        }
        for view in self.views.values():
            view.hints = hints
        self.think = think
        self.bots: dict[str, Bot] = {}  # those that have been asked
        self.lesson: Lesson | None = None  # by which the game is explained
        self.another = False  # is somebody asked for another game afterwards?
        self.wish: str | None = None  # what he has said then, if he was asked here
        self.at: str | None = None  # whose private screen this is
        self.answered: float | None = None  # when a person did so last
        self.waited = False  # have others decided something since a person did?
        self.asked = False  # has the person at this screen been asked anything yet?
        self.resumed = bool(save.choices)
        self.decided: dict[str, _Ahead] = {}  # what people have decided already, by their seats
        self.done = [
            _Step(seat, before, before.player(seat).question().passing == choice)
            for seat, before, choice in trail[-TRAIL:]
            if seat in self.views
        ]
        for seat, before, choice in trail:
            if seat not in self.views:
                self._bot(seat).recall(before.player(seat), choice)

    # --- the game -----------------------------------------------------------------------------------------------------
    def play(self) -> bool:
        """Until the game is over, or somebody quits: then it can be gone on with."""
        if self.lesson is not None:
            self.face = Teacher(self.face, self.lesson, self)
        try:
            _quit_when_told()
            while not self.state.over:
                seat = self.state.actor
                if seat not in self.views:
                    with self.face.thinking():
                        choice = self._bot(seat).choose(self.state.player(seat), self._luck(seat))
                    self._commit(choice, wait=False)
                    self.waited = True
                else:
                    self._ask(self.views[seat])
            endings = self._end()
        except (Quit, EndOfInput, KeyboardInterrupt):
            self.save.settle()  # before it is said, and before the screen, which may be stuck, is waited for
            self.face.leave()
            self.how_to_go_on(N_("The game is saved. Go on with:"))
            return False
        except RulesError:  # the disk is full, or the rules do not know how to go on
            self.face.leave()
            self.how_to_go_on(N_("Everything until then is saved. Go on with:"))
            raise
        except OSError:  # nobody reads any more: what others have decided meanwhile counts nevertheless
            self.save.settle()
            raise
        finally:
            self.face.leave()
        for ending in endings:
            ending.write(self.terminal.speaking(ending.language), self.screen)
        return True

    def _end(self) -> list[Ending]:
        """The game is over: what came of it, and all that was secret, to each in his own language."""
        from .ending import ending_of

        self.save.settle()
        seating.write(self.save.path, self.seats, finished=True, hints=self.hints, lesson=self.lesson is not None)
        languages = {view.language.code: view.language for view in self.views.values()}
        said = [*languages.values()] or [self.terminal.language]
        endings = [ending_of(self.state.umpire(), language, self.seats) for language in said]
        self.wish = self.face.part(endings, self.another)
        return endings

    def _bot(self, seat: str) -> Bot:
        """Who plays there; made when it is first asked, since what bots think with takes long to load."""
        if seat not in self.bots:
            from ...mind.bots import BOTS

            self.bots[seat] = BOTS.get(self.seats[seat].bot, BOTS[USUAL])(self.game, seat)
            self.bots[seat].seconds = self.think
        return self.bots[seat]

    def _luck(self, seat: str) -> random.Random:
        """A bot's own luck, the same whether the game was interrupted or not."""
        return luck_of(self.seed, seat, self.save.choices)

    def _commit(self, choice: tuple, wait: bool = True) -> None:
        self.save.append(self.game.words(choice), wait)
        self.state.apply(choice, trusted=True)
        for view in self.views.values():
            view.go_on()

    def how_to_go_on(self, text: str) -> None:
        self.screen.line()
        self.screen.text(self.terminal.language.say(text))
        self.screen.line(f"  tabarro resume {_argument(self.save.path)}")

    # --- one person's decision ----------------------------------------------------------------------------------------
    def _ask(self, view: View) -> None:
        self.save.settle()  # what somebody reads now has happened, whatever happens to the machine
        if len(self.views) < len(self.seats) and self.face.interactive:
            self._keep_pace()
        if self._goes_by_itself(view):
            return
        self._sit_down(view)
        stops = self._let_pass(view)
        if self.state.actor != view.seat.seat:
            return
        if self.waited:
            self.face.forget_typed()  # keys that were pressed while others decided answer nothing
            self.waited = False
        self._news(view)
        choice = self._decided(view, stops, self._later(view) if stops else None).choice
        if view.is_ahead:
            self.decided[view.seat.seat] = _Ahead(view.player.question().number, view.player.log.rows(), choice)
            view.look_back()
            choice = view.player.question().passing
        self.done.append(_Step(view.seat.seat, self.state.clone(), choice == view.player.question().passing))
        self.answered = time.monotonic()
        self._commit(choice)

    def _goes_by_itself(self, view: View) -> bool:
        """Where the keyboard goes round it need not go to somebody who has decided already, nor to somebody who has one
        choice only, if everybody can see that."""
        seat = view.seat.seat
        kept, asked = self.decided.pop(seat, None), view.player.question()
        if kept is not None and kept.fits(view.player):
            self._commit(kept.choice)
            return True
        if not self.secret or self.at == seat or asked.planned or not is_open(asked.step):
            return False
        legal = view.legal()
        if len(legal) == 1:
            self._commit(legal[0])
        return len(legal) == 1

    def _later(self, view: View) -> State | None:
        """Where this person is asked next, if everybody lets go by what stands open, and nothing is told to him until
        then: so that he need not be given the keyboard once more for it. What others have decided already is reckoned
        with only where he sees nothing of it."""
        if not self.secret:
            return None
        seat, ahead = view.seat.seat, self.state.clone()
        mark = ahead.player(seat).log.mark
        for _ in range(2 * len(self.game.seats)):
            actor = ahead.actor
            if ahead.over or actor not in self.views:
                return None
            player = ahead.player(actor)
            choice, before = player.question().passing, len(ahead.player(seat).log.rows())
            if choice is None:
                kept = self.decided.get(actor)
                if kept is None or not kept.fits(player):
                    return None
                choice = kept.choice
                ahead.apply(choice, trusted=True)
                if len(ahead.player(seat).log.rows()) != before:
                    return None
            else:
                ahead.apply(choice, trusted=True)
            if ahead.actor == seat and not ahead.over:
                told = ahead.player(seat).log.entries(since=mark)
                quiet = all(entry.kind in ("ask", "set", "reset") for entry in told)
                return ahead if quiet and ahead.player(seat).question().passing is None else None
        return None

    def _decided(self, view: View, stops: bool, ahead: State | None = None) -> Walk:
        """What this person chooses, part by part, backwards too; or what he would choose later."""
        walks: list[Walk | None] = []  # as far as the choice had come before each answer
        open_before = self._standing(view, stops)
        if ahead is not None:
            view.look_ahead(ahead.player(view.seat.seat))
        walk = None if stops and not view.is_ahead else walk_of(view)
        taking_up = False  # something that had gone by, or goes by now
        while True:
            if walk is not None:
                walk, taken = walk.forced()
                if taken and not walks:
                    self.face.say_forced(view, taken)
                if walk.done and self._is_wanted(view, walk):
                    return walk
            question = view.player.question()
            if walk is None or not walk.done:
                standing = [] if walks or taking_up else open_before if view.is_ahead else self._standing(view, stops)
                sight = sight_of(view, question, walk, standing)
                sight.stays = lambda walk: self._stays(view, walk)
                inside = bool(walks) or taking_up
                answer = self.face.ask(sight, lambda inside=inside: "" if inside else self._refused(view))
                self.asked = True
            else:  # not wanted after all
                answer = Back()
            if isinstance(answer, GoOn):
                assert question.passing is not None
                return walk_of(view).take(question.passing[0])
            if isinstance(answer, Answer):
                walks.append(walk)
                walk = answer.walk
            elif isinstance(answer, TakeUp):
                view.look_back()
                gone = [*reversed(self._gone_by(view))]
                offers = [0] * stops + [steps for steps, step in enumerate(gone, 1) if step.passed]  # the latest first
                self._return_to(view, offers[len(standing) - 1 - answer.standing])
                walk, taking_up = answer.walk, True
            elif walks:
                walk = walks.pop()
            else:
                view.look_back()
                if not taking_up and (walk is None or not walk.done):
                    self._take_back(view)
                stops, taking_up = self._let_pass(view), False
                self._news(view)
                walk = None if stops else walk_of(view)

    def _let_pass(self, view: View) -> bool:
        """Offers that stand open go by, as long as they can still be taken up where the next question is asked: nothing
        has happened then for which one could not go back. Is one left that cannot?"""
        seat = view.seat.seat
        while (passing := view.player.question().passing) is not None:
            ahead = self.state.clone()
            ahead.apply(passing, trusted=True)
            alone = view.legal() == [passing]
            if not alone and (ahead.over or not ahead.unnoticed_since(self.state, seat, unread=True)):
                return True
            self.done.append(_Step(seat, self.state.clone(), passed=True))
            self._commit(passing)
            if self.state.actor != seat:
                break
        return False

    def _standing(self, view: View, stops: bool) -> list[tuple[Question, Walk]]:
        """What went by since this person last decided, or goes by now, and can be taken up: the earliest first."""
        here = [(view.player.question(), walk_of(view))] if stops else []
        return [step.begun(view) for step in self._gone_by(view) if step.passed] + here

    def _gone_by(self, view: View) -> list[_Step]:
        """The standing offers, and what there was no choice about, behind which one can go back, the earliest first."""
        seat, after, found = view.seat.seat, self.state, []
        for step in reversed(self.done):
            if step.seat != seat or step.decided or not after.unnoticed_since(step.state, seat, unread=True):
                break
            found.append(step)
            after = step.state
        return found[::-1]

    def _is_wanted(self, view: View, walk: Walk) -> bool:
        """What is not easily made good is asked about."""
        why = self._risk(view, walk)
        if not why:
            return True
        said = question(view.player.question(), walk, view.narrator, view.language)
        return self.face.confirm(view, why, said)

    def _risk(self, view: View, walk: Walk) -> str:
        """Why he is asked once more. Of what names something, and is not called an end by the rules, that is so where
        the game is surely lost by it, by all that he has seen; what is not so in truth is not sure, and not looked
        into."""
        why = risk_of(view, walk)
        if why or view.is_ahead or walk.alternative is not None:
            return why
        ahead = self.state.clone()
        ahead.apply(walk.choice, trusted=True)
        if not ahead.over or view.seat.seat in ahead.result.winners:
            return ""
        return view.language.say(N_("This ends the game.")) if Lookup(view).is_ruin(walk.choice) else ""

    def _stays(self, view: View, walk: Walk) -> bool:
        """Can this not be taken back, once it is chosen, for all that he can tell? What is asked about anyway is not
        looked at here."""
        if view.is_ahead or self._risk(view, walk):
            return view.is_ahead
        ahead = self.state.clone()
        ahead.apply(walk.choice, trusted=True)
        return not ahead.unnoticed_since(self.state, view.seat.seat, unread=True)

    def _keep_pace(self) -> None:
        """How long it takes until the next question must not tell whether a bot has decided something meanwhile: it is
        always a whole number of beats. (A bot that thinks for longer can still be noticed: see docs/playing.md.)"""
        pace = 0 if os.environ.get("TABARRO_PACE") == "0" else PACE
        if pace and self.answered is not None:
            time.sleep(pace - (time.monotonic() - self.answered) % pace)

    def _sit_down(self, view: View) -> None:
        """Hand over the keyboard, if somebody else had it."""
        here, before = view.seat.seat, self.at
        if before == here:
            return
        self.at = here
        if self.secret:
            leaves = self.views[before] if before is not None else None
            if leaves is not None:
                self.done.clear()
                leaves.left = leaves.player.log.mark
            self.face.hand_over(Passing(view, leaves, reads=leaves is not None and not self.asked))
            self.asked = False
        elif before is not None or len(self.people) > 1:
            self.face.turn_to(view)

    def _news(self, view: View) -> None:
        """What this person sees when he looks at the screen."""
        entries = view.news()
        fresh, view.looked = not view.looked, True
        if fresh and self.resumed:  # the game is gone on with: only what is new since his last decision
            mine = max((i for i, e in enumerate(entries) if _is_own(e, view.seat.seat)), default=-1) + 1
            view.tell(entries[:mine])
            entries = entries[mine:]
        self.face.news(view, view.tell(entries), fresh or self.secret and not self.asked)

    # --- taking back --------------------------------------------------------------------------------------------------
    def _refused(self, view: View) -> str:
        """Why the last decision cannot be taken back; nothing, if it can.

        Only while nobody can have learnt anything, this person included, and no chance can have fallen: as far as this
        person knows. What is answered must not tell him more than that."""
        seat = view.seat.seat
        if not any(_is_own(entry, seat) for entry in view.player.log.entries()):
            return N_("There is nothing to take back.")
        gone = self._gone_by(view)
        after = gone[0].state if gone else self.state
        last = self.done[-len(gone) - 1] if len(self.done) > len(gone) else None
        if last is not None and last.seat == seat and after.unnoticed_since(last.state, seat, unread=True):
            return ""
        return N_("That cannot be taken back: somebody has answered it, or chance has decided.")

    def _take_back(self, view: View) -> None:
        self._return_to(view, len(self._gone_by(view)) + 1)
        self.face.taken_back(view)

    def _return_to(self, view: View, steps: int) -> None:
        """Back by so many decisions."""
        if not steps:
            return
        for _ in range(steps):
            before = self.done.pop()
            self.save.take_back()
        self.state = before.state
        for other in self.views.values():
            other.player = self.state.player(other.seat.seat)
        view.sit_down(view.player)
        view.history = turns(self.game, view.news(), Narrator(self.game, view.language), view.count)


def _quit_when_told() -> None:
    """A terminal that is closed, or a polite kill, ends the game like `quit`: nothing stays on the screen."""

    def quit(*_) -> None:
        raise Quit

    for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
        with suppress(AttributeError, ValueError):  # there is no such signal, or this is not the main thread
            signal.signal(getattr(signal, name), quit)


def _is_own(entry: Entry, seat: str) -> bool:
    return entry.kind == "ask" and dict(entry.told).get("who") == seat


def _is_open(game) -> bool:
    """Does everybody see everything, so that nobody needs to look away?"""
    for functions in game.vocabulary.functions.values():
        if any(f.kind == "state" and f.view != "all" for f in functions):
            return False
    steps = {node.step for node in game.program.nodes if node.step is not None}
    return all(step.audience == "all" for step in steps if step.verb in ("ask", "draw", "deal"))


def is_open(asked: Step) -> bool:
    """Can everybody reckon what may be chosen here, since nothing decides it but what all see?"""
    parts = [*asked.parts, *(part for way in asked.alternatives for part in way.parts)]
    ways = [expr for way in asked.alternatives for expr in (way.given, way.where)]
    read = [
        expr
        for part in parts
        for expr in (part.source, part.amount, part.onto, *(e for w in part.which for e in w[1:]))
    ]
    given = [expr for expr in (*read, *ways, *asked.at.values()) if expr is not None]
    for expr in walk_expressions(given, defined=True):
        if expr.op == "state" and expr.args[0].view != "all" or expr.op == "var" and expr.args[0].origin.secret:
            return False
    return asked.audience == "all"


def _argument(path) -> str:
    return shlex.quote(str(path))


def sit_down(
    terminal: Terminal,
    screen: Screen,
    game,
    state,
    save,
    seed: int,
    seats,
    hints: bool = False,
    trail=(),
    think: float | None = None,
    plain: bool = True,
    lesson: Lesson | None = None,
    another: bool = False,
) -> tuple[bool, str | None]:
    """Play until the end, or until somebody leaves: was it the end, and what is wished for then, if that was asked? The
    trail is who has decided what so far, and in which state."""
    with save, ends_with_its_terminal(screen, save):
        table = Table(terminal, screen, game, state, save, seats, seed, hints, trail, think)
        table.lesson, table.another = lesson, another
        if plain or not has_room(screen):
            table.play()
        else:
            play_on_full_screen(table)
    return table.state.over, table.wish


def play_on_full_screen(table: Table) -> None:
    """With the board in sight all the time, if what draws it is installed; else line by line."""
    try:
        from .full import Full
    except ModuleNotFoundError:
        say = table.terminal.language.say
        table.screen.text(say(N_("The full screen needs one more package: {command}"), command=INSTALL), style="dim")
        table.screen.line()
        table.play()
        return
    Full(table).run_table()
