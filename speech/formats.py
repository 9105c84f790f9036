"""Numbers, shares and lists as a language writes them. Babel knows how, but takes its time to load: see language.py."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from babel import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

__all__ = ["decimal", "ListStyle", "exists", "listed", "name_of", "percent", "separator"]

ListStyle = Literal["standard", "or"]


def exists(code: str) -> bool:
    """Is this a language whose plurals, lists and numbers are known?"""
    try:
        return bool(Locale.parse(code))
    except (UnknownLocaleError, ValueError):
        return False


def name_of(code: str, reader: str) -> str:
    """What a language is called in the language of the reader."""
    return Locale.parse(code).get_display_name(reader) or code


def decimal(number: float, code: str, pattern: str | None = None) -> str:
    return format_decimal(number, format=pattern, locale=code)


def percent(share: float, code: str, digits: str) -> str:
    """The sign stands where the language puts it: 40% in English, 40 % in German, where no line is broken before it."""
    usual = str(Locale.parse(code).percent_formats[None].pattern)
    return format_percent(share, format=usual.replace("#,##0", digits), locale=code)


def listed(items: Sequence[str], code: str, style: ListStyle) -> str:
    return format_list(items, style=style, locale=code)


@cache
def separator(code: str) -> str:
    """What stands between the items of a list that has no word for “and”."""
    return str(Locale.parse(code).list_patterns["standard"]["middle"].format("", ""))
