"""How long one waits at the terminal: for the first prompt, and for each further one. No bot thinks meanwhile."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from terminal import Person, calm  # noqa: E402

COLOURS = ("red", "blue", "green", "yellow")
GAMES = {
    "venice-2013": COLOURS,
    "cards-phone": COLOURS,
    "little-mystery": ("ada", "ben", "cleo"),
    "tic-tac-toe": ("cross", "nought"),
}
STARTS, PROMPTS = 5, 100


def worked(pid: int) -> float:
    """Seconds that a process has had a processor for so far, as Linux counts them."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def waited(game: str, seats: tuple[str, ...], prompts: int) -> tuple[list[float], list[float]]:
    """Before each thing that was asked, in a game of people alone, seconds and seconds of processor time; the first is
    the start."""
    with tempfile.TemporaryDirectory() as folder:
        wishes = [word for seat in seats for word in ("--seat", f"{seat}=me")]
        person = Person(Path(folder), "play", game, "--seed", "3", *wishes)
        choose, marks = calm(1, lasts=prompts), [0.0]
        for _ in range(prompts):
            asked = person.wait()
            if asked == "end":
                person.waited.pop()
                break
            marks.append(worked(person.child.pid))
            person.type(choose(person.offers()) if asked == "prompt" else person.name if asked == "pass" else "")
        person.child.close(force=True)
    return person.waited, [after - before for before, after in zip(marks, marks[1:])]


def told(times: list[float]) -> str:
    times = sorted(times)
    figures = (statistics.median(times), times[int(len(times) * 0.95)], times[-1])
    return "".join(f"{1000 * seconds:9.1f}" for seconds in figures)


def main() -> None:
    print("ms: median, 95 %, longest; by the clock, then of processor time")
    for game, seats in GAMES.items():
        waited(game, seats, 1)  # from now on the game is in the cache
        starts = [waited(game, seats, 1) for _ in range(STARTS)]
        clock, work = waited(game, seats, PROMPTS)
        print(f"{game:16}first  {told([t[0] for t, _ in starts])}   {told([w[0] for _, w in starts])}")
        print(f"{'':16}further{told(clock[1:])}   {told(work[1:])}", flush=True)


if __name__ == "__main__":
    main()
