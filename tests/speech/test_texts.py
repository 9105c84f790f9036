"""What the command and the games say exists in all six languages, whole and in the words of each."""

import re
import string
from functools import cache

import pytest
from catalogues import catalogue, ids, messages, sources, strings
from loading import description_of
from loading import loaded as load_game
from tabarro.interpreter import games
from tabarro.interpreter.mentions import mentioned
from tabarro.interpreter.shelves import shown
from tabarro.speech import extract
from tabarro.speech.catalogue import read_own
from tabarro.speech.language import LANGUAGES, LOCALES, Language, chosen, fill, forms, known, wanted
from tabarro.speech.narrator import Narrator

TRANSLATED = [language for language in LANGUAGES if language != "en"]
PROPER_NAMES = {"space", "place", "identity", "letter"}  # of places, persons, code words: many are the same everywhere
SAME_IN_ENGLISH = {  # words that happen to be the same
    *((code, "bot") for code in ("ca", "nl")),
    ("ca", "Nodes"),
    ("ca", "secrets"),
    ("ca", "no"),
    ("ca", "notes"),
    ("ca", "argument %(argument_name)s: %(message)s"),
    ("de", "Name"),
    ("de", "Option"),
    ("de", "orange"),
    ("de", "mission"),
    ("de", "Median"),
    ("no", "Median"),
    ("nl", "argument %(argument_name)s: %(message)s"),
    ("nl", "{one} is {other}"),
    ("de", "Partner"),
    ("nl", "Partner"),
    ("no", "Partner"),
    ("nl", "Routes"),
    ("nl", "Later"),
}


def placeholders(text: str) -> set[str]:
    braces = set(mentioned(text))
    return braces | set(re.findall(r"%(?:\(\w+\))?[sdr]", text))


def names(message) -> bool:
    return message.context is not None


# --- catalogues -----------------------------------------------------------------------------------------------------


def test_the_sources_have_texts():
    assert (None, "{player} marks {square}.") in sources()
    assert ("suspect", "baker") in sources()
    assert ("choice", "bet") in sources()
    assert any("interpreter/messages.py" in files for files in sources().values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_the_messages_of_the_sources_and_no_others(language):
    here = {(message.context, message.id) for message in messages(language)}
    assert sorted(map(str, set(sources()) - here)) == []
    assert sorted(map(str, here - set(sources()))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_our_catalogues_are_read_as_babel_reads_them(language):
    ours = read_own(LOCALES / language / "LC_MESSAGES" / "tabarro.po")
    for message in messages(language):
        if not all(strings(message)):
            continue
        one, *many = ids(message)
        for number in range(12) if many else ():
            wanted = strings(message)[int(number != 1) if language != "ja" else 0]
            assert ours.ngettext(one, many[0], number) == wanted
        if not many:
            found = ours.gettext(one) if message.context is None else ours.pgettext(message.context, one)
            assert found == message.string


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated_in_all_its_plural_forms(language):
    forms_wanted = catalogue(language).num_plurals
    for message in messages(language):
        assert not message.fuzzy, message.id
        assert len(strings(message)) == (forms_wanted if isinstance(message.id, tuple) else 1), message.id
        assert all(text.strip() for text in strings(message)), message.id


def test_in_english_only_names_have_a_translation():
    assert any(message.string for message in messages("en"))
    for message in messages("en"):
        assert not message.fuzzy
        assert names(message) or not any(strings(message)), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_keeps_the_placeholders(language):
    for message in messages(language):
        wanted = set().union(*map(placeholders, ids(message)))
        for text in strings(message):
            assert placeholders(text) == wanted, (message.id, text)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_ends_as_the_text_does(language):
    ends = {".": ".。", "?": "?？", ":": ":："}
    for message in messages(language):
        for text in strings(message):
            last = ids(message)[0][-1]
            assert text[-1] in ends.get(last, text[-1]), (message.id, text)
            assert text.strip(" ") == text or ids(message)[0].strip(" ") != ids(message)[0], (message.id, text)


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_left_in_english(language):
    same = {
        (language, message.id)
        for message in messages(language)
        if message.context not in PROPER_NAMES
        and forms(strings(message)[0])("") == ids(message)[0]
        and re.sub(r"{\w+}|\W", "", ids(message)[0])
    }
    assert same - SAME_IN_ENGLISH == set()


@pytest.mark.parametrize(
    ("language", "foreign"), [("ca", "“”„"), ("de", "”«»"), ("ja", "“”„«»"), ("nl", "“«»"), ("no", "“”„")]
)
def test_quotes_are_those_of_the_language(language, foreign):
    for message in messages(language):
        assert not set("".join(strings(message))) & set(foreign), message.string


@pytest.mark.parametrize("language", TRANSLATED)
def test_words_of_the_rules_language_in_quotes_stay_as_they_are(language):
    kept = re.compile(r"“([^“”{}]*)”")
    for message in messages(language):
        if any(file.startswith("interpreter/") for file in sources()[message.context, message.id]):
            for quoted in kept.findall(ids(message)[0]):
                if re.fullmatch(r"[a-z ]+|[^\w\s]+", quoted):
                    assert quoted in strings(message)[0], (message.id, message.string)


def test_every_form_that_a_sentence_asks_of_a_name_exists():
    """`{suspect:acc}` needs an accusative of every suspect."""
    for language in TRANSLATED:
        for name in settled_games():
            game = load_game(name)
            narrator = Narrator(game, Language(language))
            for event in game.program.events:
                text = Language(language).text(event.text)
                kinds = dict(zip(event.names, event.types))
                for _, placeholder, form, _ in string.Formatter().parse(text):
                    if form:
                        for atom in kinds[placeholder].atoms:
                            assert f"| {form}: " in written(narrator, language, atom), (language, text, atom)


def written(narrator, language: str, atom: int) -> str:
    thing = narrator.game.vocabulary.atoms[atom]
    return Language(language).pgettext(thing.set, thing.name) or ""


@cache
def settled_games() -> list[str]:
    """The games whose texts are in the catalogues, without the family, in which names have forms only as they need."""
    files = {file for files in sources().values() for file in files}
    paths = {name: description_of(name).path for name in games()}
    return [
        n for n, path in paths.items() if shown(path) in files and path.parent.name not in ("inkognito", "examples")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_thing_of_a_game_has_a_name_without_underscores(language):
    for name in settled_games():
        game = load_game(name)
        narrator = Narrator(game, Language(language))
        for atom in range(len(game.vocabulary.atoms)):
            said = narrator.name(atom)("")
            assert said and "_" not in said and "|" not in said


# --- the texts of rule files ----------------------------------------------------------------------------------------


def test_texts_and_names_are_collected_from_a_rule_file(tmp_path):
    rules = tmp_path / "game.yaml"
    rules.write_text(
        """\
name: A game
things:
  card: {members: {king: {name: the old king}, b2: {}, queen: {}}}
  player: {members: [red_one]}
words: {text: no sentence}
rules:
  say:
    ask: {ask: red_one, for: {text: cards}, between: {go: {text: "{who} goes."}}, with: {rule: no sentence}}
    tell: {say: {en: Hello., de: Hallo.}}
""",
        encoding="utf-8",
    )
    with rules.open("rb") as file:
        found = [message for _, _, message, _ in extract.rules(file, {}, (), {})]
    assert sorted(map(str, found)) == sorted(
        map(
            str,
            [
                "A game",
                ("things", "card"),
                ("card", "the old king"),
                ("card", "queen"),
                ("things", "player"),
                ("player", "red_one"),
                ("choice", "go"),
                "{who} goes.",
            ],
        )
    )


def test_names_of_things_that_a_variant_puts_in_the_place_of_others_are_collected(tmp_path):
    rules = tmp_path / "variant.yaml"
    rules.write_text(
        """\
extends: game
things:
  place: {replace: {members: [kitchen, cellar]}}
  space: {replace: {members: {east: {name: Far east}, west: {}}, called: "at {space}", decision: Ours.}}
tables: {price of place: {replace: {is: number, rule: It costs., rows: {kitchen: 1}}}}
screens: {secrets: [hand of player, culprit]}
""",
        encoding="utf-8",
    )
    with rules.open("rb") as file:
        found = [message for _, _, message, _ in extract.rules(file, {}, (), {})]
    assert sorted(map(str, found)) == sorted(
        map(
            str,
            [
                ("things", "place"),
                ("place", "kitchen"),
                ("place", "cellar"),
                ("things", "space"),
                ("space", "Far east"),
                ("space", "west"),
                "at {space}",
                "Ours.",
                "It costs.",
                ("things", "hand"),
                ("things", "culprit"),
            ],
        )
    )


# --- which language -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "nb_NO.UTF-8"}, "no"),
        ({"LANG": "nn_NO"}, "no"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "ca_ES.UTF-8@valencia"}, "ca"),
        ({"LANG": "de_DE", "LC_MESSAGES": "ca_ES", "LC_ALL": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "de_DE", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LANGUAGE": "fr:nl:de"}, "nl"),
        ({"LANG": "de_DE", "LANGUAGE": ""}, "de"),
    ],
)
def test_the_environment_chooses_the_language(environment, language):
    assert chosen(environment) == language


def test_the_language_can_be_asked_for_before_and_after_the_command():
    assert wanted(["--lang", "ca", "list"]) == "ca"
    assert wanted(["list", "--lang=ca"]) == "ca"
    assert wanted(["check", "--", "--lang=ca"]) is None
    assert known("NB-no") == "no"
    assert known("klingon") is None


# --- filling in -----------------------------------------------------------------------------------------------------


def test_a_sentence_is_filled_in_with_names_in_the_form_it_asks_for():
    baker = forms("der Bäcker | acc: den Bäcker")
    assert fill("{who} sieht {whom:acc}.", {"who": baker, "whom": baker}) == "Der Bäcker sieht den Bäcker."
    assert fill("Gut. {who} geht.", {"who": baker}) == "Gut. Der Bäcker geht."
    assert fill("{who:dat}", {"who": baker}) == "Der Bäcker"


@pytest.mark.parametrize("text", ["{who.name}", "{who[0]}", "{who!r}", "{0}", "{}", "{nobody}", "{who", "who}"])
def test_only_plain_names_are_filled_in(text):
    assert fill(text, {"who": "secret"}) == text


def test_a_text_per_language_is_told_in_the_language_of_the_reader():
    text = {"en": "Carnival", "ca": "Carnaval"}
    assert Language("ca").text(text) == "Carnaval"
    assert Language("de").text(text) == "Carnival"
    assert Language("de").text({"ca": "Carnaval"}) == "Carnaval"


def test_two_things_are_joined_as_the_language_joins_two():
    assert [Language(code).list(["A", "B"]) for code in LANGUAGES] == [
        {"ca": "A i B", "de": "A und B", "nl": "A en B", "no": "A og B", "ja": "AとB", "en": "A and B"}[code]
        for code in LANGUAGES
    ]
    assert Language("ja").list(["A", "B", "C"]) == "A、B、C"
    assert Language("ja").list(["{other}", "B"]) == "{other}とB"  # what a stranger calls a thing is no place in a text
