"""How a game presents itself, as data: its screens, names, phrases, sentences for worksheets, and its rulebook.

It is read once, when a game is made (screens.py, sentences.py, texts.py), and decides nothing in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .blocks import Event
from .errors import Problem
from .model import Expr, Function, Text, ThingSet, Told, Type, Value, Var

EVERYTHING = "everything"  # the question about all secrets at once, beside those that the rules name


@dataclass(slots=True)
class NotesLine:
    """A box for each of some things, and what stands in it in the notes of a player."""

    name: Text
    thing: Var
    player: Var
    value: Expr


@dataclass(slots=True)
class Notes:
    """A record of sets of things, by who showed them and to whom, and the signs for both directions."""

    record: Function
    seen: str
    given: str
    line: NotesLine | None = None


@dataclass(slots=True)
class GoalTable:
    """A table of conditions, and the expressions that lead a player to his row."""

    function: Function
    player: Var
    keys: list[Expr]
    fulfilled: Expr | None = None  # whether it has come true, for the end of the game
    otherwise: tuple[Text, list[tuple[str, Expr]]] | None = None  # what is told to one without a row, what it names


@dataclass(slots=True)
class Chart:
    """The board: its spaces, the columns that say where they lie and what they are, routes, pieces, marks."""

    spaces: ThingSet
    columns: dict[str, Function]
    links: Function | None
    pieces: Function | None
    holds: Function | None
    rows: tuple[tuple[int, ...], ...] = ()  # a board of squares: its spaces, row by row
    dashed: frozenset[int] = frozenset()  # the ways that are drawn as dashed lines


@dataclass(slots=True, eq=False)
class SentenceForm:
    """One kind of entry, and the line of a log that it stands for."""

    name: str
    says: Text
    asks: Text  # how to bring it about, if it answers a question
    event: Event
    vars: dict[str, Var]  # everything that the line tells, by name
    means: dict[str, Expr]
    among: dict[str, Expr]
    me: Var


@dataclass(frozen=True, slots=True)
class SentenceForms:
    """All of them; or what is wrong with them, which concerns only those who want to use a worksheet."""

    forms: tuple[SentenceForm, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class Screens:
    secrets: list[Function]
    public: list[Function]
    notes: Notes | None
    table: GoalTable | None
    knowledge: dict[str, tuple[Var, Expr]]
    questions: dict[str, Text]  # what those of `knowledge` are called
    chart: Chart | None
    colours: dict[int, str]  # in which things are painted
    signs: dict[int, str]  # that stand for things on the board
    worksheet: SentenceForms = SentenceForms()  # what players at a real table can note: bound to the program


@dataclass(slots=True)
class SetTexts:
    """A set of things: what its members are called, and what the rulebook tells of them."""

    names: dict[str, Text] = field(default_factory=dict)  # of members that have a name of their own
    called: Text | None = None  # a member of a product, with the names of its parts in braces
    parts: tuple[str, ...] = ()  # of a product: the sets it is made of
    is_union: bool = False
    columns: tuple[tuple[str, Function], ...] = ()  # what is known of each member
    said: dict[tuple[str, str], Text] = field(default_factory=dict)  # (member, column): cells with a text of their own
    told: Told = Told()


@dataclass(slots=True)
class SaidAs:
    """How some things are called in the cells of a table: `{x}` is the plain name."""

    atoms: frozenset[int]
    text: Text
    unless: str  # a column: those for which it is one of the cell's keys keep their plain name


@dataclass(slots=True)
class TableTexts:
    name: str  # the first word of its head
    function: Function
    said_as: SaidAs | None
    told: Told
    said: dict[tuple[int, ...], Text] = field(
        default_factory=dict
    )  # what a reader is told of some cells, by their keys


@dataclass(slots=True)
class Texts:
    things: dict[str, SetTexts]  # by set
    tables: tuple[TableTexts, ...]
    links: tuple[tuple[str, Function], ...]  # by the first word of their heads
    options: dict[str, Told]

    def said_as(self, function: Function) -> SaidAs | None:
        """How things are called in the cells of this table, if not as everywhere."""
        return next((table.said_as for table in self.tables if table.function is function), None)


@dataclass(slots=True)
class Phrase:
    """How a predicate or a set is said, and under which names the text mentions its arguments."""

    names: tuple[str, ...]
    text: Text


@dataclass(slots=True)
class Presented:
    """How a set, a table or a chapter is presented in the rulebook."""

    name: Text = ""
    about: Text = ""
    hidden: bool = False
    titles: dict[str, Text] | None = None  # the columns that are shown, and their headings; None: all of them
    printed: str = ""  # as what it is printed and cut out, if not as its use in the rules suggests
    printed_for: str = ""  # the set of those who each have one of it


@dataclass(slots=True)
class Authors:
    """Who wrote the sentences beside the steps, and what has been changed since; steps by their names."""

    sentences: dict[str, int] = field(default_factory=dict)  # by step: the author of its sentence
    changed: tuple[frozenset[str], ...] = ()  # by author: the steps that were not there, or not so, when he wrote
    outdated: frozenset[str] = frozenset()  # steps whose sentence is no longer true


@dataclass(slots=True)
class BookTexts:
    """What the rulebook needs besides the rules themselves."""

    players: tuple[int, ...]  # all numbers of players that this game can be played by
    start: str  # the shape of the rule that is carried out first
    story: Text
    components: dict[str, Presented]
    tables: dict[str, Presented]
    chapters: dict[str, Presented]
    sources: dict[str, Text]
    mentions: dict[str, tuple[Value, Type]] = field(default_factory=dict)  # what texts have in braces, and its value
    authors: Authors = field(default_factory=Authors)
