"""What each team has to do, by its two letters (000-69, 002-39), and whether it is done."""

from dataclasses import dataclass

from oracles.second.city import EMBASSY, NUMBERED
from oracles.second.table import IDENTITIES, partner

F, B, Z, X = IDENTITIES

# figure at: any of the team's eight figures where this one is (000-72); agent on: the real figure of an agent on a space
MISSIONS = {
    (F, B): {
        "AB": ("figure at", X),
        "AC": ("agent on", F, 5),
        "AD": ("figure at", Z),
        "BA": ("figure at", X),
        "BC": ("figure at", "ambassador"),
        "BD": ("agent on", B, 1),
        "CA": ("agent on", F, 7),
        "CB": ("figure at", "ambassador"),
        "CD": ("ambassador on", 0),
        "DA": ("figure at", Z),
        "DB": ("agents together",),
        "DC": ("ambassador on", 8),
    },
    (Z, X): {
        "AB": ("figure at", "ambassador"),
        "AC": ("figure at", B),
        "AD": ("agent at ambassador", Z),
        "BA": ("figure at", "ambassador"),
        "BC": ("agents together",),
        "BD": ("figure at", F),
        "CA": ("figure at", B),
        "CB": ("agent on", Z, 4),
        "CD": ("agent on", X, 2),
        "DA": ("ambassador on", 3),
        "DB": ("figure at", F),
        "DC": ("agent on", X, 6),
    },
}
ESCAPES = {  # 000-85, 002-49
    "venice-2013": {F: {5}, B: {1}, Z: {4}, X: {6}},
    "venice-classic": {F: {5, 1}, B: {5, 1}, Z: {4, 6}, X: {4, 6}},
}


@dataclass
class City:
    """All that a verdict on the board hangs on."""

    identity: dict[str, str]  # of everyone who was dealt a card, the missing one too
    build: dict[str, str]
    letter: dict[str, str]
    place: dict[str, str]
    absent: str | None
    five: bool

    def bearer(self, identity: str) -> str:
        """Who plays this agent; for the missing one, his partner, who is there (000-83, 002-48)."""
        (who,) = (spy for spy, name in self.identity.items() if name == identity)
        return self.bearer(partner(identity)) if who == self.absent else who

    def agent(self, identity: str) -> str:
        """Where the real figure of an agent stands (000-3, 000-71, 004-24)."""
        spy = self.bearer(identity)
        return self.place[f"{spy}_{self.build[spy]}"]

    def accomplished(self, one: str, other: str) -> bool:
        """Whether the mission of two partners is fulfilled now."""
        by_identity = {self.identity[one]: one, self.identity[other]: other}
        team = next(team for team in MISSIONS if set(team) == set(by_identity))
        goal = MISSIONS[team][self.letter[by_identity[team[0]]] + self.letter[by_identity[team[1]]]]
        agents = {self.agent(name) for name in team}
        figures = {space for piece, space in self.place.items() if piece.startswith((f"{one}_", f"{other}_"))}
        match goal:
            case ("figure at", "ambassador"):
                return self.place["ambassador"] in figures
            case ("figure at", identity):
                return self.agent(identity) in figures
            case ("agent on", identity, number):
                return self.agent(identity) == NUMBERED[number]
            case ("agent at ambassador", identity):
                return self.agent(identity) == self.place["ambassador"]
            case ("agents together",):
                return len(agents) == 1
            case ("ambassador on", number):  # 000-95: with five it is one of the team's two agents
                space = NUMBERED[number] if number else EMBASSY
                return space in agents if self.five else self.place["ambassador"] == space
        raise AssertionError(goal)

    def escaped(self, edition: str, spy: str) -> bool:
        """Whether a spy's real figure stands where his person can leave Venice (000-85, 002-49)."""
        goals = {NUMBERED[number] for number in ESCAPES[edition][self.identity[spy]]}
        return self.place[f"{spy}_{self.build[spy]}"] in goals
