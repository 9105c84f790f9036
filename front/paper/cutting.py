"""A kit as pages of A4 to print on both sides and cut: a page for a browser, which also becomes a PDF.

Backs lie behind their fronts when the paper is turned over its long edge: the columns of a page of backs run the other
way. The board is spread over pages that are glued together.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import ceil

from ...interpreter import Game
from ...speech.language import N_, Language
from ..common.layout import width_of
from .kit import Heap, Kit, Piece
from .masks import mask, plain_mask
from .pages import Block
from .sheet import HIGH, WIDE, svg

__all__ = ["kit_pages"]

PAGE, EDGE = (210, 297), 10  # millimetres of the paper, and of what most printers leave white
SIZES = {"cards": (60, 84), "tiles": (44, 44), "markers": (18, 70), "chips": (30, 30)}
LAP = 6  # millimetres by which the sheets of the board overlap
SEEN, GIVEN = 9, 6  # empty lines for what one is shown, and for what one has shown
DARK = "#4b4238"

STYLE = """
@page { size: A4; margin: 0 }
@page wide { size: A4 landscape; margin: 0 }
* { box-sizing: border-box }
html { -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { margin: 0; background: #fff; color: #2e2620; font: 10.5pt/1.35 Georgia, "Palatino Linotype", "Noto Serif",
  "Noto Serif CJK JP", "Hiragino Mincho ProN", serif }
.page { position: relative; width: 210mm; height: 297mm; padding: 10mm; overflow: hidden; break-after: page }
.page.wide { page: wide; width: 297mm; height: 210mm }
.page > h2 { margin: 0 0 4mm; font-size: 15pt; color: #8a2f25; border-bottom: .5mm solid #c9b68c }
h1 { margin: 0 0 6mm; font-size: 26pt; line-height: 1.1; color: #8a2f25 }
h3 { margin: 5mm 0 1.5mm; font-size: 11.5pt }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
td, th { border: .2mm solid #8c7a55; padding: 1.1mm 1.8mm; text-align: left; vertical-align: top }
th { background: #efe6d0; font-weight: 600 }
.sheet td { height: 6.2mm }
.sheet h3 { margin-top: 3mm }
.sheet th { font-size: 9pt }
.names span { display: inline-block; width: 42mm; margin: 1mm 3mm 0 0; border-bottom: .2mm solid #8c7a55 }
.sheet th:first-child { width: 34mm }
.passport th:first-child { width: 31mm }
.passport td, .passport th { font-size: 9.5pt; line-height: 1.3; padding: 1.2mm 1.6mm }
.passport h3 { margin: 2mm 0 1mm }
.passport .how { margin: 0; font-size: 8.5pt; line-height: 1.25 }
.half { position: absolute; top: 8mm; width: 132mm; bottom: 8mm; padding: 4mm }
.half.l { left: 8mm }
.half.r { right: 8mm }
.fold { position: absolute; left: 148.5mm; top: 0; bottom: 0; border-left: .2mm dashed #999 }
.cover { border: 1mm double currentColor; text-align: center; padding-top: 34mm }
.cover h1 { color: inherit }
.cover .mask { width: 62mm; margin: 0 auto 10mm }
@media print { .inside { transform: rotate(180deg) } }
.cut { position: absolute; outline: .15mm dashed #9a9a9a; overflow: hidden; text-align: center }
.card .in { position: absolute; inset: 2.2mm; border: .5mm solid currentColor; border-radius: 3mm; background:
  #fbf7ec; padding: 2.5mm }
.card .whose { text-align: right; font-size: 9pt; font-weight: 700; letter-spacing: .03em }
.card .what { position: absolute; left: 2mm; right: 2mm; top: 45mm; line-height: 1.1; font-weight: 700; color: #2e2620 }
.card .corner { position: absolute; left: 2mm; top: 2.6mm; max-width: 32mm; text-align: left; font-weight: 700; color:
  #2e2620 }
.card .facts { position: absolute; left: 2.5mm; right: 2.5mm; top: 62mm; font-size: 8pt; color: #2e2620 }
.card .kind { position: absolute; left: 2mm; right: 2mm; bottom: 2mm; font-size: 8pt; font-style: italic; color:
  #2e2620 }
.card .mask { position: absolute; left: 11mm; top: 6.5mm; width: 33mm }
.back .in { background: currentColor }
.card.back .mask { left: 8mm; top: 25mm; width: 39mm }
.back .whose { color: #fff }
.tile .in { position: absolute; inset: 1.5mm; border: .8mm solid currentColor; border-radius: 2mm; background: #fbf7ec
  }
.tile .what { position: absolute; left: 1mm; right: 1mm; top: 14mm; font-weight: 700; color: #2e2620 }
.tile .whose { position: absolute; left: 0; right: 0; bottom: 2mm; font-size: 8pt }
.tile.back .in { background: currentColor }
.tile.back .mask { position: absolute; left: 9mm; top: 14mm; width: 22mm }
.tile.back .whose { color: #fff }
.marker .up, .marker .down { position: absolute; left: 0; right: 0; height: 28mm; background: currentColor }
.marker .up { top: 7mm; transform: rotate(180deg) }
.marker .down { top: 35mm; border-top: .15mm dashed #fbf7ec }
.marker .mask { position: absolute; left: 2.5mm; top: 1mm; width: 13mm; background: #fbf7ec; border-radius: 2mm }
.marker b { position: absolute; left: .8mm; right: .8mm; top: 17mm; color: #2e2620; background: #fbf7ec; border-radius:
  1mm; line-height: 1.15; padding: .8mm 0 }
.chip .in { position: absolute; inset: 1.5mm; border-radius: 50%; border: .5mm solid #2e2620; background: currentColor }
.chip b { position: absolute; left: 4mm; right: 4mm; top: 11.5mm; height: 7mm; line-height: 7mm; color: #2e2620;
  background: #fbf7ec; border-radius: 1.5mm; overflow: hidden }
li { margin: 1.6mm 0 }
@media screen { body { background: #777 } .page { background: #fff; margin: 6mm auto } }
"""


def kit_pages(game: Game, language: Language) -> dict[str, str]:
    """Everything to print, as two documents: what is printed on one side of the paper, and what on both."""
    pages = Pages(game, language)
    return {"sheets": pages.one_side(), "cards": pages.two_sides()}


class Pages:
    def __init__(self, game: Game, language: Language):
        self.game, self.language, self.kit = game, language, Kit(game, language)
        self.title = language.text(game.name) or game.id

    def _(self, text: str) -> str:
        return self.language.translate(text)

    def one_side(self) -> str:
        heaps = self.kit.heaps()
        return self._document([self._first(heaps), *self._board(), *self._heaps(heaps, False), *self._notes()])

    def two_sides(self) -> str:
        return self._document([*self._heaps(self.kit.heaps(), True), *self._passports()])

    def _document(self, pages: list[str]) -> str:
        """Nothing at all, if there are no pages."""
        return (
            pages
            and (
                f'<!DOCTYPE html>\n<html lang="{self.language.code}">\n<head>\n<meta charset="utf-8"/>\n'
                f'<meta name="generator" content="tabarro print"/>\n<title>{escape(self.title)}</title>\n'
                f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(pages) + "\n</body>\n</html>\n"
            )
            or ""
        )

    # --- what to do with it -----------------------------------------------------------------------------------------
    def _first(self, heaps: list[Heap]) -> str:
        say, number = self.language.say, self.language.number
        lines = [
            self._(N_("Print “sheets” on one side of the paper, and “cards” on both, turned over the long edge.")),
            self._(N_("Cut along the dashed lines.")),
        ]
        if self.kit.board is not None:
            lines.append(
                say(
                    N_("The board: {number} sheets. Where two edges meet, cut one off, and glue the sheets together."),
                    number=number(4),
                )
            )
        for heap in heaps:
            lines.append(self.language.labelled(heap.name, self._how(heap)))
            lines += [self._drawn(heap)] if heap.drawn else []
        if self.game.screens.table is not None:
            lines.append(self._(N_("The passports: one for each player, folded in the middle, with all missions.")))
        lines.append(self._(N_("The note sheets: one for each player. Keep yours hidden; copy it for further games.")))
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        about = f"<p><i>{escape(self.language.text(self.game.about))}</i></p>" if self.game.about else ""
        counts = self.language.ngettext("For {number} player.", "For {number} players.", self.game.players)
        heading = escape(self._(N_("What to print and cut out")))
        return (
            f'<section class="page"><h1>{escape(self.title)}</h1>{about}<p>{escape(counts)}</p>'
            f"<h2>{heading}</h2><ul>{items}</ul></section>"
        )

    def _how(self, heap: Heap) -> str:
        ngettext, number = self.language.ngettext, heap.number
        if heap.form == "cards":
            return ngettext("{number} card.", "{number} cards.", number)
        if heap.form == "tiles":
            return ngettext("{number} tile.", "{number} tiles.", number)
        if heap.form == "chips":
            return ngettext(
                "{number} chip; paste it on cardboard.",
                "{number} chips; paste them on cardboard, so that they feel alike.",
                number,
            )
        return ngettext(
            "{number} piece; fold it in the middle, and the ends outwards, so that it stands.",
            "{number} pieces; fold each in the middle, and the ends outwards, so that it stands.",
            number,
        )

    def _drawn(self, heap: Heap) -> str:
        several = self.language.list(list(heap.drawn), "or")
        return self.language.say(
            N_(
                "{things}: put them into a bag or a cup. Where the rules shake or draw them, draw {number} unseen, and "
                "put them back."
            ),
            things=heap.name,
            number=several,
        )

    # --- the board --------------------------------------------------------------------------------------------------
    def _board(self) -> Iterator[str]:
        """Two by two sheets, as large as they allow."""
        if self.kit.board is None:
            return
        picture = svg(self.game, self.language, paper="")
        across, down = PAGE[1] - 2 * EDGE, PAGE[0] - 2 * EDGE  # of one sheet, lying
        unit = max(WIDE / (2 * across - LAP), HIGH / (2 * down - LAP))  # units of the picture to a millimetre
        for row in (0, 1):
            for column in (0, 1):
                left = column * (across - LAP) * unit - ((2 * across - LAP) * unit - WIDE) / 2
                top = row * (down - LAP) * unit - ((2 * down - LAP) * unit - HIGH) / 2
                view = f'viewBox="{left:.1f} {top:.1f} {across * unit:.1f} {down * unit:.1f}"'
                shown = picture.replace(
                    f'viewBox="0 0 {WIDE} {HIGH}"',
                    f'{view} style="width:{across}mm;height:{down}mm;overflow:hidden"',
                    1,
                )
                for name in ("waves", "field"):  # a name stands for one thing in a document
                    shown = shown.replace(f'id="{name}"', f'id="{name}{row}{column}"')
                    shown = shown.replace(f"url(#{name})", f"url(#{name}{row}{column})")
                yield f'<section class="page wide">{shown}</section>'

    # --- what is cut out --------------------------------------------------------------------------------------------
    def _heaps(self, heaps: list[Heap], backs: bool) -> Iterator[str]:
        for form in _FRONTS:
            if (form in _BACKS) == backs:
                pieces = [
                    (heap, p) for heap in heaps if heap.form == form for p in heap.pieces for _ in range(p.copies)
                ]
                yield from self._cut(form, pieces)

    def _cut(self, form: str, pieces: list[tuple[Heap, Piece]]) -> Iterator[str]:
        wide, high = SIZES[form]
        columns, rows = (PAGE[0] - 2 * EDGE) // wide, (PAGE[1] - 2 * EDGE) // high
        left, top = (PAGE[0] - columns * wide) / 2, (PAGE[1] - rows * high) / 2
        for start in range(0, len(pieces), columns * rows):
            for back, draw in enumerate((_FRONTS[form], *([_BACKS[form]] if form in _BACKS else []))):
                drawn = []
                for number, (heap, piece) in enumerate(pieces[start : start + columns * rows]):
                    row, column = divmod(number, columns)
                    at = columns - 1 - column if back else column
                    place = f"left:{left + at * wide:.1f}mm;top:{top + row * high:.1f}mm;width:{wide}mm;height:{high}mm"
                    shape = f"{form[:-1]} back" if back else form[:-1]
                    paint = piece.paint or DARK
                    drawn.append(f'<div class="cut {shape}" style="{place};color:{paint}">{draw(heap, piece)}</div>')
                yield f'<section class="page">{"".join(drawn)}</section>'

    # --- passports, notes -------------------------------------------------------------------------------------------
    def _passports(self) -> Iterator[str]:
        table = self.game.screens.table
        if table is None:
            return
        parts, halves = list(self.kit.book.table(table.function)), ["", ""]
        how = self.kit.book.how_to_read(table.function)
        groups = [part for part in parts if part.kind == "heading"]
        for number, block in enumerate(parts):
            at = 0 if not groups else sum(part.kind == "heading" for part in parts[: number + 1]) - 1
            halves[at * 2 // max(1, len(groups))] += _html(block)
        halves[0] = (f'<p class="how">{escape(how)}</p>' if how else "") + halves[0]
        for seat in self.kit.seats:
            paint, name = self.kit.paints[seat], escape(self.kit.called(seat))
            face, title = mask(self.game.vocabulary.atoms[seat].name, paint), escape(self.title)
            cover = f'<div class="half r cover" style="color:{paint}">{face}<h1>{title}</h1><p>{name}</p></div>'
            yield f'<section class="page wide passport"><div class="fold"></div>{cover}</section>'
            inside = "".join(f'<div class="half {side}">{half}</div>' for side, half in zip("lr", halves))
            # the long edge of the paper lies above what is printed across: turned over it, this would stand on its head
            yield f'<section class="page wide passport inside"><div class="fold"></div>{inside}</section>'

    def _notes(self) -> Iterator[str]:
        seats, heading = self.kit.seats, escape(self._(N_("Note sheet")))
        grids = ""
        for title, holders, values in self.kit.secrets():
            head = "".join(f"<th>{escape(value)}</th>" for value in ["", *values])
            body = "".join(f"<tr><th>{escape(who)}</th>{'<td></td>' * len(values)}</tr>" for who in holders)
            grids += f"<h3>{escape(title)}</h3><table><tr>{head}</tr>{body}</table>"
        titles = [self._(N_("When")), self._(N_("Who, to whom")), self._(N_("What was shown or said"))]
        head = "".join(f"<th>{escape(title)}</th>" for title in titles)
        notes = self.game.screens.notes
        parts = [(self._(N_("What you were shown")), notes.seen if notes else "", SEEN)]
        parts += [(self._(N_("What you have shown")), notes.given, GIVEN)] if notes else []
        lines = ""
        for title, sign, rows in parts:
            empty = ("<tr>" + "<td></td>" * len(titles) + "</tr>") * rows
            lines += f"<h3>{escape(f'{title} {sign}'.strip())}</h3><table><tr>{head}</tr>{empty}</table>"
        line, called = self._line(), {seat: escape(self.kit.called(seat)) for seat in seats}
        for seat, name in called.items():
            others = " ".join(f"<span>{other}</span>" for of, other in called.items() if of != seat)
            names = f'<p class="names">{others}</p>' if others else ""
            yield f'<section class="page sheet"><h2>{heading} · {name}</h2>{names}{grids}{line}{lines}</section>'

    def _line(self) -> str:
        """The boxes that the notes of the game have besides."""
        notes = self.game.screens.notes
        if notes is None or notes.line is None:
            return ""
        things = [self.kit.called(atom) for atom in sorted(notes.line.thing.type.atoms)]
        head = "".join(f"<th>{escape(thing)}</th>" for thing in things)
        title = escape(self.language.text(notes.line.name))
        return f"<h3>{title}</h3><table><tr>{head}</tr><tr>{'<td></td>' * len(things)}</tr></table>"


# --- one thing to cut out -------------------------------------------------------------------------------------------
def _size(text: str, width: float, most: float) -> float:
    """Points of letters, such that the longest word fits into so many millimetres."""
    longest = max((width_of(word) for word in text.split()), default=1)
    lines = ceil(width_of(text) * most * 0.2 / width)
    return max(5.5, min(most, width / (longest * 0.2), most * (2.2 / lines if lines > 2 else 1)))


def _named(css: str, text: str, width: float, most: float) -> str:
    return f'<div class="{css}" style="font-size:{_size(text, width, most):.1f}pt">{escape(text)}</div>' if text else ""


def _card(heap: Heap, piece: Piece) -> str:
    """Its name stands in a corner, too: cards are held in a fan."""
    facts = "".join(f"<div>{escape(title)}: {escape(said)}</div>" for title, said in piece.facts)
    return (
        f'<div class="in">{_named("corner", piece.title, 30, 8)}<div class="whose">{escape(piece.owner)}</div>'
        f"{mask(piece.name, piece.paint or DARK)}{_named('what', piece.title, 48, 17)}"
        f'<div class="facts">{facts}</div>{_named("kind", heap.noun, 48, 8)}</div>'
    )


def _card_back(heap: Heap, piece: Piece) -> str:
    """Whose it is, and nothing else: of what kind a card is can be a secret, too."""
    return f'<div class="in"><div class="whose">{escape(piece.owner)}</div>{plain_mask("#fbf7ec")}</div>'


def _tile(heap: Heap, piece: Piece) -> str:
    return f'<div class="in">{_named("what", piece.title, 38, 14)}{_named("whose", piece.owner, 38, 8)}</div>'


def _tile_back(heap: Heap, piece: Piece) -> str:
    return f'<div class="in">{plain_mask("#fbf7ec")}{_named("whose", piece.owner, 38, 8)}</div>'


def _marker(heap: Heap, piece: Piece) -> str:
    """To be folded in the middle, so that it stands."""
    size = _size(piece.sign or piece.title, 13, 20 if piece.sign else 8)
    owner = f"<br/><small>{escape(piece.owner)}</small>" if piece.owner else ""
    name = f'<b style="font-size:{size:.1f}pt">{escape(piece.sign or piece.title)}{owner}</b>'
    face = mask(piece.name, piece.paint or DARK) + name
    return f'<div class="up">{face}</div><div class="down">{face}</div>'


def _chip(heap: Heap, piece: Piece) -> str:
    return f'<div class="in"></div><b style="font-size:{_size(piece.title, 19, 10):.1f}pt">{escape(piece.title)}</b>'


def _html(block: Block) -> str:
    if block.kind == "heading":
        return f"<h3>{escape(block.text)}</h3>"
    rows = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in block.rows)
    return f"<table>{rows}</table>"


_FRONTS = {"cards": _card, "tiles": _tile, "markers": _marker, "chips": _chip}
_BACKS = {"cards": _card_back, "tiles": _tile_back}
