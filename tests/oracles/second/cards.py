"""The two card games, told from their texts: the safe and the telephone, with three, four and five."""

from itertools import permutations, product
from typing import Any

from oracles.second.table import COLOURS, IDENTITIES, Choice, Course, Ended, Table, evenly, partner

AMBASSADOR, DUMMY = "ambassador", "dummy"
PLACES = ("rialto", "san_marco", "zattere", "arsenale", "torcello")  # 001-11, 001-12, 003-1: five; three names are ours
CODES = {"cards-safe": ("13", "24", "36", "47"), "cards-phone": ("52", "11", "0", "29")}  # 001-6, 001-7, 003-3
Pair = frozenset[str]


class CardTable(Table):
    """A table of one of the two card games."""

    def __init__(self, edition: str, players: int, options: dict[str, Any]) -> None:
        absent = options["left_out"] if players == 3 else None
        spies = tuple(colour for colour in COLOURS if colour != absent)
        super().__init__(spies, (AMBASSADOR,) if players == 5 else (), options)
        self.edition, self.players, self.codes = edition, players, CODES[edition]
        self.agents = (*spies, DUMMY) if players == 3 else spies  # 001-40, 003-22: a dummy takes the fourth seat

    # --- setting up and rounds --------------------------------------------------------------------------------------

    def one_game(self) -> Course:
        self.identity = yield from self.deal("identity", IDENTITIES, self.agents)  # 001-4, 001-15, 003-9
        self.code = yield from self.deal("code", self.codes, self.agents)
        self.given: dict[tuple[str, str], list[Pair]] = {}  # pairs, from one to another
        self.blacks: dict[tuple[str, str], list[str]] = {}  # black cards, from one to another
        everyone = [*self.agents, AMBASSADOR]
        self.unused = {who: set(PLACES) for who in everyone}
        at_random = self.option["opening"] == "at_random"  # decided (001-20)
        starter = yield evenly(self.may_begin() if at_random else self.spies[:1])
        self.tell_all("begins", starter)
        self.tell_all("starts next", starter)
        rounds = 0
        while True:
            yield from self.round(starter)
            order = self.may_begin()
            starter = order[(order.index(starter) + 1) % len(order)]  # 001-35, 003-17
            self.tell_all("starts next", starter)
            rounds += 1
            self.tell_all("rounds", rounds)
            if rounds == self.option["round_limit"]:
                raise Ended("round limit", ())
            if rounds % 5 == 0:  # 001-34, 003-17
                for who in everyone:
                    self.unused[who] = set(PLACES)
                    self.tell_all("tiles left", who, frozenset(PLACES))
                self.tell_all("tiles back")

    def may_begin(self) -> list[str]:
        """Who can begin a round; decided: the dummy has a seat like the others, unless an option says otherwise."""
        return [who for who in self.agents if who != DUMMY or self.option["dummy_begins"]]

    def round(self, starter: str) -> Course:
        """Tiles, then meetings (001-21, 001-23, 003-10, 003-11)."""
        hidden = ""
        if self.players == 5:  # 001-47, 003-30: the ambassador first, face down
            (hidden,) = yield from self.ask(AMBASSADOR, "hide", [(place,) for place in self.unused[AMBASSADOR]])
            self.tell([AMBASSADOR], "hides", hidden)
        at = self.agents.index(starter)
        order = self.agents[at:] + self.agents[:at]
        tile: dict[str, str] = {}
        for who in order:
            if who == DUMMY:  # 001-41, 003-24
                place = yield evenly(self.unused[who])
            else:
                (place,) = yield from self.ask(who, "tile", [(place,) for place in self.unused[who]])
            self.tell_all("lays", who, place)
            self.lie(who, place, tile)
        place = hidden or (yield evenly(self.unused[AMBASSADOR]))  # 001-19, 001-21
        self.tell_all("ambassador is at", place)
        self.lie(AMBASSADOR, place, tile)
        together = [[who for who in [*order, AMBASSADOR] if tile[who] == place] for place in PLACES]
        together.sort(key=lambda group: order.index(group[0]) if group and group[0] in order else len(order))
        for group in together:  # 001-32: the pair of whoever laid first comes first
            if len(group) == 2 and AMBASSADOR not in group:
                yield from self.meeting(*group)
        for group in together:  # decided: those with the ambassador come after those of agents
            if (
                len(group) == 2 and group[1] == AMBASSADOR and group[0] != DUMMY
            ):  # 001-43, 003-26: with the dummy nothing
                yield from self.audience(group[0])
            elif len(group) == 3 and AMBASSADOR in group and self.players == 5:
                yield from self.reports(group[0], group[1])

    def lie(self, who: str, place: str, tile: dict[str, str]) -> None:
        """A tile lies open, and stays there (001-34, 003-17)."""
        tile[who] = place
        self.unused[who] = self.unused[who] - {place}
        self.tell_all("tile", who, place)
        self.tell_all("tiles left", who, frozenset(self.unused[who]))

    # --- meetings ---------------------------------------------------------------------------------------------------

    def meeting(self, one: str, other: str) -> Course:
        """Two agents alone exchange two cards each, unless one of them declares (001-24 to 001-26, 001-36, 003-12, 003-18)."""
        if DUMMY in (one, other):
            yield from self.visit(other if one == DUMMY else one)
            return
        self.tell_all("meet", one, other)
        for me, you in ((one, other), (other, one)):  # decided: the earlier one may declare first
            yield from self.speak(me, you)
        pairs = {}
        for me, you in ((one, other), (other, one)):  # at the same time (001-27): neither sees the other's before
            pairs[me, you] = yield from self.choose_pair(me, you)
        self.tell_all("have exchanged", one, other)
        for (me, you), pair in pairs.items():
            self.give(me, you, pair)

    def choose_pair(self, giver: str, to: str) -> Course:
        """One card is true and one is false (001-25, 003-12); not the same pair to the same player again (001-28, 003-13)."""
        possible = self.pairs(giver)
        fresh = possible - set(self.given.get((giver, to), []))
        (pair,) = yield from self.ask(giver, "pair", [(pair,) for pair in fresh or possible])  # decided: all shown, any
        self.tell([giver], "chooses", giver, to, pair)
        return pair

    def pairs(self, giver: str) -> set[Pair]:
        """All pairs that may be given; with the telephone a black card may stand for the true one (003-16)."""
        hand = [f"{giver}_{value}" for value in (*IDENTITIES, *self.codes)]
        true = {f"{giver}_{self.identity[giver]}", f"{giver}_{self.code[giver]}"}
        if self.option["black_cards_given"]:
            true |= set(self.black_cards(giver))
        false = set(hand) - true
        pairs = {frozenset(pair) for pair in product(true, false)}
        if self.option["false_cards"] == 0:
            pairs |= {frozenset(pair) for pair in product(true, true) if pair[0] != pair[1]}
        return pairs

    def give(self, giver: str, to: str, pair: Pair) -> None:
        """The receiver alone looks at them, and both note it (001-26, 001-33, 003-12, 003-15)."""
        self.tell([to], "gets", giver, to, pair)
        self.given.setdefault((giver, to), []).append(pair)
        self.tell([giver, to], "noted", giver, to, tuple(self.given[giver, to]))
        if self.option["black_cards_given"] and self.option["black_cards_count"]:
            self.see_blacks(giver, to, [card for card in pair if card.startswith("black_")])

    def see_blacks(self, giver: str, to: str, cards: list[str]) -> None:
        seen = self.blacks.setdefault((giver, to), [])
        seen += [card for card in cards if card not in seen]
        self.tell([giver, to], "blacks noted", giver, to, frozenset(seen))

    def black_cards(self, owner: str) -> list[str]:
        return [f"black_{self.identity[owner]}", f"black_{self.code[owner]}"]

    def unseen(self, asker: str, owner: str) -> list[str]:
        """Black cards that the asker may still be shown: none twice (001-30, 003-14)."""
        return [card for card in self.black_cards(owner) if card not in self.blacks.get((owner, asker), [])]

    def audience(self, me: str) -> Course:
        """Alone with the ambassador one may ask for a black card of another (001-24, 001-29, 003-14)."""
        self.tell_all("meets ambassador", me)
        if self.players == 5:  # 001-51, 003-33; decided: if two want to declare, the ambassador does
            yield from self.speak(AMBASSADOR, me)
        if self.option["declare_to"] == "anyone":  # 001-44, 001-50, 003-27, 003-33
            yield from self.speak(me, AMBASSADOR)
        named = [who for who in self.agents if who != me and self.unseen(me, who)]
        if self.players == 3 and not self.option["dummy_named"]:
            named = [who for who in named if who != DUMMY]
        choice = yield from self.ask(me, "name", [("nobody",), *(("name", who) for who in named)])
        if choice == ("nobody",):
            self.tell_all("names nobody", me)
            return
        _, owner = choice
        self.tell_all("names", me, owner)
        if owner == DUMMY:
            yield from self.look(me)
            return
        (card,) = yield from self.ask(owner, "black card", [(card,) for card in self.unseen(me, owner)])
        witness = [AMBASSADOR] if self.players == 5 else []  # 001-48, 003-31
        self.tell([owner, me, *witness], "shows black", owner, me, card)
        for seer in (me, *witness):
            self.see_blacks(owner, seer, [card])

    def visit(self, me: str) -> Course:
        """Alone with the dummy one looks at one of its black cards (001-42, 003-25)."""
        self.tell_all("visits", me)
        if self.option["dummy_hears"] and self.option["declare_to"] == "anyone":
            yield from self.speak(me, DUMMY)
        yield from self.look(me)

    def look(self, me: str) -> Course:
        """One of the dummy's two black cards; decided: all see which one, nobody looks at the same one again."""
        kind = dict(zip(self.black_cards(DUMMY), ("true_identity", "true_code"), strict=True))
        new = self.unseen(me, DUMMY)
        if not new:
            self.tell_all("knows both", me)
            return
        (which,) = yield from self.ask(me, "look", [(kind[card],) for card in new])
        (card,) = (card for card in new if kind[card] == which)
        self.tell_all("looks at", me, which)
        self.tell([me], "face", which, card)  # unseen by the others (001-42, 003-25)
        self.blacks.setdefault((DUMMY, me), []).append(card)
        self.tell_all("has looked at", me, frozenset(kind[card] for card in self.blacks[DUMMY, me]))

    def reports(self, one: str, other: str) -> Course:
        """Two agents with the ambassador exchange nothing, and show him two cards each (001-49, 003-32)."""
        yield from self.speak(AMBASSADOR, one)  # 001-51, 003-33
        for me in (one, other):
            pair = yield from self.choose_pair(me, AMBASSADOR)
            self.give(me, AMBASSADOR, pair)
            self.tell_all("has reported", me)

    # --- the end ----------------------------------------------------------------------------------------------------

    def speak(self, me: str, you: str) -> Course:
        """One may declare: with four everybody by name and number (001-36, 003-18), else the combination (001-44, 001-50,
        003-27, 003-33)."""
        everything = self.players == 4 or self.option["declared"] == "everything"
        choices: list[Choice] = []
        if everything:
            choices += [
                ("declare", who, code) for who in permutations(self.agents) for code in permutations(self.codes)
            ]
        else:
            choices += [("combination", code) for code in permutations(self.codes)]
        choice = yield from self.ask(me, "speak", [("not_yet",), *choices])
        if choice == ("not_yet",):
            self.tell_all("not yet", me)
            return
        self.tell_all("declares", me, *choice)
        bearers = tuple(next(who for who in self.agents if self.identity[who] == name) for name in IDENTITIES)
        right = choice[-1] == tuple(self.code[who] for who in bearers)  # 001-16: read F, B, Z, X
        if everything:
            right &= choice[1] == bearers
        if self.option["declare_to"] == "partner" and me != AMBASSADOR:  # 001-8, 001-36, 003-18; 001-51: he has none
            right &= partner(self.identity[me]) == self.identity[you]
        self.tell_all("declaration is right", right)
        raise Ended(f"{choice[0]}: {right}", self.gain(me, right), penalised="" if right else me)  # 003-28

    def gain(self, me: str, right: bool) -> set[str]:
        """Who wins (001-37, 001-44, 001-51, 003-19, 003-27, 003-33)."""
        with_me = {me}
        if me != AMBASSADOR and (self.players == 4 or (self.players == 5 and self.edition == "cards-safe")):
            with_me |= {who for who in self.spies if self.identity[who] == partner(self.identity[me])}
        if right:
            return with_me
        others = set(self.seats) - with_me
        if len(with_me) == 2 and not self.option.get("ambassador_gains", True):
            others -= {AMBASSADOR}
        return others
