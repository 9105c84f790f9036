"""`tabarro new`: begins a house rule, as a file in which everything is explained and nothing is changed yet.

Prose stands behind `# `; lines of rules that are switched off begin with `#` alone, and work when it is taken away.
"""

from __future__ import annotations

import json
from typing import Any

from ...interpreter.model import Option
from ...interpreter.resolve import settle
from ...speech.language import N_, Language
from ..common.layout import wrapped
from ..common.loading import possible_values
from ..common.streams import Terminal
from .yaml_text import flow, scalar

WIDTH = 100
SCHEMA_FILE = "tabarro.schema.json"


def board_in(whole) -> dict:
    """The spaces of a board whose spaces are linked, each with its columns; nothing if there is none."""
    shown = (whole.get("screens") or {}).get("map") or {}
    spec = (whole.get("things") or {}).get(shown.get("spaces")) if "links" in shown else None
    members = spec.get("members") if isinstance(spec, dict) else None
    return members if isinstance(members, dict) and "columns" in spec else {}


class Draft:
    def __init__(self, language: Language, name: str, parent: str):
        self.language, self.name, self.parent = language, name, parent
        self.lines: list[str] = []

    # --- lines --------------------------------------------------------------------------------------------------------
    def prose(self, text: str, /, indent: int = 0, **values: Any) -> None:
        said = self.language.say(text, **values)
        prefix = " " * indent + "# "
        self.lines += wrapped(said, WIDTH, prefix)

    def off(self, text: str) -> None:
        """A line of rules that is switched off."""
        self.lines.append("#" + text)

    def on(self, text: str = "") -> None:
        self.lines.append(text)

    def head(self, about: str) -> None:
        self.on(f"# yaml-language-server: $schema={SCHEMA_FILE}")
        self.prose(about, name=self.name, parent=self.parent)

    def called(self) -> None:
        self.on(f"extends: {self.parent}")
        self.on(f"name: {scalar(self.name.replace('-', ' ').replace('_', ' ').capitalize())}")

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    # --- a variant ----------------------------------------------------------------------------------------------------
    def variant(self, whole) -> str:
        self.head(N_("{name}: a variant of {parent}."))
        self.prose(N_("What is written here changes the game; everything else stays as it is there."))
        self.prose(
            N_(
                "Lines that begin with # are not read. To switch on one that holds a rule, delete its #; lines that "
                "stand further to the right belong to the line above. Then run: tabarro check {name}"
            ),
            name=self.name,
        )
        self.called()
        self.options(whole.get("options") or {}, settle(whole, {}))
        self.numbers(whole.get("things") or {})
        self.condition(whole.get("tables") or {})
        self.step(whole)
        return self.text

    def options(self, options, settled: dict[str, Option]) -> None:
        if not options:
            return
        self.on()
        self.prose(N_("Options, each with the value that it has in {parent}."), parent=self.parent)
        self.off("options:")
        for name, spec in options.items():
            about = self.language.text(spec.get("about"))
            self.prose(
                N_("{name}: {about} Possible: {values}."), name=name, about=about, values=possible_values(settled[name])
            )
            if spec.get("decision"):
                self.prose(N_("Why: {reason}"), reason=self.language.text(spec["decision"]))
            self.off(f"  {name}: {scalar(spec['default'])}")

    def numbers(self, things) -> None:
        """One column of numbers, such as how many there are of each: what people change most."""
        found = []
        for name, spec in things.items():
            members = spec.get("members") if isinstance(spec, dict) else None
            rows = {m: r for m, r in members.items() if r} if isinstance(members, dict) else {}
            for column in dict.fromkeys(key for row in rows.values() for key in row):
                values = {m: row[column] for m, row in rows.items() if type(row.get(column)) is int}
                if values and column != spec.get("numbered by"):
                    found.append((column != "count", name, column, values))
        if not found:
            return
        _, name, column, values = min(found, key=lambda one: one[0])
        self.on()
        self.prose(N_("Numbers of things. Write only what is different; the others stay."))
        self.off("things:")
        self.off(f"  {name}:")
        self.off("    members:")
        for member, value in values.items():
            self.off(f"      {scalar(member)}: {{{column}: {value}}}")

    def condition(self, tables) -> None:
        """One cell of the first table of conditions."""
        for head, spec in tables.items():
            path, value = [], spec.get("rows")
            while isinstance(value, dict) and value:
                key = next(iter(value))
                path.append(key)
                value = value[key]
            if isinstance(value, str) and " is " in value:
                self.on()
                self.prose(
                    N_('A condition in a table. “tabarro say {parent} "…"” says one in words.'), parent=self.parent
                )
                self.off("tables:")
                self.off(f"  {head}:")
                self.off("    rows:")
                for depth, key in enumerate(path):
                    last = depth == len(path) - 1
                    self.off(" " * (6 + 2 * depth) + f"{scalar(key)}:" + (f" {scalar(value)}" if last else ""))
                return

    def step(self, whole) -> None:
        start = str(whole.get("start", "game"))
        rules = whole.get("rules") or {}
        head = next((h for h in rules if h == start or h.startswith(start + " ")), None)
        if head is None or not rules[head]:
            return
        first = next(iter(rules[head]))
        self.on()
        self.prose(
            N_(
                "A new step. “before” and “after” say where it goes; “remove: true” takes a step out, and “replace” "
                "puts another one in its place. “tabarro diff {name}” shows what has become of it."
            ),
            name=self.name,
        )
        self.off("rules:")
        self.off(f"  {head}:")
        greeting = self.language.translate(N_("Tonight we play by our own rules."))
        step = "welcome"
        while step in rules[head]:
            step += "_too"
        self.off(f"    {step}: {{before: {scalar(first)}, say: {json.dumps(greeting, ensure_ascii=False)}, to: all}}")

    # --- a board ------------------------------------------------------------------------------------------------------
    def board(self, whole, terminal: Terminal) -> str:
        if not board_in(whole):
            raise terminal.refusal(N_("“{name}” has no board."), name=self.parent)
        shown = whole["screens"]["map"]
        set_name = shown["spaces"]
        spec = whole["things"][set_name]
        self.head(N_("{name}: a board of your own for {parent}."))
        self.prose(
            N_(
                "Rename, move, add and take away spaces as you like; then run: tabarro check {name}, and look at it: "
                "tabarro board {name}"
            ),
            name=self.name,
        )
        self.called()
        self.on()
        self.on("things:")
        self.on(f"  {set_name}:")
        self.on("    replace:")
        for key in ("plural", "numbered by"):
            if key in spec:
                self.on(f"      {key}: {scalar(spec[key])}")
        self.on(f"      columns: {flow(spec['columns'])}")
        self.prose(N_("One line for each space: the word by which rules call it, then what is known of it."), indent=6)
        roles = {
            "at": N_("{column}: where it lies on the map, from the left and from the top, in thousandths."),
            "number": N_("{column}: the number by which conditions call it; each number once."),
            "colour": N_("{column}: whose it is at the beginning."),
            "home": N_("{column}: true for the one that is the home of something."),
        }
        for role, text in roles.items():
            if role in shown:
                self.prose(text, indent=6, column=shown[role])
        self.on("      members:")
        for member, row in board_in(whole).items():
            self.on(f"        {scalar(member)}: {flow(row or {})}")
        self.on()
        self.prose(
            N_(
                "Which spaces are neighbours: pairs, in either order. "
                "A list that stands here replaces that of {parent}."
            ),
            parent=self.parent,
        )
        self.on("links:")
        for head, groups in (whole.get("links") or {}).items():
            self.on(f"  {head}:")
            for kind, pairs in groups.items() if isinstance(groups, dict) else [(None, groups)]:
                if kind is not None:
                    self.on(f"    {scalar(kind)}:")
                self.lines += [" " * (4 if kind is None else 6) + f"- {flow(pair)}" for pair in pairs]
        return self.text
