"""`deduce`, `hint` and what the worksheets of a real table mean."""

import io
import json
import random
import re
from itertools import combinations, permutations, product
from math import log2
from pathlib import Path

import pytest
from covering import covering
from loading import loaded as load_game
from surroundings import PLAIN
from tabarro.cli import main
from tabarro.front.terminal.notebook import Notebook
from tabarro.front.workbench.conclusions import Moments, best_questions, conclusions, hint, take, told, understood
from tabarro.front.workbench.examples import examples
from tabarro.front.workbench.worksheet import Worksheet, read_file, sentences
from tabarro.interpreter import RulesError, show
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.slots import HEADER
from tabarro.mind.odds import Odds
from tabarro.speech.language import LANGUAGES, Language, fill
from tabarro.speech.narrator import Narrator, question_name
from terminal import run
from truth import holds_the_truth

DOCS = Path(__file__).resolve().parents[3] / "docs" / "deduce.md"
SURROUNDINGS = {**PLAIN, "LANG": "C"}
EDITIONS = [
    ("venice-2013", 3),
    ("venice-2013", 4),
    ("venice-2013", 5),
    ("venice-classic", 3),
    ("venice-classic", 4),
    ("venice-japan", 4),
    ("cards-safe", 3),
    ("cards-safe", 4),
    ("cards-safe", 5),
    ("cards-phone", 3),
    ("cards-phone", 4),
    ("cards-phone", 5),
    ("little-mystery", 3),
]


def of_sheet(row):
    """Each table, and each kind of game in each language: its editions have the same sentences."""
    name, players, language = row
    return {(name, players), (name.split("-")[0], language)}


every_sheet = pytest.mark.parametrize(
    ("name", "players", "language"),
    covering([(*table, language) for table in EDITIONS for language in LANGUAGES], of_sheet),
)


pytestmark = pytest.mark.usefixtures("in_english")


@pytest.fixture
def deduce(tmp_path):
    """Runs the command on a worksheet: exit code, output, errors."""

    def run(text, *arguments):
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        out, err = io.StringIO(), io.StringIO()
        code = main(["deduce", *map(str, arguments), "--notes", str(path)], out, err)
        return code, out.getvalue(), err.getvalue()

    return run


def sheet_of(game, seat, **secrets):
    """A worksheet with these secrets and nothing seen yet."""
    sheet = Worksheet(game, Language("en"))
    sheet.seat = seat
    for function in sheet.own:
        value = secrets[function.shape.split(" ")[0]]
        sheet.secrets[function.shape] = sheet.value(value, function.result, at(value))
    return sheet


def at(text):
    return Place(Source("sheet", text), 1, 1)


def seen(sheet, *lines):
    sheet.entries += [sheet.read(line, at(line)) for line in lines]
    return conclusions(understood(sheet), sheet.seat, sheet)


# --- the worked examples ----------------------------------------------------------------------------------------------
def test_the_example_of_the_rules_follows_from_the_worksheet_in_the_docs(deduce):
    text = DOCS.read_text(encoding="utf-8")
    (game, players), sheet = (
        re.search(r"<!-- worksheet: (\S+) (\d) -->", text).groups(),
        re.search(r"<!-- worksheet: .*?-->\n```\n(.*?)```", text, re.DOTALL)[1],
    )
    code, out, err = deduce(sheet, game, "--players", players, "--json")
    assert code == 0, err
    found = json.loads(out)["secrets"]
    assert found["identity"]["blue"] == {"agent_x": 1.0}
    assert set(found["build"]["blue"]) == {"short", "tall"}
    assert len(found["identity"]["green"]) == 2
    code, out, _ = deduce(sheet, game, "--players", players)
    assert code == 0 and re.search(r"<!-- says -->\n```\n(.*?)```", text, re.DOTALL)[1] in out


def test_one_answer_of_the_example_alone_tells_this_much():
    sheet = sheet_of(load_game("venice-2013", 4), "red", identity="lord_fiddlebottom", build="fat", letter="A")
    found = seen(sheet, "blue showed me short, tall, colonel_bubble when asked about build")["secrets"]
    # Three identities and three builds are left for blue, and each of the nine has as many answers to choose from.
    # Short or tall fits with all three identities, thin only with Colonel Bubble: seven in all.
    assert found["build"]["blue"] == pytest.approx({"short": 3 / 7, "tall": 3 / 7, "thin": 1 / 7}, abs=1e-5)
    expected = {"colonel_bubble": 3 / 7, "agent_x": 2 / 7, "madame_zsa_zsa": 2 / 7}
    assert found["identity"]["blue"] == pytest.approx(expected, abs=1e-5)


def test_whoever_shows_a_number_that_i_hold_speaks_the_truth_with_the_other_card():
    sheet = sheet_of(load_game("cards-safe", 4), "red", identity="colonel_bubble", code="13")
    found = seen(sheet, "blue showed me lord_fiddlebottom and 13")
    assert found["secrets"]["identity"]["blue"] == {"lord_fiddlebottom": 1.0}
    assert found["known"]["partner"][0] == {"value": ("blue",), "share": 1.0}


def test_a_black_card_is_certain():
    sheet = sheet_of(load_game("cards-phone", 4), "green", identity="agent_x", code="52")
    found = seen(sheet, "yellow showed me black_11 through the ambassador")["secrets"]
    assert found["code"]["yellow"] == {"11": 1.0}


def test_the_grey_mission_card_tells_the_letter():
    sheet = sheet_of(load_game("venice-2013", 4), "red", identity="lord_fiddlebottom", build="fat", letter="A")
    found = seen(
        sheet,
        "blue showed me tall, colonel_bubble, grey mission when asked about build",
        "The grey mission of blue says C",
    )
    assert found["secrets"]["letter"]["blue"] == {"C": 1.0}


def test_what_the_dummy_holds_is_known_to_whoever_looked():
    sheet = sheet_of(load_game("cards-safe", 3), "red", identity="agent_x", code="13")
    found = seen(sheet, "The true_code of dummy is black_24")["secrets"]
    assert found["code"]["dummy"] == {"24": 1.0}


def test_the_ambassador_learns_from_what_passes_through_his_hands():
    sheet = sheet_of(load_game("venice-2013", 5), "ambassador")
    found = seen(sheet, "blue showed red tall and grey build when asked about build, and I saw it")["secrets"]
    assert abs(sum(found["build"]["blue"].values()) - 1) < 1e-5
    found = seen(sheet, "green showed me agent_x and colonel_bubble when asked about identity")["secrets"]
    assert set(found["identity"]["green"]) == {"agent_x", "colonel_bubble"}


# --- against the same, written once more ------------------------------------------------------------------------------
def test_the_odds_of_the_little_mystery_are_those_of_counting_everything():
    suspects, clues = ("baker", "gardener", "painter", "captain"), ("candle", "rope", "vase", "letter")
    mine = {"gardener", "candle"}
    worlds = {}
    for culprit, evidence in product(suspects, clues):
        rest = [c for c in (*suspects, *clues) if c not in (culprit, evidence)]
        if not mine <= set(rest):
            continue
        others = [c for c in rest if c not in mine]
        for ben in combinations(others, 2):
            cleo = set(others) - set(ben)
            able = [c for c in ben if c in ("baker", "rope")]
            if "rope" in able and not cleo & {"painter", "vase"}:  # what was seen, see below
                worlds[culprit, evidence, frozenset(ben)] = 1 / len(able)
    whole = sum(worlds.values())
    sheet = sheet_of(load_game("little-mystery"), "ada", hand="gardener, candle")
    found = seen(
        sheet,
        "ben could show something for baker and rope",
        "ben showed me rope for baker and rope",
        "cleo could show nothing for painter and vase",
    )["secrets"]
    for index, name in ((0, "culprit"), (1, "evidence")):
        expected = {}
        for world, weight in worlds.items():
            expected[world[index]] = expected.get(world[index], 0) + weight / whole
        assert found[name][""] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("cards", "possible"),
    [
        ("lord_fiddlebottom and short", False),
        ("madame_zsa_zsa and agent_x", True),
        ("fat and short", True),
        ("agent_x", False),
        ("fat", True),
        ("madame_zsa_zsa, fat and short", True),
        ("agent_x, tall and short", False),
    ],
)
def test_what_i_could_not_have_shown_by_the_rules_is_refused(deduce, cards, possible):
    """I am Madame Zsa Zsa, and fat: whatever I was asked, one of the cards must be true."""
    code, _, err = deduce(
        f"me: red\nsecrets: {{identity: madame_zsa_zsa, build: fat, letter: A}}\nseen:\n- I showed blue {cards}\n",
        "venice-2013",
        "--players",
        "4",
    )
    assert code == (0 if possible else 2), err


@pytest.mark.parametrize(("edition", "numbers"), [("venice-2013", {6}), ("venice-classic", {4, 6})])
def test_with_three_one_may_also_be_alone_and_have_to_escape(edition, numbers):
    """Each of the three others is as likely to be the partner; he is in custody in one case of three."""
    game = load_game(edition, 3)
    sheet = sheet_of(game, "red", identity="agent_x", build="fat", letter="A")
    found = conclusions(understood(sheet), "red", sheet)["goals"]
    alone = [goal for goal in found if goal["keys"] is None]
    assert sum(goal["share"] for goal in found) == pytest.approx(1, abs=1e-5)
    assert len(alone) == 1 and alone[0]["share"] == pytest.approx(1 / 3, abs=1e-5)
    number = next(f for f in game.vocabulary.functions["number of _"] if f.kind == "table").values
    assert {number[game.vocabulary.by_name[space][0],] for space in alone[0]["with"]["spaces"]} == numbers
    assert "Alone, with the partner in custody" in "\n".join(
        told(game, Language("en"), conclusions(understood(sheet), "red", sheet))
    )


def test_the_best_question_of_the_board_game_counts_what_grey_cards_say():
    """Two cards about a build, one of them true; a grey build card is true and says the build, the grey mission card is
    neither, and says the letter. I am fat and hold the letter A."""
    chances, inside, builds, letters = {}, 0.0, ("short", "tall", "fat", "thin"), ("B", "C", "D")
    worlds = [(build, letter) for build in builds if build != "fat" for letter in letters]
    for build, letter in worlds:
        pairs = [p for p in combinations([*builds, "grey build", "grey mission"], 2) if {build, "grey build"} & set(p)]
        inside += log2(len(pairs)) / len(worlds)
        for pair in pairs:
            seen = (pair, build if "grey build" in pair else "", letter if "grey mission" in pair else "")
            chances[seen] = chances.get(seen, 0) + 1 / len(worlds) / len(pairs)
    bits = -sum(p * log2(p) for p in chances.values()) - inside
    sheet = sheet_of(load_game("venice-2013", 4), "red", identity="madame_zsa_zsa", build="fat", letter="A")
    asked = [
        q
        for q in best_questions(understood(sheet), sheet)
        if q["sentence"] == "shown_through_the_ambassador" and q["with"]["topic"] == "build"
    ]
    assert len(asked) == 3 and all(q["bits"] == pytest.approx(bits, abs=1e-3) for q in asked)


def test_the_best_question_of_the_card_game_tells_as_many_bits_as_counting_says():
    identities = ("lord_fiddlebottom", "colonel_bubble", "madame_zsa_zsa", "agent_x")
    codes = ("13", "24", "36", "47")
    worlds = [(i, c) for i in permutations(identities[1:]) for c in permutations(codes[1:])]  # of the three others
    chances = {}
    for identity, code in worlds:
        true = {identity[0], code[0]}
        for pair in combinations((*identities, *codes), 2):
            if len(true & set(pair)) == 1:
                chances[pair] = chances.get(pair, 0) + 1 / len(worlds) / 12
    bits = -sum(p * log2(p) for p in chances.values()) - log2(12)
    sheet = sheet_of(load_game("cards-safe", 4), "red", identity=identities[0], code=codes[0])
    found = best_questions(understood(sheet), sheet)
    meeting = [q for q in found if q["sentence"] == "shown"]
    assert {q["with"]["player"] for q in meeting} == {"blue", "green", "yellow"}
    assert all(q["bits"] == pytest.approx(bits, abs=1e-3) for q in meeting)
    black = next(q for q in found if q["sentence"] == "black")
    assert black["bits"] == pytest.approx(log2(6) - 0 - 1, abs=1e-3)  # six cards, of which either may be shown


def test_with_three_a_look_at_a_card_of_the_dummy_tells_which_of_three_it_is():
    sheet = sheet_of(load_game("cards-safe", 3), "red", identity="agent_x", code="13")
    looks = [q for q in best_questions(understood(sheet), sheet) if q["sentence"] == "dummy"]
    assert {q["with"]["secret"] for q in looks} == {"true_identity", "true_code"}
    assert all(q["bits"] == pytest.approx(log2(3), abs=1e-3) for q in looks)


def under_way(game, seed, most):
    """A random game before its last decision, or after so many."""
    state, rng, before = game.new(seed), random.Random(seed), None
    for _ in range(most):
        if state.over:
            break
        before = state.clone()
        state.apply(state.sample(rng, habits=True), trusted=True)
    return before


@pytest.mark.parametrize(
    "name, players, options",
    [
        ("venice-2013", 4, {"repeats": "allowed"}),
        ("venice-2013", 5, {"repeats": "forbidden"}),
        ("cards-safe", 4, {}),
        ("cards-phone", 3, {}),
        ("cards-phone", 5, {}),
        ("little-mystery", 3, {}),
    ],
)
def test_a_worksheet_says_as_much_as_the_log_of_the_game(name, players, options):
    game = load_game(name, players, options)
    for seed in range(3):
        before = under_way(game, seed, 150)
        for seat in game.seats:
            log = before.player(seat).log.rows()
            by_log = Odds(game, seat)
            by_log.observe(log)
            by_log.ready()
            sheet = Worksheet(game, Language("en"))
            sheet.seat = seat
            sheet.secrets = {f.shape: before.v[_slot(game, f, sheet.me)] for f in sheet.own}
            for row in log:
                text = _sentence(sheet, row)
                if text:
                    sheet.entries.append(sheet.read(text, at(text)))
            by_sheet = understood(sheet)
            assert _marginals(by_sheet) == pytest.approx(_marginals(by_log), abs=1e-9), (seed, seat)


@pytest.mark.parametrize(
    ("name", "players", "language"),
    covering(
        [
            (*table, language)
            for table in (
                ("venice-2013", 3),
                ("venice-2013", 5),
                ("cards-safe", 3),
                ("cards-safe", 5),
                ("cards-phone", 4),
                ("little-mystery", 3),
            )
            for language in LANGUAGES
        ],
        of_sheet,
    ),
)
def test_a_worksheet_in_ones_own_language_says_as_much_as_the_log_and_never_excludes_the_truth(name, players, language):
    game, written = load_game(name, players), 0
    for seed in range(players, players + 20):  # a game that is not over at once
        state, rng, decisions = game.new(seed), random.Random(seed), 0
        while decisions < 250 and not state.over:
            before = state.clone()
            state.apply(state.sample(rng, habits=True), trusted=True)
            decisions += 1
        if decisions > 60:
            break
    for seat in (s for s in game.seats if s not in game.chance_seats):
        log = before.player(seat).log.rows()
        by_log = Odds(game, seat)
        by_log.observe(log)
        sheet = Worksheet(game, Language(language))
        sheet.seat = seat
        sheet.secrets = {f.shape: before.v[_slot(game, f, sheet.me)] for f in sheet.own}
        for row in log:
            text = _in_own_words(sheet, row, rng)
            if text:
                sheet.entries.append(sheet.read(text, at(text)))
        by_sheet = understood(sheet)
        written += len(sheet.entries)
        assert holds_the_truth(by_sheet.belief, before)
        assert _marginals(by_sheet) == pytest.approx(_marginals(by_log.ready()), abs=1e-9), seat
    assert written > 5


def _in_own_words(sheet, row, rng):
    """A line of the log as a person would write it: with names, in the forms that the language asks for, and with the
    cards in any order. What a witness sees of a grey card he writes as the one who asked would."""
    event = sheet.game.program.events[row[0]]
    values = dict(zip(event.names, row[1:])) | {v.name: x for v, x in zip(event.context, row[1 + len(event.names) :])}
    for sentence in sheet.known:
        here = dict(values)
        if sentence.event is not event:
            if sentence.name != "grey" or not event.step.endswith("witness/grey/face/see"):
                continue
            here["asker"] = sheet.me
        told = {n: x for n, x in here.items() if n in sentence.vars}
        if any(sheet.worth(e, sentence, told) != here[n] for n, e in sentence.means.items() if n in here):
            continue

        def said(value):
            if not isinstance(value, tuple):
                return sheet.narrator.name(value)
            mixed = rng.sample(value, len(value))
            return lambda form: sheet.language.list([sheet.narrator.name(x)(form) for x in mixed])

        places = [n for n in re.findall(r"\{(\w+)", sentence.says)]
        return fill(sentence.texts(sheet.language)[0], {n: said(here[n]) for n in places})
    return None


def _slot(game, function, atom):
    from tabarro.interpreter.cells import cell_of
    from tabarro.interpreter.slots import HEADER

    return HEADER + cell_of(function, [atom])


def _sentence(sheet, row):
    """The line of a worksheet for a line of the log, with every thing by its own name."""
    event = sheet.game.program.events[row[0]]
    values = dict(zip(event.names, row[1:])) | {v.name: x for v, x in zip(event.context, row[1 + len(event.names) :])}
    for sentence in sheet.known:
        if sentence.event is not event or values.get("who") == sheet.me:
            continue
        told = {n: x for n, x in values.items() if n in sentence.vars}
        if any(sheet.worth(e, sentence, told) != values[n] for n, e in sentence.means.items() if n in values):
            continue

        def said(value):
            if isinstance(value, tuple):
                return ", ".join(map(said, value))
            return sheet.words.atoms[value].name

        return re.sub(r"\{(\w+)\}", lambda found: said(values[found[1]]), sentence.says)
    return None


def _marginals(odds):
    found = {}
    for world, share in zip(odds.belief.worlds, odds.shares()):
        for slot, place in odds.belief.place.items():
            key = str((slot, world[place]))
            found[key] = found.get(key, 0) + share
    return found


@pytest.mark.parametrize("name, players", EDITIONS)
def test_a_hint_says_nothing_certain_that_is_not_true(name, players):
    game = load_game(name, players)
    for seed in range(2):
        before = under_way(game, seed, 120)
        for seat in game.seats:
            odds = Odds(game, seat)
            odds.observe(before.player(seat).log.rows())
            assert holds_the_truth(odds.ready().belief, before)
            assert sum(odds.shares()) == pytest.approx(1)
        assert hint(before.player(game.seats[0]), Language("en"))
        lines = Moments(before.umpire(), Language("en")).told()
        assert len(lines) == len(game.seats) or lines == ["Nobody could be sure of anything."]


# --- sentences --------------------------------------------------------------------------------------------------------
@every_sheet
def test_every_sentence_is_understood_in_every_language(name, players, language):
    game = load_game(name, players)
    sheet = Worksheet(game, Language(language))
    sheet.seat = game.seats[-1]
    for sentence in sentences(game):
        values, seats = {}, set(game.vocabulary.seats)
        places = re.findall(r"\{(\w+)\}", sentence.says)
        for var in sorted(places, key=lambda name: not sentence.vars[name].type.atoms & seats):  # people, then cards
            kind = sentence.vars[var].type
            pool = sorted((kind.of if kind.many else kind).atoms)
            if var in sentence.among:
                pool = list(sheet.worth(sentence.among[var], sentence, values))
            values[var] = pool[0]
        text = sentence.texts(sheet.language)[0]
        for var, value in values.items():
            text = re.sub(rf"\{{{var}(:\w+)?\}}", game.vocabulary.atoms[value].name, text)
        entry = sheet.read(text, at(text))
        assert entry.sentence.name == sentence.name, text
        for var, value in values.items():
            assert entry.values[var] in (value, (value,)), (text, var)


def test_cards_can_be_called_by_any_word_that_only_one_of_them_has():
    sheet = sheet_of(load_game("venice-2013", 4), "red", identity="Fiddlebottom", build="fat", letter="a")
    sheet.called["laura"] = "blue"
    lines = [
        "Laura showed me Bubble, SHORT and tall when asked about build.",
        "blue showed me colonel_bubble; short, blue_tall when asked about build",
    ]
    one, other = (sheet.read(line, at(line)) for line in lines)
    assert one.values == other.values


def test_names_of_several_words_are_read_as_one():
    sheet = sheet_of(load_game("venice-2013", 5), "red", identity="agent_x", build="fat", letter="a")
    sheet.called["anna maria"] = "blue"
    lines = [
        "I showed the ambassador fat and the grey mission card",
        "I showed Anna Maria agent x, short",
        "Anna Maria showed the ambassador colonel bubble and thin when asked about identity, and I saw it",
    ]
    ambassador, other, third = (sheet.read(line, at(line)) for line in lines)
    names = sheet.words.atoms
    assert names[ambassador.values["asker"]].name == "ambassador" and len(ambassador.values["answer"]) == 2
    assert names[other.values["asker"]].name == "blue"
    assert {names[card].name for card in other.values["answer"]} == {"red_agent_x", "red_short"}
    assert names[third.values["giver"]].name == "blue" and names[third.values["asker"]].name == "ambassador"


def dealt(game, seat, language="en", seed=1):
    """A worksheet with the secrets that this seat has in some deal."""
    sheet, state = Worksheet(game, Language(language)), game.new(seed)
    sheet.seat = seat
    sheet.secrets = {f.shape: state.v[_slot(game, f, sheet.me)] for f in sheet.own}
    return sheet


@every_sheet
def test_every_example_of_the_interview_can_be_typed_as_it_stands(name, players, language):
    game = load_game(name, players)
    for seed, seat in ((1, game.seats[0]), (2, game.seats[-1])):
        sheet = dealt(game, seat, language, seed)
        found = examples(sheet)
        unseen = {"given", "black"} if seat == "ambassador" else {"witnessed"}
        assert len(found) == len([s for s in sheet.known if s.name not in unseen]), found
        for text in found:
            assert not re.search(r"[{}_]", text), text
            take(sheet, understood(sheet), sheet.read(text, at(text)))


def test_there_is_no_example_of_what_a_player_never_sees():
    game = load_game("venice-2013", 5)
    assert not any("I saw it" in text for text in examples(dealt(game, "red")))
    of_ambassador = examples(dealt(game, "ambassador"))
    assert any("I saw it" in text for text in of_ambassador)
    assert not any(text.startswith("I showed") for text in of_ambassador)  # he has no cards


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_could_stand_there_is_told_in_the_language_of_the_reader(language):
    game = load_game("venice-2013", 4)
    sheet = Worksheet(game, Language(language))
    sheet.seat = "red"
    for line in (
        "blue showed me colonel buble when asked about build",
        "blu showed me tall when asked about build",
        "blue showed me tall when asked about mission",
    ):
        with pytest.raises(RulesError) as error:
            sheet.read(line, at(line))
        assert "_" not in str(error.value.problems[0].args)
    with pytest.raises(RulesError) as error:
        sheet._seat("reed", at("reed"))
    assert sheet.narrator.seat("red")("list") in str(error.value.problems[0].args)


# --- mistakes ---------------------------------------------------------------------------------------------------------
GOOD = """\
me: red
secrets: {identity: lord_fiddlebottom, build: fat, letter: A}
seen:
  - blue showed me short, tall, colonel_bubble when asked about build
"""


@pytest.mark.parametrize(
    "wrong, instead, where, said",
    [
        ("me: red", "me: rad", "1:5", "Did you mean “Red”?"),
        ("me: red", "mee: red", "1:1", "Did you mean “me”?"),
        ("build: fat", "bild: fat", "2:40", "Did you mean “build”?"),
        ("build: fat", "build: fatt", "2:47", "Did you mean “fat”?"),
        (", letter: A", "", "2:1", "letter"),
        ("blue showed", "blu showed", "4:5", "Did you mean “Blue”?"),
        ("colonel_bubble", "colonel_buble", "4:33", "Did you mean “Colonel Bubble”?"),
        ("about build", "about mission", "4:65", "identity, build"),
        ("showed me", "waved at me", "4:5", "[player] showed me [card]"),
        ("blue", "red", "4:5", "Blue, Green, Yellow"),
        ("- blue", "- [blue", "4:5", ""),
        (
            "secrets: {identity: lord_fiddlebottom, build: fat, letter: A}\n",
            "",
            "1:1",
            "secrets: {identity: lord_fiddlebottom, build: tall, letter: A}",
        ),
        (", letter: A", "", "2:1", "“letter” is missing under “secrets”"),
        ("blue showed", "bleu showed", "4:5", "Did you mean “Blue”?"),
        ("blue showed", "nobody showed", "4:5", "These are possible: Blue, Green, Yellow."),
        ("seen:\n  - blue", "seen: blue", "3:7", "needed: a list."),
    ],
)
def test_a_mistake_is_told_with_its_place_and_a_remedy(deduce, wrong, instead, where, said):
    code, out, err = deduce(GOOD.replace(wrong, instead), "venice-2013", "--players", 4)
    assert code == 2 and not out
    assert f"mine.yaml:{where}: " in err and said in err and "Traceback" not in err


def test_an_entry_that_cannot_have_happened_is_named(deduce):
    again = GOOD + "  - blue showed me fat and lord_fiddlebottom when asked about build through the ambassador\n"
    code, _, err = deduce(again, "venice-2013", "--players", 4)
    assert code == 2 and "mine.yaml:5:5: This cannot have happened" in err
    mine = GOOD.replace("short, tall, colonel_bubble", "fat, lord_fiddlebottom, grey mission")
    code, _, err = deduce(mine, "venice-2013", "--players", 4)
    assert code == 2 and "mine.yaml:4:5: This cannot have happened" in err  # both are mine, so both are false


@pytest.mark.parametrize(
    "shown, wrong", [("agent_x, 13", True), ("agent_x, 24", False), ("lord_fiddlebottom, 24", True)]
)
def test_what_i_showed_must_fit_my_own_cards_and_tells_me_nothing(deduce, shown, wrong):
    sheet = f"me: red\nsecrets: {{identity: agent_x, code: 13}}\nseen: ['I showed green {shown}']\n"
    code, out, err = deduce(sheet, "cards-safe", "--players", 3, "--json")
    assert code == (2 if wrong else 0)
    if wrong:
        assert "mine.yaml:3:8: With your secrets the rules would not have let you show this." in err
    else:
        assert json.loads(out)["worlds"] == 36


def test_people_are_called_by_their_names(deduce):
    code, out, _ = deduce("names: {blue: Laura, green: Ji-woo}\n" + GOOD, "venice-2013", "--players", 4)
    assert code == 0 and "Laura, build: " in out and "Ji-woo, identity: " in out and "Blue" not in out


@pytest.mark.parametrize(
    "text, said", [("", "This worksheet says nothing."), ("- a list\n", "A worksheet consists of keys with values")]
)
def test_a_file_that_is_no_worksheet_is_not_called_a_rule_file(deduce, text, said):
    code, _, err = deduce(text, "venice-2013")
    assert code == 2 and said in err and "“me:”" in err and "rule file" not in err and "My game" not in err


@pytest.mark.parametrize(
    "names, where, said",
    [
        ("{blue: Laura, green: Laura}", "1:29", "Two players are called “Laura”."),
        ("{blue: Laura, green: ' LAURA'}", "1:29", "Two players are called"),
        ("{blue: Red, red: Blue}", "1:15", "in the sentences that means “Red”"),
        ("{green: me}", "1:16", "in the sentences that means you"),
        ("{yellow: Agent X}", "1:17", "in the sentences that means “Agent X”"),
        ("{yellow: agent_x}", "1:17", "in the sentences that means “Agent X”"),
        ("{yellow: BUBBLE}", "1:17", "in the sentences that means “Colonel Bubble”"),
        ("{yellow: ''}", "1:17", "is empty"),
        ("{blue: Laura, Blue: Pere}", "1:22", "stands here twice"),
    ],
)
def test_a_name_that_means_something_else_is_refused(deduce, names, where, said):
    code, out, err = deduce(f"names: {names}\n{GOOD}", "venice-2013", "--players", 4)
    assert code == 2 and not out and f"mine.yaml:{where}: " in err and said in err


def test_a_player_may_be_called_like_his_seat_and_i_may_call_myself_me(deduce):
    assert deduce("names: {blue: Blue, red: Me}\n" + GOOD, "venice-2013", "--players", 4)[0] == 0


NAMES = {
    "blue": "Òscar",
    "green": "Pere",
    "yellow": "Anna Maria",
    "red": "Hanna",
    "ambassador": "Ji-woo",
    "ada": "Òscar",
    "ben": "Pere",
    "cleo": "Anna Maria",
}


@every_sheet
def test_a_sentence_with_the_names_of_people_means_what_it_means_with_their_seats(name, players, language):
    game = load_game(name, players)
    for seat in (game.seats[0], game.seats[-1]):
        sheet, named = dealt(game, seat, language), dealt(game, seat, language)
        for other in game.seats:
            named.call(other, NAMES[other])
        for text, other in zip(examples(sheet), examples(named)):
            assert named.read(other, at(other)).values == sheet.read(text, at(text)).values, other
            assert other != text or "dummy" in [s.name for s in sheet.known], other  # who is nobody has no name


@pytest.mark.parametrize(
    "line",
    [
        "He ensenyat Agent X, Grassa i Alta a Pere",
        "He ensenyat Agent X, Grassa i Alta a en Pere",
        "Pere m’ha ensenyat Alta, Baixa i Agent X quan li he preguntat per la complexió",
        "En Pere m'ha ensenyat Alta, Baixa i Agent X quan li he preguntat per la complexió",
        "La carta grisa d'identitat d'Òscar diu Agent X",
        "La carta grisa d'identitat de l'Òscar diu Agent X",
    ],
)
def test_people_have_the_prepositions_and_articles_that_catalan_gives_them(line, monkeypatch):
    monkeypatch.setattr("tabarro.front.workbench.conclusions.BEST", 100)
    sheet = dealt(load_game("venice-2013", 4), "red", "ca")
    sheet.call("green", "Pere")
    sheet.call("blue", "Òscar")
    entry = sheet.read(line, at(line))
    assert sheet.words.seats[sheet.game.seat("green" if "Pere" in line else "blue")] in entry.values.values()
    said = "\n".join(told(sheet.game, sheet.language, conclusions(understood(sheet), "red", sheet), sheet))
    assert "Pregunteu a Òscar per la" in said


@pytest.mark.parametrize(
    "language, said", [("ca", "», «He ensenyat [carta] a [persona]», «"), ("ja", "」、「"), ("de", "“, „")]
)
def test_the_sentences_are_listed_whole_and_with_the_quotes_of_the_language(language, said):
    sheet = dealt(load_game("venice-2013", 5), "red", language)
    with pytest.raises(RulesError) as error:
        sheet.read("what is this", at("what is this"))
    text = show(error.value.problems[0], sheet.language.translate)
    for sentence in sheet.known:
        assert sheet.language.quoted(sentence.shown(sheet.narrator)) in text
    assert said in text and "“[" not in text


def test_japanese_has_its_own_commas_and_colons_and_one_word_for_a_thing(deduce):
    code, out, _ = deduce(GOOD, "venice-2013", "--players", 4, "--lang", "ja")
    assert code == 0 and "青、名前：" in out and "正体" not in out
    assert not re.search("[ぁ-んァ-ヶ一-龠][,:]", out)
    lines = ["赤", "フィルボトム卿", "デブ", "A"]
    _, out, _ = typed(lines, "deduce", "venice-2013", "--players", 4, "--interactive", "--lang", "ja")
    assert "赤、青、緑、黄" in out and not re.search("[ぁ-んァ-ヶ一-龠][,:]", out)


def test_an_own_card_that_the_rules_would_not_let_one_show_is_refused_where_one_chooses_it_oneself(deduce):
    line = "I showed blue {}"
    for shown, code in (
        ("agent_x, fat, tall", 0),
        ("lord_fiddlebottom", 0),
        ("agent_x, colonel_bubble", 2),
        ("agent_x, fat, tall, short", 2),
    ):
        text = GOOD.replace("blue showed me short, tall, colonel_bubble when asked about build", line.format(shown))
        found = deduce(text, "venice-2013", "--players", 4)
        assert found[0] == code, (shown, found)
        assert code == 0 or "With your secrets the rules would not have let you show this." in found[2]


def test_an_option_without_a_value_is_advised_with_one_that_it_can_have():
    for typed_option, advised in (("false_cards", "--option false_cards="), ("fals_cards", "--option false_cards=")):
        err = io.StringIO()
        assert main(["deduce", "cards-safe", "--interactive", "--option", typed_option], io.StringIO(), err) == 2
        assert advised in err.getvalue()
        example = re.search(r"--option (\S+)\.", err.getvalue())[1]
        load_game("cards-safe", 4, dict([example.split("=")]))


def test_a_hand_that_cannot_be_dealt_is_refused(deduce):
    code, _, err = deduce("me: ada\nsecrets: {hand: [baker, gardener, painter]}\n", "little-mystery")
    assert code == 2 and "dealt" in err


def test_without_a_worksheet_there_is_nothing_to_deduce():
    err = io.StringIO()
    assert main(["deduce", "venice-2013"], io.StringIO(), err) == 2 and "--notes" in err.getvalue()
    err = io.StringIO()
    assert main(["deduce", "venice-2013", "--notes", "no-such-file.yaml"], io.StringIO(), err) == 2
    assert "no-such-file.yaml" in err.getvalue()


def test_the_worksheet_may_name_the_game_and_its_options(deduce):
    code, out, err = deduce(
        "game: cards-safe\nplayers: 4\noptions: {false_cards: 0}\nme: red\n"
        "secrets: {identity: agent_x, code: 13}\n"
        "seen: ['blue showed me lord_fiddlebottom and 13', 'blue showed me madame_zsa_zsa, 13']\n"
    )
    assert code == 2 and "mine.yaml:6:51" in err  # 13 is mine, and blue cannot be two people
    code, out, err = deduce("game: cards-safe\nplayers: 4\nme: red\nsecrets: {identity: agent_x, code: 13}\n", "--json")
    assert code == 0 and json.loads(out)["players"] == 4


# --- line by line, and in play ----------------------------------------------------------------------------------------
def typed(lines, *arguments):
    done = run(arguments, "\n".join([*lines, ""]), SURROUNDINGS)
    return done.returncode, done.stdout, done.stderr


def test_the_worksheet_can_be_typed_line_by_line():
    lines = [
        "rad",
        "red",
        "lord_fiddlebottom",
        "fat",
        "A",
        "blue showed me short, tall, colonel_bubble when asked about bild",
        "blue showed me short, tall, colonel_bubble when asked about build",
        "blue showed me lord_fiddlebottom, fat when asked about identity through the ambassador",
        "blue showed me lord_fiddlebottom, agent_x when asked about identity through the ambassador",
    ]
    code, out, err = typed(lines, "deduce", "venice-2013", "--players", 4, "--interactive")
    assert code == 0 and not err
    assert "Did you mean “Red”?" in out and "Did you mean “build”?" in out and "This cannot have happened" in out
    assert re.search(r"Certain:\s+Blue, identity: agent x", out, re.IGNORECASE)


def test_the_last_sentence_can_be_taken_back():
    lines = [
        "red",
        "agent_x",
        "13",
        "blue showed me colonel_bubble and 13",
        "undo",
        "blue showed me lord_fiddlebottom, 13",
    ]
    code, out, _ = typed(lines, "deduce", "cards-safe", "--players", 4, "--interactive")
    assert code == 0 and "Taken back: blue showed me colonel_bubble and 13" in out
    last = out.split("> blue showed me lord_fiddlebottom, 13")[1]
    assert re.search("Certain:\\s+Blue, identity: Lord Fiddlebottom", last)


def test_what_one_said_of_oneself_can_be_taken_back_too():
    lines = ["undo", "blue", "agent_x", "undo", "undo", "red", "agent_x", "13", "undo", "24", "save", "quit"]
    code, out, _ = typed(lines, "deduce", "cards-safe", "--players", 4, "--interactive")
    assert code == 0 and out.count("Who are you?") == 3 and "There is nothing to take back." in out
    assert "Code: 13 (" not in out and "save mine.yaml" in out


def test_what_was_typed_can_be_saved_and_read_again(tmp_path):
    path = tmp_path / "my notes.yaml"
    sentence = "blue showed me lord_fiddlebottom, 13"
    words = ("deduce", "cards-safe", "--players", 4, "--option", "false_cards=0", "--interactive")
    code, out, _ = typed(["red", "agent_x", "13", sentence, f"save {path}", f"save {path}"], *words)
    assert code == 0 and f"\n  tabarro deduce --notes '{path}'\n" in out and "There is already a file" in out
    head = 'game: cards-safe\nplayers: 4\noptions: {false_cards: "0"}\nme: red'
    assert path.read_text(encoding="utf-8").startswith(head)
    again = io.StringIO()
    assert main(["deduce", "--notes", str(path)], again, io.StringIO()) == 0
    said = out.split(f"> {sentence}")[1].split("> save")[0]
    assert " ".join(said.split()) == " ".join(again.getvalue().split())


def test_a_file_that_cannot_be_written_ends_no_interview(tmp_path):
    words = ("deduce", "cards-safe", "--players", 4, "--interactive")
    code, out, _ = typed(["red", "agent_x", "13", f"save {tmp_path / 'missing' / 'a.yaml'}", "quit"], *words)
    assert code == 0 and "cannot be written" in " ".join(out.split()) and "See you next time." in out


@every_sheet
def test_a_worksheet_is_written_as_it_is_read(name, players, language, tmp_path):
    game = load_game(name, players)
    sheet = dealt(game, game.seats[-1], language)
    sheet.call(game.seats[-1], 'Anna: #1, "o\'" {x}')
    sheet.entries = [sheet.read(text, at(text)) for text in examples(sheet)]
    path = tmp_path / "a.yaml"
    path.write_text(sheet.as_file({"game": name, "players": players, "options": {}}), encoding="utf-8")
    again = Worksheet(game, Language(language)).take(read_file(str(path)))
    assert (again.seat, again.secrets, again.said_names) == (sheet.seat, sheet.secrets, sheet.said_names)
    assert [e.values for e in again.entries] == [e.values for e in sheet.entries]


def test_secrets_that_cannot_be_are_asked_for_again():
    lines = ["ada", "painter", "painter letter", "painter, letter", "quit"]
    code, out, err = typed(lines, "deduce", "little-mystery", "--interactive")
    assert code == 0 and not err and "Nobody can have been dealt these secrets." in out
    assert "Hand, 2 of these with commas between them: " in " ".join(out.split())
    assert "Did you mean “painter, letter”?" in out and "Type what you have seen" in out


def test_json_is_not_for_an_interview():
    err = io.StringIO()
    assert main(["deduce", "cards-safe", "--interactive", "--json"], io.StringIO(), err) == 2
    assert "JSON" in err.getvalue()


def test_a_long_sentence_is_not_cut_where_it_comes_from_a_pipe():
    line = "blue showed me lord_fiddlebottom and agent_x when asked about identity through the ambassador"
    lines = ["red", "colonel_bubble", "fat", "A", line]
    _, out, _ = typed(lines, "deduce", "venice-2013", "--players", 4, "--interactive")
    assert f"> {line}\n" in out


def test_a_secret_of_nobody_has_one_name():
    game, english = load_game("little-mystery"), Language("en")
    facts = Notebook(game, None, Narrator(game, english), english).all_secrets(game.new(1).v[HEADER:])[None]
    assert [label for label, _ in facts] == [question_name(game, english, name) for name in ("culprit", "evidence")]


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_the_interview_speaks_the_language_of_the_reader(language):
    lines = ["red", "agent_x", "13", "blue showed me agent_x and 24"]
    code, out, err = typed(lines, "deduce", "cards-safe", "--players", 4, "--interactive", "--lang", language)
    assert code == 0 and not err
    assert Language(language).translate("Who are you? {seats}").split("{")[0].strip() in out
    assert "Certain" not in out and "showed me" not in out.split("> blue")[0]


def test_hints_are_given_only_where_they_are_allowed(tmp_path):
    words = ("play", "cards-safe", "--players", 4, "--seed", 3, "--save")
    code, out, _ = typed(["hint", "quit"], *words, tmp_path / "a")
    assert code == 0 and "--hints" in out and "identity" not in out.split("hints", 1)[1].split("quit")[0].lower()
    code, out, _ = typed(["hint", "quit"], *words, tmp_path / "b", "--hints")
    assert code == 0 and "Nothing is certain yet" in out and "33%" in out


def test_a_game_that_is_gone_on_with_has_hints_if_it_was_begun_with_them(tmp_path):
    for name, wishes, allowed in (("a", (), False), ("b", ("--hints",), True)):
        typed(["quit"], "play", "cards-safe", "--players", 4, "--seed", 3, "--save", tmp_path / name, *wishes)
        code, out, _ = typed(["hint", "quit"], "resume", tmp_path / name)
        assert code == 0 and ("Nothing is certain yet" in out) == allowed
    code, _, err = typed(["hint", "quit"], "resume", tmp_path / "a", "--hints")
    assert code == 2 and "--hints" in err


def test_after_a_game_it_is_told_when_it_could_have_been_known(tmp_path):
    code, out, _ = typed(["1", ""] * 400, "play", "cards-safe", "--players", 4, "--seed", 3, "--save", tmp_path / "a")
    assert code == 0 and "Who could have known this, and when: " in out
    assert len(re.findall(r"^  (?:Red|Blue|Green|Yellow): ", out.split("Who could")[1], re.MULTILINE)) == 4


def test_a_game_in_which_nobody_could_know_anything_says_so_once():
    state = load_game("venice-2013", 4).new(1)
    assert Moments(state.umpire(), Language("en")).told() == ["Nobody could be sure of anything."]


def test_what_was_known_only_before_it_was_there_was_not_known_from_the_beginning():
    """That nobody hides anywhere yet, that the other has no card yet."""
    for name, seed in (("kuhn-poker", 0), ("night-runner", 3)):
        state, luck = load_game(name).new(seed), random.Random(seed)
        while not state.over:
            state.apply(state.sample(luck, habits=True))
        lines = [line for line in Moments(state.umpire(), Language("en")).told() if not line.startswith("Smuggler")]
        assert lines and not any("from the beginning" in line for line in lines)


def test_a_game_without_secrets_has_nothing_to_find_out():
    state = load_game("tic-tac-toe").new(1)
    assert len(hint(state.player("cross"), Language("en"))) == 1
    assert Moments(state.umpire(), Language("en")).told() == []


def test_a_sentence_that_names_no_step_is_a_mistake_of_the_rules(tmp_path):
    path = tmp_path / "house.yaml"
    text = "extends: little-mystery\nscreens:\n  worksheet:\n    shown: {step: refutation/chose}\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError) as error:
        sentences(load_game(path))
    assert error.value.problems[0].place.line == 4
