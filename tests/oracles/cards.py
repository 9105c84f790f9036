"""The card games by hand: a plain account of their rules, with no rule file behind it.

`Cards(...).match()` is a generator. It yields who decides and the set of what he may choose, takes the choice, and in
the end returns the winners and the points. `shown` is what it expects each player to have been shown, in order.
A choice is a tuple of names; two cards are a frozenset, a declaration is two tuples in the order of IDENTITIES, of which
a combination that is declared alone has only the second.
"""

from itertools import combinations, permutations, product

CHANCE = "chance"
AMBASSADOR, DUMMY = "ambassador", "dummy"
COLOURS = ("red", "blue", "green", "yellow")
IDENTITIES = ("lord_fiddlebottom", "colonel_bubble", "madame_zsa_zsa", "agent_x")
PARTNER = dict(zip(IDENTITIES, ("colonel_bubble", "lord_fiddlebottom", "agent_x", "madame_zsa_zsa")))
CODES = {"cards-safe": ("13", "24", "36", "47"), "cards-phone": ("52", "11", "0", "29")}
PLACES = ("rialto", "san_marco", "zattere", "arsenale", "torcello")
NOT_YET = ("not_yet",)


class Over(Exception):
    """A game has ended: who has won it."""


class Cards:
    def __init__(
        self,
        edition,
        players,
        codes=None,
        places=PLACES,
        points_to_win=1,
        penalty=None,
        false_cards=1,
        black_cards_given=None,
        black_cards_count=True,
        declare_to=None,
        declared=None,
        ambassador_gains=True,
        dummy_begins=True,
        dummy_hears=True,
        dummy_named=True,
        opening="at_random",
        round_limit=0,
    ):
        phone = edition == "cards-phone"
        self.players = COLOURS[:3] if players == 3 else COLOURS
        self.spies = (*self.players, DUMMY) if players == 3 else self.players
        self.seats = (*self.players, AMBASSADOR) if players == 5 else self.players
        self.codes, self.places, self.points_to_win = codes or CODES[edition], places, points_to_win
        self.teams = players == 4 or players == 5 and not phone
        self.penalty = penalty if penalty is not None else int(phone and players == 3)
        self.false_cards = false_cards
        self.blacks_given = black_cards_given if black_cards_given is not None else phone
        self.blacks_count = black_cards_count
        self.to_partner = (declare_to or ("partner" if players == 4 else "anyone")) == "partner"
        self.everything = (declared or ("everything" if players == 4 else "combination")) == "everything"
        self.ambassador_gains = ambassador_gains
        self.dummy_begins, self.dummy_hears, self.dummy_named = dummy_begins, dummy_hears, dummy_named
        self.opening, self.round_limit = opening, round_limit
        self.points = dict.fromkeys(self.seats, 0)
        self.shown = {seat: [] for seat in self.seats}
        if self.everything:
            self.sheets = sorted(("declare", *s) for s in product(permutations(self.spies), permutations(self.codes)))
        else:
            self.sheets = sorted(("combination", codes) for codes in permutations(self.codes))
        self.words = {NOT_YET, *self.sheets}
        self.rounds = self.rounds_in_all = 0

    # --- the match ----------------------------------------------------------------------------------------------------
    def match(self):
        while True:
            try:
                yield from self.game()
            except Over as over:
                for winner in over.args[0]:
                    self.points[winner] += 1
            home = {seat for seat in self.seats if self.points[seat] >= self.points_to_win}
            if home or self.points_to_win == 1:
                return home, self.points

    def game(self):
        self.identity, self.code = {}, {}
        for dealt, pool in ((self.identity, IDENTITIES), (self.code, self.codes)):
            for spy in self.spies[:-1]:
                (dealt[spy],) = yield CHANCE, {(x,) for x in pool if x not in dealt.values()}
            (dealt[self.spies[-1]],) = yield CHANCE, {(x,) for x in pool if x not in dealt.values()}
        self.pairs, self.blacks = {}, {}
        starters = self.spies if self.dummy_begins else self.players
        (starter,) = yield CHANCE, {(x,) for x in (starters if self.opening == "at_random" else self.players[:1])}
        self.rounds = 0
        while True:
            if self.rounds % len(self.places) == 0:
                self.unused = {guest: set(self.places) for guest in (*self.spies, AMBASSADOR)}
            at = self.spies.index(starter)
            self.order = self.spies[at:] + self.spies[:at]
            yield from self.round()
            starter = starters[(starters.index(starter) + 1) % len(starters)]
            self.rounds += 1
            self.rounds_in_all += 1
            if self.round_limit and self.rounds >= self.round_limit:
                raise Over(())

    # --- a round ------------------------------------------------------------------------------------------------------
    def round(self):
        self.tile = tile = {}
        five = AMBASSADOR in self.seats
        for guest in (AMBASSADOR, *self.order) if five else (*self.order, AMBASSADOR):
            who = guest if guest in self.seats else CHANCE
            (tile[guest],) = yield who, {(x,) for x in self.unused[guest]}
            self.unused[guest].remove(tile[guest])
        for spy in self.order:
            here = [guest for guest in self.order if tile[guest] == tile[spy]]
            if len(here) == 2 and here[0] == spy and tile[AMBASSADOR] != tile[spy]:
                yield from self.meeting(*here)
        here = [guest for guest in self.order if tile[guest] == tile[AMBASSADOR]]
        if len(here) == 1 and here[0] != DUMMY:
            yield from self.audience(here[0])
        if len(here) == 2 and five:
            yield from self.declaration(AMBASSADOR, here[0])
            for agent in here:
                self.give(agent, AMBASSADOR, (yield from self.choice(agent, AMBASSADOR)))

    def meeting(self, one, two):
        if DUMMY in (one, two):
            player = two if one == DUMMY else one
            if self.dummy_hears:
                yield from self.declaration(player, DUMMY)
            yield from self.look(player)
            return
        yield from self.declaration(one, two)
        yield from self.declaration(two, one)
        mine = yield from self.choice(one, two)
        yours = yield from self.choice(two, one)
        self.give(one, two, mine)
        self.give(two, one, yours)

    def choice(self, giver, receiver):
        true = {f"{giver}_{self.identity[giver]}", f"{giver}_{self.code[giver]}"}
        false = {f"{giver}_{x}" for x in (*IDENTITIES, *self.codes)} - true
        if self.blacks_given:
            true |= self.own_blacks(giver)
        fine = {
            frozenset(pair)
            for pair in combinations(true | false, 2)
            if any(card in true for card in pair) and sum(card in false for card in pair) >= self.false_cards
        }
        (pair,) = yield giver, {(pair,) for pair in fine - self.pairs.get((giver, receiver), set()) or fine}
        self.shown[giver].append(("chooses", receiver, pair))
        return pair

    def give(self, giver, receiver, pair):
        self.shown[receiver].append(("is shown by", giver, pair))
        self.pairs.setdefault((giver, receiver), set()).add(pair)
        if self.blacks_count:
            self.blacks.setdefault((giver, receiver), set()).update(pair & self.own_blacks(giver))

    def own_blacks(self, spy):
        return {f"black_{self.identity[spy]}", f"black_{self.code[spy]}"}

    # --- black cards --------------------------------------------------------------------------------------------------
    def audience(self, player):
        if AMBASSADOR in self.seats:
            yield from self.declaration(AMBASSADOR, player)
        if not self.to_partner:
            yield from self.declaration(player, AMBASSADOR)
        others = {spy for spy in self.spies if spy != player and len(self.blacks.get((spy, player), ())) < 2}
        if not self.dummy_named:
            others -= {DUMMY}
        answer = yield player, {("nobody",), *(("name", other) for other in others)}
        if answer == ("nobody",):
            return
        named = answer[1]
        if named == DUMMY:
            yield from self.look(player)
            return
        seen = self.blacks.setdefault((named, player), set())
        (card,) = yield named, {(card,) for card in self.own_blacks(named) - seen}
        seen.add(card)
        for seat in {named, player, AMBASSADOR} & set(self.seats):
            self.shown[seat].append(("black", named, frozenset({card})))

    def look(self, player):
        cards = {"true_identity": f"black_{self.identity[DUMMY]}", "true_code": f"black_{self.code[DUMMY]}"}
        seen = self.blacks.setdefault((DUMMY, player), set())
        left = {(secret,) for secret, card in cards.items() if card not in seen}
        if left:
            (secret,) = yield player, left
            seen.add(cards[secret])
            self.shown[player].append(("black", DUMMY, frozenset({cards[secret]})))

    # --- the end ------------------------------------------------------------------------------------------------------
    def truth(self):
        holder = {identity: spy for spy, identity in self.identity.items()}
        combination = tuple(self.code[holder[i]] for i in IDENTITIES)
        return (
            ("declare", tuple(holder[i] for i in IDENTITIES), combination)
            if self.everything
            else ("combination", combination)
        )

    def side(self, seeker):
        """Who wins together with him."""
        if seeker == AMBASSADOR or not self.teams:
            return {seeker}
        return {seeker, *(spy for spy in self.players if self.identity[spy] == PARTNER[self.identity[seeker]])}

    def declaration(self, seeker, other):
        said = yield seeker, self.words
        if said == NOT_YET:
            return
        side = self.side(seeker)
        met = other in side or not self.to_partner or seeker == AMBASSADOR
        if said == self.truth() and met:
            raise Over(side)
        self.points[seeker] -= self.penalty
        rest = set(self.seats) - side
        if seeker != AMBASSADOR and not self.ambassador_gains:
            rest -= {AMBASSADOR}
        raise Over(rest)
