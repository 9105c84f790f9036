"""One word for one thing: the terms of each edition, in each language, and what translators are told beside the texts."""

import re
from functools import cache

import pytest
from catalogues import catalogue, ids, messages
from loading import LIBRARY
from tabarro.interpreter.load import load_text
from tabarro.interpreter.shelves import RULES
from tabarro.speech.extract import NOTES, texts_in
from tabarro.speech.language import LANGUAGES, LOCALES

EDITIONS = {
    "board": ("venice-2013", "venice-classic", "venice-japan"),
    "cards": ("cards-safe", "cards-phone"),
}
EDITIONS["all"] = EDITIONS["board"] + EDITIONS["cards"]
GLOSSARY = LOCALES / "glossary.yaml"
PARTS = ("a phrase", "how one of them is called")  # no sentences: what is left out there stands around them
_BRACES = re.compile(r"{[^{}|]*}")


@cache
def glossary() -> dict:
    return load_text(GLOSSARY.read_text(encoding="utf-8"), str(GLOSSARY))


@cache
def texts(edition: str) -> list[tuple[str, bool]]:
    """The texts that this edition has, those of files that it changes left out, and whether each is a sentence."""
    found = texts_in(LIBRARY.merged(RULES / "inkognito" / f"{edition}.yaml"))
    plain = [
        (text, not any(c.startswith(PARTS) for c in why)) for _, function, text, why in found if function == "gettext"
    ]
    return list(dict.fromkeys(plain))


@cache
def said(text: str, language: str) -> str:
    """As it is translated, without what stands in braces."""
    own = text if language == "en" else catalogue(language).get(text).string
    return _BRACES.sub(" ", own)


def words(kind: str, edition: str) -> list[tuple[str, dict[str, str]]]:
    """What the glossary says of this edition under `in` or `never`: terms, with the words of each language."""
    return [
        (term, per)
        for term, entry in glossary().items()
        for group, per in entry.get(kind, {}).items()
        if edition in EDITIONS.get(group, (group,))
    ]


def begins(text: str, pattern: str, language: str) -> bool:
    """Does a word of the text begin so? Japanese has no spaces between words."""
    return bool(re.search(pattern if language == "ja" else rf"\b(?:{pattern})", text, re.IGNORECASE))


@pytest.mark.parametrize("edition", EDITIONS["all"])
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_a_translation_has_the_word_of_its_edition(edition, language):
    for term, per in words("in", edition):
        for text, whole in texts(edition):
            if whole and begins(said(text, "en"), per["en"], "en"):
                own = said(text, language)  # the word may be the end of another: Stedsbrikke
                assert re.search(per[language], own, re.IGNORECASE), (term, text, own)


@pytest.mark.parametrize("edition", EDITIONS["all"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_called_by_the_word_of_another_edition_or_by_a_second_one(edition, language):
    for term, per in words("never", edition):
        for text, _ in texts(edition):
            if language in per:
                assert not begins(said(text, language), per[language], language), (term, said(text, language))


def test_the_glossary_has_every_language_and_is_used():
    """A term that no text of its editions has would be checked nowhere."""
    for edition in EDITIONS["all"]:
        for term, per in words("in", edition):
            assert set(per) == set(LANGUAGES), term
    for term, entry in glossary().items():
        groups = [
            (per, edition) for group, per in entry.get("in", {}).items() for edition in EDITIONS.get(group, (group,))
        ]
        assert not groups or any(
            begins(said(text, "en"), per["en"], "en") for per, e in groups for text, _ in texts(e)
        ), term


# --- what translators are told --------------------------------------------------------------------------------------
@cache
def notes() -> dict[tuple[str | None, str], str]:
    found = {}
    for text, note in load_text(NOTES.read_text(encoding="utf-8"), str(NOTES)).items():
        inner = {(text, own): told for own, told in note.items()} if not isinstance(note, str) else {(None, text): note}
        found.update(inner)
    return found


def test_notes_are_about_texts_that_there_are():
    assert set(notes()) - {(message.context, ids(message)[0]) for message in messages("en")} == set()


def test_a_text_of_the_program_that_says_little_has_a_note():
    """A word or two, or places in braces: nobody can translate them without knowing where they stand."""
    for message in messages("en"):
        text = ids(message)[0]
        if message.context is None and all(file.endswith(".py") for file, _ in message.locations):
            if len(re.findall(r"[^\W\d_]+", _BRACES.sub("", text))) < 3 and not follows(message):
                assert (None, text) in notes(), text


def follows(message) -> bool:
    """Is it the remedy of a message that stands above it?"""
    return any(comment.startswith("after: ") for comment in message.auto_comments)


def test_translators_see_where_a_text_belongs():
    found = {message.id: message.auto_comments for message in messages("de")}
    assert "what players are told: rules/turn of player/shake" in found["{player} shakes the phantom: {balls_shown}."]
    assert found["In all"] == [notes()[None, "In all"]]
