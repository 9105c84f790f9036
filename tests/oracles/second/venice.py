"""The board games of Venice, told from their texts: both editions and the play aid, with three, four and five."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

from oracles.second.answers import BUILDS, Cards, answers, is_grey, times_shown, true_cards
from oracles.second.city import COLOURED, EMBASSY, NUMBERED, SPACES, START, by_either, by_land, by_water
from oracles.second.missions import City
from oracles.second.table import COLOURS, IDENTITIES, Choice, Course, Ended, Fall, Table, evenly, partner

AMBASSADOR = "ambassador"
# 000-33, 002-15, 004-7: what each ball moves, and how; decided: how many there are of each (000-34, 002-4: ten)
OLD_BALLS = {"red": (2, "own", by_land), "blue": (2, "own", by_water), "yellow": (1, "own", by_either)}
OLD_BALLS |= {"black": (2, "ambassador", by_either), "white": (3, "nothing", by_either)}
NEW_BALLS = {"orange": (2, "own", by_land), "blue": (2, "own", by_water), "white": (3, "own", by_either)}
NEW_BALLS |= {"black": (2, "ambassador", by_either), "purple": (1, "others", by_either)}


def owner(piece: str) -> str:
    return piece.partition("_")[0]


class Venice(Table):
    """A table of one of the three board games."""

    def __init__(self, edition: str, players: int, options: dict[str, Any]) -> None:
        absent = options["left_out"] if players == 3 else None  # 000-80, 002-47
        spies = tuple(colour for colour in COLOURS if colour != absent)
        super().__init__(spies, (AMBASSADOR,) if players == 5 else (), options)
        self.edition, self.absent, self.five = edition, absent, players == 5
        self.figures = {spy: [f"{spy}_{build}" for build in BUILDS] for spy in spies}  # 000-3, 000-12
        self.balls = NEW_BALLS if edition == "venice-2013" else OLD_BALLS

    # --- setting up -------------------------------------------------------------------------------------------------

    def one_game(self) -> Course:
        hands = [*self.spies, *([self.absent] if self.absent else [])]  # 000-81: dealt to four, one set is put aside
        identity = yield from self.deal("identity", IDENTITIES, hands)
        build = yield from self.deal("build", BUILDS, hands)
        letter = yield from self.deal("letter", "ABCD", hands)
        self.city = City(identity, build, letter, {}, self.absent, self.five)
        self.shown: dict[tuple[str, str], list[Cards]] = {}
        self.sheet: Choice | None = None
        self.stand(AMBASSADOR, EMBASSY)  # 000-21, 002-6, 004-2
        yield from self.place_figures()
        first = yield evenly(self.spies)  # 000-29; decided for 002-13 and 004-6
        self.tell_all("begins", first)
        at = self.spies.index(first)
        order = self.spies[at:] + self.spies[:at]
        if self.option["direction"] == "anticlockwise":  # 000-30; clockwise: 002-13, 004-6
            order = order[:1] + order[:0:-1]
        rounds = 0
        while True:
            for spy in order:
                yield from self.turn(spy)
            if self.five:  # decided: the ambassador is the last of the round
                yield from self.turn_of_the_ambassador()
            rounds += 1
            self.tell_all("rounds", rounds)
            if rounds == self.option["round_limit"]:
                raise Ended("round limit", ())

    def place_figures(self) -> Course:
        """Each figure on one of the four spaces of its colour (000-23, 002-8, 004-2)."""
        for colour in self.spies:
            left = list(START[colour])
            for build in BUILDS:
                if self.option["placing"] == "at_random":
                    space = yield evenly(left)
                else:
                    (space,) = yield from self.ask(colour, "placing", [(space,) for space in left])
                left.remove(space)
                self.tell_all("places", f"{colour}_{build}", space)
                self.stand(f"{colour}_{build}", space)

    def stand(self, piece: str, space: str) -> None:
        self.city.place[piece] = space
        self.tell_all("stands", piece, space)

    # --- a turn -----------------------------------------------------------------------------------------------------

    def turn(self, me: str) -> Course:
        """Movement first, then meetings and questions (000-31, 004-4)."""
        self.moved: set[str] = set()
        self.settled: set[str] = set()
        self.tell_all("turn of", me)
        if self.option["signals"] == "once_a_turn":
            yield from self.signal(me)
        yield from self.between_actions(me)
        left = yield from self.shake(me)
        while True:
            goes_on = yield from self.movement(me, left)
            yield from self.between_actions(me)
            yield from self.meetings(me)
            if not goes_on:
                return

    def between_actions(self, me: str) -> Course:
        """Here one may make a sign, if signs are free, and declare (000-70, 000-76, 002-41, 004-23)."""
        if self.option["signals"] == "at_any_time":
            yield from self.signal(me)
        yield from self.claim(me)

    def signal(self, me: str) -> Course:
        """One of the four tics, true or false, to one or to all (000-18, 000-62, 000-66, 002-5, 002-36, 002-45, 004-5)."""
        others = [seat for seat in self.seats if seat != me]
        to_one = [("to_one", tic, seat) for tic in IDENTITIES for seat in others]
        choices = [("no_signal",), *to_one, *(("to_all", tic) for tic in IDENTITIES)]
        choice = yield from self.ask(me, "signal", choices)
        self.tell([me], "signals", me, *choice)
        match choice:
            case ("to_one", tic, seat):
                self.tell([seat], "sees sign", me, tic)
            case ("to_all", tic):
                self.tell(others, "sees sign", me, tic)

    def shake(self, me: str) -> Course:
        """Three of the ten balls show (000-4, 000-32, 002-14, 004-8)."""
        inside = Counter({ball: count for ball, (count, _, _) in self.balls.items()})
        shown: Counter[str] = Counter()
        for _ in range(3):
            chances = {ball: Fraction(n, inside.total()) for ball, n in inside.items() if n}
            ball = yield Fall(chances)
            inside[ball] -= 1
            shown[ball] += 1
        self.tell_all("shakes", me, tuple(sorted(shown.elements())))
        self.tell_all("balls left", tuple(sorted(shown.elements())))
        return shown

    # --- movement ---------------------------------------------------------------------------------------------------

    def movement(self, me: str, left: Counter[str]) -> Course:
        """Moves one after the other, until one stops or has no balls; true if one pauses to meet somebody (004-11).

        Decided: moves may be taken back until movement is over, so that the others see them only then.
        """
        unseen: list[Choice] = []
        pauses = False
        while left.total():
            choices: set[Choice] = {
                ("move", ball, piece, target)
                for ball, piece, target in self.moves(me, self.city.place, left)
                if self.can_end(me, self.city.place | {piece: target}, self.moved | {piece}, left - Counter([ball]))
            }
            if self.may_end(me, self.city.place, self.moved):  # 000-35, 002-20, 004-16: none has to be used
                choices.add(("stop",))
                if self.option["meetings"] == "between_moves" and self.met(me):
                    choices.add(("meet",))
            choice = yield from self.ask(me, "move", choices)
            if choice[0] != "move":
                unseen.append((choice[0], me))
                pauses = choice == ("meet",)
                self.tell([me], *unseen[-1])
                if not pauses:
                    left.clear()
                    unseen.append(("balls left", ()))
                    self.tell([me], *unseen[-1])
                break
            _, ball, piece, target = choice
            left[ball] -= 1
            self.city.place[piece] = target
            self.moved.add(piece)
            news = [("moves", me, ball, piece, target), ("stands", piece, target), ("moved", piece)]
            news.append(("balls left", tuple(sorted(left.elements()))))
            for event in news:
                self.tell([me], *event)
            unseen += news
        for event in unseen:
            self.tell([seat for seat in self.seats if seat != me], *event)
        return pauses

    def moves(self, me: str, place: dict[str, str], left: Counter[str]) -> set[tuple[str, str, str]]:
        """One step with one of the balls (000-33, 000-36, 000-37, 000-90, 002-15, 002-16, 002-18, 004-7, 004-14, 004-16)."""
        found = set()
        for ball in +left:
            _, whose, route = self.balls[ball]
            for piece, space in place.items():
                if whose == ("ambassador" if piece == AMBASSADOR else "own" if owner(piece) == me else "others"):
                    found |= {(ball, piece, target) for target in route(space)}
        return found

    def may_end(self, me: str, place: dict[str, str], moved: set[str]) -> bool:
        """Whether movement may be over now. Decided: all limits are judged then, and not before."""
        mine = {place[figure] for figure in self.figures[me]}
        if len(mine) < len(BUILDS):  # 000-38, 002-19, 004-14: no two own figures on one space
            return False
        for piece in moved:
            if piece == AMBASSADOR:  # 000-41, 002-26, 004-15: not with a figure of somebody else
                if place[piece] in (place[other] for other in place if owner(other) not in (me, AMBASSADOR)):
                    return False
            elif owner(piece) != me:  # 000-42: not with the ambassador nor with a figure that is not mine
                if place[piece] in (place[other] for other in place if owner(other) != me and other != piece):
                    return False
        met = Counter(owner(piece) for piece in self.meets(me, place, moved) | self.settled if piece != AMBASSADOR)
        return all(count <= 1 for count in met.values())  # 000-39, 000-48, 002-23, 004-11: one figure of each player

    def can_end(self, me: str, place: dict[str, str], moved: set[str], left: Counter[str]) -> bool:
        """Whether movement can be brought to a legal end from here with the balls that are left."""
        if self.may_end(me, place, moved):
            return True
        return any(
            self.can_end(me, place | {piece: target}, moved | {piece}, left - Counter([ball]))
            for ball, piece, target in self.moves(me, place, left)
        )

    # --- meetings ---------------------------------------------------------------------------------------------------

    def meets(self, me: str, place: dict[str, str], moved: set[str]) -> set[str]:
        """Whom my figures meet: together on a space, and one of the two was moved there in this turn (000-43, 002-25).

        Decided: sharing that is left from earlier turns is no meeting.
        """
        mine = {place[figure]: figure for figure in self.figures[me]}
        return {
            piece
            for piece, space in place.items()
            if space in mine and owner(piece) != me and (piece in moved or mine[space] in moved)
        }

    def met(self, me: str) -> set[str]:
        """Whom I meet now and have not dealt with yet."""
        return self.meets(me, self.city.place, self.moved) - self.settled

    def meetings(self, me: str) -> Course:
        """One after the other, in the order one likes (000-48, 002-23, 004-11)."""
        while met := self.met(me):
            (other,) = yield from self.ask(me, "whom", [(piece,) for piece in met])
            self.tell_all("turns to", me, other)
            self.settled.add(other)
            self.tell_all("settled", other)
            if other == AMBASSADOR:
                yield from self.audience(me)
            else:
                yield from self.meeting(me, other)

    def figure_at(self, me: str, piece: str) -> str:
        """My figure on the space of another piece."""
        (figure,) = (figure for figure in self.figures[me] if self.city.place[figure] == self.city.place[piece])
        return figure

    def free(self, spaces: Any) -> set[str]:
        """Spaces on which nobody stands."""
        return set(spaces) - set(self.city.place.values())

    def meeting(self, me: str, other: str) -> Course:
        """Ask, go one space on instead, or leave it (000-5, 000-44, 002-12, 002-22, 004-9, 004-25)."""
        mine = self.figure_at(me, other)
        steps = [("step", space) for space in self.free(by_either(self.city.place[mine]))]
        questions = [("question", topic) for topic in ("identity", "build")]
        choice = yield from self.ask(me, "meeting", [*questions, *steps, ("leave",)])
        match choice:
            case ("question", topic):
                self.tell_all("asks", me, topic)
                yield from self.answer(owner(other), me, topic, "three")
                yield from self.between_actions(me)
                yield from self.send_away(me, other)  # 004-12: only if he was asked
            case ("step", space):
                self.tell_all("steps on", me, mine, space)
                self.stand(mine, space)
            case _:
                self.tell_all("leaves it", me)
        yield from self.between_actions(me)

    def audience(self, me: str) -> Course:
        """Any player is asked through the ambassador (000-8, 000-50, 002-24, 004-10)."""
        mine = self.figure_at(me, AMBASSADOR)
        others = [spy for spy in self.spies if spy != me]
        choices: list[Choice] = [("question", spy, topic) for spy in others for topic in ("identity", "build")]
        if self.option["step_from_ambassador"]:  # 000-44; decided for the older texts
            choices += [("step", space) for space in self.free(by_either(self.city.place[mine]))]
        choice = yield from self.ask(me, "audience", [*choices, ("leave",)])
        asked = choice[0] == "question"
        match choice:
            case ("question", giver, topic):
                self.tell_all("asks through the ambassador", me, giver, topic)
                yield from self.answer(giver, me, topic, "two", witness=AMBASSADOR if self.five else "")
                yield from self.between_actions(me)
            case ("step", space):
                self.tell_all("steps on", me, mine, space)
                self.stand(mine, space)
            case _:
                self.tell_all("leaves it", me)
        if asked or self.option["leaving"] == "is_sent_away":  # 000-61, 002-30, 004-12
            retreats = self.free(COLOURED | {EMBASSY})
            if retreats:
                (space,) = yield from self.ask(me, "ambassador away", [(space,) for space in retreats])
                self.tell_all("sends ambassador", me, space)
                self.stand(AMBASSADOR, space)
        yield from self.between_actions(me)

    def send_away(self, who: str, figure: str) -> Course:
        """To a space without a number on which nobody stands (000-60, 000-89, 002-29, 004-13)."""
        free = self.free(SPACES - set(NUMBERED.values()))
        (space,) = yield from self.ask(who, "figure away", [(space,) for space in free])
        self.tell_all("sends away", who, figure, space)
        self.stand(figure, space)

    # --- answers ----------------------------------------------------------------------------------------------------

    def answer(self, giver: str, asker: str, topic: str, form: str, witness: str = "") -> Course:
        """The cards, and what follows if they were shown before (000-53 to 000-58, 002-31 to 002-35, 004-19 to 004-21)."""
        times = yield from self.show(giver, asker, topic, form, witness)
        upheld = yield from self.object_to(giver, asker, times)
        if not upheld:
            return
        if form == "two":  # 000-58, 002-35, 004-19
            yield from self.show(giver, asker, topic, "one", witness)
        elif times == 1 or self.edition == "venice-japan":  # 000-54, 002-34; 004-19: each repeat costs one card
            times = yield from self.show(giver, asker, topic, "one fewer", witness)
            if self.edition == "venice-japan":  # 004-20
                upheld = yield from self.object_to(giver, asker, times)
                if upheld:
                    yield from self.show(giver, asker, topic, "one", witness)
        else:  # 000-55, 002-34
            yield from self.show(giver, asker, topic, "any one", witness)

    def show(self, giver: str, asker: str, topic: str, form: str, witness: str) -> Course:
        """The asker alone sees the cards (000-47, 002-21), with five the ambassador before him (000-91).

        Returns how often they were shown to the asker before.
        """
        truths = true_cards(giver, self.city.identity[giver], self.city.build[giver])
        possible = answers(giver, truths, topic, form)
        before = self.shown.setdefault((giver, asker), [])
        if self.option["repeats"] == "forbidden":
            possible = {cards for cards in possible if not times_shown(self.edition, cards, before)}
            # decided: where all pairs of coloured cards of a kind have been shown, one true card of it; all see how many
            if form == "two" and not any(not any(map(is_grey, cards)) for cards in possible):
                form, possible = "one, as none is new", answers(giver, truths, topic, "one")
            self.tell_all("cards due", giver, asker, len(next(iter(possible))))
        (cards,) = yield from self.ask(giver, f"cards: {form}", [(cards,) for cards in possible])
        self.tell([giver, asker], "shows", giver, asker, topic, cards)
        times = times_shown(self.edition, cards, before)
        for seer in filter(None, (witness, asker)):
            if seer == witness:
                self.tell([seer], "looks first", giver, asker, topic, cards)
            for card in filter(is_grey, cards):
                self.tell([seer], "reads", card, self.printed(giver, card))
            self.shown.setdefault((giver, seer), []).append(cards)
            self.tell([giver, seer], "noted", giver, seer, tuple(self.shown[giver, seer]))  # 000-24, 000-51, 002-27
        return times

    def printed(self, giver: str, card: str) -> str:
        """What stands on a grey card."""
        kind = card.partition("_")[2]
        return {"identity": self.city.identity, "build": self.city.build, "mission": self.city.letter}[kind][giver]

    def object_to(self, giver: str, asker: str, times: int) -> Course:
        """Whether the asker objects and is right (000-56, 002-43, 004-21).

        Decided: the notes of the program offer it when they prove it, or it is offered always; objection and ruling are
        public.
        """
        if self.option["repeats"] != "objected" or not (times or self.option["notice"] == "yourself"):
            return False
        choice = yield from self.ask(asker, "objection", [("accept",), ("object",)])
        if choice == ("accept",):
            self.tell([asker], "accepts", asker)
            return False
        self.tell([asker], "objects", asker)
        self.tell_all("ruling", giver, asker, times)
        return times > 0

    # --- the end ----------------------------------------------------------------------------------------------------

    def claim(self, me: str) -> Course:
        """One may declare, and offer somebody the hand (000-76, 002-42, 004-23); with three also an escape (000-85)."""
        choices: list[Choice] = [("accomplished", spy) for spy in self.spies if spy != me]
        if self.absent:
            choices.append(("escaped",))
        choice = yield from self.ask(me, "claim", [("go_on",), *choices])
        if choice == ("go_on",):
            self.tell_all("goes on", me)
            return
        if choice == ("escaped",):
            self.tell_all("declares escape", me)
            lone = self.lone()
            right = lone == me and self.city.escaped(self.edition, me)
            self.tell_all("escape is right", right)
        else:
            _, other = choice
            self.tell_all("declares", me, other)
            (hand,) = yield from self.ask(other, "hand", [("take",), ("refuse",)])
            self.tell_all("hand", other, hand)
            if self.sheet is not None:  # 000-94
                truth = tuple(tuple(of[spy] for spy in self.spies) for of in (self.city.identity, self.city.build))
                self.tell_all("sheet is right", self.sheet == truth)
                if self.sheet == truth:
                    raise Ended("sheet", [AMBASSADOR])
            partners = partner(self.city.identity[me]) == self.city.identity[other]
            right = hand == "take" and partners and self.city.accomplished(me, other)
            self.tell_all("mission is right", right)
        team = self.team(me)
        raise Ended(
            f"{choice[0]}: {right}", team if right else set(self.spies) - team
        )  # 000-7, 000-77, 000-78, 002-42, 002-44, 004-23

    def team(self, me: str) -> set[str]:
        """The spy and his partner, if he is at the table (000-2, 000-82)."""
        both = {self.city.identity[me], partner(self.city.identity[me])}
        return {spy for spy in self.spies if self.city.identity[spy] in both}

    def lone(self) -> str:
        """With three, the one whose partner is missing (000-10)."""
        (alone,) = (spy for spy in self.spies if self.team(spy) == {spy})
        return alone

    # --- the fifth player -------------------------------------------------------------------------------------------

    def turn_of_the_ambassador(self) -> Course:
        """He walks up to two spaces, asks where he stops, and may write his sheet (000-87 to 000-89, 000-92, 000-93)."""
        me = AMBASSADOR
        self.tell_all("turn of", me)
        here = self.city.place[me]
        walks: set[Choice] = {("stay",)}
        for space in by_either(here):
            walks.add(("one_step", space))
            walks |= {("two_steps", space, target) for target in by_either(space)}
        walk = yield from self.ask(me, "walk", walks)
        self.tell_all("walks", *walk)
        if walk != ("stay",):
            self.stand(me, walk[-1])
            yield from self.curiosity()
        if self.sheet is None:  # decided: the sheet is sealed once it is written
            yield from self.write_sheet()

    def curiosity(self) -> Course:
        """He may ask the owner of a figure to which he has come, for two cards (000-88), and sends it away (000-89)."""
        me = AMBASSADOR
        there = [p for p, space in self.city.place.items() if p != me and space == self.city.place[me]]
        if not there:
            return
        questions = [("question", piece, topic) for piece in there for topic in ("identity", "build")]
        choice = yield from self.ask(me, "curiosity", [*questions, ("leave",)])
        if choice == ("leave",):
            self.tell_all("leaves it", me)
            return
        _, piece, topic = choice
        self.tell_all("asks figure", me, piece, topic)
        yield from self.answer(owner(piece), me, topic, "two")
        yield from self.send_away(me, piece)

    def write_sheet(self) -> Course:
        """Who is who, and of which build, once (000-92, 000-93); the others hear that he knows."""
        sheets = [
            ("i_know_who_you_are", who, which) for who in permutations(IDENTITIES) for which in permutations(BUILDS)
        ]
        choice = yield from self.ask(AMBASSADOR, "sheet", [("wait",), *sheets])
        if choice == ("wait",):
            self.tell([AMBASSADOR], "waits")
            return
        self.sheet = choice[1:]
        self.tell([AMBASSADOR], "writes", *self.sheet)
        for spy, identity, build in zip(self.spies, *self.sheet, strict=True):
            self.tell([AMBASSADOR], "wrote", spy, "identity", identity)
            self.tell([AMBASSADOR], "wrote", spy, "build", build)
        self.tell_all("announces", True)
        self.tell_all("written", True)
