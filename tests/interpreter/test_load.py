"""Rule files are read strictly, and every mistake is told with its place."""

import os
import pickle
import string
import time
import unicodedata

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from stopwatch import in_time, within
from tabarro.interpreter import errors, load
from tabarro.interpreter.errors import MESSAGES, Place, Problem, RulesError, Source, did_you_mean, problem, show
from tabarro.interpreter.load import Map, Seq, load_file, load_text, place_in

PARSERS = [yaml.SafeLoader] + ([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])


@pytest.fixture(params=PARSERS, ids=lambda parser: parser.__name__)
def either_parser(request, monkeypatch):
    monkeypatch.setattr(load, "_LOADER", request.param)


def mistakes(text):
    with pytest.raises(RulesError) as caught:
        load_text(text, "game.yaml")
    return caught.value.problems


def mistake(text):
    """The code, line and column of the only mistake."""
    (only,) = mistakes(text)
    return only.code, only.place.line, only.place.column


def value(text):
    return load_text(f"key: {text}", "game.yaml")["key"]


# What a value is


@pytest.mark.parametrize(
    "word",
    "no yes on off y n No TRUE True Null NULL 012 12:30 1_000 0x1F 0o7 1e5 .5 1. +1 2024-01-31 = .inf -x".split(),
)
def test_a_word_stays_a_word(word):
    assert value(word) == word
    assert value(f"[{word}, x]") == [word, "x"]


def test_the_word_no_stays_a_word_in_a_list_of_languages():
    assert value("[ca, de, nl, no, ja, en]") == ["ca", "de", "nl", "no", "ja", "en"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-7", -7),
        ("999999999", 999999999),
        ("60.5", 60.5),
        ("-0.25", -0.25),
    ],
)
def test_a_few_plain_values_are_more_than_text(written, meant):
    assert value(written) == meant
    assert type(value(written)) is type(meant)


@pytest.mark.parametrize("written", ["true", "null", "3", "60.5", "~", ""])
def test_what_stands_in_quotes_is_text(written):
    assert value(f"'{written}'") == written
    assert value(f'"{written}"') == written


@pytest.mark.parametrize("number", ["1234567890", "-1234567890", "1.1234567890", "9" * 5000])
def test_a_number_with_too_many_digits_is_refused(number):
    assert mistake(f"key: {number}") == ("number_too_long", 1, 6)


def test_a_text_can_be_long_but_not_endless():
    assert len(value("x" * load.MAX_TEXT)) == load.MAX_TEXT
    assert mistake("key: " + "x" * (load.MAX_TEXT + 1))[0] == "text_too_long"


def test_a_text_cannot_smuggle_control_characters_in_escapes():
    assert mistake('key: "\\e[2J"') == ("text_control", 1, 6)
    assert value('"a\\n\\tb"') == "a\n\tb"


def test_maps_and_lists_are_dicts_and_lists():
    whole = load_text("a: {b: [1, {c: d}]}\n", "game.yaml")
    assert whole == {"a": {"b": [1, {"c": "d"}]}}
    assert isinstance(whole, Map)
    assert isinstance(whole["a"]["b"], Seq)


def test_what_was_loaded_can_be_pickled():
    whole = pickle.loads(pickle.dumps(load_text("a: [1, 2]", "game.yaml")))
    assert whole == {"a": [1, 2]}
    assert whole.value_at["a"].column == 4


# Keys


def test_a_number_as_a_key_is_read_as_text():
    assert load_text("players: {3: x, 4: y}", "game.yaml") == {"players": {"3": "x", "4": "y"}}


@pytest.mark.parametrize("key", ["true", "false", "null", "~", "1.5", "1234567890"])
def test_a_key_that_would_not_be_a_word_needs_quotes(key):
    assert mistake(f"a: 1\n{key}: 2") == ("key_needs_quotes", 2, 1)
    assert load_text(f"'{key}': 2", "game.yaml") == {key: 2}


def test_a_key_stands_only_once():
    (only,) = mistakes("a: 1\nb: 2\na: 3\n")
    assert (only.code, only.place.line, only.args["line"]) == ("key_twice", 3, 1)
    assert show(only) == (
        "game.yaml:3:1: The key “a” stands here twice.\n    a: 3\n    ^\n    Keep one of the two; the first is on line 1."
    )


def test_the_number_three_and_the_text_three_are_one_key():
    assert mistake("{3: a, '3': b}") == ("key_twice", 1, 8)


@pytest.mark.parametrize("text", ["{[a]: b}", "{{a: b}: c}", "? [a]\n: b", "x: &k y\n*k : z"])
def test_a_key_is_a_text(text):
    assert mistake(text)[0] == "key_not_text"


@pytest.mark.parametrize("text", ["a:\n  : b", "a: {: b}", ": b", "a: 1\n: 2"])
def test_a_key_is_not_left_out(text, either_parser):
    assert mistake(text)[0] == "key_empty"


def test_the_merge_key_is_refused_unless_quoted():
    assert mistake("a: &a {x: 1}\nb:\n  <<: *a\n") == ("merge_key", 3, 3)
    assert load_text("'<<': 1", "game.yaml") == {"<<": 1}


# Tags, documents, anchors and aliases


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!!str", "!mine", "!", "!<x>"])
def test_a_tag_is_refused(tag):
    (only,) = mistakes(f"key: {tag} ['x']")
    assert (only.code, only.place.column, only.args["tag"]) == ("tag", 6, tag)


def test_a_file_is_one_document():
    assert load_text("---\na: 1\n...\n", "game.yaml") == {"a": 1}
    assert mistake("a: 1\n---\nb: 2") == ("second_document", 2, 1)


def test_directives_are_refused_however_many(either_parser):
    text = "".join(f"%TAG !a{n}! x\n" for n in range(50_000)) + "---\na: 1"
    assert mistake(text) == ("directive", 1, 1)
    assert mistake("a: 1\n...\n%YAML 1.1\n---\n") == ("directive", 3, 1)


def test_an_alias_repeats_what_its_anchor_stands_for():
    whole = load_text("a: &x [1, 2]\nb: *x\nc: &y word\nd: *y\n", "game.yaml")
    assert whole == {"a": [1, 2], "b": [1, 2], "c": "word", "d": "word"}
    assert whole.value_at["b"][1:] == (2, 4)
    assert whole.value_at["c"][1:] == (3, 7)


def test_an_alias_needs_an_anchor_above():
    assert mistake("a: *nobody") == ("alias_unknown", 1, 4)
    assert "Did you mean “*figures”?" in show(mistakes("a: &figures [1]\nb: *figure")[0])


def test_an_anchor_stands_only_once():
    assert mistake("a: &x 1\nb: &x 2") == ("anchor_twice", 2, 4)


def test_nothing_contains_itself():
    assert mistake("a: &x [1, *x]") == ("alias_cycle", 1, 11)
    assert mistake("&x a: {b: 1}\nc: &y {d: [*y]}")[0] == "alias_cycle"


def test_an_alias_bomb_is_refused_quickly(either_parser):
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    text += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 50))
    with within(1):
        assert mistake(text)[0] == "too_many_nodes"


def test_aliases_cannot_build_what_is_too_deep():
    text = "a0: &a0 []\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 100))
    (only,) = mistakes(text)
    assert (only.code, only.place.line) == ("too_deep", load.MAX_DEPTH)


# Size


@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "[\n", "{a: ", "[{", "&a ["])
def test_bottomless_nesting_is_refused_quickly(opening, either_parser):
    with within(1):
        assert {p.code for p in mistakes(opening * 100_000)} & {"too_deep", "yaml", "indentation", "key_not_text"}


def test_nesting_goes_as_deep_as_allowed_and_no_deeper():
    deep = load.MAX_DEPTH - 1
    assert load_text("a: " + "[" * deep + "]" * deep, "game.yaml")
    assert mistake("a: " + "[" * (deep + 1) + "]" * (deep + 1)) == ("too_deep", 1, 4 + deep)


def test_a_file_has_a_limit(tmp_path):
    path = tmp_path / "big.yaml"
    path.write_bytes(b"# " + b"x" * load.MAX_BYTES)
    with pytest.raises(RulesError, match="larger than"):
        load_file(path)
    assert mistake("# " + "x" * load.MAX_BYTES)[0] == "file_too_big"


def test_a_flood_of_mistakes_is_cut_off_quickly():
    text = "".join(f"a{n}: &anchor{n} 1\n" for n in range(20_000)) + "b: *ancho\n" * 10_000
    with within(3):
        assert len(mistakes(text)) == errors.MAX_PROBLEMS


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="the parser in Python is slower")
def test_a_thousand_lines_are_read_in_no_time():
    text = "".join(
        f"rule_{n}:\n  if: any figure of the team is on space {n}\n  then: {{say: text_{n}, to: all}}\n"
        for n in range(334)
    )
    fastest = 1.0
    for _ in range(5):
        start = time.process_time()
        load_text(text, "game.yaml")
        fastest = min(fastest, time.process_time() - start)
    assert in_time(fastest, 0.1)


# The file


def test_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path):
    path = tmp_path / "game.yaml"
    for mark in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(mark + "name: Màscara\r\nb: 2\r\n".encode())
        whole = load_file(path, "rules/game.yaml")
        assert whole == {"name": "Màscara", "b": 2}
        assert str(whole.value_at["name"]) == "rules/game.yaml:1:7"
        assert str(whole.value_at["b"]) == "rules/game.yaml:2:4"


def test_a_file_that_is_not_utf8_is_told_with_the_place_of_the_byte(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_bytes("é: 1\nname: ".encode() + "Màscara".encode("latin-1"))
    with pytest.raises(RulesError) as caught:
        load_file(path)
    (only,) = caught.value.problems
    assert (only.code, only.place.line, only.place.column, only.args["byte"]) == ("file_not_utf8", 2, 8, "0xE0")


def test_a_file_that_cannot_be_read_is_a_mistake_too(tmp_path):
    def code(path):
        with pytest.raises(RulesError) as caught:
            load_file(path)
        return caught.value.problems[0].code

    assert code(tmp_path / "nowhere.yaml") == "file_missing"
    assert code(tmp_path) == "file_is_folder"
    assert code("a\0b") == "file_unreadable"
    assert code(tmp_path / ("x" * 5000)) == "file_unreadable"
    if hasattr(os, "geteuid") and os.geteuid():
        (tmp_path / "secret.yaml").write_text("a: 1")
        (tmp_path / "secret.yaml").chmod(0)
        assert code(tmp_path / "secret.yaml") == "file_forbidden"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "---\n", "\ufeff", "--- # x\n"])
def test_an_empty_file_is_told_as_such(text, either_parser):
    assert mistake(text)[0] == "file_empty"


@pytest.mark.parametrize("text", ["- a\n- b", "word", "3", "null", "'a'", "key:value"])
def test_a_file_is_a_mapping(text):
    assert mistake(text) == ("root_not_map", 1, 1)


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x7f", "\ud800", "\uffff", "\x9b"])
def test_invisible_characters_are_refused(character):
    assert mistake(f"a: 1\nb: x{character}y") == ("character_forbidden", 2, 5)


# The grammar of YAML, in our own words


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a:\n\tb: 1", "tab_indent", 2, 1),
        ("a:\n  b: 1\n\tc: 2", "tab_indent", 3, 1),
        ("a: |\n\tx", "tab_indent", 2, 1),
        ("a: 'x\nb: 1\n", "quote_open", 1, 4),
        ('a: "x', "quote_open", 1, 4),
        ('a: "x\n---\n', "quote_open", 1, 4),
        ("a: [1, 2", "bracket_open", 1, 4),
        ("a: [1, 2\nb: 3\n", "bracket_open", 1, 4),
        ("a: {b: 1\nc: 2\n", "bracket_open", 1, 4),
        ("a: [b, {c: [\n", "bracket_open", 1, 12),
        ("a: ['x' 'y']", "comma_missing", 1, 9),
        ("a: {b: c]", "comma_missing", 1, 9),
        ("a: [x, , y]", "value_missing", 1, 8),
        ("a: b: c", "colon_in_text", 1, 5),
        ("x: 1\na: note: this", "colon_in_text", 2, 8),
        ("a: b\n  c: d", "key_misplaced", 2, 3),
        ("a: 1\nbcd\ne: 2", "colon_missing", 2, 1),
        ("a: 1\nb:2\n", "colon_missing", 2, 1),
        ("a:\n    b: 1\n  c: 2", "indentation", 3, 3),
        ("a:\n  - 1\n - 2", "indentation", 3, 2),
        ("a:\n  - 1\n  b: 1", "indentation", 3, 3),
        (" a: 1\nb: 2", "indentation", 2, 1),
        ('a: "x" y', "after_quote", 1, 8),
        ("a: 'it's'", "after_quote", 1, 8),
        ("a: [x] y", "after_bracket", 1, 8),
        ("a: - b", "dash_misplaced", 1, 4),
        ("a: @x", "bad_start", 1, 4),
        ("a: `x`", "bad_start", 1, 4),
        ("a: ]", "bad_start", 1, 4),
        ("a: ? b", "bad_start", 1, 4),
        ('a: "b\\q"', "bad_escape", 1, 6),
        ('a: "b\\xzz"', "bad_escape", 1, 6),
        ("a: * b", "anchor_name", 1, 4),
        ("a: & b", "anchor_name", 1, 4),
        ("a: !foo!bar x", "tag", 1, 4),
        ("a: |x\n y", "block_header", 1, 4),
    ],
)
def test_a_slip_in_the_yaml_is_named(text, code, line, column, either_parser):
    assert mistake(text) == (code, line, column)


def test_the_words_of_the_parser_are_never_shown():
    for text in ["a: [1", "a: b: c", "a: &x *x", "a: 'x", "a:\n\tb", "%FOO"]:
        shown = "\n".join(show(p) for p in mistakes(text))
        assert "expected key" not in shown
        assert "token" not in shown
        assert "while" not in shown


def test_all_mistakes_of_a_file_are_told_at_once_in_order():
    found = mistakes("a: !x 1\nb: 12345678901\na: 2\ntrue: 3\nb: [*q]\nc: 'open")
    assert [p.code for p in found] == [
        "tag",
        "number_too_long",
        "key_twice",
        "key_needs_quotes",
        "key_twice",
        "alias_unknown",
        "quote_open",
    ]
    assert [p.place.line for p in found] == [1, 2, 3, 4, 5, 5, 6]


# Places


def test_keys_and_values_know_their_places():
    whole = load_text(
        "# a game\nname: Kuhn\ncards:\n  - jack\n  -   'queen'\nmore: {a: 1,\n  b: [x]}\nlast:\n", "game.yaml"
    )
    assert str(whole.at) == "game.yaml:2:1"
    assert str(whole.key_at["cards"]) == "game.yaml:3:1"
    assert str(whole.value_at["name"]) == "game.yaml:2:7"
    assert [p[1:] for p in whole["cards"].value_at] == [(4, 5), (5, 7)]
    assert whole["more"].at[1:] == whole.value_at["more"][1:] == (6, 7)
    assert whole["more"]["b"].value_at[0][1:] == (7, 7)
    assert whole.value_at["last"][1:] == (8, 6)


WORD = st.text(string.ascii_letters + "éß鬼🎭 '\"#:-\\", min_size=1, max_size=30)
DATA = st.dictionaries(
    WORD,
    st.recursive(
        WORD | st.integers(0, 99),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORD, inner, max_size=4),
        max_leaves=12,
    ),
    min_size=1,
    max_size=5,
)


def texts_with_places(whole):
    waiting = [whole]
    while waiting:
        node = waiting.pop()
        entries = node.items() if isinstance(node, Map) else enumerate(node)
        for key, inner in entries:
            if isinstance(inner, (Map, Seq)):
                assert inner.at == node.value_at[key]
                waiting.append(inner)
            else:
                yield inner, node.value_at[key]
            if isinstance(node, Map):
                yield key, node.key_at[key]


@given(DATA, st.booleans(), st.integers(20, 80), st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_place_points_at_its_value(data, flow, width, line_break):
    text = yaml.safe_dump(data, allow_unicode=True, default_flow_style=flow, width=width, line_break=line_break)
    whole = load_text(text, "game.yaml")
    assert whole == data
    for meant, place in texts_with_places(whole):
        rest = place.source.line(place.line)[place.column - 1 :]
        if isinstance(meant, int):
            assert rest.startswith(str(meant))
            continue
        for offset, character in enumerate(meant):
            if not character.isspace():
                found = place_in(place, meant, offset)
                written = found.source.line(found.line)[found.column - 1 :]
                assert written.startswith((character, "\\", "''"))


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("a: one two", (1, 8)),
        ("a: 'one two'", (1, 9)),
        ("a: one\n  two", (2, 3)),
        ("a: >\n  one\n  two\n", (3, 3)),
        ('a: "\\x6fne\\n\\\n  two"', (2, 3)),
        ("a: &x one two", (1, 11)),
    ],
)
def test_a_word_within_a_text_has_a_place(text, column):
    whole = load_text(text, "game.yaml")
    assert place_in(whole.value_at["a"], whole["a"], whole["a"].index("two"))[1:] == column


def test_the_end_of_a_text_has_a_place():
    whole = load_text("a: one two  # three\nb: 1\n", "game.yaml")
    assert place_in(whole.value_at["a"], "one two", 7)[1:] == (1, 11)


# Whatever the text


def survives(text):
    try:
        load_text(text, "game.yaml")
    except RulesError as error:
        assert error.problems
        assert all(c.isprintable() or c == "\n" or unicodedata.category(c) == "Zs" for c in str(error))


PIECES = st.sampled_from(
    [
        "a",
        "b: ",
        ": ",
        "- ",
        "\n",
        "\n  ",
        "\t",
        "[",
        "]",
        "{",
        "}",
        ",",
        "'",
        '"',
        "&x ",
        "*x",
        "!t ",
        "|",
        ">",
        "#",
        "%",
        "---\n",
        "...",
        "\\",
        "? ",
        "<<: ",
        "1",
        "true",
        "~",
        "\r",
        "\x85",
        "\u2028",
        "\ufeff",
        "é",
        "\\x",
        "\\ud800",
        "@",
    ]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_mixture_of_yaml_signs_does_harm(text):
    survives(text)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(), max_size=60))
def test_no_text_does_harm(text):
    survives(text)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_damage_to_a_good_file_does_harm(data):
    text = "name: {en: Quiet carnival, ca: 'Carnaval'}\nballs: &b\n  orange: {count: 2, by: [land]}\n  - x\nmore: *b\ntext: |\n  one\n  two\n"
    for _ in range(data.draw(st.integers(1, 3))):
        at, cut = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
        text = text[:at] + data.draw(PIECES) + text[at + cut :]
    survives(text)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_the_parser_in_python_does_no_harm_either(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "_LOADER", yaml.SafeLoader)
        survives(text)


@given(st.binary(max_size=60))
@settings(deadline=None)
def test_no_bytes_do_harm(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "bytes.yaml"
    path.write_bytes(data)
    try:
        load_file(path)
    except RulesError as error:
        assert str(error)


# How mistakes are shown


def caret(text, column, length=1):
    return show(problem("yaml", Place(Source("g", text), 1, column), length)).split("\n")[1:3]


def test_the_caret_stands_below_the_mistake_after_tabs_and_wide_characters():
    assert caret("\tab", 2) == ["        ab", "        ^"]
    assert caret("鬼面: x", 5) == ["    鬼面: x", "          ^"]
    assert caret("鬼面: x", 1, 2) == ["    鬼面: x", "    ^^^^"]
    assert caret("e\u0301: x", 5) == ["    e\u0301: x", "       ^"]


def test_the_caret_stays_within_the_line():
    assert caret("abc", 2, 99)[1] == "     ^^"
    assert caret("abc", 99)[1] == "       ^"


@given(st.integers(1, 3000), st.integers(1, 3000))
def test_a_long_line_is_cut_to_a_window_round_the_caret(size, column):
    column = min(size, column)
    text = "".join("x" if n != column - 1 else "!" for n in range(size))
    line, carets = caret(text, column)
    assert len(line) <= 4 + 100 + 2
    assert line.index("!") == carets.index("^")
    if size <= 100:
        assert line.strip() == text


def test_a_hostile_file_cannot_reach_the_terminal():
    shown = show(
        Problem(
            "key_twice", Place(Source("a\x1b[2J", "x\x1b[2J\u202e: 1"), 1, 1), {"key": "\x1b[2J\u202e\n", "line": 1}
        )
    )
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "“\\x1b[2J\\u202e\\n”" in shown


def test_a_long_argument_is_cut():
    assert problem("key_twice", key="x" * 500, line=1).message() == f"The key “{'x' * 79}…” stands here twice."


@pytest.mark.parametrize(
    "template", ["{key.__class__}", "{key[0]}", "{key!r}", "{key:>99}", "{other}", "{}", "{0}", "{key", "}"]
)
def test_a_translation_can_use_nothing_but_plain_names(template):
    assert problem("key_twice", key="k", line=1).message(lambda text: template) == template


def test_a_translation_is_filled_in():
    words = {"The key “{key}” stands here twice.": "La clau «{key}» hi és dues vegades."}
    assert (
        problem("key_twice", key="nom", line=1).message(lambda text: words[text]) == "La clau «nom» hi és dues vegades."
    )


def test_a_missing_remedy_is_not_translated():
    assert problem("file_unreadable", file="x").remedy(lambda text: "header") == ""


def test_a_mistake_without_a_place_is_shown_without_one():
    assert (
        show(problem("file_missing", file="x.yaml"))
        == "There is no file “x.yaml”.\n    Check the spelling and the folder."
    )


def test_an_unknown_code_is_a_mistake_of_ours():
    with pytest.raises(KeyError):
        problem("no such code")


def test_mistakes_are_sorted_and_told_once():
    one, other = Source("a", "x\ny"), Source("b", "x")
    problems = [
        problem("yaml", Place(other, 1, 1)),
        problem("yaml", Place(one, 2, 1)),
        problem("yaml", Place(one, 1, 3)),
        problem("yaml", Place(one, 2, 1)),
    ]
    assert [str(p.place) for p in RulesError(problems).problems] == ["a:1:3", "a:2:1", "b:1:1"]
    assert RulesError(problems[0]).problems == problems[:1]


def test_a_place_can_be_shifted():
    assert str(Place(Source("a", ""), 2, 3).shifted(4)) == "a:2:7"


def test_lines_are_counted_as_yaml_counts_them():
    source = Source("a", "one\r\ntwo\rthree\x0cstill\u2028four")
    assert [source.line(n) for n in range(6)] == ["", "one", "two", "three\x0cstill", "four", ""]
    assert source.place(source.text.index("four"))[1:] == (4, 1)


def test_a_near_word_is_suggested():
    assert did_you_mean("Figuer", ["figure", "space"]) == "figure"
    assert did_you_mean("SPACE", ["Space"]) == "Space"
    assert did_you_mean("mission", ["ball"]) is None
    assert did_you_mean("x" * 20_000, ["x" * 20_000]) is None


def test_every_message_is_a_sentence_with_plain_names():
    for code, texts in MESSAGES.items():
        assert texts[0], code
        for text in filter(None, texts):
            assert text[-1] in ".?" or text.endswith("{message}"), code  # which is a sentence
            for _, name, spec, conversion in string.Formatter().parse(text):
                assert name is None or (name.isidentifier() and not spec and not conversion), code
