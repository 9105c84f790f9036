"""Pictures of the full screen, as somebody sees it who plays: for reading and judging, not for tests.

`python tests/pictures.py build/pictures` writes one SVG for each game, language, size and moment, and a PNG beside it if
cairosvg is installed (extra `plot`); `--games`, `--langs` and `--sizes` choose others. The letters come from fonts of the
machine: `--font`, and `--font-ja` for those of Japanese (`apt-get install fonts-noto-cjk`). Every letter stands in its own
cell, as in a terminal, whatever the fonts think of widths; only what they look like depends on them.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from mashing import Sitting  # noqa: E402
from tabarro.front.common.layout import width_of  # noqa: E402
from tabarro.front.terminal.hands import ENTER, PICK  # noqa: E402

MOMENTS = (0, 2, 9)  # answers that were given before each picture
CELL = 12.2  # units of a column in what Rich writes
TEXT = re.compile(r'<text class="(?P<style>[^"]*)" x="(?P<x>[\d.]+)" (?P<y>y="[\d.]+") textLength="[\d.]+"(?P<rest>[^>]*)>'
                  r"(?P<said>[^<]*)</text>")  # fmt: skip
JAPANESE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+")


async def pictures(sitting: Sitting, size: tuple[int, int], stem: Path, seed: int, fonts: tuple[str, str]) -> None:
    """Of one game, at several moments; the first choice is taken that ends nothing."""
    app, given, last = sitting.app, 0, 0
    async with app.run_test(size=size) as pilot:
        while given <= max(MOMENTS):
            for _ in range(500):
                if app._exit or app.frame.choices and app.frame.serial > last:
                    break
                await pilot.pause(0.02)
            if app._exit or app.frame.serial <= last:
                return
            last = app.frame.serial
            await pilot.pause(0.05)
            if given in MOMENTS:
                write(app.export_screenshot(), Path(f"{stem}-{given}.svg"), fonts)
            place = (given * seed) % max(1, len(app.frame.choices) - 1)
            while app.frame.serial == last and not app._exit and place < len(app.frame.choices):
                app.hands.given.put((last, ENTER if app.held == place else PICK, (place, True)))
                await pilot.pause(0.1)
                place += 1  # where several are chosen, those that follow
            app.hands.given.put((last, ENTER, (0, True)))
            given += 1
        app.action_leave()


def write(svg: str, path: Path, fonts: tuple[str, str]) -> None:
    svg = svg.replace("#fdfdc5", "#ffffff")  # what Rich takes for bright white, as terminals show it
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.S)
    svg = re.sub(r"font-family: Fira Code[^;]*", f"font-family: {fonts[0]}", svg)
    svg = re.sub(r"font-size: 20px", f"font-size: {CELL / 0.602:.2f}px", svg)  # its letters are as wide as a cell
    svg = TEXT.sub(lambda found: celled(found, fonts[1]), svg)
    path.write_text(svg, encoding="utf-8")
    try:
        import cairosvg
    except (ImportError, OSError):
        return
    cairosvg.svg2png(bytestring=svg.encode(), write_to=str(path.with_suffix(".png")))


def celled(found: re.Match[str], japanese: str) -> str:
    """The same text with a place for each letter, those of Japanese in a font that has them."""
    said, column, parts = html.unescape(found["said"]), float(found["x"]), []
    for part in re.findall(rf"{JAPANESE.pattern}|(?:(?!{JAPANESE.pattern}).)+", said):
        places = []
        for letter in part:
            places.append(f"{column:.1f}")
            column += CELL * width_of(letter)
        font = f' style="font-family: {japanese}; font-size: {2 * CELL - 2.8:.1f}px"' if JAPANESE.match(part) else ""
        words = html.escape(part).replace("\u00a0", "&#160;")
        if part.strip():
            parts.append(
                f'<text class="{found["style"]}" x="{" ".join(places)}" {found["y"]}{found["rest"]}{font}>{words}</text>'
            )
    return "".join(parts)


def main() -> None:
    wishes = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wishes.add_argument("folder", type=Path)
    wishes.add_argument("--games", default="venice-2013,cards-safe,four-in-a-row,night-runner")
    wishes.add_argument("--langs", default="en,ca,ja")
    wishes.add_argument("--sizes", default="100x30,160x50")
    wishes.add_argument("--seed", type=int, default=1)
    wishes.add_argument("--font", default="DejaVu Sans Mono")
    wishes.add_argument("--font-ja", default="Noto Sans Mono CJK JP")
    asked = wishes.parse_args()
    os.environ["TABARRO_PACE"] = "0"
    asked.folder.mkdir(parents=True, exist_ok=True)
    for game in asked.games.split(","):
        for lang in asked.langs.split(","):
            for size in asked.sizes.split(","):
                columns, rows = map(int, size.split("x"))
                with tempfile.TemporaryDirectory() as saves:
                    sitting = Sitting(game, asked.seed, Path(saves), lang)
                    with sitting.playing():
                        stem = asked.folder / f"{game}-{lang}-{size}"
                        fonts = asked.font, asked.font_ja
                        asyncio.run(pictures(sitting, (columns, rows), stem, asked.seed, fonts))


if __name__ == "__main__":
    main()
