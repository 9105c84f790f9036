"""A rulebook as text, Markdown or a page for a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

from ...speech.language import Language
from ..common.layout import columned, width_of, wrapped

WIDTH = 80  # columns of the plain text


# --- what a rulebook is made of ------------------------------------------------------------------------------------
@dataclass(slots=True)
class BookLine:
    """A sentence, or several, with where it stands and why it is so."""

    text: str
    sources: tuple[int, ...] = ()
    why: str = ""


@dataclass(slots=True)
class Block:
    kind: str  # title, heading, lines, list, table, picture
    text: str = ""
    level: int = 0
    lines: list[BookLine] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    draw: Callable[[], str] | None = None  # of a picture, which takes its time


# --- the three ways to write it ------------------------------------------------------------------------------------
def _in_words(blocks: list[Block]) -> list[Block]:
    """Without pictures, and without headings under which nothing is left."""
    found: list[Block] = []
    for block in reversed(blocks):
        above = block.kind == "heading" and (
            not found or (found[-1].kind == "heading" and found[-1].level <= block.level)
        )
        if block.kind != "picture" and not above:
            found.append(block)
    return found[::-1]


def _markdown(blocks: list[Block], language: Language, width: int = WIDTH) -> str:
    def plain(text: str) -> str:
        return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text)

    def marked(line: BookLine) -> str:
        marks = "".join(f" [{n}]" for n in line.sources)
        why = f" *({plain(line.why)})*" if line.why else ""
        return plain(line.text) + marks + why

    parts = []
    for block in _in_words(blocks):
        if block.kind in ("title", "heading"):
            parts.append("#" * (block.level + 1) + " " + plain(block.text))
        elif block.kind == "lines":
            parts += [marked(line) for line in block.lines]
        elif block.kind == "list":
            parts.append("\n".join(f"- {marked(line)}" for line in block.lines))
        elif block.kind == "sources":
            parts.append("\n".join(f"{n}. {marked(line)}" for n, line in enumerate(block.lines, 1)))
        elif block.kind == "table":
            head = block.head or [""] * len(block.rows[0])
            rows = [head, ["---"] * len(head), *block.rows]
            cells = [[cell if cell == "---" else plain(cell) for cell in row] for row in rows]
            parts.append("\n".join("| " + " | ".join(row) + " |" for row in cells))
    return "\n\n".join(parts) + "\n"


def _text(blocks: list[Block], language: Language, width: int = WIDTH) -> str:
    def marked(line: BookLine) -> str:
        return line.text + "".join(f" [{n}]" for n in line.sources) + (f" ({line.why})" if line.why else "")

    parts = []
    for block in _in_words(blocks):
        if block.kind in ("title", "heading"):
            under = "=" if block.kind == "title" else "-" if block.level == 1 else ""
            parts.append(block.text + (f"\n{under * width_of(block.text)}" if under else ""))
        elif block.kind == "lines":
            parts += ["\n".join(wrapped(marked(line), width)) for line in block.lines]
        elif block.kind in ("list", "sources"):
            items = []
            for number, line in enumerate(block.lines, 1):
                mark = f"{number:>2}. " if block.kind == "sources" else "  - "
                first, *rest = wrapped(marked(line), width - 4)
                items += [mark + first, *("    " + more for more in rest)]
            parts.append("\n".join(items))
        elif block.kind == "table":
            parts.append("\n".join(_aligned(block.rows, block.head if any(block.head) else None, language, width)))
    return "\n\n".join(parts) + "\n"


def _aligned(rows: list[list[str]], head: list[str] | None, language: Language, width: int) -> list[str]:
    """A table of plain text; if it is too wide for that, each row becomes a paragraph of its own."""
    found = columned(rows, head, width - 2)
    if found is None:
        return _told(rows, head or [""] * len(rows[0]), language, width)
    wide, top, body = found
    rule = ["  ".join("-" * size for size in wide)] if top else []
    return ["  " + line for line in [*top, *rule, *body]]


def _told(rows: list[list[str]], head: list[str], language: Language, width: int) -> list[str]:
    """A table that is too wide: row by row, each cell after its title."""
    lines = []
    for first, *rest in rows:
        lines += ["  " + line for line in wrapped(first, width - 2)]
        for title, cell in zip(head[1:], rest):
            if cell == "–":
                continue
            said = language.labelled(title, cell) if title else cell
            begin, *more = wrapped(said, width - 4)
            lines += ["    " + begin, *("      " + line for part in more for line in wrapped(part, width - 6))]
    return lines


STYLE = """
:root { --ink: #2e2620; --paper: #fbf7ec; --rule: #c9b68c; --accent: #8a2f25; --soft: #efe6d0; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font: 17px/1.55 Georgia, "Palatino Linotype", "Noto Serif", "Hiragino Mincho ProN", "Noto Serif CJK JP", serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.4rem 4rem; }
h1 { font-size: 2.3rem; line-height: 1.15; margin: 0 0 1rem; color: var(--accent); }
h1 + p { font-size: 1.15rem; font-style: italic; }
h2 { margin: 2.6rem 0 .8rem; padding-bottom: .25rem; border-bottom: 2px solid var(--rule); font-size: 1.5rem; }
h3 { margin: 1.6rem 0 .4rem; font-size: 1.12rem; color: var(--accent); }
nav ol { columns: 2; padding-left: 1.4rem; } nav a { color: inherit; }
ul { padding-left: 1.3rem; } li { margin: .35rem 0; }
table { border-collapse: collapse; width: 100%; margin: .8rem 0; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .32rem .6rem; border-bottom: 1px solid var(--rule); }
thead th { background: var(--soft); } tbody th { font-weight: 600; white-space: nowrap; }
sup a { color: var(--accent); text-decoration: none; }
.why { display: block; font-size: .88em; font-style: italic; opacity: .8; }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; display: block; border: 1px solid var(--rule); }
@media print {
  @page { size: A4; margin: 18mm 16mm; }
  body { background: none; font-size: 10.5pt; } main { max-width: none; padding: 0; }
  h2, h3 { break-after: avoid; } li, tr, figure { break-inside: avoid; } nav { display: none; }
}
"""


def _html(blocks: list[Block], language: Language, width: int = WIDTH) -> str:
    def marked(line: BookLine) -> str:
        marks = "".join(f'<sup><a href="#source-{n}">[{n}]</a></sup>' for n in line.sources)
        why = f'<span class="why">{escape(line.why)}</span>' if line.why else ""
        return escape(line.text) + marks + why

    chapters = [block for block in blocks if block.kind == "heading" and block.level == 1]
    title = next(block.text for block in blocks if block.kind == "title")
    parts = []
    for block in blocks:
        if block.kind == "title":
            parts.append(f"<h1>{escape(block.text)}</h1>")
        elif block.kind == "heading":
            if block.level == 1 and block is chapters[0] and len(chapters) > 2:
                links = "".join(
                    f'<li><a href="#chapter-{n}">{escape(chapter.text)}</a></li>'
                    for n, chapter in enumerate(chapters, 1)
                )
                parts.append(f"<nav><ol>{links}</ol></nav>")
            anchor = f' id="chapter-{chapters.index(block) + 1}"' if block.level == 1 else ""
            parts.append(f"<h{block.level + 1}{anchor}>{escape(block.text)}</h{block.level + 1}>")
        elif block.kind == "lines":
            parts += [f"<p>{marked(line)}</p>" for line in block.lines]
        elif block.kind == "list":
            parts.append("<ul>\n" + "\n".join(f"<li>{marked(line)}</li>" for line in block.lines) + "\n</ul>")
        elif block.kind == "sources":
            parts.append(
                "<ol>\n"
                + "\n".join(f'<li id="source-{n}">{marked(line)}</li>' for n, line in enumerate(block.lines, 1))
                + "\n</ol>"
            )
        elif block.kind == "picture":
            parts.append(f"<figure>{block.draw()}</figure>")
        elif block.kind == "table":
            titles = "".join(f"<th>{escape(title)}</th>" for title in block.head)
            head = f"<thead><tr>{titles}</tr></thead>" if any(block.head) else ""
            body = "\n".join(
                f"<tr><th>{escape(first)}</th>" + "".join(f"<td>{escape(c)}</td>" for c in rest) + "</tr>"
                for first, *rest in block.rows
            )
            parts.append(f"<table>{head}<tbody>\n{body}\n</tbody></table>")
    return (
        f'<!DOCTYPE html>\n<html lang="{language.code}">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="generator" content="tabarro rulebook"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


FORMATS = {"md": _markdown, "html": _html, "text": _text}


def signed(whole: str, format: str, game: str) -> str:
    """A rulebook as it goes into a file: with how it was made, by which it is known when it is to be replaced."""
    command = f"tabarro rulebook {re.sub(r'[^A-Za-z0-9_.-]', '', game)}"
    if format == "html":  # it says so in its head
        return whole
    return f"{whole}\n<!-- {command} -->\n" if format == "md" else f"{whole}\n{command}\n"
