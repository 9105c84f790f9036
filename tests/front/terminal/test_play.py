"""Playing at the terminal, seen from outside: through pipes and through a real pseudo-terminal."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

import pexpect
import pyte
import pytest
from loading import loaded
from rich.cells import cell_len
from tabarro.front.terminal.menu import Menu, walk_of
from tabarro.front.terminal.ruin import is_ruin
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.turns import Count, last_told, turns
from tabarro.front.terminal.view import View
from tabarro.front.workbench.described import described
from tabarro.interpreter import Reader, load_game
from tabarro.interpreter.save import load
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.narrator import Narrator
from terminal import START, WIPED, Shown, environment, offers, quoted
from terminal import run as run_here

SOAK = int(os.environ.get("TABARRO_SOAK", "0"))
PROMPT = "> "
OPENS = r"[^\n]*\s+to\s+see\s+your\s+screen: $"
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")


# --- playing through a pipe -----------------------------------------------------------------------------------------


def piped(folder: Path, *arguments: str, answers: str = "", **more: str) -> subprocess.CompletedProcess:
    return run_here(arguments, answers, environment(folder, **more))


def in_a_process(folder: Path, *arguments: str, answers: str = "", **more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", START, *arguments],
        input=answers,
        env=environment(folder, **more),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def first(shown: Shown) -> int | str:
    return shown.yes or min(shown)


class Sitting:
    """A game in a pipe, with somebody who answers each prompt by what it offers, as long as he likes."""

    def __init__(self, folder: Path, *arguments: str, **more: str):
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(folder, **more),
        )
        self.said = ""

    def prompt(self) -> bool:
        """Wait for the next prompt; False at the end."""
        while True:
            some = os.read(self.process.stdout.fileno(), 65536)
            if not some:
                return False
            self.said += some.decode("utf-8", "replace")
            if self.said.endswith(PROMPT):
                return True

    def answer(self, text) -> None:
        os.write(self.process.stdin.fileno(), f"{text}\n".encode())

    def play(self, choose=first, most: int = 10_000) -> None:
        for _ in range(most):
            if not self.prompt():
                break
            self.answer(choose(offers(self.said)))

    def close(self) -> str:
        self.process.stdin.close()
        while self.prompt():
            pass
        self.process.wait(60)
        assert self.process.stderr.read() == b""
        return self.said


def saved(folder: Path) -> Path:
    return next(iter(sorted(folder.glob("*.tabarro"), key=lambda path: path.stat().st_mtime, reverse=True)))


def choices(path: Path) -> list:
    """The choices in a save, read as the lines of JSON that they are; a torn last line does not count."""
    lines = path.read_bytes().split(b"\n")[:-1]
    return [json.loads(line)["choice"] for line in lines[1:]]


def test_a_whole_game_is_played_with_answers_from_a_pipe(tmp_path):
    sitting = Sitting(tmp_path, "play", "tic-tac-toe", "--seat", "cross=me", "--seed", "1")
    sitting.play()
    said = sitting.close()
    game, state, _ = load(saved(tmp_path))
    assert state.over
    assert "won" in said.rsplit("\n\n", 1)[-1]
    for winner in state.result.winners:
        assert winner in said.rsplit("\n\n", 1)[-1].lower()


def test_when_the_answers_end_the_game_is_saved_and_can_be_gone_on_with(tmp_path):
    run = piped(tmp_path, "play", "tic-tac-toe", "--seat", "cross=me", "--seed", "1", answers="b2\n")
    assert run.returncode == 0 and run.stderr == ""
    path = saved(tmp_path)
    assert f"tabarro resume {path}" in run.stdout
    before = load(path)[1]
    assert choices(path)[0] == ["b2"] and before.actor == "cross"
    again = piped(tmp_path, "resume", str(path))
    assert again.returncode == 0
    assert load(path)[1] == before
    assert set(offers(again.stdout).values()) == {before.game.words(c)[0] for c in before.legal()}


def test_resume_offers_the_unfinished_games_and_goes_on_with_the_latest(tmp_path):
    piped(tmp_path, "play", "tic-tac-toe", "--seed", "1", answers="b2\n")
    path = saved(tmp_path)
    finished = Sitting(tmp_path, "play", "tic-tac-toe", "--seed", "2")
    finished.play()
    finished.close()
    run = piped(tmp_path, "resume", answers="\n")
    assert run.stdout.count("Tic-tac-toe, ") == 1
    assert f"tabarro resume {path}" in run.stdout
    assert "unfinished" in piped(tmp_path / "empty", "resume").stdout


def patient(folder: Path, lasts: int = 25):
    """Take the first of everything; once the game has lasted, the last, which ends it."""
    return lambda shown: shown.yes or (max(shown) if len(choices(saved(folder))) > lasts else min(shown))


def test_a_game_gone_on_with_is_the_game_that_was_not_interrupted(tmp_path):
    for folder, at_once in ((tmp_path / "whole", 10_000), (tmp_path / "parts", 12)):
        sitting = Sitting(folder, "play", "little-mystery", "--seed", "5")
        for _ in range(100):
            sitting.play(patient(folder), most=at_once)
            sitting.close()
            if load(saved(folder))[1].over:
                break
            sitting = Sitting(folder, "resume", str(saved(folder)))
    assert choices(saved(tmp_path / "parts")) == choices(saved(tmp_path / "whole"))


def test_the_same_seed_gives_the_same_game(tmp_path):
    runs = [
        in_a_process(tmp_path / str(i), "play", "kuhn-poker", "--seed", "3", answers="check\nfold\n").stdout
        for i in (1, 2)
    ]
    assert len({re.sub(r"resume .*", "", run) for run in runs}) == 1


# --- killed at any moment -------------------------------------------------------------------------------------------


RANDOM_SEATS = [f"{seat}=bot:random" for seat in ("blue", "green", "yellow")]
AT_RANDOM = ("--seat", "red=me", *(word for seat in RANDOM_SEATS for word in ("--seat", seat)))


def late(folder: Path, lasts: int = 60):
    """Go on; once the game has lasted, declare what there is to declare, so that it ends."""

    def choose(shown: Shown) -> int | str:
        done = sum(len(choices(path)) for path in folder.glob("*.tabarro"))
        declares = [name for name in shown.open if "accomplished" in name.lower()]
        if declares and done > lasts:
            return declares[0]
        return shown.yes or (max(shown) if len(shown) == 2 and "" not in shown else min(shown))

    return choose


def test_killed_at_any_moment_nothing_is_lost(tmp_path):
    luck, lasts = random.Random(7), max(60, 8 * SOAK)
    arguments = ("play", "venice-2013", "--seed", "11", *AT_RANDOM)  # who thinks does not remember what he thought
    whole = Sitting(tmp_path / "whole", *arguments)
    whole.play(late(tmp_path / "whole", lasts))
    whole.close()
    wanted = choices(saved(tmp_path / "whole"))
    game, final, _ = load(saved(tmp_path / "whole"))
    assert final.over and len(wanted) > 60
    killed = tmp_path / "killed"
    for kill in range(SOAK or 4):
        sitting = Sitting(killed, *(("resume", str(saved(killed))) if kill else arguments))
        sitting.play(late(killed, lasts), most=luck.randrange(1, 12))
        if luck.random() < 0.5 and sitting.prompt():
            sitting.answer(late(killed, lasts)(offers(sitting.said)))  # killed while it works on an answer
        sitting.process.send_signal(signal.SIGKILL)
        sitting.process.wait()
        so_far = choices(saved(killed))
        assert so_far == wanted[: len(so_far)]
        state = game.new(11)
        for words in so_far:
            state.apply(game.choice(words, state))
        assert load(saved(killed), strict=False)[1] == state
    last = Sitting(killed, "resume", str(saved(killed)))
    last.play(late(killed, lasts))
    last.close()
    assert choices(saved(killed)) == wanted


# --- at a terminal --------------------------------------------------------------------------------------------------


def terminal(folder: Path, *arguments: str, rows: int = 24, columns: int = 80, **more: str) -> pexpect.spawn:
    child = pexpect.spawn(
        sys.executable,
        ["-c", START, *arguments],
        env=environment(folder, **more),
        encoding="utf-8",
        timeout=60,
        dimensions=(rows, columns),
        codec_errors="replace",
    )
    child.delaybeforesend = None
    return child


def plain(text: str) -> str:
    return ESCAPE.sub("", text.replace(WIPED, "\n")).replace("\r", "")


def play_at(child: pexpect.spawn, choose, most: int = 400) -> str:
    """Answer every prompt and every request for Enter, to the end; returns all that was on the screen."""
    seen = ""
    for _ in range(most):
        found = child.expect([r"\n> $", r"(to go on|to stop)\. $|another game: $", OPENS, pexpect.EOF])
        seen += plain(child.before + (child.after if isinstance(child.after, str) else ""))
        if found == 3:
            return seen
        child.sendline(str(choose(offers(seen))) if found == 0 else "" if found == 1 else quoted(seen))
    raise AssertionError("the game does not end")


def test_a_board_game_is_played_to_its_end_at_a_terminal(tmp_path):
    child = terminal(tmp_path, "play", "venice-2013", "--seed", "4")
    seen = play_at(child, late(tmp_path))
    _, state, _ = load(saved(tmp_path))
    assert state.over
    assert "Everything is revealed now:" in seen
    ending = seen[seen.index("Everything is revealed now:") :].lower()
    for seat in state.game.seats:
        assert f"{seat}: " in ending
    assert sorted(re.findall(r", ([a-d])\r?\n", ending)) == ["a", "b", "c", "d"]


def test_a_card_game_is_played_to_its_end_at_a_terminal(tmp_path):
    def choose(shown):
        declares = [name for name in shown.open if name.lower() == "declare"]
        return shown.yes or (declares[0] if declares else min(shown))

    child = terminal(tmp_path, "play", "cards-phone", "--seed", "4", "--option", "round_limit=30")
    seen = play_at(child, choose)
    assert load(saved(tmp_path))[1].over
    assert "Everything is revealed now:" in seen


def test_four_people_play_at_one_keyboard(tmp_path):
    seats = [word for seat in ("red", "blue", "green", "yellow") for word in ("--seat", f"{seat}=me")]
    child = terminal(tmp_path, "play", "venice-classic", "--seed", "2", *seats)
    seen = play_at(child, late(tmp_path, 25), most=1000)
    state = load(saved(tmp_path))[1]
    assert state.over
    assert {name for name in re.findall(r"Pass the keyboard to (\w+)", seen)} == {"Red", "Blue", "Green", "Yellow"}


def test_without_arguments_one_plays_within_three_key_presses(tmp_path):
    child = terminal(tmp_path, "play")
    for _ in range(3):
        child.expect(r"> $")
        if saves := list(tmp_path.glob("*.tabarro")):
            break
        child.sendline("")
    assert saves and offers(plain(child.before) + "\n> ")
    assert choices(saved(tmp_path)) is not None
    child.sendline("quit")
    child.expect(pexpect.EOF)


def test_tic_tac_toe_is_played_to_its_end_at_a_terminal_without_passing_anything(tmp_path):
    child = terminal(tmp_path, "play", "tic-tac-toe", "--seat", "cross=me", "--seat", "nought=me")
    seen = play_at(child, first)
    assert load(saved(tmp_path))[1].over
    assert "keyboard" not in seen and "\x1b[3J" not in seen


# --- secrets --------------------------------------------------------------------------------------------------------


class Glass:
    """What a terminal would show, with everything that can be scrolled back to.

    It knows no alternate screen, which is the hardest case: all that is not cleared stays.
    """

    def __init__(self, child: pexpect.spawn, rows: int = 24, columns: int = 80):
        self.child = child
        self.screen = pyte.HistoryScreen(columns, rows, history=10_000)
        self.stream = pyte.Stream(self.screen)

    def next(self) -> str:
        """Wait until something is asked: `pass`, `more`, `prompt`, or `end`."""
        found = self.child.expect([OPENS, r"(to go on|to stop)\. $", r"\n> $", pexpect.EOF])
        self.stream.feed(self.child.before + (self.child.after if isinstance(self.child.after, str) else ""))
        return ("pass", "more", "prompt", "end")[found]

    @property
    def text(self) -> str:
        above = ["".join(line[x].data for x in sorted(line)) for line in self.screen.history.top]
        return "\n".join([*above, *self.screen.display])


def secret(game, seat: str, state) -> str:
    """The name of the first secret card of this seat: nobody else has it, and nothing else is called so."""
    for entry in state.log(seat):
        told = dict(entry.told)
        if entry.kind == "set" and seat in (told.get("spy"), told.get("player")):
            kind = game.program.events[entry.number].types[-1]
            return Narrator(game, Language("en")).name(game.vocabulary.member(told["value"], kind))("list")
    raise AssertionError("no secret was dealt")


def quiet(text: str) -> str:
    """The last of everything: nobody moves, so that no cards are offered, whose names are those of secrets."""
    shown = offers(text)
    return str(shown.yes or ("" if "" in shown else max(shown)))


@pytest.mark.parametrize(
    ("game", "seats"), [("venice-2013", ("red", "blue", "green", "yellow")), ("kuhn-poker", ("first", "second"))]
)
def test_nothing_of_the_previous_player_is_left_on_the_screen_or_in_the_scrollback(tmp_path, game, seats):
    wishes = [word for seat in seats for word in ("--seat", f"{seat}=me")]
    child = terminal(tmp_path, "play", game, "--seed", "8", *wishes)
    glass, state, passed = Glass(child), load_game(game).new(8), 0
    secrets = {seat: secret(state.game, seat, state) for seat in seats}
    assert len(set(secrets.values())) == len(seats)
    here, shown = None, set()
    for _ in range(600):
        asked = glass.next()
        if asked == "pass":
            assert not any(name in glass.text for name in secrets.values())
            here, passed = None, passed + 1
            child.sendline(quoted(glass.text))
        elif asked == "more":
            child.sendline("")
        elif asked == "prompt":
            if here is None:
                here = next(seat for seat in seats if re.search(f"You are (the )?{seat}", glass.text, re.I))
                assert [seat for seat in seats if secrets[seat] in glass.text] == [here]
                child.sendline(
                    "quit" if passed > 4 else "rules" if here not in shown else str(first(offers(glass.text)))
                )
                shown.add(here)
            else:
                child.sendline(quiet(glass.text))
        else:
            break
    assert asked == "end" and len(shown) == len(seats)
    if not load(saved(tmp_path))[1].over:
        assert not any(name in glass.text for name in secrets.values())


def test_the_screen_is_given_back_when_the_game_is_ended_from_outside(tmp_path):
    child = terminal(tmp_path, "play", "kuhn-poker", "--seat", "first=me", "--seat", "second=me")
    child.expect(OPENS)
    child.sendline(quoted(child.after))
    child.expect(r"\n> $")
    child.kill(signal.SIGTERM)
    child.expect(pexpect.EOF)
    assert "\x1b[3J" in child.before and "\x1b[?1049l" in child.before


# --- prompts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ["2", "bet", "B", "ｂｅｔ", "  be  "])
def test_a_number_a_name_or_the_beginning_of_a_name_is_understood(tmp_path, entry):
    piped(tmp_path, "play", "kuhn-poker", "--seed", "1", "--seat", "first=me", answers=f"{entry}\n")
    assert choices(saved(tmp_path))[0] == ["bet"]


def test_a_name_is_understood_in_the_language_of_the_person_and_as_the_rules_call_it(tmp_path):
    game = load_game("kuhn-poker")
    german = Narrator(game, Language("de")).choice(game.new(1).legal()[1])
    for entry in (german, german[:3], "bet"):
        piped(tmp_path / entry, "play", "kuhn-poker", "--seed", "1", "--lang", "de", answers=f"{entry}\n")
        assert choices(saved(tmp_path / entry))[0] == ["bet"]


def test_wrong_entries_are_explained_and_asked_again(tmp_path):
    wrong = ["0", "10", "99999999999999999999", "z9", "-1", "b", "\x1b[31m", "\u202e", "1 2", "x" * 5000, "", "\0"]
    run = piped(tmp_path, "play", "tic-tac-toe", "--seed", "1", answers="\n".join([*wrong, "b2", ""]))
    assert run.returncode == 0 and run.stderr == ""
    assert choices(saved(tmp_path))[0] == ["b2"]
    first_prompt, *explained = run.stdout.split("\n> ")[: len(wrong) + 1]
    assert len(explained) == len(wrong)
    assert all("number" in text or "“b” can mean" in text for text in explained)
    assert "\x1b" not in run.stdout and "\u202e" not in run.stdout and "\0" not in run.stdout


def test_an_unclear_beginning_is_narrowed_to_what_it_can_mean(tmp_path):
    run = piped(tmp_path, "play", "tic-tac-toe", "--seed", "1", answers="b\n")
    assert "“b” can mean:\n  2 b3   5 b2   8 b1\n" in run.stdout
    assert choices(saved(tmp_path)) == []
    piped(tmp_path, "play", "tic-tac-toe", "--seed", "1", answers="b\n8\n")
    assert choices(saved(tmp_path))[0] == ["b1"]


def test_a_question_mark_tells_the_rule_and_its_source(tmp_path):
    game = load_game("venice-2013")
    rule = described(game)["rules"]["declaration of player"]["claim"]
    run = piped(tmp_path, "play", "venice-2013", "--seed", "3", *AT_RANDOM, answers="?\n")
    assert " ".join(rule["rule"].split()) in " ".join(run.stdout.split())
    for source in rule["source"].split(", "):
        assert described(game)["rulebook"]["sources"][source] in " ".join(run.stdout.split())


def test_several_cards_are_chosen_by_several_numbers_at_once(tmp_path):
    """The answer to a question: three cards of one's own, of which one is true."""
    sitting = Sitting(tmp_path, "play", "venice-2013", "--seed", "5")
    for _ in range(100):
        sitting.prompt()
        shown = offers(sitting.said)
        if "Choose 3" in sitting.said[-900:]:
            break
        sitting.answer(min(shown))
    before = len(choices(saved(tmp_path)))
    state = load(saved(tmp_path))[1]
    wanted = state.legal()[-1][0]
    own = sorted({card for choice in state.legal() for card in choice[0]})
    sitting.answer(" ".join(str(own.index(card) + 1) for card in wanted))
    sitting.close()
    assert choices(saved(tmp_path))[before] == state.game.words((wanted,))


@pytest.mark.long
def test_every_choice_that_is_put_together_is_legal_and_every_legal_choice_can_be_put_together():
    from tabarro.front.terminal.prompt import Walk

    luck = random.Random(3)
    for name, players in (("venice-2013", 4), ("venice-2013", 5), ("cards-phone", 4), ("little-mystery", 3)):
        game = load_game(name, players)
        state = game.new(3)
        for _ in range(120):
            if state.over:
                break
            legal, step = state.legal(), game.program.nodes[state.v[0]].step
            found, stack = set(), [Walk(step, tuple(legal))]
            if len(legal) <= 80:
                while stack:
                    walk = stack.pop()
                    if walk.done:
                        found.add(walk.settled)
                    else:
                        stack += [walk.take(value) for value in walk.offers()]
                assert found == set(legal)
            else:
                wanted, walk = legal[luck.randrange(len(legal))], Walk(step, tuple(legal))
                while not walk.done:
                    here, offered = len(walk.settled), walk.offers()
                    part = wanted[here]
                    if walk.shape == "some":
                        part = next(card for card in part if card not in walk.partial)
                    elif walk.shape == "match":
                        part = part[len(walk.partial)]
                    assert part in offered
                    walk = walk.take(part)
                assert walk.settled == wanted
            state.apply(state.sample(luck, habits=True))


# --- taking back ----------------------------------------------------------------------------------------------------


def after_a_move(folder: Path) -> tuple[Sitting, list]:
    """A game in which a first figure has just been moved, and the choices before that."""
    sitting = Sitting(folder, "play", "venice-2013", "--seed", "4")
    sitting.play(first, most=1)  # no sign, go on
    sitting.prompt()
    before = choices(saved(folder))
    sitting.answer(1)
    while True:
        sitting.prompt()
        if len(choices(saved(folder))) > len(before):
            break
        sitting.answer(1)
    return sitting, before


def test_a_step_of_a_plan_can_be_taken_back_and_is_gone_from_the_disk(tmp_path):
    sitting, before = after_a_move(tmp_path)
    sitting.answer("undo")
    sitting.prompt()
    assert choices(saved(tmp_path)) == before
    sitting.answer("stop")
    sitting.prompt()
    sitting.answer("yes")
    sitting.prompt()
    sitting.close()
    assert choices(saved(tmp_path))[len(before)] == ["stop"]
    load(saved(tmp_path))


def test_one_part_of_a_choice_can_be_taken_back(tmp_path):
    run = piped(tmp_path, "play", "little-mystery", "--seed", "5", "--seat", "ada=me", answers="2\nundo\n1\n1\n")
    mine = [words for words in choices(saved(tmp_path)) if len(words) == 2]
    assert ["baker", "candle"] in mine and run.stderr == ""


def test_what_nobody_has_seen_can_be_taken_back_in_a_game_that_is_gone_on_with(tmp_path):
    sitting, before = after_a_move(tmp_path)
    sitting.close()
    run = piped(tmp_path, "resume", str(saved(tmp_path)), answers="undo\nundo\nlog\nstop\nyes\n")
    assert run.stderr == "" and "Taken back." in run.stdout and "cannot be taken back" in run.stdout
    told = run.stdout.split("cannot be taken back")[1]
    told = told.split("moves nothing more")[0]
    assert "moves the" not in told.split("shakes the Phantom of Prophecy")[-1]
    assert choices(saved(tmp_path))[: len(before) + 1] == [*before, ["stop"]]
    load(saved(tmp_path))


def test_what_somebody_has_seen_cannot_be_taken_back(tmp_path):
    run = piped(tmp_path, "play", "tic-tac-toe", "--seed", "1", answers="undo\nb2\nundo\n")
    assert "nothing to take back" in run.stdout
    assert "cannot be taken back" in run.stdout
    assert choices(saved(tmp_path))[0] == ["b2"] and len(choices(saved(tmp_path))) == 2


# --- the question ---------------------------------------------------------------------------------------------------


ASKING = """
name: A question
players: {2: {}}
things:
  player: [ann, bob]
  stone: [agate, onyx]
seats: players
rules:
  game:
    first: {draw: 1, from: stones, as: top, seen by: all, text: "{top} lies on the table."}
    which:
      ask: ann
      prompt: {en: "Which stone do you want beside {top}?", de: "Welchen Stein willst du neben {top}?"}
      for: {wish: stones, mate: players}
      seen by: all
      text: "{who} wishes for {wish}, with {mate}."
    other: {ask: ann, for: {named: players}}
"""


def test_the_rules_put_the_question_until_something_is_chosen(tmp_path):
    rules = tmp_path / "asking.yaml"
    rules.write_text(ASKING, encoding="utf-8")
    for language, asked in (("en", "Which stone do you want beside {}?"), ("de", "Welchen Stein willst du neben {}?")):
        folder = tmp_path / language
        run = piped(
            folder,
            "play",
            str(rules),
            "--seed",
            "3",
            "--seat",
            "ann=me",
            "--lang",
            language,
            answers="onyx\nbob\nbob\n",
        )
        top = re.search(r"(agate|onyx) lies", run.stdout, re.I)[1].lower()
        assert run.stdout.count(asked.format(top)) == 1 and run.stderr == ""
        assert run.stdout.index(asked.format(top)) < run.stdout.index("Ann wishes for onyx, with …")


# --- people ---------------------------------------------------------------------------------------------------------


HOSTILE = "\x1b[31mEve\x1b]0;title\x07\x08\r\n\u202e\u2066drow" + "x" * 1000 + "🎭" * 30


def test_hostile_names_are_shown_safely(tmp_path):
    run = piped(
        tmp_path,
        "play",
        "kuhn-poker",
        "--seed",
        "1",
        "--seat",
        f"first={HOSTILE}",
        "--seat",
        "second=\u2067🎭éé́́́́́" + "日本" * 200,
        answers="",
    )
    assert run.returncode == 0 and run.stderr == "" and "Eve" in run.stdout
    safe = run.stdout[: run.stdout.index("The game is saved")]
    assert not [c for c in safe if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") and c != "\n"]
    assert max(cell_len(line) for line in safe.splitlines()) <= 80


@pytest.mark.parametrize("wishes", [["red"], ["purple=me"], ["red=bot:genius"], ["red=me:klingon"], ["red="]])
def test_wishes_for_seats_that_cannot_be_are_refused(tmp_path, wishes):
    run = piped(tmp_path, "play", "venice-2013", *[word for wish in wishes for word in ("--seat", wish)])
    assert run.returncode == 2 and run.stdout == "" and "Traceback" not in run.stderr and run.stderr.strip()
    assert list(tmp_path.glob("*")) == []


def test_each_person_may_have_a_language_of_his_own(tmp_path):
    run = piped(
        tmp_path, "play", "kuhn-poker", "--seed", "1", "--seat", "first=me:ja", "--seat", "second=me:de", answers="1\n"
    )
    japanese, german = (Language(code).translate("What do you do?") for code in ("ja", "de"))
    assert japanese in run.stdout and german in run.stdout and "What do you do?" not in run.stdout


def test_seats_are_kept_with_the_save(tmp_path):
    piped(tmp_path, "play", "kuhn-poker", "--seed", "1", "--seat", "second=Zoë:ca", answers="")
    run = piped(tmp_path, "resume", str(saved(tmp_path)))
    assert "Zoë" in run.stdout and Language("ca").translate("What do you do?") in run.stdout


# --- terminals of all kinds -----------------------------------------------------------------------------------------


def test_a_plain_terminal_gets_no_escape_sequences_and_is_told_what_that_means(tmp_path):
    child = terminal(tmp_path, "play", "kuhn-poker", "--seat", "first=me", "--seat", "second=me", TERM="dumb")
    child.expect(OPENS)
    assert "scrolled back" in child.before
    child.sendline(quoted(child.after))
    child.expect(r"\n> $")
    assert "\x1b" not in child.before
    child.close(force=True)


def test_without_colour_nothing_is_painted(tmp_path):
    child = terminal(tmp_path, "play", "venice-2013", "--seed", "1", NO_COLOR="1")
    child.expect(r"\n> $")
    child.sendline("map")
    while child.expect([r"\n> $", r"to stop\. $"]):
        child.sendline("")
    assert not re.search(r"\x1b\[[0-9;]*m", child.before)
    child.close(force=True)


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_wider_than_the_window(tmp_path, columns):
    child = terminal(tmp_path, "play", "venice-2013", "--seed", "5", "--lang", "ja", columns=columns)
    stop = Language("ja").translate("Press Enter for more, or type anything to stop.")
    for answer in ("?", "map", "notes", "mission", "rules", "log", "1"):
        while child.expect([r"\n> $", re.escape(stop[-2:]) + " $"]):  # in a narrow window it takes two lines
            assert [line for line in plain(child.before).splitlines() if cell_len(line) > columns] == []
            child.sendline("")
        wide = [line for line in plain(child.before).splitlines() if cell_len(line) > columns]
        assert wide == []
        child.sendline(answer)
    child.close(force=True)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_terminal_without_unicode_can_be_played_at(tmp_path, language):
    run = in_a_process(
        tmp_path,
        "play",
        "venice-2013",
        "--seed",
        "5",
        "--lang",
        language,
        answers="map\n1\n1\n",
        PYTHONIOENCODING="ascii",
    )
    assert run.returncode == 0 and run.stderr == ""
    assert run.stdout.isascii()
    assert len(choices(saved(tmp_path))) >= 2


# --- languages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_game_in_each_language(tmp_path, language):
    sitting = Sitting(tmp_path, "play", "tic-tac-toe", "--seed", "1", "--lang", language)
    sitting.play()
    said = sitting.close()
    assert load(saved(tmp_path))[1].over
    for text in ("You are {name}.", "Where?", "Nobody has won."):
        start = Language(language).translate(text).split("{")[0]
        if text != "Nobody has won.":
            assert start in said


# --- telling again --------------------------------------------------------------------------------------------------


def test_a_finished_game_is_told_again_whole_or_as_one_player_saw_it(tmp_path):
    def choose(shown):
        accuses = [n for n, label in shown.items() if label.lower().startswith("accuse")]
        return shown.yes or (accuses[0] if accuses else min(shown))

    seats = [word for seat in ("ada", "ben", "cleo") for word in ("--seat", f"{seat}=me")]
    sitting = Sitting(tmp_path, "play", "little-mystery", "--seed", "5", *seats)
    sitting.play(choose)
    sitting.close()
    path = saved(tmp_path)
    assert load(path)[1].over
    whole = piped(tmp_path, "replay", str(path))
    ada = piped(tmp_path, "replay", str(path), "--as", "ada")
    assert whole.returncode == ada.returncode == 0
    lines = [line for line in ada.stdout.splitlines() if line.startswith("Ada is dealt")]
    assert len(lines) == 1 and lines[0] in whole.stdout
    assert "Ben is dealt" in whole.stdout and "Ben is dealt" not in ada.stdout
    assert "Everything is revealed now:" in whole.stdout and "Everything" not in ada.stdout


def test_an_unfinished_game_is_told_only_as_one_player_saw_it(tmp_path):
    piped(tmp_path, "play", "kuhn-poker", "--seed", "1", answers="")
    path = str(saved(tmp_path))
    assert piped(tmp_path, "replay", path).returncode == 2
    assert piped(tmp_path, "replay", path, "--as", "first").returncode == 0


# --- trouble --------------------------------------------------------------------------------------------------------


def test_a_broken_save_or_folder_is_refused_in_words(tmp_path):
    (tmp_path / "broken.tabarro").write_text("nothing\n", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    for run in (
        piped(tmp_path, "resume", str(tmp_path / "broken.tabarro")),
        piped(tmp_path, "resume", "nowhere.tabarro"),
        piped(tmp_path, "replay", str(tmp_path)),
        piped(tmp_path / "file" / "x", "play", "tic-tac-toe"),
    ):
        assert run.returncode == 2 and "Traceback" not in run.stderr and run.stderr.strip()


def test_two_windows_cannot_go_on_with_the_same_game(tmp_path):
    sitting = Sitting(tmp_path, "play", "tic-tac-toe", "--seed", "1")
    sitting.prompt()
    run = piped(tmp_path, "resume", str(saved(tmp_path)), answers="b2\n")
    assert run.returncode == 2 and "another window" in run.stderr
    sitting.close()


@pytest.mark.parametrize(
    "screens",
    [
        "secrets: [hat of player]",
        "public: [rank of card]",
        "table: {of: hand of player}",
        "notes: {record: hand of player}",
        'colours: {jakc: "#222222"}',
        "signs: {jakc: J}",
        "map: {spaces: square}",
        "map: {spaces: card, at: rnak}",
        "map: {spaces: card, rows: [[jack, queen], [knig]]}",
        "map: {spaces: card, pieces: place of card}",
        "knowledge: {rank: {name: the rank, for: player, is: rank of player}}",
        "worksheet: {deal: {says: It was dealt, step: game/dael}}",
    ],
)
def test_screens_that_name_what_there_is_not_are_a_mistake_of_the_rule_file(tmp_path, screens):
    rules = tmp_path / "mine.yaml"
    rules.write_text(f"extends: kuhn-poker\nscreens:\n  {screens}\n", encoding="utf-8")
    run = piped(tmp_path, "check", str(rules))
    assert run.returncode == 2 and "mine.yaml:3:" in run.stderr


def test_the_notes_have_signs_where_the_rules_give_none(tmp_path):
    rules = tmp_path / "mine.yaml"
    rules.write_text(
        ASKING + "    note: {set: {shown by ann to bob: shown by ann to bob plus (stones without wish)}}\n"
        "    last: {ask: ann, for: {named_last: players}}\n"
        "state: {shown by player to player called friend: {is: list of set of stone, seen by: player}}\n"
        "screens: {notes: {record: shown by player to player called friend}}\n",
        encoding="utf-8",
    )
    run = piped(tmp_path, "play", str(rules), "--seed", "3", "--seat", "ann=me", answers="onyx\nbob\nbob\nnotes\nbob\n")
    signs = re.search(r"(\S): you were shown it; (\S): you have shown it", run.stdout)
    assert signs[1] != signs[2] and re.search(rf"agate +{signs[2]}", run.stdout)


@pytest.mark.parametrize(("edition", "players"), [("cards-safe", 3), ("cards-safe", 4), ("cards-phone", 5)])
def test_black_cards_and_those_of_the_dummy_stand_in_the_notes(edition, players, tmp_path):
    game = load_game(edition, players)
    missing = {"answer/which", "look/face"} if players == 3 else {"answer/which"}
    for seed in range(8):
        state, rng = game.new(seed), random.Random(seed)
        for _ in range(60):
            if state.over:
                break
            state.apply(state.sample(rng, habits=True))
        for seat in game.seats:
            if seat in game.chance_seats:
                continue
            view = View(state.player(seat), Seat(seat), Language("en"), tmp_path)
            told = [entry for entry in state.log(seat) if entry.step in ("answer/which", "look/face")]
            missing -= {entry.step for entry in told}
            assert set(view.also_shown()) >= {line for entry in told for line in view.narrator.tell([entry])}
    assert not missing


# --- what people usually play with ------------------------------------------------------------------------------------
POLITE = """\
extends: kuhn-poker
name: Polite poker
options:
  greeting: {is: [none, bow, kiss], default: none, with people: bow, about: How players greet one another.}
"""


@pytest.mark.parametrize(
    ("house", "typed", "played"),
    [("", (), "bow"), ("", ("--option", "greeting=kiss"), "kiss"), ("options: {greeting: kiss}\n", (), "kiss")],
)
def test_at_a_table_with_people_an_option_has_the_value_that_is_usual_there(tmp_path, house, typed, played):
    (tmp_path / "polite.yaml").write_text(POLITE, encoding="utf-8")
    (tmp_path / "house.yaml").write_text(f"extends: polite\nname: House\n{house}", encoding="utf-8")
    assert load_game(tmp_path / "house.yaml").options["greeting"].value == (played if house else "none")
    run = piped(tmp_path, "play", tmp_path / "house.yaml", *typed, answers="check\n")
    assert run.returncode == 0, run.stderr
    header = json.loads(saved(tmp_path).read_text(encoding="utf-8").splitlines()[0])
    assert header["options"] == {"greeting": played}


def test_the_last_round_deals_nothing_again_that_was_in_a_hand_before():
    """A hand is told by what came to it, though the telling begins in the middle of a game."""
    for seed in range(6):
        state, luck = loaded("last-guest").new(seed), random.Random(seed)
        while not state.over:
            state.apply(luck.choice(state.player(state.actor).legal()))
        game, narrator = state.game, Narrator(state.game, Language("en"), sees_all=True)
        entries = Reader(game).news(state.umpire())
        whole = [line for turn in turns(game, entries, narrator, Count()) for line in turn.lines]
        last = [line for turn in last_told(game, entries, narrator) for line in turn.lines]
        assert last and whole[-len(last) :] == last


def test_whoever_sees_all_is_told_once_of_what_others_see_in_part():
    for seed in range(6):
        state, luck = loaded("little-mystery").new(seed), random.Random(seed)
        while not state.over:
            state.apply(luck.choice(state.player(state.actor).legal()))
        entries, tell = Reader(state.game).news(state.umpire()), Narrator(state.game, Language("en")).tell
        said = Narrator(state.game, Language("en"), sees_all=True).tell(entries)
        assert any("shows" in line for line in said) and not any(line.endswith(" a card.") for line in said)
        for seat in state.game.seats:  # each player is told of those that he does not see
            own = tell(Reader(state.game, seat).news(state.player(seat)))
            assert not any(f"{seat.capitalize()} shows" in line and line.endswith(" a card.") for line in own)
        assert any(
            line.endswith(" a card.")
            for seat in state.game.seats
            for line in tell(Reader(state.game, seat).news(state.player(seat)))
        )


def test_what_one_can_do_is_named_where_no_question_says_it(tmp_path):
    """A list of suspects alone does not say that they are accused."""
    state = loaded("little-mystery").new(3)
    while state.player(state.actor).question().step.alternatives == []:
        state.apply(state.player(state.actor).legal()[0])
    view = View(state.player(state.actor), Seat(state.actor), Language("en"), tmp_path / "x")
    labels = [offer.label for offer in Menu(view, walk_of(view)).offers]
    assert labels[0].startswith("Accuse: ") and labels[-1] == "Wait"
    asked = Menu(view, walk_of(view)).meant("baker")
    assert len(asked) == 1  # and it is still called by its own name


def test_what_surely_loses_a_game_that_would_go_on_is_confirmed(tmp_path):
    """Though the rules do not call it an end: what follows from the thing that is chosen may be the end of it."""
    words = ("play", "last-guest", "--seed", "3", "--lang", "en")
    ran = run_here(words, "1\n2\nno\n2\nyes\n", environment(tmp_path), tmp_path)
    assert ran.stdout.count("This ends the game. Type “yes” to confirm") == 2
    assert "Ben has won" in ran.stdout


@pytest.mark.parametrize("game", ["last-guest", "leduc-poker"])
def test_it_is_confirmed_only_where_all_that_he_has_seen_says_so(game):
    """Else the question would tell whether a guess is right."""
    sure_ones = 0
    for seed in range(3, 8):
        state, luck = loaded(game).new(seed), random.Random(seed)
        while not state.over:
            player = state.player(state.actor)
            legal = player.legal()
            for choice in legal:
                ahead = state.clone()
                ahead.apply(choice)
                lost = ahead.over and state.actor not in ahead.result.winners
                sure = is_ruin(player, choice, legal)
                sure_ones += sure
                assert lost or not sure
            state.apply(luck.choice(legal))
    assert sure_ones
