"""What follows from what somebody has seen: as data, and in words. `tabarro deduce` and `hint` tell it."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import Any

from ...interpreter import Game, Player, RulesError, Umpire
from ...interpreter.cells import arguments_of, cells_of
from ...interpreter.errors import problem
from ...interpreter.evaluate import evaluate
from ...interpreter.model import Type
from ...lab.knowledge import Knowledge
from ...lab.turns import turn_of_decisions
from ...mind.answers import MISSING, allows
from ...mind.belief import WorldCells
from ...mind.bots import BOTS
from ...mind.kinds import EVENLY
from ...mind.models import THINK_AT_THE_END, chooses_evenly, courses_of
from ...mind.now import Now
from ...mind.odds import Odds, ways_of
from ...mind.questions import Questions
from ...mind.secrets import changing, deals_suffice, dealt_once
from ...speech.goals import Goals
from ...speech.language import N_, SURE, Language, fill
from ...speech.narrator import Narrator, question_name
from .account import Account
from .worksheet import Worksheet, opening

BEST = 3  # questions that are named
MANY = 20  # values of several things together: if there are more, it is told of each thing by itself


def sheet_for(game: Game, language: Language) -> Worksheet:
    """A worksheet with the sentences that the rules declare, where facts mean the same whenever they are noted; for any
    other game an account of it, in order."""
    has_sentences = game.screens.worksheet.forms or game.screens.worksheet.problems
    return (Worksheet if has_sentences and dealt_once(game) else Account)(game, language)


def understood(sheet, entries=None):
    """The belief that follows from a worksheet, or from some of its entries; RulesError at the one that cannot be."""
    if isinstance(sheet, Account):
        return sheet.understood(entries)
    rows = opening(sheet.game, sheet.seat, sheet.secrets)
    if rows is None:
        raise RulesError(problem("worksheet_cards", None))
    odds = Odds(sheet.game, sheet.seat)
    odds.observe(rows)
    odds.ready()
    for entry in sheet.entries if entries is None else entries:
        take(sheet, odds, entry)
    return odds


def take(sheet, odds, entry) -> None:
    """One entry more; RulesError, and nothing taken, if it contradicts what came before."""
    if isinstance(sheet, Account):
        sheet.take_entry(entry)
        return
    belief, before = odds.belief, (list(odds.belief.worlds), dict(odds.weights), list(odds.belief.known))
    slots = WorldCells(belief)
    row = sheet.row(entry, slots)
    fits = could_choose(sheet, belief, entry, row)
    if fits:
        odds.observe([row])
    if not fits or belief.exact and not belief.worlds:
        belief.worlds, odds.weights, belief.known = before
        mine = entry.values.get(entry.sentence.owner) == sheet.me
        raise RulesError(problem("worksheet_own" if mine else "worksheet_contradiction", entry.place, len(entry.text)))
    odds.observe(sheet.notes(entry, slots))


def could_choose(sheet, belief, entry, row: tuple) -> bool:
    """If it is one's own choice: do the rules allow it in any case that the sentence leaves open? A belief takes what
    its owner does as given."""
    event, step = entry.sentence.event, entry.sentence.event.origin
    kinds = {n: entry.sentence.vars[n].type for n in entry.sentence.means}
    if any(kind.kind == "thing" and entry.values[n] not in (None, *kind.atoms) for n, kind in kinds.items()):
        return False  # nobody on this seat ever does that
    if event.kind != "ask" or dict(zip(event.names, row[1:])).get("who") != sheet.me:
        return True
    alternative = next((a for a in step.alternatives if a.name == event.alternative), None)
    chosen = {part.var: entry.values[part.var.name] for part in step.parts if part.var.name in entry.values}
    told = [entry.values.get(v.name) for v in event.context]
    open_ones = [sorted(v.type.atoms) or [None] if x is None else [x] for v, x in zip(event.context, told)]
    slots = WorldCells(belief)
    for world in belief.worlds[:1]:  # what others hold is not looked at
        slots.world = world
        for values in product(*open_ones):
            try:
                if allows(step, alternative, chosen, dict(zip(event.context, values)), slots):
                    return True
            except MISSING:
                return True  # that hangs on what nobody has noted
        return False
    return True


# --- what follows -----------------------------------------------------------------------------------------------------
def conclusions(odds, seat: str, sheet=None, model: str = EVENLY) -> dict[str, Any]:
    """Everything that follows, as data: names and probabilities."""
    game, belief = odds.game, odds.ready().belief
    shares = odds.shares()
    found: dict[str, Any] = {
        "game": game.id,
        "players": game.players,
        "me": seat,
        "worlds": len(belief.worlds),
        "exact": belief.exact,
        "error": round(belief.error, 4) if isinstance(belief, Now) else None,
        "model": "even choice" if model == EVENLY else model,
        "when": _when(odds, sheet),
        "missing": sheet.next_sentences() if isinstance(sheet, Account) and sheet.lacks_something else [],
        "secrets": {},
        "goals": [],
        "known": {},
        "questions": [],
    }
    for function in belief.functions:
        cells = cells_of(function)
        if not belief.worlds or belief.place.keys().isdisjoint(cells):
            continue
        if isinstance(belief, Now) and game.screens.secrets and function not in game.screens.secrets:
            continue  # of what changes all the time, only what the rules call a secret
        entry = found["secrets"].setdefault(function.shape.split(" ")[0], {})
        for cell in cells:
            things = zip(arguments_of(function, cell), function.params)
            args = " ".join(game.named(thing, param.type) for thing, param in things)
            chances: dict[Any, float] = {}
            if cell in belief.place:
                for world, share in zip(belief.worlds, shares, strict=True):
                    value = _key(game, world[belief.place[cell]], function.result)
                    chances[value] = chances.get(value, 0.0) + share
            elif cell in belief.seen_cells:
                chances[_key(game, belief.known[cell], function.result)] = 1.0
            else:
                continue  # nothing of it can ever be known
            entry[args] = dict(sorted(((v, round(p, 6)) for v, p in chances.items()), key=lambda i: (-i[1], str(i[0]))))
    found["goals"] = _goals(odds, seat)
    questions = Questions(game, seat)
    for name, (_, expr) in questions.expressions.items():
        spread = odds.spread(questions.look(name))
        found["known"][name] = [
            {"value": game.named(value, expr.type), "share": round(p, 6)}
            for value, p in spread.items()
            if value is not None
        ]
    if sheet is not None and not isinstance(sheet, Account):
        found["questions"] = best_questions(odds, sheet)
    return found


def _when(odds: Odds, sheet: Worksheet | None) -> str:
    """Of which moment it is told, where that makes a difference."""
    if not isinstance(odds.belief, Now) or changing(odds.game).isdisjoint(odds.game.screens.secrets):
        return "always"
    return "turn" if odds.belief.is_at_turn else "noted" if isinstance(sheet, Account) else "news"


AND = " + "  # between several things that are one value


def _key(game: Game, value: Any, kind: Type) -> str:
    """A value as a key of the data."""
    named = game.named(value, kind)
    return AND.join(map(str, named)) if isinstance(named, tuple) else str(named)


def _of_key(key: str, kind: Type) -> Any:
    """The value in names that such a key stands for."""
    if kind.many and kind.of is not None:
        return tuple(_of_key(part, kind.of) for part in key.split(AND)) if key else ()
    if key == str(None):
        return None
    return {"number": int, "truth": str(True).__eq__}.get(kind.kind, str)(key)


def _goals(odds, seat: str) -> list[dict]:
    """The rows of the table of goals that may be this player's, and how likely it is that he has none."""
    table = odds.game.screens.table
    me = odds.belief.me
    if table is None or me not in table.player.type.atoms:
        return []
    spread = odds.spread(lambda slots: tuple(evaluate(expr, slots, {table.player: me}) for expr in table.keys))
    found = [
        {"keys": [odds.game.named(k, e.type) for k, e in zip(keys, table.keys)], "share": round(share, 6)}
        for keys, share in spread.items()
        if keys is not None and keys in table.function.values
    ]
    none = sum(share for keys, share in spread.items() if keys is not None and None in keys)
    if none and table.otherwise is not None:
        values = {
            name: odds.game.named(evaluate(expr, odds.belief.known, {table.player: me}), expr.type)
            for name, expr in table.otherwise[1]
        }
        found.append({"keys": None, "with": values, "share": round(none, 6)})
    return found


def best_questions(odds, sheet) -> list[dict]:
    """What to ask whom, the most telling first: how many bits the answer tells on average."""
    found = []
    for sentence in sheet.known:
        if not sentence.asks:
            continue
        names = [n for n in sentence.among if n != sentence.answer]
        pools = [sheet.worth(sentence.among[n], sentence, {}) or () for n in names]
        for values in product(*pools):
            filled = sheet.complete(sentence, dict(zip(names, values)))
            event = sentence.event
            row = (*(filled.get(n) for n in event.names), *(filled.get(v.name) for v in event.context))
            ways = ways_of(odds.belief, event, row)
            bits = odds.gain(ways) if ways else odds.surprise(event, row)
            if bits is not None and bits > 1e-9:
                found.append(
                    {
                        "sentence": sentence.name,
                        "bits": round(bits, 4),
                        "with": {n: odds.game.named(v, sentence.vars[n].type) for n, v in zip(names, values)},
                    }
                )
    return sorted(found, key=lambda q: (-q["bits"], q["sentence"], str(q["with"])))


# --- in words ---------------------------------------------------------------------------------------------------------
def told(game, language: Language, found: dict, sheet=None) -> list[str]:
    """The conclusions for a reader: what is certain first, then how likely the rest is, then what to ask."""
    say, narrator = language.say, Narrator(game, language)
    people = sheet.own_names if sheet is not None else {}
    functions = [f for same in game.vocabulary.functions.values() for f in same if f.kind == "state"]
    secrets = {f.shape.split(" ")[0]: f for f in reversed(functions)}

    def called(value: Any, kind: Type) -> str:
        """A value in names: people by the names that they were given."""
        if isinstance(value, tuple) and value:
            return language.list([called(one, kind.of or kind) for one in value])
        own = people.get(game.vocabulary.member(value, kind)) if isinstance(value, str) else None
        return own or narrator.said(value, kind)("list")

    def likely(said: str, share: float) -> str:
        return f"{said} ({language.percent(share)})"

    lines, open_ones = [], []
    for kind, entries in found["secrets"].items():
        label, function = question_name(game, language, kind), secrets[kind]
        for args, chances in entries.items():
            if args == found["me"]:
                continue
            owners = args.split(" ") if len(function.params) > 1 else [args] if args else []
            head = language.row([*(called(o, p.type) for o, p in zip(owners, function.params)), label])
            said = [(called(_of_key(key, function.result), function.result), p) for key, p in chances.items()]
            if function.result.many and len(chances) > MANY:
                each: dict[Any, float] = {}
                for key, p in chances.items():
                    for one in set(_of_key(key, function.result)):
                        each[one] = each.get(one, 0.0) + p
                head = say(N_("{what} (each by itself)"), what=head)
                shares = sorted(each.items(), key=lambda item: (-item[1], str(item[0])))
                chances = dict(shares)
                said = [(called(one, function.result.of), p) for one, p in shares]
            if said[0][1] >= SURE and found["exact"]:
                lines.append("  " + language.labelled(head, said[0][0]))
            else:
                said = [likely(*one) for one in said[:8]]
                said += ["…"] if len(chances) > 8 else []
                open_ones.append("  " + language.labelled(head, language.row(said)))
    knowledge = game.screens.knowledge
    for name, values in found["known"].items():
        if values and values[0]["share"] >= SURE and found["exact"]:
            said = called(values[0]["value"], knowledge[name][1].type)
            lines.append("  " + language.labelled(question_name(game, language, name), said))
    when = {
        "turn": N_("This is how it stands now, at your turn:"),
        "news": N_(
            "This is how it stood when you were last told something; what was done unseen since then is not in it:"
        ),
        "noted": N_(
            "This is how it stood after the last thing that you noted; what was done unseen since then is not in it:"
        ),
    }.get(found["when"])
    out = [say(N_("Certain:")), *lines] if lines else [say(N_("Nothing is certain yet."))]
    if found["missing"] or not found["worlds"]:
        when, open_ones = None, []
    if found["missing"]:
        ways = ["  " + text for text in found["missing"]]
        return [say(N_("You must have seen more than you have noted, perhaps something like:")), *ways]
    if not found["secrets"] and found["exact"] and found["worlds"]:
        return [say(N_("There is nothing to find out."))]
    if not found["worlds"]:
        out = [say(N_("What follows from all this cannot be said."))]
    elif not found["exact"] and found["error"] is None:
        out = [
            say(
                N_("There are too many deals to count. This is an estimate from {number} of them."),
                number=language.number(found["worlds"]),
            )
        ]
    elif not found["exact"]:
        out = [
            say(
                N_("There are too many cases to count. In this estimate from {number} a share may be off by {error}."),
                number=language.number(found["worlds"]),
                error=language.percent(found["error"]),
            )
        ]
    if when is not None:
        out = [say(when), "", *out]
    if open_ones and found["model"] in BOTS:
        out += ["", say(N_("Possible, if the others choose as the bot “{bot}” does:"), bot=found["model"]), *open_ones]
        if found["exact"] and found["error"]:
            error = language.percent(found["error"])
            out += [say(N_("How it chooses is estimated; a share may be off by {error}."), error=error)]
        if found["model"] in THINK_AT_THE_END and deals_suffice(game):
            out += [say(N_("What follows from nobody having ended the game so far is left out."))]
    elif open_ones:
        out += ["", say(N_("Possible, if everything that is allowed is equally likely to be chosen:")), *open_ones]
    out += _goal_lines(game, language, found)
    if sheet is not None and found["questions"]:
        out += ["", say(N_("These questions would tell you most:"))]
        for question in found["questions"][:BEST]:
            sentence = next(s for s in sheet.known if s.name == question["sentence"])
            values = {
                n: sheet._called(game.vocabulary.member(v, sentence.vars[n].type)) for n, v in question["with"].items()
            }
            bits = say(N_("{bits} bits"), bits=language.decimal(question["bits"]))
            out.append(f"  {fill(language.text(sentence.asks), values)} ({bits})")
    return out


def _goal_lines(game, language: Language, found: dict) -> list[str]:
    if not found["goals"]:
        return []
    goals, by_text = Goals(game, Narrator(game, language), language), {}
    for goal in found["goals"]:
        if goal["keys"] is None:
            text = goals.say_otherwise(goal["with"])
        else:
            atoms = tuple(game.vocabulary.member(k, e.type) for k, e in zip(goal["keys"], goals.table.keys))
            text = goals.row(atoms)
        by_text[text] = by_text.get(text, 0.0) + goal["share"]
    rows = sorted(by_text.items(), key=lambda item: (-item[1], item[0]))
    return [
        "",
        language.say(N_("As far as you know, these are possible:")),
        *(f"  {text} ({language.percent(share)})" for text, share in rows),
    ]


# --- in play ----------------------------------------------------------------------------------------------------------
def hint(player: Player, language: Language, model: str = EVENLY) -> list[str]:
    """What follows from this player's own log, and nothing else, if the others choose so."""
    deals = deals_suffice(player.game)
    if deals and not chooses_evenly(player.game, model):
        return [language.say(N_("In this game the others can only be taken to choose evenly."))]
    courses = None if deals or model == EVENLY else courses_of(player.game, player.seat, model)
    found = conclusions(Odds.of(player, courses), player.seat, model=model)
    return told(player.game, language, found)


class Moments:
    """When, in a game that is over, each player could have known what; looked for when somebody asks."""

    def __init__(self, umpire: Umpire, language: Language, seats: dict[str, str] | None = None):
        self.umpire, self.language, self.seats = umpire, language, seats or {}
        self.narrator = Narrator(umpire.game, language)

    @cached_property
    def found(self) -> dict[str, dict[str, int | None]]:
        """By seats and by what can be known, the turn; 0 for what the deal told already, None for never."""
        log, turn_of = self.umpire.log, turn_of_decisions(self.umpire)
        known = Knowledge(log, log.decisions()).moments()
        return {
            seat: {name: None if moment is None else turn_of[moment] for name, moment in of_one.items()}
            for seat, of_one in known.items()
        }

    def title(self) -> str:
        """What of all that can be known is told."""
        names = dict.fromkeys(name for known in self.found.values() for name in known)
        what = self.language.list([question_name(self.umpire.game, self.language, name) for name in names])
        return self.language.say(N_("Who could have known this, and when: {what}"), what=what)

    def told(self, turn: int | None = None) -> list[str]:
        """All of it, a line for each seat; or what became certain in one turn."""
        language, lines = self.language, []
        every = [moment for known in self.found.values() for moment in known.values()]
        if every and turn is None and all(moment is None for moment in every):
            return [language.say(N_("Nobody could be sure of anything."))]
        for seat, known in self.found.items():
            name = self.seats.get(seat) or self.narrator.seat(seat)("list")
            if turn is not None:
                said = [question_name(self.umpire.game, language, n) for n, moment in known.items() if moment == turn]
                if said:
                    text = N_("Now {name} can know this: {what}.")
                    lines.append(language.say(text, name=name, what=language.list(said)))
            elif known:
                said = [self._said(what, moment) for what, moment in known.items() if moment is not None]
                lines.append(language.labelled(name, language.row(said) or language.translate(N_("at no time"))))
        return lines

    def _said(self, name: str, turn: int) -> str:
        what = question_name(self.umpire.game, self.language, name)
        if not turn:
            return self.language.say(N_("{what} (from the beginning)"), what=what)
        return self.language.say(N_("{what} (from turn {number} on)"), what=what, number=self.language.number(turn))
