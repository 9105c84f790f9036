"""What a series of games tells, in words: tables on the terminal or in Markdown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...speech.language import N_
from ...speech.narrator import Narrator, question_name
from ..common.streams import Terminal

__all__ = ["Bench"]

# Headings of what is counted by; secrets are called as the game calls them.
BY = {"seat": N_("Seat"), "start": N_("Beginning"), "side": N_("Winning together"), "bot": N_("Bot")}
STARTS = {"first": N_("whoever begins"), "later": N_("the others")}
# What long games are measured in, where it has one of these usual names. What else the rules count or begin anew has a
# name for those who write rules, not for readers: it is only in the data.
LENGTHS = {
    "decisions": N_("decisions"),
    "rounds": N_("rounds"),
    "turn": N_("turns"),
    "game": N_("games"),
    "round": N_("rounds begun"),
}


class Bench:
    def __init__(self, game, terminal: Terminal, args):
        self.game, self.terminal, self.args = game, terminal, args
        self.language, self.narrator = terminal.language, Narrator(game, terminal.language)
        self.markdown = args.markdown

    # --- one series ---------------------------------------------------------------------------------------------------
    def title(self, data: dict) -> str:
        name = self.language.text(self.game.name)
        return self.language.say(
            N_("{game}, {players} players: {games} games among bots ({bots}), seed {seed}"),
            game=name,
            players=self.number(data["players"]),
            games=self.number(data["games"]),
            bots=data["bots"],
            seed=data["seed"],
        )

    def show(self, data: dict, setting: str = "") -> None:
        _ = self.language.translate
        if setting:
            self.heading(setting, 3)
        if data["cut_off"]:
            self.line(
                self.language.ngettext("{number} game was cut off.", "{number} games were cut off.", data["cut_off"])
            )
        if data["drawn"]["hits"]:
            self.line(self.language.say(N_("Nobody wins: {share}."), share=self.share(data["drawn"])))
        if data["tied"]["hits"]:
            self.line(self.language.say(N_("Everybody wins: {share}."), share=self.share(data["tied"])))
        if data["drawn"]["hits"] or data["tied"]["hits"] or data["cut_off"]:
            self.line()
        for group, rows in self.groups(data):
            self.table(
                [group, _("Wins"), _("Games"), _("Share"), _("95% interval")],
                [
                    [name, self.number(s["hits"]), self.number(s["cases"]), self.percent(s["share"]), self.interval(s)]
                    for name, s in rows
                ],
                (1, 2, 3, 4),
            )
        self.table(
            [_("Seat"), _("Mean score"), _("95% interval")],
            [
                [self.thing(seat), self.decimal(s["mean"]), self.span(s["low"], s["high"])]
                for seat, s in data["scores"].items()
            ],
            (1, 2),
        )
        lengths = {name: data["lengths"][name] for name in self.measures(data["lengths"])}
        self.table(
            [_("Length"), _("Mean"), _("95% interval"), _("10% below"), _("Median"), _("90% below"), _("Most")],
            [
                [
                    self.length(name),
                    self.decimal(s["mean"]),
                    self.span(s["low"], s["high"]),
                    *(self.decimal(s[key]) for key in ("tenth", "median", "ninetieth", "most")),
                ]
                for name, s in lengths.items()
            ],
            (1, 2, 3, 4, 5, 6),
        )
        self._declarations(data["declarations"])
        if data["table"]:
            self.table(
                [_("Row of the table"), _("Wins"), _("Games"), _("Share"), _("95% interval")],
                [
                    [
                        self.cell(s["keys"]),
                        self.number(s["hits"]),
                        self.number(s["cases"]),
                        self.percent(s["share"]),
                        self.interval(s),
                    ]
                    for s in data["table"]
                ],
                (1, 2, 3, 4),
            )
        if data.get("knowledge"):
            self.table(
                [
                    _("What could be known"),
                    _("How often"),
                    _("95% interval"),
                    _("Decisions until then, mean"),
                    _("Median"),
                ],
                [
                    [
                        self.known(name),
                        self.percent(k["known"]["share"]),
                        self.interval(k["known"]),
                        self.decimal(k["after"].get("mean")),
                        self.decimal(k["after"].get("median")),
                    ]
                    for name, k in data["knowledge"].items()
                ],
                (1, 2, 3, 4),
            )

    def _declarations(self, claims: dict) -> None:
        if not claims["made"]:
            return
        self.line(
            self.language.say(
                N_("Declarations: {made}; wrong: {share}."),
                made=self.number(claims["made"]),
                share=self.share(claims["wrong"]),
            )
        )
        if claims["refused"]["hits"]:
            self.line(
                self.language.say(
                    N_("Right, but refused by the other player: {share}."), share=self.share(claims["refused"])
                )
            )
        if len(claims["wrong_by_bot"]) > 1:
            for bot, wrong in claims["wrong_by_bot"].items():
                self.line(
                    self.language.say(N_("Wrong declarations of {bot}: {share}."), bot=bot, share=self.share(wrong))
                )
        self.line()

    def groups(self, data: dict) -> list[tuple[str, list[tuple[str, dict]]]]:
        found = []
        for key in ("seat", "start", "side", "bot", *(k for k in data["wins"] if k not in BY)):
            rows = data["wins"].get(key)
            if key == "side" and rows and all(" + " not in name for name in rows):
                continue  # everybody plays for himself: that is told by seat
            if rows:
                order = sorted(rows, key=lambda name: self.order(key, name))
                found.append((self.by(key), [(self.name(key, name), rows[name]) for name in order]))
        return found

    @staticmethod
    def measures(lengths: dict[str, dict]) -> list[str]:
        """The lengths that are worth telling: those with a name that are not always 1. Rounds are told once: those that
        were begun only where the rules do not count them."""
        named = [name for name, found in lengths.items() if name in LENGTHS and found.get("most", 0) > 1]
        named.sort(key=lambda name: name == "decisions")  # people count in rounds and turns
        return [name for name in named if name != "round" or "rounds" not in lengths]

    def histogram(self, data: dict, records: list[dict]) -> tuple[str, list[int]] | None:
        name = next((n for n in self.measures(data["lengths"]) if n != "decisions"), "decisions")
        return self.length(name), [r["lengths"].get(name, 0) for r in records if r["over"]]

    # --- two series ---------------------------------------------------------------------------------------------------
    def show_comparison(self, both: dict, one: str, other: str) -> None:
        _ = self.language.translate
        self.heading(
            self.language.say(
                N_("{one} against {other}: {pairs} pairs of games with the same seeds"),
                one=one,
                other=other,
                pairs=self.number(both["pairs"]),
            ),
            3,
        )
        self.table(
            [_("Wins"), one, other, _("Difference, points"), _("95% interval"), _("By chance alone"), _("Verdict")],
            [
                [
                    self.outcome(t),
                    self.percent(t["one"]["share"]),
                    self.percent(t["other"]["share"]),
                    self.points(t["difference"]),
                    self.from_to(t["low"], t["high"], self.points),
                    self.chance(t["corrected"]),
                    self.verdict(t["real"]),
                ]
                for t in both["wins"]
            ],
            (1, 2, 3, 4, 5),
        )
        lengths = {t["name"]: t for t in both["lengths"]}
        means = [(self.length(name), lengths[name]) for name in self.measures(lengths)]
        for heading, rows in (
            (_("Mean score"), [(self.thing(t["name"]), t) for t in both["scores"]]),
            (_("Length"), means),
        ):
            self.table(
                [heading, one, other, _("Difference"), _("95% interval"), _("Verdict")],
                [
                    [
                        name,
                        self.decimal(t["one"]),
                        self.decimal(t["other"]),
                        self.signed(t["difference"]),
                        self.from_to(t["low"], t["high"], self.signed),
                        self.verdict(t["real"]),
                    ]
                    for name, t in rows
                ],
                (1, 2, 3, 4),
            )
        self._advice(both)

    def _advice(self, both: dict) -> None:
        """How much these games can tell."""
        say = self.language.say
        if both["questions"] > 1:
            self.line(
                say(
                    N_("{number} questions are asked at once; what chance alone would do is corrected for that."),
                    number=self.number(both["questions"]),
                )
            )
        if both["needed"] is not None:
            text = (
                N_("A difference of {points} points would be seen in four of five such series: {needed} pairs suffice.")
                if both["pairs"] >= both["needed"]
                else N_("To see a difference of {points} points in four of five series, {needed} pairs are needed.")
            )
            self.line(say(text, points=self.decimal(both["points"]), needed=self.number(both["needed"])))
        self.line()

    def differences(self, both: dict, one: str, other: str) -> tuple[str, list[tuple[str, dict, str]]]:
        """For a plot: a heading, and for each side the difference with its interval, and how it is written."""
        heading = self.language.say(N_("{one} against {other}: difference in points"), one=one, other=other)
        rows = [(self.outcome(t), t, self.points(t["difference"])) for t in both["wins"] if t["low"] is not None]
        return heading, rows

    def outcome(self, test: dict) -> str:
        if test["what"] == "drawn":
            return self.language.translate(N_("nobody"))
        return self.name("side", test["name"])

    def verdict(self, real: bool) -> str:
        return self.language.translate(N_("real") if real else N_("may be chance"))

    def chance(self, chance: float) -> str:
        return f"< {self.decimal(0.001)}" if chance < 0.001 else self.decimal(round(chance, 3))

    def show_speed(self, games: int, seconds: float) -> None:
        if seconds > 0:
            self.line(self.language.say(N_("{rate} games a second."), rate=self.decimal(round(games / seconds, 1))))

    # --- names and numbers --------------------------------------------------------------------------------------------
    def by(self, key: str) -> str:
        if key in BY:
            return self.language.translate(BY[key])
        name = self.language.pgettext("things", key)
        return (name.split(" | ")[0] if name else key.replace("_", " ")).capitalize()

    def name(self, key: str, name: str) -> str:
        if key == "start":
            return self.language.translate(STARTS[name])
        if key == "bot":
            return name
        if key == "side":
            return self.language.list([self.thing(part) for part in name.split(" + ")])
        return self.thing(name)

    def order(self, key: str, name: str) -> tuple:
        """As at the table and in the rules, not by the alphabet."""
        atoms = self.game.vocabulary.by_name.get(name)
        return (self.game.seats.index(name) if key == "seat" else atoms[0] if atoms else 0, name)

    def thing(self, name: str) -> str:
        atoms = self.game.vocabulary.by_name.get(name, ())
        return self.narrator.name(atoms[0])("list") if atoms else name

    def cell(self, keys: list[str]) -> str:
        return " · ".join(self.thing(key) for key in keys)

    def length(self, name: str) -> str:
        return self.language.translate(LENGTHS[name])

    def known(self, name: str) -> str:
        return question_name(self.game, self.language, name)

    def number(self, number: int) -> str:
        return self.language.number(number)

    def decimal(self, number: Any) -> str:
        if number is None:
            return "–"
        pattern = "#,##0.###" if abs(number) < 1 else "#,##0.##" if abs(number) < 100 else "#,##0.#"
        return self.language.decimal(number, pattern)

    def signed(self, number: float | None) -> str:
        return "–" if number is None else self.language.decimal(round(number, 2) + 0.0, "+0.##;−0.##")

    def points(self, share: float | None) -> str:
        """A difference of shares, in points of a hundred."""
        return "–" if share is None else self.language.decimal(round(100 * share, 1) + 0.0, "+0.0;−0.0")

    @staticmethod
    def from_to(low: float | None, high: float | None, written: Callable[[float], str]) -> str:
        return "–" if low is None or high is None else f"{written(low)} … {written(high)}"

    def percent(self, share: float | None) -> str:
        return "–" if share is None else self.language.tenth_of_percent(share)

    def span(self, low: float | None, high: float | None) -> str:
        return "–" if low is None else f"{self.decimal(low)} – {self.decimal(high)}"

    def interval(self, share: dict) -> str:
        return f"{self.percent(share['low'])} – {self.percent(share['high'])}" if share["cases"] else "–"

    def share(self, share: dict) -> str:
        if not share["cases"]:
            return "–"
        return f"{self.percent(share['share'])} ({self.interval(share)})"

    # --- writing ------------------------------------------------------------------------------------------------------
    def heading(self, text: str, level: int = 2) -> None:
        if self.markdown:
            self.line(f"{'#' * level} {text}")
        else:
            self.terminal.heading(text)
        self.line()

    def line(self, text: str = "") -> None:
        self.terminal.line(text)

    def table(self, headings: list[str], rows: list[list[str]], numbers: tuple[int, ...]) -> None:
        if not rows:
            return
        if self.markdown:
            self.line(f"| {' | '.join(headings)} |")
            self.line(f"|{'|'.join('--:' if i in numbers else '---' for i in range(len(headings)))}|")
            for row in rows:
                self.line(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |")
        else:
            self.terminal.table(headings, rows, numbers)
        self.line()
