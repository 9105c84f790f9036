"""A referee for the board games of Venice, written by hand from the rulebooks.

He follows a game by what is announced at the table (the lines of the log) and objects, by an AssertionError, to
whatever the rules do not allow. `offers()` is his own list of what the player whose decision it is may do. He reads the
map of the board from the rule file, as a person would from the box; everything else he knows by heart.
"""

from collections import Counter
from itertools import combinations
from pathlib import Path

import yaml

BOARD = Path(__file__).resolve().parents[2] / "rules" / "inkognito" / "board.yaml"
COLOURS = ("red", "blue", "green", "yellow")  # clockwise round the table
BUILDS = ("tall", "short", "fat", "thin")
F, B, Z, X = IDENTITIES = ("lord_fiddlebottom", "colonel_bubble", "madame_zsa_zsa", "agent_x")
PARTNER = {F: B, B: F, Z: X, X: Z}
ENVOY = "ambassador"
LAND, WATER, ANY = ("land",), ("water",), ("land", "water")

# What the phantom holds: how many, whom the ball moves, by which routes.
CLASSIC_BALLS = {
    "red": (2, "own", LAND),
    "blue": (2, "own", WATER),
    "yellow": (1, "own", ANY),
    "black": (2, "envoy", ANY),
    "white": (3, "nothing", ()),
}
BALLS = {
    "venice-2013": {
        "orange": (2, "own", LAND),
        "blue": (2, "own", WATER),
        "white": (3, "own", ANY),
        "black": (2, "envoy", ANY),
        "purple": (1, "other", ANY),
    },
    "venice-classic": CLASSIC_BALLS,
    "venice-japan": CLASSIC_BALLS,
}
ESCAPES = {
    "venice-2013": {F: {5}, B: {1}, Z: {4}, X: {6}},
    "venice-classic": {F: {5, 1}, B: {5, 1}, Z: {4, 6}, X: {4, 6}},
}
DEFAULTS = {
    "placing": "at_random",
    "direction": "clockwise",
    "meetings": "after_movement",
    "step_from_ambassador": True,
    "leaving": "stays",
    "repeats": "objected",
    "notice": "by_the_program",
    "signals": "never",
    "round_limit": 0,
}
EDITIONS = {
    "venice-2013": {"direction": "anticlockwise"},
    "venice-classic": {},
    "venice-japan": {"meetings": "between_moves"},
}

# The passport. `t` answers for the team that declares: is a figure of it with somebody, is somebody on a number, …
MISSIONS = {
    ("lords", "A", "B"): lambda t: t.has_figure_with(X),
    ("lords", "A", "C"): lambda t: t.on(F, 5),
    ("lords", "A", "D"): lambda t: t.has_figure_with(Z),
    ("lords", "B", "A"): lambda t: t.has_figure_with(X),
    ("lords", "B", "C"): lambda t: t.has_figure_with(ENVOY),
    ("lords", "B", "D"): lambda t: t.on(B, 1),
    ("lords", "C", "A"): lambda t: t.on(F, 7),
    ("lords", "C", "B"): lambda t: t.has_figure_with(ENVOY),
    ("lords", "C", "D"): lambda t: t.envoy_on("embassy"),
    ("lords", "D", "A"): lambda t: t.has_figure_with(Z),
    ("lords", "D", "B"): lambda t: t.together(F, B),
    ("lords", "D", "C"): lambda t: t.envoy_on(8),
    ("madames", "A", "B"): lambda t: t.has_figure_with(ENVOY),
    ("madames", "A", "C"): lambda t: t.has_figure_with(B),
    ("madames", "A", "D"): lambda t: t.together(Z, ENVOY),
    ("madames", "B", "A"): lambda t: t.has_figure_with(ENVOY),
    ("madames", "B", "C"): lambda t: t.together(Z, X),
    ("madames", "B", "D"): lambda t: t.has_figure_with(F),
    ("madames", "C", "A"): lambda t: t.has_figure_with(B),
    ("madames", "C", "B"): lambda t: t.on(Z, 4),
    ("madames", "C", "D"): lambda t: t.on(X, 2),
    ("madames", "D", "A"): lambda t: t.envoy_on(3),
    ("madames", "D", "B"): lambda t: t.has_figure_with(F),
    ("madames", "D", "C"): lambda t: t.on(X, 6),
}


class Board:
    def __init__(self, path: Path = BOARD):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        spaces = data["things"]["space"]["members"]
        self.spaces = tuple(spaces)
        self.number = {name: row["number"] for name, row in spaces.items() if "number" in row}
        self.numbered = {number: name for name, number in self.number.items()}
        self.starts = {c: {name for name, row in spaces.items() if row.get("colour") == c} for c in COLOURS}
        (self.embassy,) = (name for name, row in spaces.items() if row.get("embassy"))
        self.routes = {
            way: {frozenset(pair) for pair in pairs}
            for (way, pairs) in data["links"]["neighbours of space along way"].items()
        }
        self._near = {
            (space, ways): {
                other for way in ways for route in self.routes[way] if space in route for other in route - {space}
            }
            for space in self.spaces
            for ways in (LAND, WATER, ANY)
        }

    def near(self, space: str, ways=ANY) -> set[str]:
        return self._near[space, ways]


class Team:
    """What a mission can ask of the pair that declares."""

    def __init__(self, referee, player: str):
        self.game = referee
        self.members = referee.team(player)

    def where(self, who: str) -> str:
        place, identity = self.game.place, self.game.identity
        if who == ENVOY:
            return place[ENVOY]
        held = {identity[p]: p for p in self.game.players}
        holder = held.get(who) or held[PARTNER[who]]  # the missing one means his partner
        return place[self.game.agent(holder)]

    def has_figure_with(self, who: str) -> bool:
        return any(self.game.place[f] == self.where(who) for p in self.members for f in figures(p))

    def together(self, one: str, other: str) -> bool:
        return self.where(one) == self.where(other)

    def space(self, number) -> str:
        return self.game.board.embassy if number == "embassy" else self.game.board.numbered[number]

    def on(self, who: str, number: int) -> bool:
        return self.where(who) == self.space(number)

    def envoy_on(self, number) -> bool:
        if self.game.five:
            return any(self.game.place[self.game.agent(p)] == self.space(number) for p in self.members)
        return self.game.place[ENVOY] == self.space(number)


def figures(player: str) -> list[str]:
    return [f"{player}_{build}" for build in BUILDS]


def owner(piece: str) -> str:
    return piece.partition("_")[0]


class Referee:
    def __init__(self, edition: str, number: int, options: dict | None = None, board: Board | None = None):
        self.edition, self.number, self.five = edition, number, number == 5
        self.options = {**DEFAULTS, **EDITIONS[edition], **(options or {})}
        self.board = board or Board()
        self.players = COLOURS[:3] if number == 3 else COLOURS
        self.pieces = [f for p in self.players for f in figures(p)] + [ENVOY]
        self.identity, self.build, self.letter, self.place = {}, {}, {}, {}
        self.shown: dict[tuple[str, str], list[frozenset]] = {}
        self.order: list[str] = []
        self.turns = self.rounds = 0
        self.player = None  # whose turn
        self.drawn, self.moved, self.settled = Counter(), set(), set()
        self.moving = self.stopped = self.signalled = False
        self.doing = None  # in a meeting: how far it has come
        self.due = None  # a piece and the space where it must now be put
        self.sheet = None
        self.declared, self.winners = None, None

    # --- facts --------------------------------------------------------------------------------------------------------
    def agent(self, player: str) -> str:
        return f"{player}_{self.build[player]}"

    def team(self, player: str) -> set[str]:
        return {p for p in self.players if self.identity[p] in (self.identity[player], PARTNER[self.identity[player]])}

    def fulfilled(self, player: str) -> bool:
        team = self.team(player)
        first, second = sorted(team, key=lambda p: self.identity[p] in (B, X))
        side = "lords" if self.identity[player] in (F, B) else "madames"
        return MISSIONS[side, self.letter[first], self.letter[second]](Team(self, player))

    def free(self, space: str) -> bool:
        return space not in self.place.values()

    def outsiders(self) -> list[str]:
        return [p for p in self.pieces if owner(p) != self.player]

    def met(self) -> set[str]:
        """Together with an own figure because one of the two was moved in this turn, and not yet met in it."""
        return {
            p
            for p in self.outsiders()
            if p not in self.settled
            for f in figures(self.player)
            if self.place[f] == self.place[p] and (f in self.moved or p in self.moved)
        }

    def may_end(self) -> bool:
        """May the movement be over as the pieces stand now?"""
        own = [self.place[f] for f in figures(self.player)]
        if len(set(own)) < 4:
            return False
        encounters = Counter(owner(p) for p in self.met() | self.settled)
        if any(encounters[p] > 1 for p in self.players):
            return False
        return not any(
            self.place[p] == self.place[q]
            for p in self.outsiders()
            if p in self.moved
            for q in self.outsiders()
            if q != p
        )

    # --- cards --------------------------------------------------------------------------------------------------------
    def kind(self, card: str) -> str:
        rest = card.partition("_")[2]
        return "identity" if rest in IDENTITIES else "build" if rest in BUILDS else rest

    def is_grey(self, card: str) -> bool:
        return card.partition("_")[2] in ("identity", "build", "mission")

    def is_true(self, card: str) -> bool:
        player, _, rest = card.partition("_")
        return rest in ("identity", "build", self.identity[player], self.build[player])

    def hand(self, player: str) -> list[str]:
        return [f"{player}_{x}" for x in (*IDENTITIES, *BUILDS, "identity", "build", "mission")]

    def fits(self, cards: set[str], giver: str, topic: str, form: str) -> bool:
        """Are these the cards that the question or the penalty prescribes?"""
        if not cards <= set(self.hand(giver)):
            return False
        kinds = Counter(map(self.kind, cards))
        asked, grey_mission = kinds[topic], kinds["mission"]
        aside = len(cards) - asked - grey_mission
        true = sum(map(self.is_true, cards))
        if form == "three":  # two of the kind and one of the other; the mission card may stand for one of them
            return len(cards) == 3 and true >= 1 and grey_mission <= 1 and asked <= 2 and aside <= 1
        if form == "two":
            return len(cards) == 2 and true >= 1 and grey_mission <= 1 and aside == 0
        if form == "one fewer":
            return len(cards) == 2 and true >= 1 and asked >= 1
        if form == "one true":
            return len(cards) == 1 and true == 1
        return len(cards) == 1 and true == 1 and asked == 1  # one true card of the kind

    def is_repeat(self, cards: frozenset, before: frozenset) -> bool:
        return cards <= before or self.edition == "venice-classic" and len(before) == 2 and before < cards

    def repeats(self, cards: frozenset, giver: str, asker: str) -> int:
        if any(map(self.is_grey, cards)):
            return 0
        return sum(self.is_repeat(cards, before) for before in self.shown.get((giver, asker), ()))

    def spent(self, giver: str, asker: str, topic: str) -> bool:
        """Has every pair of the kind been shown that holds the true card?"""
        suit = [c for c in self.hand(giver) if self.kind(c) == topic and not self.is_grey(c)]
        pairs = [frozenset(p) for p in combinations(suit, 2) if any(map(self.is_true, p))]
        return len(pairs) == 3 and all(self.repeats(p, giver, asker) for p in pairs)

    def is_answer(self, cards: frozenset, giver: str, asker: str, topic: str, form: str) -> bool:
        if self.options["repeats"] != "forbidden":
            return self.fits(cards, giver, topic, form)
        if form == "two" and self.spent(giver, asker, topic):
            return self.fits(cards, giver, topic, "one true of the kind")
        return self.fits(cards, giver, topic, form) and not self.repeats(cards, giver, asker)

    # --- following a game ---------------------------------------------------------------------------------------------
    def see(self, entry) -> None:
        told = dict(entry.told)
        if entry.kind == "set":
            self.note(entry.step, told)
            return
        if entry.kind == "reset":
            return
        if self.moving and not entry.step.startswith("movement/"):
            assert self.stopped or not self.drawn, "balls were left, and nobody said stop"
            assert self.may_end(), "movement must not end so"
            self.moving = False
        assert self.due is None, "a piece was not put where it was sent"
        name = entry.step.replace("/", "_")
        for length in range(name.count("_") + 1, 0, -1):  # the longest name for which there is a rule
            rule = getattr(self, "_" + "_".join(name.split("_")[:length]), None)
            if rule is not None:
                rule(told, entry.step.rsplit("/", 1)[-1])
                return
        raise AssertionError(f"the referee does not know {entry.step}")

    def note(self, what: str, told: dict) -> None:
        value = told["value"]
        if what in ("identity of _", "build of _", "letter of _"):
            getattr(self, what.split()[0])[told["spy"]] = value
            known = getattr(self, what.split()[0])
            assert len(set(known.values())) == len(known), "a grey card was dealt twice"
        elif what == "place of _":
            piece = told["piece"]
            assert piece in self.pieces
            if self.order:
                assert self.due == (piece, value), f"{piece} went to {value}, not {self.due}"
                self.due = None
            elif piece == ENVOY:
                assert value == self.board.embassy
            else:
                assert value in self.board.starts[owner(piece)] and self.free(value)
            self.place[piece] = value
        elif what == "shown by _ to _":
            known = self.shown[told["player"], told["guest"]]
            assert len(value) == len(known) and frozenset(value[-1]) == known[-1], "the notes do not agree"

    def put(self, piece: str, space: str) -> None:
        self.due = (piece, space)

    # set-up and the turn
    def _set_up(self, told, last) -> None:
        pass  # the places are checked where they are noted

    def _game_first(self, told, last) -> None:
        assert set(self.place) == set(self.pieces)
        assert all(set(known) == set(self.players) for known in (self.identity, self.build, self.letter))
        around = self.players if self.options["direction"] == "clockwise" else self.players[::-1]
        start = around.index(told["first"])
        self.order = [*around[start:], *around[:start]] + [ENVOY] * self.five

    def begin_turn(self, player: str) -> None:
        if self.player is not None and self.player != ENVOY:
            assert not self.met(), "somebody was met and not turned to"
        assert self.doing is None
        assert self.order[self.turns % len(self.order)] == player, "it is another player's turn"
        self.rounds = self.turns // len(self.order)
        assert not self.options["round_limit"] or self.rounds < self.options["round_limit"]
        self.turns += 1
        self.player, self.moved, self.settled, self.drawn = player, set(), set(), Counter()
        self.stopped = self.signalled = False

    def _turn_begin(self, told, last) -> None:
        self.begin_turn(told["player"])

    def _signal(self, told, last) -> None:
        assert self.options["signals"] != "never"
        if self.options["signals"] == "once_a_turn":
            assert not self.drawn
        if last != "see":
            assert told["who"] == self.player
            assert self.options["signals"] == "at_any_time" or not self.signalled
            self.signalled = True

    def _turn_shake(self, told, last) -> None:
        self.drawn = Counter(told["balls_shown"])
        assert sum(self.drawn.values()) == 3 and all(n <= BALLS[self.edition][b][0] for b, n in self.drawn.items())
        self.moving = True

    def _movement_moves_one_after_the_other_next(self, told, last) -> None:
        assert told["who"] == self.player and not self.stopped
        self.moving = True
        if last == "move":
            assert [told["ball"], told["piece"], told["target"]] in self.steps(), "no such step"
            self.drawn -= Counter([told["ball"]])
            self.moved.add(told["piece"])
            self.put(told["piece"], told["target"])
        elif last == "stop":
            self.stopped, self.drawn = True, Counter()
        else:
            assert self.options["meetings"] == "between_moves" and self.met()
            self.stopped = True

    def steps(self) -> list[list[str]]:
        """Single steps that the balls allow, whatever they lead to."""
        found = []
        for ball in self.drawn:
            _, whom, ways = BALLS[self.edition][ball]
            pieces = {
                "own": figures(self.player),
                "envoy": [ENVOY],
                "nothing": [],
                "other": [f for p in self.players if p != self.player for f in figures(p)],
            }[whom]
            found += [[ball, p, space] for p in pieces for space in sorted(self.board.near(self.place[p], ways))]
        return found

    # meetings
    def _meetings_one_by_one_whom(self, told, last) -> None:
        assert told["who"] == self.player and told["other"] in self.met() and self.doing is None
        other = told["other"]
        (mine,) = (f for f in figures(self.player) if self.place[f] == self.place[other])
        assert other == ENVOY or owner(other) not in {owner(p) for p in self.settled}, "this opponent was met before"
        self.settled.add(other)
        self.doing = {"stage": "what", "asker": self.player, "other": other, "mine": mine}
        self.stopped = False

    def _meeting_what(self, told, last) -> None:
        assert self.doing["stage"] == "what" and told["who"] == self.player and self.doing["other"] != ENVOY
        if last == "question":
            self.question(owner(self.doing["other"]), told["topic"], "three")
        else:
            self.go_on_or_leave(told, last)

    def _audience_what(self, told, last) -> None:
        assert self.doing["stage"] == "what" and told["who"] == self.player and self.doing["other"] == ENVOY
        if last == "question":
            assert told["giver"] in self.players and told["giver"] != self.player
            self.question(told["giver"], told["topic"], "two", witness=self.five)
        else:
            assert last == "leave" or self.options["step_from_ambassador"]
            self.go_on_or_leave(told, last)

    def go_on_or_leave(self, told, last) -> None:
        if last == "step":
            mine, target = self.doing["mine"], told["target"]
            assert self.free(target) and target in self.board.near(self.place[mine])
            self.put(mine, target)
        sent = self.doing["other"] == ENVOY and self.options["leaving"] == "is_sent_away"
        self.doing = {**self.doing, "stage": "expel"} if sent else None

    def question(self, giver: str, topic: str, form: str, witness: bool = False) -> None:
        assert topic in ("identity", "build")
        self.doing = {
            **self.doing,
            "stage": "answer",
            "giver": giver,
            "topic": topic,
            "form": form,
            "witness": witness,
            "objections": 0,
        }

    def _answer_due_how(self, told, last) -> None:
        """Where repeats are forbidden: all see how many cards are to be shown."""
        at = self.doing
        assert self.options["repeats"] == "forbidden" and at["stage"] == "answer"
        spent = at["form"] == "two" and self.spent(at["giver"], at["asker"], at["topic"])
        assert (told["due"] == "the_answer") == spent, f"{told['due']} is not due"

    def _giving_cards(self, told, last) -> None:
        at = self.doing
        giver, asker, cards = told["giver"], told["asker"], frozenset(told["answer"])
        assert at["stage"] == "answer" and (giver, asker) == (at["giver"], at["asker"]) and told["who"] == giver
        assert len(cards) == len(told["answer"])
        assert self.is_answer(cards, giver, asker, at["topic"], at["form"]), f"{sorted(cards)} is no answer"
        at["repeats"] = self.repeats(cards, giver, asker)
        at["cards"], at["faces"] = cards, [c for c in cards if self.is_grey(c)] * (1 + at["witness"])
        for guest in (asker, ENVOY) if at["witness"] else (asker,):
            self.shown.setdefault((giver, guest), []).append(cards)
        at["stage"] = "objection" if self.may_object() else "expel"

    def may_object(self) -> bool:
        at = self.doing
        if self.options["repeats"] != "objected" or at["objections"] == 2:
            return False
        if at["objections"] == 1 and not (self.edition == "venice-japan" and len(at["cards"]) == 2 and at["upheld"]):
            return False
        return self.options["notice"] == "yourself" or at["repeats"] >= 1

    def _giving_witness_see(self, told, last) -> None:
        assert self.doing["witness"] and frozenset(told["seen"]) == self.doing["cards"]

    def face(self, told, last) -> None:
        at, giver = self.doing, told["giver"]
        truth = {"identity": self.identity, "build": self.build, "mission": self.letter}
        card = next(c for c in at["faces"] if truth[self.kind(c)][giver] == told["printed"])
        at["faces"].remove(card)

    _giving_grey = _giving_witness_grey = face

    def _objection_noticed_object(self, told, last) -> None:
        at = self.doing
        if last == "ruling":
            assert at["stage"] == "ruling" and told["how_often"] == at["repeats"]
            at["upheld"] = at["repeats"] >= 1
            at["stage"] = "answer" if at["upheld"] else "expel"
            if at["form"] != "three":
                at["form"] = "one true of the kind"
            else:
                at["form"] = "one fewer" if at["repeats"] == 1 or self.edition == "venice-japan" else "one true"
            return
        assert at["stage"] == "objection" and told["who"] == at["asker"]
        at["objections"] += 1
        at["stage"] = "ruling" if last == "object" else "expel"

    _second_objection_noticed_object = _objection_noticed_object

    def expelled(self, told, piece: str, targets: list[str]) -> None:
        at = self.doing
        assert at["stage"] == "expel" and at["other"] == piece and told["who"] == at["asker"] and not at.get("faces")
        assert told["target"] in targets, f"{piece} cannot be sent to {told['target']}"
        self.put(piece, told["target"])
        self.doing = None

    def _expulsion_where_to(self, told, last) -> None:
        self.expelled(told, told["figure"], self.exiles())

    def _return_of_the_envoy_where_to(self, told, last) -> None:
        self.expelled(told, ENVOY, self.havens())

    def exiles(self) -> list[str]:
        return [s for s in self.board.spaces if self.free(s) and s not in self.board.number]

    def havens(self) -> list[str]:
        starts = set().union(*self.board.starts.values())
        assert len(starts) == 16
        free = [s for s in self.board.spaces if self.free(s) and (s == self.board.embassy or s in starts)]
        return free or [self.place[ENVOY]]

    # the fifth player
    def _turn_of_the_ambassador_begin(self, told, last) -> None:
        self.begin_turn(ENVOY)

    def _turn_of_the_ambassador_walk(self, told, last) -> None:
        assert told["who"] == ENVOY
        if last != "stay":
            here = self.place[ENVOY]
            if last == "two_steps":
                assert told["way_point"] in self.board.near(here)
                here = told["way_point"]
            assert told["target"] in self.board.near(here)
            self.put(ENVOY, told["target"])

    def _curiosity_meet_what(self, told, last) -> None:
        assert self.player == told["who"] == ENVOY and self.doing is None
        if last == "question":
            assert self.place[told["other"]] == self.place[ENVOY]
            self.doing = {"stage": "what", "asker": ENVOY, "other": told["other"]}
            self.question(owner(told["other"]), told["topic"], "two")

    def _sheet_write_announce(self, told, last) -> None:
        assert told.get("who") in (ENVOY, None) or isinstance(told["who"], tuple)
        if last == "i_know_who_you_are":
            assert self.sheet is None
            self.sheet = told
        elif last == "wait":
            assert self.sheet is None

    def sheet_is_right(self) -> bool:
        """Eight entries; `who` and `which` stand in the order of the players."""
        who, which = self.sheet["who"], self.sheet["which"]
        return all(who[i] == self.identity[p] and which[i] == self.build[p] for i, p in enumerate(self.players))

    # declaring
    def _declaration_claim(self, told, last) -> None:
        if last in ("go_on", "accomplished", "escaped"):
            assert told["who"] == self.player and self.declared is None
            assert self.doing is None or self.doing["stage"] == "expel" and not self.doing["faces"], (
                "in the middle of something"
            )
        if last == "accomplished":
            assert told["partner"] in self.players and told["partner"] != self.player
            self.declared = {"partner": told["partner"]}
        elif last == "escaped":
            assert self.number == 3
            self.declared = {}
        elif last in ("take", "refuse"):
            assert told["who"] == self.declared["partner"]
            self.declared["taken"] = last == "take"
        elif last == "over":
            self.over(told["winners"])

    def right_winners(self) -> set[str]:
        team = self.team(self.player)
        if "partner" not in self.declared:  # an escape
            here = self.board.number.get(self.place[self.agent(self.player)])
            right = len(team) == 1 and here in ESCAPES[self.edition][self.identity[self.player]]
        else:
            if self.sheet is not None and self.sheet_is_right():
                return {ENVOY}
            right = self.declared["taken"] and self.declared["partner"] in team and self.fulfilled(self.player)
        return team if right else set(self.players) - team

    def _match_over(self, told: dict, last: str) -> None:
        """A match of one game is won by those who have won the game."""
        assert set(told["winners"]) == self.winners, "the match goes to others than the game"

    def over(self, winners) -> None:
        self.winners = set(winners) if isinstance(winners, (tuple, list, set)) else {winners}
        assert self.winners == self.right_winners(), "the wrong side wins"

    def _game_rounds_limit(self, told, last) -> None:
        assert self.turns == self.options["round_limit"] * len(self.order)
        self.winners = set()

    # --- what may be done ---------------------------------------------------------------------------------------------
    def offers(self, step: str):
        """Everything that can be chosen at this step, in names; None where the referee has no list of his own."""
        if step == "movement/moves/one_after_the_other/next":
            return self.movements()
        if step == "meetings/one_by_one/whom":
            return [[p] for p in self.met()]
        if step in ("meeting/what", "audience/what"):
            mine, rivals = self.doing["mine"], [p for p in self.players if p != self.player]
            steps = [["step", s] for s in self.board.near(self.place[mine]) if self.free(s)]
            if step == "meeting/what":
                return [["leave"], ["question", "identity"], ["question", "build"], *steps]
            return [
                ["leave"],
                *([*steps] if self.options["step_from_ambassador"] else []),
                *(["question", p, topic] for p in rivals for topic in ("identity", "build")),
            ]
        if step == "giving/cards":
            at = self.doing
            about = at["giver"], at["asker"], at["topic"], at["form"]
            sets = [frozenset(c) for n in (1, 2, 3) for c in combinations(self.hand(at["giver"]), n)]
            return [[sorted(c)] for c in sets if self.is_answer(c, *about)]
        if step == "expulsion/where_to":
            return [[s] for s in self.exiles()]
        if step == "return_of_the_envoy/where_to":
            return [[s] for s in self.havens()]
        if step == "turn_of_the_ambassador/walk":
            near = self.board.near
            one = [["one_step", s] for s in near(self.place[ENVOY])]
            return [["stay"], *one, *(["two_steps", s, t] for _, s in one for t in near(s))]
        if step == "declaration/claim":
            return [
                ["go_on"],
                *(["accomplished", p] for p in self.players if p != self.player),
                *([["escaped"]] if self.number == 3 else []),
            ]
        if step == "declaration/claim/accomplished/hand":
            return [["take"], ["refuse"]]
        return None

    def movements(self) -> list[list[str]]:
        """Steps from which, with the balls that are left, movement can still end as it must."""
        found = [["stop"]] if self.may_end() else []
        if self.options["meetings"] == "between_moves" and self.met() and self.may_end():
            found.append(["meet"])
        for step in self.steps():
            undo = self.try_step(*step)
            if self.can_end():
                found.append(["move", *step])
            undo()
        return found

    def try_step(self, ball: str, piece: str, target: str):
        before = self.drawn, self.moved, self.place[piece]
        self.drawn, self.moved, self.place[piece] = self.drawn - Counter([ball]), self.moved | {piece}, target

        def undo() -> None:
            self.drawn, self.moved, self.place[piece] = before

        return undo

    def can_end(self) -> bool:
        if self.may_end():
            return True
        for step in self.steps():
            undo = self.try_step(*step)
            good = self.can_end()
            undo()
            if good:
                return True
        return False
