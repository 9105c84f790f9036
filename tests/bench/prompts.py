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


def waited(game: str, seats: tuple[str, ...], prompts: int) -> list[float]:
    """Seconds before each thing that was asked, in a game of people alone; the first is the start."""
    with tempfile.TemporaryDirectory() as folder:
        wishes = [word for seat in seats for word in ("--seat", f"{seat}=me")]
        person = Person(Path(folder), "play", game, "--seed", "3", *wishes)
        choose = calm(1, lasts=prompts)
        for _ in range(prompts):
            asked = person.wait()
            if asked == "end":
                person.waited.pop()
                break
            person.type(choose(person.offers()) if asked == "prompt" else "")
        person.child.close(force=True)
    return person.waited


def main() -> None:
    print(f"{'game':16}{'first prompt':>20}{'':12}{'further prompts':>18}")
    print(f"{'':16}{'median':>10}{'longest':>10}{'':12}{'median':>10}{'95 %':>10}{'longest':>10}   milliseconds")
    for game, seats in GAMES.items():
        firsts = sorted(waited(game, seats, 1)[0] for _ in range(STARTS))
        further = sorted(waited(game, seats, PROMPTS)[1:])
        figures = [
            statistics.median(firsts),
            firsts[-1],
            statistics.median(further),
            further[int(len(further) * 0.95)],
            further[-1],
        ]
        said = [f"{1000 * seconds:10.1f}" for seconds in figures]
        print(f"{game:16}{said[0]}{said[1]}{'':12}{''.join(said[2:])}")


if __name__ == "__main__":
    main()
