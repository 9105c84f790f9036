"""The program's choices and log lines in the form of the referee's.

Every line of a log must be known here: a line that is not, or one that tells more than is expected of it, is a difference.
Only the words of the public interface are used: the names of steps, parts and things.
"""

from collections.abc import Callable
from typing import Any

from tabarro.interpreter import Entry

Event = tuple[Any, ...]
Told = dict[str, Any]

# what a line tells, by the end of its step's name: the fields it may have, and the referee's event, if it says anything new
LINES: list[tuple[str, str, str, Callable[[Told], Event | None]]] = []


def line(kind: str, step: str, fields: str, event: Callable[[Told], Event | None]) -> None:
    LINES.append((kind, step, fields, event))


def cards(value: Any) -> frozenset[str]:
    return frozenset(value)


def sets(value: Any) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(entry) for entry in value)


# --- every game -----------------------------------------------------------------------------------------------------
line("reset", "", "", lambda t: None)
line("set", "points of _", "guest value", lambda t: ("points", t["guest"], t["value"]))
line("set", "rounds", "value", lambda t: ("rounds", t["value"]))
line("end", "match/over/game", "winners", lambda t: ("won", frozenset(t["winners"])))
line("end", "match/over/else/match", "winners", lambda t: ("won", frozenset(t["winners"])))
line("end", "rounds/limit/draw", "winners", lambda t: ("game won", frozenset(t["winners"])))
for what in ("identity", "build", "letter", "code"):
    line("set", f"{what} of _", "spy value", lambda t, what=what: ("is dealt", t["spy"], what, t["value"]))

# --- Venice ---------------------------------------------------------------------------------------------------------
line("set", "place of _", "piece value", lambda t: ("stands", t["piece"], t["value"]))
line("set", "_ is moved", "piece value", lambda t: ("moved", t["piece"]) if t["value"] else None)
line("set", "_ is settled", "piece value", lambda t: ("settled", t["piece"]) if t["value"] else None)
line("set", "drawn", "value", lambda t: ("balls left", tuple(sorted(t["value"]))))
line("set", "paused", "value", lambda t: None)
line("set", "through_the_ambassador", "value", lambda t: None)
line("draw", "place/else/choose", "spot figure", lambda t: ("places", t["figure"], t["spot"]))
line("ask", "one_by_one/place/choose", "who spot figure player", lambda t: ("places", t["figure"], t["spot"]))
line("draw", "game/first", "first", lambda t: ("begins", t["first"]))
line("say", "turn/begin", "player", lambda t: ("turn of", t["player"]))
line("ask", "claim/go_on", "who", lambda t: ("goes on", t["who"]))
line("draw", "turn/shake", "balls_shown player", lambda t: ("shakes", t["player"], tuple(sorted(t["balls_shown"]))))
line(
    "ask",
    "one_after_the_other/next/move",
    "who ball piece target player",
    lambda t: ("moves", t["who"], t["ball"], t["piece"], t["target"]),
)
line("ask", "one_after_the_other/next/stop", "who player", lambda t: ("stop", t["who"]))
line("ask", "one_after_the_other/next/meet", "who player", lambda t: ("meet", t["who"]))
line("ask", "one_by_one/whom", "who other player", lambda t: ("turns to", t["who"], t["other"]))
line("ask", "meeting/what/question", "who topic player", lambda t: ("asks", t["who"], t["topic"]))
for where in ("meeting", "audience"):
    line(
        "ask",
        f"{where}/what/step",
        "who target player mine",
        lambda t: ("steps on", t["who"], t["mine"], t["target"]),
    )
    line("ask", f"{where}/what/leave", "who player", lambda t: ("leaves it", t["who"]))
line(
    "ask",
    "audience/what/question",
    "who giver topic player",
    lambda t: ("asks through the ambassador", t["who"], t["giver"], t["topic"]),
)
line(
    "ask",
    "giving/cards",
    "who answer giver asker form topic",
    lambda t: ("shows", t["who"], t["asker"], t["topic"], cards(t["answer"])),
)
line(
    "show",
    "giving/grey/face/see",
    "printed giver card asker topic form answer",
    lambda t: ("reads", t["card"], t["printed"]),
)
line(
    "show",
    "giving/witness/see",
    "seen giver asker topic form",
    lambda t: ("looks first", t["giver"], t["asker"], t["topic"], cards(t["seen"])),
)
line("set", "shown by _ to _", "player guest value", lambda t: ("noted", t["player"], t["guest"], sets(t["value"])))
CARDS_DUE = {"to_a_spy": 3, "by_the_envoy": 2, "the_answer": 1}
line(
    "show",
    "answer/due/how",
    "asker due form giver topic",
    lambda t: ("cards due", t["giver"], t["asker"], CARDS_DUE[t["due"]]),
)
line("ask", "noticed/object/object", "who", lambda t: ("objects", t["who"]))
line("ask", "noticed/object/accept", "who", lambda t: ("accepts", t["who"]))
line(
    "show",
    "object/ruling",
    "how_often asker giver topic form",
    lambda t: ("ruling", t["giver"], t["asker"], t["how_often"]),
)
line(
    "ask",
    "expulsion/where_to",
    "who target guest figure",
    lambda t: ("sends away", t["who"], t["figure"], t["target"]),
)
line(
    "ask",
    "return_of_the_envoy/where_to",
    "who target player",
    lambda t: ("sends ambassador", t["who"], t["target"]),
)
line("ask", "signal/choose/no_signal", "who", lambda t: ("signals", t["who"], "no_signal"))
line(
    "ask",
    "signal/choose/to_one",
    "who tic to_whom player",
    lambda t: ("signals", t["who"], "to_one", t["tic"], t["to_whom"]),
)
line("ask", "signal/choose/to_all", "who tic player", lambda t: ("signals", t["who"], "to_all", t["tic"]))
for to in ("to_one", "to_all"):
    line("show", f"signal/choose/{to}/see", "sign player", lambda t: ("sees sign", t["player"], t["sign"]))
line("ask", "claim/accomplished", "who partner player", lambda t: ("declares", t["who"], t["partner"]))
for hand in ("take", "refuse"):
    line("ask", f"hand/{hand}", "who answer partner", lambda t: ("hand", t["who"], t["answer"]))
line(
    "show",
    "accomplished/verdict",
    "accomplished answer partner player",
    lambda t: ("mission is right", t["accomplished"]),
)
line("end", "accomplished/over", "winners", lambda t: ("game won", frozenset(t["winners"])))
line("ask", "claim/escaped", "who player", lambda t: ("declares escape", t["who"]))
line("show", "escaped/verdict", "is_safe player", lambda t: ("escape is right", t["is_safe"]))
line("end", "escaped/over", "winners", lambda t: ("game won", frozenset(t["winners"])))
line(
    "show",
    "giving/witness/grey/face/see",
    "printed giver card asker topic form seen",
    lambda t: ("reads", t["card"], t["printed"]),
)
line("show", "sheet/open", "all_right answer partner player", lambda t: ("sheet is right", t["all_right"]))
line("end", "sheet/won/over", "winners", lambda t: ("game won", frozenset(t["winners"])))
line("say", "turn_of_the_ambassador/begin", "", lambda t: ("turn of", "ambassador"))
line("ask", "walk/stay", "who", lambda t: ("walks", "stay"))
line("ask", "walk/one_step", "who target", lambda t: ("walks", "one_step", t["target"]))
line("ask", "walk/two_steps", "who way_point target", lambda t: ("walks", "two_steps", t["way_point"], t["target"]))
line(
    "ask",
    "curiosity/meet/what/question",
    "who other topic",
    lambda t: ("asks figure", t["who"], t["other"], t["topic"]),
)
line("ask", "curiosity/meet/what/leave", "who", lambda t: ("leaves it", t["who"]))
line("show", "i_know_who_you_are/tell", "shown", lambda t: ("announces", t["shown"]))
line("ask", "announce/i_know_who_you_are", "who which", lambda t: ("writes", t["who"], t["which"]))
line("ask", "announce/wait", "who", lambda t: ("waits",))
line("set", "written", "value", lambda t: ("written", t["value"]))
for what in ("identity", "build"):
    line("set", f"noted_{what} of _", "player value", lambda t, what=what: ("wrote", t["player"], what, t["value"]))

# --- the card games -------------------------------------------------------------------------------------------------
line("draw", "game/begin", "first", lambda t: ("begins", t["first"]))
line("set", "starter", "value", lambda t: ("starts next", t["value"]))
line("set", "tile of _", "guest value", lambda t: ("tile", t["guest"], t["value"]))
line("set", "unused of _", "guest value", lambda t: ("tiles left", t["guest"], cards(t["value"])))
line("say", "tiles_back/tell", "", lambda t: ("tiles back",))
line("ask", "tiles/lay", "who spot spy", lambda t: ("lays", t["who"], t["spot"]))
line("ask", "lay/choose", "who spot spy", lambda t: ("lays", t["who"], t["spot"]))
line("draw", "lay/else/turn", "spot spy", lambda t: ("lays", t["spy"], t["spot"]))
line("draw", "round/ambassador", "whereabouts", lambda t: ("ambassador is at", t["whereabouts"]))
line("show", "round/ambassador", "whereabouts", lambda t: ("ambassador is at", t["whereabouts"]))
line("ask", "round/hide", "who destination", lambda t: ("hides", t["destination"]))
line("say", "meeting/meet", "player other", lambda t: ("meet", t["player"], t["other"]))
line("say", "meeting/tell", "player other", lambda t: ("have exchanged", t["player"], t["other"]))
line(
    "ask",
    "choice/choose",
    "who pair player seeker",
    lambda t: ("chooses", t["who"], t["seeker"], cards(t["pair"])),
)
line(
    "ask",
    "choice/choose/if none/any_pair",
    "who old_pair player seeker",
    lambda t: ("chooses", t["who"], t["seeker"], cards(t["old_pair"])),
)
line("say", "reports/show/tell", "agent", lambda t: ("has reported", t["agent"]))
line("say", "look/which/if none/known", "player absentee", lambda t: ("knows both", t["player"]))
line("show", "gift/look", "pair player seeker", lambda t: ("gets", t["player"], t["seeker"], cards(t["pair"])))
line("set", "pairs from _ to _", "player seeker value", lambda t: ("noted", t["player"], t["seeker"], sets(t["value"])))
line(
    "set",
    "blacks from _ to _",
    "player seeker value",
    lambda t: ("blacks noted", t["player"], t["seeker"], cards(t["value"])),
)
line("say", "audience/meet", "player", lambda t: ("meets ambassador", t["player"]))
line("ask", "ask/nobody", "who player", lambda t: ("names nobody", t["who"]))
line("ask", "ask/name", "who named player", lambda t: ("names", t["who"], t["named"]))
line("ask", "answer/which", "who card other asker", lambda t: ("shows black", t["who"], t["asker"], t["card"]))
line("say", "visit/meet", "player absentee", lambda t: ("visits", t["player"]))
line("ask", "look/which", "who secret player absentee", lambda t: ("looks at", t["who"], t["secret"]))
line("show", "look/face", "face absentee secret player", lambda t: ("face", t["secret"], *t["face"]))
line("set", "seen of _ by _", "absentee player value", lambda t: ("has looked at", t["player"], cards(t["value"])))
line("ask", "speak/not_yet", "who", lambda t: ("not yet", t["who"]))
line(
    "ask",
    "speak/declare",
    "who bearer digits seeker",
    lambda t: ("declares", t["who"], "declare", t["bearer"], t["digits"]),
)
line("ask", "speak/combination", "who digits seeker", lambda t: ("declares", t["who"], "combination", t["digits"]))
for how in ("declare", "combination"):
    line(
        "show",
        f"speak/{how}/check",
        "correct seeker guest bearer digits",
        lambda t: ("declaration is right", t["correct"]),
    )
    for end in ("won", "else/lost"):
        line("end", f"speak/{how}/verdict/{end}", "winners", lambda t: ("game won", frozenset(t["winners"])))

BY_STEP = {(kind, step): (set(fields.split()), event) for kind, step, fields, event in LINES}


def event(entry: Entry) -> Event | None:
    """What a line of a log says, in the referee's words."""
    told = dict(entry.told)
    for name, value in entry.context:
        if told.setdefault(name, value) != value:
            return ("contradicts itself", entry.step, name)
    parts = entry.step.split("/")
    for start in range(len(parts)):
        known = BY_STEP.get((entry.kind, "/".join(parts[start:])))
        if known:
            fields, say = known
            extra = set(told) - fields
            return ("tells too much", entry.step, tuple(sorted(extra))) if extra else say(told)
    return ("unknown line", entry.kind, entry.step, tuple(sorted(told.items(), key=str)))


def choice(about: str, words: list[Any]) -> tuple[Any, ...]:
    """A choice in the referee's words: sets of cards are sets, what is in order stays in order."""
    if about.startswith(("cards", "pair")):
        return (frozenset(words[0]),)
    return tuple(tuple(word) if isinstance(word, list) else word for word in words)
