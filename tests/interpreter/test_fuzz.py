"""Whatever is done to a rule file, it is either a game that can be played or met with the rules' own error."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tabarro.interpreter import RulesError, describe, load_game, show
from tabarro.interpreter.cache import switched_off


@pytest.fixture(autouse=True, scope="module")
def nothing_is_kept():
    """These files are read once."""
    with switched_off():
        yield


RULES = Path(__file__).resolve().parents[2] / "rules"
FILES = sorted(RULES.rglob("*.yaml"))
CASES = 320  # mutated files in all
DECISIONS = 100

WORD = re.compile(r"[A-Za-z_]+|\d+")
TOKENS = [
    *": - , { } [ ] ( ) ' | > & * ! % # ~ ? true false null no yes nothing nobody none all it its the of in is".split(),
    *"where and or not any every at least only count first last plus minus times without after starting".split(),
    *"with such that 0 1 -1 2.5 99 1234567890 {x} {} [] [a] if then else ask for between draw from deal to".split(),
    *"as let set show say end call return repeat do plan must play until each some match remove replace".split(),
    *"before seen by number amount player".split(),
    '"',
    "{a: b}",
    "if none: never",
    "is not",
]
VALUES = [
    "",
    "null",
    "true",
    "false",
    "0",
    "7",
    "-3",
    "2.5",
    "[]",
    "{}",
    "[a, b]",
    "{a: b}",
    "text",
    "'quoted'",
    "no",
    "nobody",
    "all",
    "nothing",
    "it",
    "none",
    "a and",
    "(",
    "{is: number}",
    "{say: x}",
    "{x: {say: y}}",
    "|\n  block",
]


def mutated(text: str, rng: random.Random) -> str:
    """One small accident in a file, of the kind that happens to people, or a stranger one."""
    text = text if WORD.search(text) else "name: x"
    lines = text.split("\n")
    here, there = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(13)
    if kind == 0:
        del lines[here]
    elif kind == 1:
        lines.insert(there, lines[here])
    elif kind == 2:
        lines[here], lines[there] = lines[there], lines[here]
    elif kind == 3:
        lines[here] = " " * rng.randrange(1, 5) + lines[here]
    elif kind == 4:
        lines[here] = lines[here][rng.randrange(1, 4) :]
    elif kind in (5, 6, 7):
        words = list(WORD.finditer(text))
        old, new = rng.choice(words), rng.choice(words)[0]
        return text[: old.start()] + new + text[old.end() :]
    elif kind == 8:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice(TOKENS) + text[at:]
    elif kind == 9:
        at = rng.randrange(len(text))
        return text[:at] + text[at + rng.randrange(1, 12) :]
    elif kind == 10:
        return text[: rng.randrange(len(text))]
    elif kind == 11:
        key, colon, _ = lines[here].partition(":")
        lines[here] = key + colon + " " + rng.choice(VALUES)
    else:
        old = rng.choice(list(WORD.finditer(text)))
        return text[: old.start()] + rng.choice(TOKENS) + text[old.end() :]
    return "\n".join(lines)


def play(game, seed: int) -> None:
    rng = random.Random(seed)
    state = game.new(seed=seed if seed % 2 else None)
    for _ in range(DECISIONS):
        if state.over:
            break
        choice = state.sample(rng)
        state.apply(choice)
    for seat in game.seats:
        state.log(seat)


def survive(path: Path, seed: int) -> bool:
    """Load and play, with a number of players that goes round; was it a game? Nothing but the rules' own error may come
    out of it."""
    try:
        counts = describe(path).players
        if counts:
            play(load_game(path, counts[seed % len(counts)]), seed)
        return True
    except RulesError as error:
        for problem in error.problems:
            assert show(problem)
        return False


@pytest.mark.long
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_damaged_rule_file_is_a_game_or_is_refused_with_help(file, tmp_path):
    text, path = file.read_text(encoding="utf-8"), tmp_path / "damaged.yaml"
    for seed in range(CASES // len(FILES)):
        rng = random.Random(f"{file.stem} {seed}")
        damaged = text
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            damaged = mutated(damaged, rng)
        path.write_text(damaged, encoding="utf-8")
        try:
            survive(path, seed)
        except Exception as error:
            raise AssertionError(f"seed {seed} of {file.stem}:\n{damaged}") from error


@pytest.mark.long
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_expression_in_any_place_is_met_with_help(data, tmp_path):
    text = data.draw(st.sampled_from([f.read_text(encoding="utf-8") for f in FILES]))
    pieces = st.sampled_from(sorted(set(WORD.findall(text)) | set(TOKENS)))
    expression = " ".join(data.draw(st.lists(pieces, max_size=8)))
    lines = text.split("\n")
    here = data.draw(st.sampled_from([i for i, line in enumerate(lines) if ": " in line]))
    key = lines[here].partition(": ")[0]
    lines[here] = f"{key}: '" + expression.replace("'", "''") + "'"
    path = tmp_path / "damaged.yaml"
    path.write_text("\n".join(lines), encoding="utf-8")
    survive(path, 1)
