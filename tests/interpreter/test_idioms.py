"""Rule files in five languages: keys, verbs, expressions; there and back they are the same game, and mistakes in them are
told in their own words."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from stopwatch import within
from tabarro.front.workbench.local_schema import local_schema
from tabarro.front.workbench.translating import translated
from tabarro.front.workbench.worksheet import SCHEMA as WORKSHEET_SCHEMA
from tabarro.front.workbench.worksheet import read_file
from tabarro.interpreter import RulesError, find_problems, load_game, show
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.idiom import idiom, idioms
from tabarro.interpreter.load import load_file, load_text
from tabarro.interpreter.model import TRUTH, Var
from tabarro.interpreter.parse import GRAMMAR
from tabarro.interpreter.phrasing import TERMINALS, Ambiguous, TooHard, Unread
from tabarro.interpreter.resolve import RULES, Library
from tabarro.interpreter.retelling import retold
from tabarro.interpreter.schema import SCHEMA
from tabarro.interpreter.shapes import BESIDE, SHAPES
from tabarro.lab.scenario import SCHEMA as SCENARIO_SCHEMA
from tabarro.lab.scenario import run
from tabarro.speech.checking import key_defects
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import Language
from tabarro.speech.simplifying import canonical

HERE = Path(__file__).parent
OWN = ("ca", "de", "ja", "nl", "no")
LANGUAGE = (HERE.parents[1] / "docs" / "language.md").read_text(encoding="utf-8")
# Where the schema has a map that the shapes call by another name, or has not by name at all.
ELSEWHERE = {
    "file": (),
    "notes": ("screens", "notes"),
    "screen line": ("screens", "notes", "line"),
    "screen table": ("screens", "table"),
    "otherwise": ("screens", "table", "otherwise"),
    "worksheet": ("screens", "worksheet", "*"),
    "knowledge": ("screens", "knowledge", "*"),
}


def test_the_shapes_know_every_key_of_the_schema():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for kind, keys in SHAPES.items():
        if kind == "said as":  # its keys are the author's, but for one
            continue
        node = schema if kind == "file" else schema["$defs"].get(kind)
        if kind in ELSEWHERE and kind != "file":
            first, *rest = ELSEWHERE[kind]
            node = schema["$defs"][first]
            for step in rest:
                node = node["additionalProperties"] if step == "*" else node["properties"][step]
        assert set(keys) == set(node["properties"]), kind


def test_the_shapes_know_every_key_of_scenarios_and_worksheets():
    scenario = json.loads(SCENARIO_SCHEMA.read_text(encoding="utf-8"))["properties"]
    entry = scenario["play"]["items"]["properties"]
    noted = json.loads(WORKSHEET_SCHEMA.read_text(encoding="utf-8"))["properties"]
    counted = entry["now"]["properties"]["choices"]["items"]["properties"]
    found = {
        "scenario": scenario,
        "entry": entry,
        "now": entry["now"]["properties"],
        "counted": counted,
        "noted": noted,
    }
    assert {kind: set(keys) for kind, keys in BESIDE.items()} == {kind: set(keys) for kind, keys in found.items()}


def test_the_words_are_those_of_the_grammar():
    found = re.findall(r"^([A-Z_]+)(?:\.\d+)?: /", GRAMMAR.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(found) - {"FURTHER", "NUMBER", "NAME"} == set(TERMINALS)


@pytest.mark.parametrize("code", idioms())
def test_every_word_is_there_and_means_one_thing(code):
    words = idiom(code)
    assert list(words.missing()) == []
    assert list(words.collisions()) == []


def examples() -> list[tuple[str, str]]:
    """Every form of the reference, with an expression, head, type, amount or binding that has it."""
    found = []
    for form, meaning, example, *_ in re.findall(r"^\| `(\w+)` \|(.*?)\| `(.*?)` \|(.*)$", LANGUAGE, re.MULTILINE):
        start = next((s for s in ("head", "type", "binding") if form.startswith(s)), "expression")
        found.append(("amount" if form.endswith("amount") else start, example))
    return found


@pytest.mark.parametrize("code", OWN)
def test_every_form_of_the_reference_is_said_and_read_back(code):
    words = idiom(code).phrasing
    assert len(examples()) > 90
    for start, text in examples():
        said = words.write(text, start)
        assert words.read(said, start)[0] == text
        assert said != text or start in ("head", "type") or re.fullmatch(r"[\w ]*", text), text


@pytest.mark.parametrize("code", OWN)
def test_a_game_written_from_scratch_is_played_to_its_end(code):
    game = load_game(HERE / "idioms" / f"{code}.yaml")
    rng = random.Random(7)
    for _ in range(5):
        state = game.new(seed=rng.randrange(1000))
        while not state.over:
            state.apply(state.sample(rng))
    assert find_problems(HERE / "idioms" / f"{code}.yaml") == []


@pytest.mark.parametrize("code", OWN)
def test_a_game_of_ones_own_is_the_same_in_every_language(code, tmp_path):
    path = HERE / "idioms" / f"{code}.yaml"
    first = load_game(path)
    text = load_file(path)
    for other in (*OWN, None):
        result = translated(text, idiom(other) if other else None)
        assert result.kept == []
        (tmp_path / "same.yaml").write_text(result.text, encoding="utf-8")
        assert load_game(tmp_path / "same.yaml").digest == first.digest
        back = translated(load_text(result.text, "same.yaml"), idiom(code))
        assert retold(load_text(back.text, "x")) == retold(load_file(path))


def translated_into(code: str, folder: Path) -> int:
    """Venice of 2013 and all that it extends, in one language; how many expressions stayed in English."""
    library, kept = Library(), 0
    for path in library.files_of(library.find("venice-2013")):
        there = translated(load_file(path), idiom(code))
        back = translated(load_text(there.text, path.name), None)
        kept += len(there.kept)
        assert back.kept == []
        assert load_text(back.text, "x") == load_file(path)
        if code != "ja":  # its keys are of one width, so that padding is lost
            assert back.text.split() == path.read_text(encoding="utf-8").split()
        (folder / path.name).write_text(there.text, encoding="utf-8")
    return kept


@pytest.mark.long
@pytest.mark.parametrize("code", OWN)
def test_venice_with_all_that_it_extends_is_the_same_game_in_another_language(code, tmp_path):
    assert translated_into(code, tmp_path) == 0
    shutil.copy(tmp_path / "venice-2013.yaml", tmp_path / "venecia.yaml")
    (tmp_path / "venice-2013.yaml").unlink()
    for players in (3, 4, 5):
        assert load_game(tmp_path / "venecia.yaml", players).digest == load_game("venice-2013", players).digest


ROOT = HERE.parents[1]
SCENARIOS = sorted([*(ROOT / "tests" / "scenarios").glob("*.yaml"), *(ROOT / "docs/examples/scenarios").glob("*.yaml")])


def is_the_same_scenario(path: Path, code: str, folder: Path) -> None:
    there = translated(load_file(path), idiom(code))
    assert there.kept == [] and there.text != path.read_text(encoding="utf-8")
    (folder / path.name).write_text(there.text, encoding="utf-8")
    assert run(folder / path.name, (path.parents[1], path.parent)) == []
    back = translated(load_file(folder / path.name), None)
    assert back.text.split() == path.read_text(encoding="utf-8").split()
    other = OWN[OWN.index(code) - 1]
    again = translated(load_text(translated(load_file(folder / path.name), idiom(other)).text, "x"), idiom(code))
    assert again.text.split() == there.text.split()


@pytest.mark.parametrize("code", OWN)
def test_a_scenario_is_written_in_another_language_and_still_holds(code, tmp_path):
    for path in SCENARIOS[OWN.index(code) :: 25]:
        is_the_same_scenario(path, code, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("code", OWN)
def test_every_scenario_is_written_in_another_language_and_still_holds(code, tmp_path):
    for path in SCENARIOS:
        is_the_same_scenario(path, code, tmp_path)


def test_a_name_that_would_be_a_small_word_of_the_language_is_quoted_in_a_choice():
    text = "title: Letters\ngame: venice-2013\nplay:\n- red: letter A to the embassy\n"
    there = translated(load_text(text, "x"), idiom("ca"))
    assert "letter ‹A›" in there.text and "embassy" in there.text and " to " not in there.text
    assert retold(load_text(there.text, "x"), shape="scenario")["play"][0]["red"].split()[:2] == ["letter", "A"]


def test_comments_order_and_layout_stay(tmp_path):
    path = RULES / "lines" / "tic-tac-toe.yaml"
    there = translated(load_file(path), idiom("nl"))
    text = path.read_text(encoding="utf-8")
    assert [line for line in there.text.splitlines() if line.startswith("#")] == [
        line for line in text.splitlines() if line.startswith("#")
    ]
    assert len(there.text.splitlines()) == len(text.splitlines()) + 2  # which language, and that of the texts
    assert translated(load_text(there.text, "x"), None).text == text


def complaints(text: str, code: str, folder: Path) -> str:
    path = folder / "wrong.yaml"
    path.write_text(text, encoding="utf-8")
    return "\n".join(show(found, Language(code).translate) for found in find_problems(path))


@pytest.mark.parametrize(
    ("code", "old", "new", "marked", "advice"),
    [
        # a key, a verb, a word of an expression, a name: in each language
        ("ca", "membres:", "membrs:", "membrs", "«membres»"),
        ("ca", "mostra:", "mostre:", "mostre", "«mostra»"),
        ("ca", "portes on ell", "portes onn ell", "onn", "on"),
        ("ca", "amagatall, com a", "amagatal, com a", "amagatal", "«amagatall»"),
        ("ca", "tria: {provada: tancades}", "tria: {provada: tancada}", "tancada", "«tancades»"),
        ("ca", "pregunta: mar", "ask: mar", "ask", "«pregunta»"),
        ("de", "Mitglieder:\n", "Mitgleider:\n", "Mitgleider", "„Mitglieder“"),
        ("de", "verteile:", "verteille:", "verteille", "„verteile“"),
        ("de", "Blatt von Spielerin ist größer", "Blatt von Spielerin isst größer", "isst", "ist"),
        ("de", "Tipp ist Beste", "Tip ist Beste", "Tip", "„Tipp“"),
        ("nl", "kolommen:", "kolomen:", "kolomen", "„kolommen”"),
        ("nl", "herhaal:", "herhal:", "herhal", "„herhaal”"),
        ("nl", "speler in spelers", "speler inn spelers", "inn", "in"),
        ("nl", "als: speler is rijk", "als: speler is rijjk", "rijjk", "„rijk”"),
        ("no", "medlemmer: [reven", "medlemer: [reven", "medlemer", "«medlemmer»"),
        ("no", "gjenta:", "gjennta:", "gjennta", "«gjenta»"),
        ("no", "plass er ikke sted", "plass er ike sted", "sted", "ikke"),
        ("no", "naboer av plass", "nabor av plass", "nabor av plass", "«naboer av"),
        ("ja", "複数形: 人々", "複数系: 人々", "複数系", "「複数形」"),
        ("ja", "繰り返す:", "繰返す:", "繰返す", "「繰り返す」"),
        ("ja", "手数 は 20 以上", "手数 が 20 以上", "が", "は"),
        ("ja", "なら:\n                動く", "ならば:\n                動く", "ならば", "「なら」"),
    ],
)
def test_a_mistake_is_marked_in_the_authors_words_and_the_advice_is_in_his_language(
    code, old, new, marked, advice, tmp_path
):
    text = (HERE / "idioms" / f"{code}.yaml").read_text(encoding="utf-8")
    assert old in text
    told = complaints(text.replace(old, new, 1), code, tmp_path)
    lines = told.splitlines()
    carets = next(index for index, line in enumerate(lines) if set(line.strip()) == {"^"})
    shown = lines[carets - 1]
    start = len(lines[carets]) - len(lines[carets].lstrip())
    assert marked in shown
    before = new.partition(marked)[0].rpartition("\n")[2]
    above = shown[: shown.index(before + marked) + len(before)]
    assert start == sum(2 if ord(letter) > 0x2E80 else 1 for letter in above), told
    assert advice in told, told


JAR = {
    "ca": """llengua: ca
nom: Rebost
jugadors: {2: {}}
coses: {jugador: [anna, biel], pot: {plural: pots, membres: [mel, oli]}}
seients: jugadors
estat:
  pot és obert: {és: cert o fals, ho veu: tots}
regles: {partida: {final: {acaba: anna}}}
""",
}


@pytest.mark.parametrize(
    ("code", "natural"),
    [("ca", "sí o no"), ("de", "ja/nein"), ("nl", "ja/nee"), ("no", "ja/nei"), ("ja", "はい/いいえ")],
)
def test_yes_or_no_is_read_as_people_write_it(code, natural):
    there = translated(load_text(JAR["ca"], "x"), idiom(code)).text if code != "ca" else JAR["ca"]
    usual = idiom(code).values["yes or no"]
    assert usual in there
    told = retold(load_text(there.replace(usual, natural), "x"))
    assert told["state"]["pot is obert"]["is"] == "yes or no"
    assert translated(load_text(there.replace(usual, natural), "x"), None).text.count("yes or no") == 1


def test_what_is_nearly_yes_or_no_is_told_so(tmp_path):
    assert "«cert o fals»" in complaints(JAR["ca"].replace("cert o fals", "cert o flas"), "ca", tmp_path)


def test_a_misspelt_key_hides_no_other_mistake(tmp_path):
    text = JAR["ca"].replace("plural: pots", "plurral: pots").replace("cert o fals", "cert o flas")
    told = complaints(text.replace("acaba: anna", "acaba: ana"), "ca", tmp_path)
    assert all(word in told for word in ("«plural»", "«cert o fals»", "«anna»")), told


def test_a_key_in_signs_with_one_of_them_wrong_is_known(tmp_path):
    there = translated(load_text(JAR["ca"], "x"), idiom("ja")).text
    key = idiom("ja").written("step", "end")
    assert f"「{key}」" in complaints(there.replace(f"{key}:", f"{key[0]}輪{key[2:]}:"), "ja", tmp_path)


def test_forms_are_told_in_the_words_of_expressions_and_not_of_keys(tmp_path):
    there = translated(load_text(JAR["ca"], "x"), idiom("ja")).text
    (line,) = [line for line in there.splitlines() if "anna" in line and "pot" not in line]
    told = complaints(
        there.replace(line, line.replace("anna", "もし mel は mel として ある なら anna でなければ biel")),
        "ja",
        tmp_path,
    )
    assert "は" in told and "内容" not in told and "呼び名" not in told, told


def test_of_nobody_is_told_in_the_word_of_the_author(tmp_path):
    for word in ("nobody", "none"):
        text = f"extends: kuhn-poker\nname: N\nadd: {{words: {{w: {word} is in players}}}}\n"
        assert f"“{word}” can never be in" in complaints(text, "en", tmp_path)


@pytest.mark.parametrize("code", OWN)
def test_the_words_of_the_rules_language_are_not_mixed_in(code):
    words = idiom(code).phrasing
    with pytest.raises(Unread):
        words.read("any player is not bob where it is", "expression")


def test_a_name_that_is_a_word_of_the_language_can_be_quoted():
    words = idiom("ca").phrasing
    assert words.read("‹si› és a porta", "expression")[0] == "si is on porta"
    assert words.write("si is on porta", "expression") == "‹si› és a porta"
    assert words.read("as és rei", "expression")[0] == "as_ is rei"


def test_an_expression_of_an_english_file_may_be_in_another_language(tmp_path):
    text = (RULES / "lines" / "tic-tac-toe.yaml").read_text(encoding="utf-8")
    words = idiom("de").phrasing
    found = re.search(r"if: ([a-z_ ]+)\n", text)
    said = words.write(found[1], "expression")
    (tmp_path / "mixed.yaml").write_text(text.replace(found[0], f"if: {{de: {said}}}\n", 1), encoding="utf-8")
    assert load_game(tmp_path / "mixed.yaml").digest == load_game("tic-tac-toe").digest
    (tmp_path / "mixed.yaml").write_text(text.replace(found[0], "if: {de: wenn und oder}\n", 1), encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_game(tmp_path / "mixed.yaml")
    assert caught.value.problems[0].place.line == text[: found.start()].count("\n") + 1


def test_what_can_be_read_in_two_ways_is_refused_and_brackets_settle_it(tmp_path):
    text = """\
言語: ja
名前: 二通りに読める
人数: {2: {}}
もの: {人: {複数形: 人々, 一覧: [先手, 後手]}}
席: 人々
言葉: {人 から 人 呼び名 相手 へ 連れ: 相手}
規則:
  ゲーム: {終わる: {終わり: 人々 から 先手 から 後手 へ 連れ を 除く}}
"""
    (tmp_path / "two.yaml").write_text(text, encoding="utf-8")
    (found,) = find_problems(tmp_path / "two.yaml")
    assert found.code == "expression_two_ways"
    assert found.place.source.line(found.place.line)[found.place.column - 1 :].startswith("人々 から 先手")
    settled = text.replace("先手 から 後手 へ 連れ を", "〔先手 から 後手 へ 連れ〕 を")
    (tmp_path / "two.yaml").write_text(settled, encoding="utf-8")
    assert find_problems(tmp_path / "two.yaml") == []


# --- sentences ----------------------------------------------------------------------------------------------------------
HELD = "any line is held by player"
TICTACTOE = (RULES / "lines" / "tic-tac-toe.yaml").read_text(encoding="utf-8")


def said_naturally(code: str) -> str:
    game = load_game("tic-tac-toe")
    player = Var("player", game.vocabulary.sets["player"].type)
    place = Place(Source("x", HELD), 1, 1)
    typed = game.vocabulary.checker.expression(HELD, place, Scope({"player": player}), TRUTH)
    return Speaker(game, Language(code)).sentence(typed)


def courses(game) -> list:
    found = []
    for seed in range(8):
        state, rng = game.new(seed=seed), random.Random(seed)
        while not state.over:
            state.apply(state.sample(rng))
        found.append((state.result.winners, len(state.umpire().log.rows())))
    return found


@pytest.mark.parametrize("code", OWN)
def test_a_condition_may_be_a_sentence_as_people_say_it(code, tmp_path):
    said = json.dumps(said_naturally(code), ensure_ascii=False)
    (tmp_path / "said.yaml").write_text(TICTACTOE.replace(f"if: {HELD}", f"if: {{{code}: {said}}}"), encoding="utf-8")
    assert courses(load_game(tmp_path / "said.yaml")) == courses(load_game("tic-tac-toe"))


def test_a_sentence_in_a_file_of_its_language_needs_no_mark(tmp_path):
    text = translated(load_text(TICTACTOE, "x"), idiom("ca")).text
    plain = idiom("ca").phrasing.write(HELD, "expression")
    (tmp_path / "said.yaml").write_text(text.replace(plain, said_naturally("ca"), 1), encoding="utf-8")
    assert courses(load_game(tmp_path / "said.yaml")) == courses(load_game("tic-tac-toe"))


def test_where_a_sentence_cannot_be_understood_the_caret_is_in_it_and_the_nearest_words_are_told(tmp_path):
    said = said_naturally("de")
    first, _, rest = said.partition(" ")
    wrong = f"{first} Katze {rest.partition(' ')[2]}"
    (tmp_path / "said.yaml").write_text(TICTACTOE.replace(f"if: {HELD}", f'if: {{de: "{wrong}"}}'), encoding="utf-8")
    (found,) = find_problems(tmp_path / "said.yaml")
    assert found.code == "sentence_unread"
    assert found.place.source.line(found.place.line)[found.place.column - 1 :].startswith("Katze")
    assert found.args["expected"]


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("holds: {ca: Cap casella no és buida.}", ["scenario_fails"]),
        ("fails: {ca: Cap casella no és buida.}", []),
        ("holds: [{de: irgendein square ist empty}, {nl: een of ander square is empty}]", []),
        ("holds: {ca: Cap gat no és buit.}", ["sentence_unread"]),
        ("holds: {xx: Cap}", ["language_unknown"]),
    ],
)
def test_a_scenario_may_say_what_holds_in_any_language(said, wrong, tmp_path):
    path = tmp_path / "scenario.yml"
    path.write_text(f"title: Empty\ngame: tic-tac-toe\nplay:\n  - now: {{{said}}}\n", encoding="utf-8")
    assert [found.code for found in run(path)] == wrong


SCENARIO = {
    "title": "A card that refutes",
    "game": "little-mystery",
    "position": {"first": "ada", "who": "baker", "what": "rope", "hand of ben": ["captain", "candle"]},
    "play": [
        {"ada": "captain {with} {the} candle"},
        {"now": {"asked": "ben", "choices": 2, "refused": "gardener", "holds": "candle is in hand of ben"}},
        {"ben": "captain"},
        {"now": {"sees": {"ada": "choose captain"}, "hidden from": {"cleo": "choose"}, "fails": "cleo is out"}},
    ],
}


def in_words(words, value, kind: str = "scenario"):
    """A scenario in the words of a language."""
    if isinstance(value, list):
        return [in_words(words, entry, kind) for entry in value]
    if not isinstance(value, dict):
        text = str(value).replace("{with}", words.phrasing.words["with"][0])
        return text.replace("{the} ", words.phrasing.words["the"][0] + " " if words.phrasing.words.get("the") else "")
    found = {}
    for key, inner in value.items():
        shape = BESIDE[kind].get(key) if kind in BESIDE else None
        if key in ("holds", "fails"):
            inner = words.phrasing.write(inner, "expression")
        if kind == "position":
            key = words.phrasing.write(key, "expression")
        name = "position" if key == "position" else shape if isinstance(shape, str) and shape in BESIDE else ""
        found[words.written(kind, key) if shape is not None else key] = in_words(words, inner, name)
    return found


@pytest.mark.parametrize("code", OWN)
def test_a_scenario_has_its_keys_conditions_and_small_words_in_its_language(code, tmp_path):
    words, path = idiom(code), tmp_path / "scenario.yml"
    said = {words.header["language"]: code, **in_words(words, SCENARIO)}
    text = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in said.items())
    path.write_text(text.replace('"2"', "2"), encoding="utf-8")
    assert [show(found, Language("en").translate) for found in run(path)] == []
    word = words.written("now", "asked")
    path.write_text(text.replace('"2"', "2").replace(word, word + "x"), encoding="utf-8")
    (found,) = run(path)
    assert found.code == "unknown_key" and found.args["meant"] == word
    assert found.place.source.line(found.place.line)[found.place.column - 1 :].strip('"').startswith(word + "x")


@pytest.mark.parametrize("code", OWN)
def test_what_one_notes_has_its_keys_in_ones_language(code, tmp_path):
    words = idiom(code)
    plain = {"me": "red", "names": {"blue": "Laura"}, "secrets": {"identity": "agent_x"}, "players": 4}
    own = {words.header["language"]: code, **{words.written("noted", key): value for key, value in plain.items()}}
    for name, data in (("plain.yaml", plain), ("own.yaml", own)):
        text = "\n".join(f"{key}: {json.dumps(value)}" for key, value in data.items())
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_file(tmp_path / "own.yaml") == read_file(tmp_path / "plain.yaml")


# --- for editors --------------------------------------------------------------------------------------------------------
def plain(value):
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("code", OWN)
def test_the_schema_of_a_language_knows_its_files_and_refuses_other_words(code):
    schema = json.loads(local_schema(idiom(code)))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    own = plain(load_file(HERE / "idioms" / f"{code}.yaml"))
    bundled = plain(load_text(translated(load_file(RULES / "inkognito" / "cast.yaml"), idiom(code)).text, "x"))
    for data in (own, bundled):
        assert [error.message for error in validator.iter_errors(data)] == []
    assert not validator.is_valid(own | {"thinngs": {}})
    assert not validator.is_valid(plain(load_file(RULES / "inkognito" / "cast.yaml")))


# --- house rules --------------------------------------------------------------------------------------------------------
HOUSE = """\
extends: venice-2013
options: {repeats: forbidden}
things: {ball: {members: {purple: {count: 0}, white: {count: 4}}}}
tables:
  mission of side for letter called first with letter called second by players called team:
    rows:
      lords:
        A-B: every figure of team is on rialto
        A-C: lord_fiddlebottom is on space 7
"""


HOUSE_OF_HOUSE = """\
extends: house
change:
  turn of player/shake/draw: 2
  mission/lords/A-B: any figure of team is on rialto
remove: [ball/purple]
"""


@pytest.mark.long
@pytest.mark.parametrize("again", ["", "-2"])
def test_a_house_rule_written_in_each_language_is_the_one_that_is_meant(again, tmp_path):
    """The second of each extends the first, and says by paths what it changes."""
    (tmp_path / "house.yaml").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "house-2.yaml").write_text(HOUSE_OF_HOUSE, encoding="utf-8")
    wanted = load_game(tmp_path / f"house{again}.yaml", 4)
    english = Speaker(wanted, Language("en"))
    (shape,) = [name for name in wanted.vocabulary.functions if name.startswith("mission of _ for")]
    (cells,) = wanted.vocabulary.functions[shape]
    for code in OWN:
        game = load_game(HERE / "idioms" / "house" / f"{code}{again}.yaml", 4)
        balls = [game.vocabulary.atoms[atom].name for atom in sorted(game.vocabulary.sets["ball"].atoms)]
        assert ("purple" in balls) == (not again) and len(balls) == 5
        assert game.options["repeats"].value == "forbidden"
        (own,) = game.vocabulary.functions[shape]
        speaker = Speaker(game, Language("en"))
        for keys in cells.values:
            assert speaker.cell(own, keys) == english.cell(cells, keys)
        assert game.name[code] and game.digest != load_game("venice-2013", 4).digest


@pytest.mark.parametrize("code", ["ca", "de", "ja"])
def test_things_are_called_in_expressions_as_players_call_them(code, tmp_path):
    words, said = idiom(code), {}
    named = Language(code).pgettext("suspect", "captain").partition(" | ")[0]
    for name in ("captain", f"‹{named}›", f"‹{named}x›"):
        lines = [
            f"{words.header['language']}: {code}",
            f"{words.written('file', 'extends')}: little-mystery",
            f"{words.written('file', 'words')}:",
            "  brave: " + words.phrasing.write("captain is in hand of ada", "expression").replace("captain", name),
        ]
        path = tmp_path / f"{len(said)}.yaml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        said[name] = find_problems(path) or canonical(load_game(path).vocabulary.functions["brave"][0].body)
    assert said["captain"] == said[f"‹{named}›"]
    (wrong,) = said[f"‹{named}x›"]
    assert wrong.code == "unknown_name"
    assert wrong.place.source.line(wrong.place.line)[wrong.place.column - 1 :].startswith(f"‹{named}x›")


BY_PATHS = """\
extends: tic-tac-toe
change:
  game/rounds/turns/choose/prompt: Which square?
  three_in_a_row/if: any line is held by player and square is marked by player
  choose:
    text: "{player} takes {square}."
    if none: {full: {end: players}}
  line is held by player: at least 3 squares in squares of line are marked by player
remove: [line/rising]
add:
  game/rounds/turns/three_in_a_row/then/cheer: {say: "Hurrah!", before: won}
  words:
    line is open: any square in squares of line is empty
"""


@pytest.mark.parametrize("code", OWN)
def test_what_is_changed_by_paths_is_written_in_each_language_and_back(code, tmp_path):
    (tmp_path / "house.yaml").write_text(BY_PATHS, encoding="utf-8")
    wanted, below = load_game(tmp_path / "house.yaml"), Library().merged(RULES / "lines" / "tic-tac-toe.yaml")
    there = translated(load_text(BY_PATHS, "house.yaml"), idiom(code), below=below)
    assert there.kept == []
    (tmp_path / "there.yaml").write_text(there.text, encoding="utf-8")
    assert load_game(tmp_path / "there.yaml").digest == wanted.digest
    assert not {"change", "remove", "add", "prompt", "if", "then", "say"} & set(
        re.findall(r"[\w ]+", re.sub(r'".*?"', "", there.text))
    )
    assert translated(load_text(there.text, "there.yaml"), None, below=below).text == BY_PATHS


@pytest.mark.parametrize(
    ("code", "right", "wrong"),
    [
        ("ca", "/turns/", "/turms/"),
        ("de", "three_in_a_row/", "three_in_row/"),
        ("ja", "line/rising", "line/risng"),
        ("nl", "line/rising", "line/risng"),
        ("no", "/turns/", "/turms/"),
    ],
)
def test_a_path_that_leads_nowhere_is_marked_where_it_leaves_the_way(code, right, wrong, tmp_path):
    below = Library().merged(RULES / "lines" / "tic-tac-toe.yaml")
    text = translated(load_text(BY_PATHS, "x"), idiom(code), below=below).text.replace(right, wrong, 1)
    (tmp_path / "wrong.yaml").write_text(text, encoding="utf-8")
    (found,) = find_problems(tmp_path / "wrong.yaml")
    assert found.code == "path_unknown" and found.args["meant"] == right.strip("/").rpartition("/")[2]
    name = wrong.strip("/").rpartition("/")[2]
    assert found.place.source.line(found.place.line)[found.place.column - 1 :].startswith(name)


def test_the_page_of_house_rules_shows_one_of_these_files():
    page = (HERE.parents[1] / "docs" / "house-rules.md").read_text(encoding="utf-8")
    assert (HERE / "idioms" / "house" / "ca.yaml").read_text(encoding="utf-8") in page


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ja", " から ".join("あ" * 300)),
        ("ja", "(" * 300 + "あ" + ")" * 300),
        ("ca", " o ".join(["x"] * 650)),
        ("ca", "(" * 3000),
    ],
)
def test_what_is_too_entangled_is_refused_at_once(code, said):
    words = idiom(code).phrasing
    assert words.parser
    with within(1), pytest.raises(TooHard):
        words.read(said, "expression")


# --- a language that does not come along --------------------------------------------------------------------------------
ITALIAN = HERE.parent / "italian"


def test_another_language_is_a_file_of_words(tmp_path):
    words = idiom("it", (ITALIAN,))
    assert words is not None and idiom("it") is None
    for start, text in examples():
        assert words.phrasing.read(words.phrasing.write(text, start), start)[0] == text
    game = load_game(ITALIAN / "porte.yaml", folders=(ITALIAN,))
    state, rng = game.new(seed=3), random.Random(3)
    while not state.over:
        state.apply(state.sample(rng))
    there = translated(load_file(ITALIAN / "porte.yaml"), idiom("ja"), (ITALIAN,))
    (tmp_path / "tobira.yaml").write_text(there.text, encoding="utf-8")
    assert load_game(tmp_path / "tobira.yaml", folders=(ITALIAN,)).digest == game.digest


def test_a_language_that_is_not_ready_is_not_used_and_its_translator_is_told_what_is_missing(tmp_path):
    folder = tmp_path / "locales" / "it"
    folder.mkdir(parents=True)
    text = (ITALIAN / "locales" / "it" / "keys.yaml").read_text(encoding="utf-8")
    text = text.replace("  ask: chiedi\n", "").replace("  deal: distribuisci\n", "  deal: pesca\n")
    (folder / "keys.yaml").write_text(text, encoding="utf-8")
    assert idiom("it", (tmp_path,)) is None
    found = [values for _, values in key_defects(idiom("it", (tmp_path,), whole=False))]
    assert {"key": "ask"} in found
    assert {"word": "pesca", "one": "draw", "other": "deal"} in found


@pytest.mark.parametrize(
    ("code", "said", "meant"),
    [
        ("ca", "alguna figura de l'equip és amb l'ambaixador", "any figura of the equip is with the ambaixador"),
        ("ca", "cap figura del bàndol és al pont", "no figura of bàndol is on pont"),
        ("de", "jeder Spion vom Team ist beim Boten", "every Spion of Team is at Boten"),
        ("de", "irgendeine Figur ist auf dem Feld", "any Figur is on the Feld"),
        ("nl", "elke speler is op het plein", "every speler is on the plein"),
        ("no", "hvert kort er på bordet", "every kort is on bordet"),
        ("it", "ogni figura della squadra è sul ponte", "every figura of squadra is on ponte"),
    ],
)
def test_small_words_have_the_forms_that_people_write(code, said, meant):
    assert idiom(code, (ITALIAN,)).phrasing.read(said, "expression")[0] == meant


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ca", "cap figura no és a pont"),
        ("ca", "anna no és amb cap figura"),
        ("ca", "cap figura de l'equip no és oberta"),
        ("it", "nessuna figura non è su ponte"),
        ("it", "anna non è con nessuna figura"),
    ],
)
def test_where_two_negations_deny_once_an_expression_with_both_is_not_taken_for_its_opposite(code, said):
    with pytest.raises(Ambiguous):
        idiom(code, (ITALIAN,)).phrasing.read(said, "expression")


def test_in_catalan_a_denied_sentence_means_what_people_mean(tmp_path):
    full = TICTACTOE.replace(f"if: {HELD}", "if: {ca: Cap casella no és buida.}")
    (tmp_path / "said.yaml").write_text(full, encoding="utf-8")
    (tmp_path / "plain.yaml").write_text(TICTACTOE.replace(f"if: {HELD}", "if: no square is empty"), encoding="utf-8")
    assert courses(load_game(tmp_path / "said.yaml")) == courses(load_game(tmp_path / "plain.yaml"))


def test_a_negation_that_comes_last_does_not_reach_over_what_is_before_it():
    words = idiom("ja").phrasing
    for joining in ("and", "or"):
        text = f"mel is obert {joining} not oli is obert"
        said = words.write(text, "expression")
        assert said.endswith("〔oli は obert である ということはない〕") and words.read(said, "expression")[0] == text
    assert "〔" not in words.write("not mel is obert and oli is obert", "expression")


@pytest.mark.parametrize("compared", ["at least", "at most", "exactly", "more than", "less than"])
@pytest.mark.parametrize("code", OWN)
def test_every_word_that_compares_numbers_is_written_in_every_language(code, compared):
    words = idiom(code).phrasing
    for synonym in idiom("ca").phrasing.words[compared]:
        meant = idiom("ca").phrasing.read(f"punts de jugador és {synonym} 2", "expression")[0]
        assert meant == f"punts of jugador is {compared} 2"
        assert words.read(words.write(meant, "expression"), "expression")[0] == meant
