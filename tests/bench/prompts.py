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
STARTS, PROMPTS = 10, 150


def worked(pid: int) -> float:
    """Seconds that a process has had a processor for so far, as Linux counts them."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def waited(game: str, seats: tuple[str, ...], prompts: int) -> tuple[list[float], float]:
    """Seconds before each thing that was asked, in a game of people alone; the first is the start. And the processor
    time until then."""
    with tempfile.TemporaryDirectory() as folder:
        wishes = [word for seat in seats for word in ("--seat", f"{seat}=me")]
        person = Person(Path(folder), "play", game, "--seed", "3", *wishes)
        choose = calm(1, lasts=prompts)
        for number in range(prompts):
            asked = person.wait()
            if number == 0:
                start = worked(person.child.pid)
            if asked == "end":
                person.waited.pop()
                break
            person.type(choose(person.offers()) if asked == "prompt" else "")
        person.child.close(force=True)
    return person.waited, start


def main() -> None:
    print(f"{'game':16}{'first prompt':>20}{'':14}{'further prompts':>18}")
    print(f"{'':16}{'median':>10}{'longest':>10}{'processor':>12}  {'median':>10}{'95 %':>10}{'longest':>10}   ms")
    for game, seats in GAMES.items():
        waited(game, seats, 1)  # from now on the game is in the cache
        starts = [waited(game, seats, 1) for _ in range(STARTS)]
        firsts = sorted(times[0] for times, _ in starts)
        further = sorted(waited(game, seats, PROMPTS)[0][1:])
        figures = [
            statistics.median(firsts),
            firsts[-1],
            statistics.median(start for _, start in starts),
            statistics.median(further),
            further[int(len(further) * 0.95)],
            further[-1],
        ]
        said = [f"{1000 * seconds:10.1f}" for seconds in figures]
        print(f"{game:16}{said[0]}{said[1]}{said[2]:>12}  {''.join(said[3:])}")


if __name__ == "__main__":
    main()
