"""Players that think: what they are given, what they never do, and how well they do it."""

import random
import re
from pathlib import Path

import pytest
from loading import loaded
from names import named
from tabarro.interpreter import RulesError, State, load_game
from tabarro.interpreter.cells import cell_of
from tabarro.interpreter.slots import HEADER
from tabarro.mind.bots import BOTS
from tabarro.mind.claims import Claims
from tabarro.mind.imagination import Imagination, insight
from tabarro.mind.now import belief_of
from tabarro.mind.thinker import HABITS, habits_of
from tabarro.mind.thought import Thought

ROOT = Path(__file__).parents[2]
TABLES = [
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
]
THINKERS = ("careful", "gambler", "deducer")


# --- playing ----------------------------------------------------------------------------------------------------------
class Declared:
    """Somebody took a step that ended the game: who, and whether he was among the winners."""

    def __init__(self, seat, step):
        self.seat, self.step = seat, step


def play(game, bots, seed, longest=20_000, player=State.player):
    """A game among bots: the last state, all choices, and who made the last one that others had to answer for."""
    state, rng = game.new(seed), random.Random(seed)
    seated = {seat: BOTS[name](game, seat) for seat, name in bots.items()}
    choices, declared = [], None
    while not state.over and len(choices) < longest:
        seat = state.actor
        choice = seated[seat].choose(player(state, seat), rng)
        step = game.program.nodes[state.v[0]].step
        rare = {a.atom for a in step.alternatives if a.rarely > 1}
        if choice[0] in rare:
            declared = Declared(seat, step.name)
        state.apply(choice)
        choices.append(game.words(choice))
    return state, choices, declared


def holds(state, kind, who):
    """What an agent was dealt."""
    game = state.game
    function = next(f for f in game.vocabulary.functions[f"{kind} of _"] if f.kind == "state")
    atom = next(a for a in game.vocabulary.by_name[who] if a in function.params[0].type.atoms)
    return named(game, state.v[HEADER + cell_of(function, [atom])])


def team_of(game, seed):
    """The seats of one of the two teams: those of the lords in even games, those of the madames in odd ones."""
    lords = ("lord_fiddlebottom", "colonel_bubble")
    state = game.new(seed)
    return {seat for seat in game.seats if (holds(state, "identity", seat) in lords) == (seed % 2 == 0)}


def duel(game, one, other, seeds):
    """Two partners of one kind against two of the other: how many games the first have won."""
    won = 0
    for seed in seeds:
        team = team_of(game, seed)
        state, _, declared = play(game, {seat: one if seat in team else other for seat in game.seats}, seed)
        assert declared is not None and declared.seat in state.result.winners
        won += set(state.result.winners) == team
    return won


# --- what they are given ----------------------------------------------------------------------------------------------
class BareLog:
    """The rows of a log, and how many of them were read."""

    def __init__(self, rows):
        self._rows, self.mark = rows, len(rows)

    def since(self, mark):
        return self._rows[mark or 0 :]

    def digest(self, mark, kinds):  # some of the same rows; here all of them
        return self.since(mark)

    def __getattr__(self, name):
        raise AssertionError(f"a bot asked a log for {name}")


class Bare:
    """All that a bot may use, as plain data. Whatever else it reaches for raises."""

    def __init__(self, state, seat):
        real = state.player(seat)
        self.game, self.seat = real.game, seat
        self.log = BareLog(real.log.rows())
        self._choices = real.legal()
        self._question = real.question()
        self._rare = [(a.atom, a.rarely) for a in state.game.program.nodes[state.v[0]].step.alternatives]

    def question(self):
        return self._question

    @property
    def number(self):  # question() tells it, too
        return self._question.number

    def legal(self):
        return list(self._choices)

    def is_legal(self, choice):
        return choice in self._choices

    def sample(self, rng):
        rare = {atom for atom, rarely in self._rare if rarely > 1 and rng.random() * rarely >= 1}
        return rng.choice([c for c in self._choices if c[0] not in rare] or self._choices)

    def __getattr__(self, name):
        raise AssertionError(f"a bot asked for {name}")


@pytest.mark.long
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("edition", "players"), [("venice-2013", 4), ("cards-phone", 4), ("little-mystery", 3)])
def test_a_bot_needs_nothing_but_its_log_and_its_choices(edition, players, bot):
    game = loaded(edition, players)
    state, choices, _ = play(game, dict.fromkeys(game.seats, bot), 4, longest=24, player=Bare)
    assert state.over or len(choices) == 24


@pytest.mark.parametrize("edition", ["venice-2013", "cards-phone"])
def test_what_a_bot_is_told_of_a_question_is_the_same_in_worlds_that_it_cannot_tell_apart(edition):
    """The secrets of the others are changed behind its back; the question and what it knows around it stay the same."""
    game = loaded(edition, 4)
    kinds = [k for k in ("identity", "build", "letter", "code") if f"{k} of _" in game.vocabulary.functions]
    slots = [f.base for k in kinds for f in game.vocabulary.functions[f"{k} of _"] if f.kind == "state"]
    rng, state = random.Random(2), game.new(2)
    for _ in range(150):
        if state.over:
            break
        seat = state.actor
        others = [i for i, s in enumerate(game.seats) if s != seat][:2]
        changed = state.clone()
        for base in slots:
            a, b = (9 + base + i for i in others)
            changed.v[a], changed.v[b] = changed.v[b], changed.v[a]
        assert state.player(seat).question() == changed.player(seat).question()
        assert state.player(seat).log.rows() == changed.player(seat).log.rows()
        state.apply(state.sample(rng, habits=True))


def test_a_bot_whose_game_was_taken_back_reads_its_log_anew():
    game = loaded("cards-safe", 4)
    state, rng = game.new(1), random.Random(1)
    bots = {seat: BOTS["deducer"](game, seat) for seat in game.seats}
    kept = []
    while len(kept) < 30 and not state.over:
        kept.append(state.clone())
        state.apply(bots[state.actor].choose(state.player(state.actor), rng))
    earlier = next(s for s in kept[10:] if s.actor == kept[9].actor)
    bot = bots[earlier.actor]
    bot.choose(earlier.player(earlier.actor), rng)
    fresh = BOTS["deducer"](game, earlier.actor)
    fresh.choose(earlier.player(earlier.actor), rng)
    assert set(bot.belief.worlds) == set(fresh.belief.worlds)


def test_a_bot_that_is_called_back_knows_what_it_has_told_whom():
    for edition in ("venice-2013", "cards-phone"):
        game = loaded(edition, 4)
        state, rng = game.new(8), random.Random(8)
        bots = {seat: BOTS["deducer"](game, seat) for seat in game.seats}
        trail = []
        while len(trail) < 60 and not state.over:
            seat = state.actor
            choice = bots[seat].choose(state.player(seat), rng)
            trail.append((seat, state.clone(), choice))
            state.apply(choice)
        assert any(bot.told for bot in bots.values())
        for seat, bot in bots.items():
            back = BOTS["deducer"](game, seat)
            for who, before, choice in trail:
                if who == seat:
                    back.recall(before.player(seat), choice)
            assert back.told == bot.told


def test_in_the_next_game_of_a_match_nobody_has_been_told_anything():
    game = loaded("cards-safe", 4, {"points_to_win": 2})
    state, rng = game.new(3), random.Random(3)
    bots = {seat: BOTS["deducer"](game, seat) for seat in game.seats}
    begun = set()
    while not state.over and len(begun) < 3:
        seat = state.actor
        bot, before = bots[seat], dict(bots[seat].told)
        choice = bot.choose(state.player(seat), rng)
        if bot.belief.deal_id[0] == 1 and seat not in begun:
            begun.add(seat)
            assert before and bot.told != before
            assert all(len(possible) > 1 for possible in bot.told.values())
        state.apply(choice)
    assert begun


def test_no_bot_knows_a_game_by_name():
    words = set()
    for name in ("venice-2013", "cards-safe"):
        for things in ("identity", "space", "place", "build", "ball", "card", "envoy"):
            found = loaded(name, 4).vocabulary.sets.get(things)
            words |= {loaded(name, 4).vocabulary.atoms[a].name for a in found.atoms} if found else set()
    words -= {"short", "white", "black"}
    for file in ("bots", "thinker", "belief", "deducer", "goals", "imagination"):
        said = set(re.findall(r"\w+", (ROOT / "mind" / f"{file}.py").read_text(encoding="utf-8").lower()))
        assert not said & {w.lower() for w in words}, file


# --- every game -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bot", THINKERS)
@pytest.mark.parametrize(("edition", "players"), [("tic-tac-toe", 2), ("kuhn-poker", 2), ("little-mystery", 3)])
def test_bots_play_games_that_have_nothing_to_do_with_venice(edition, players, bot):
    game = loaded(edition, players)
    for seed in range(3):
        assert play(game, dict.fromkeys(game.seats, bot), seed, longest=600)[0].over


def test_thinkers_see_a_win_in_one_move():
    """Three in a row, if it can be had, is taken."""
    game = loaded("tic-tac-toe", 2)
    state = game.new(0)
    for square in ("a3", "a1", "b3", "b1"):
        state.apply(game.choice([square], state))
    for bot in ("careful", "gambler", "deducer"):
        choice = BOTS[bot](game, "cross").choose(state.player("cross"), random.Random(0))
        assert game.words(choice) == ["c3"]


@pytest.mark.long
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_deducers_come_to_an_end_at_every_table_and_nobody_declares_wrongly(edition, players):
    game = loaded(edition, players, {} if players == 4 else {"round_limit": 40})
    state, _, declared = play(game, dict.fromkeys(game.seats, "deducer"), 11, longest=3000)
    assert state.over
    if state.result.winners and declared is not None and "sheet" not in declared.step:
        assert declared.seat in state.result.winners


class Recorder(random.Random):
    """Remembers what it was last asked to choose from."""

    def choice(self, several):
        self.offered = list(several)
        return super().choice(several)


def test_a_first_answer_of_a_deducer_tells_no_more_than_the_rules_make_it_tell():
    """Each pair is shown as often by all who may show it, whatever they hold: and it is one that most may show."""
    game, shown = loaded("cards-safe", 4), {}
    for seed in range(40):
        state, rng = game.new(seed), random.Random(seed)
        for _ in range(60):
            step = game.program.nodes[state.umpire().number].step
            if state.over or state.actor == "red" and step.name == "choice/choose":
                break
            silent = next((c for c in state.legal() if step.alternatives and len(c) == 1), None)
            state.apply(silent or state.sample(rng, habits=True))
        if state.over or state.actor != "red" or step.name != "choice/choose":
            continue
        own = {e.step: e["value"] for e in state.log("red") if e.kind == "set" and "value" in dict(e.told)}
        luck = Recorder(1)
        choice = BOTS["deducer"](game, "red").choose(state.player("red"), luck)
        assert choice in luck.offered
        held = frozenset({f"red_{own['identity of _']}", f"red_{own['code of _']}"})
        shown[held] = {frozenset(game.words(c)[0]) for c in luck.offered}
    assert len(shown) >= 12
    for held, pairs in shown.items():
        assert len(pairs) == 6  # two identities or two codes: eight of sixteen may show them, six any other pair
        for pair in pairs:
            assert all((pair in theirs) == (len(pair & other) == 1) for other, theirs in shown.items())


def test_careful_players_never_lose_by_declaring():
    for edition in ("venice-2013", "cards-safe"):
        game = loaded(edition, 4)
        for seed in range(3):
            state, _, declared = play(game, dict.fromkeys(game.seats, "careful"), seed)
            assert declared.seat in state.result.winners


@pytest.mark.long
@pytest.mark.parametrize("edition", ["venice-2013", "cards-safe", "cards-phone"])
def test_two_deducers_beat_two_careful_players(edition):
    assert duel(loaded(edition, 4), "deducer", "careful", range(6)) >= 5


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"penalty": 2}], ids=["as it is", "penalty"])
@pytest.mark.parametrize("edition,players", [t for t in TABLES if t[0].startswith("cards")])
def test_what_a_bot_remembers_to_win_is_what_wins_when_it_is_tried(edition, players, options):
    game, compared = loaded(edition, players, options), 0
    for seed in range(2):
        state, rng = game.new(seed), random.Random(seed)
        seated = {seat: BOTS["careful"](game, seat) for seat in game.seats if seat not in game.chance_seats}
        for _ in range(120):
            if state.over:
                break
            bot, player = seated[state.actor], state.player(state.actor)
            if any(insight(game).timeless.get(state.v[0], ())):
                bot.read(player)
                mind = Imagination(bot.belief, player.question(), bot.last_seen)
                said = [c for c in player.legal() if c[0] in mind.insight.timeless[state.v[0]]]
                for world in rng.sample(bot.belief.worlds, min(2, len(bot.belief.worlds))):
                    assert mind.winning(world, said) == [c for c in said if mind.wins(mind.state(world), c)]
                    compared += len(said) > 20
            state.apply(bot.choose(player, rng))
    assert compared > 5


def test_on_a_board_what_is_solved_to_win_is_what_wins_when_it_is_tried():
    game, won, lost = loaded("venice-classic", 4), 0, 0
    state, rng = game.new(4), random.Random(4)
    bots = {seat: BOTS["careful"](game, seat) for seat in game.seats}
    for _ in range(400):
        if state.over:
            break
        bot, player = bots[state.actor], state.player(state.actor)
        said = [c for c in player.legal() if c[0] in insight(game).settled[state.v[0]]]
        if said:
            bot.read(player)
            mind = Imagination(bot.belief, player.question(), bot.last_seen)
            for world in rng.sample(bot.belief.worlds, min(12, len(bot.belief.worlds))):
                winning = [c for c in said if mind.wins(mind.state(world), c)]
                assert mind.winning(world, said) == winning
                won, lost = won + len(winning), lost + len(said) - len(winning)
        state.apply(next((c for c in player.legal() if said and c not in said), None) or player.sample(rng))
    assert won >= 10 and lost >= 1000


def test_what_is_solved_to_win_is_what_wins_when_all_is_tried():
    """In a game made up for it, with conditions of every shape: alternatives, negations, memberships, names."""
    game = loaded(ROOT / "tests/mind/games/claims.yaml", 3)
    tried = left = 0
    for seed in range(12):
        state = game.new(seed)
        for seat in game.seats[: seed % 3]:
            state.apply(next(c for c in state.legal() if len(c) == 1))
        player, belief = state.player(state.actor), belief_of(state.player(state.actor)).ready()
        mind = Imagination(belief, player.question())
        assert len(mind.insight.timeless[state.v[0]]) == 3
        for world in belief.worlds:
            position, said = mind.state(world), [c for c in player.legal() if len(c) > 1]
            assert mind.won_by(position, said, mind.me) == [c for c in said if mind.wins(position, c)]
            assert len(Claims(game).worth_trying(position, [c for c in said if len(c) == 2], mind.me)) == 1
            tried, left = tried + len(said), left + len(Claims(game).worth_trying(position, said, mind.me))
    assert 0 < left < tried


def test_what_is_thought_of_rows_is_what_belief_would_keep():
    game, compared, rng = loaded("cards-safe", 4), 0, random.Random(3)
    bots = {seat: BOTS["random"](game, seat) for seat in game.seats}
    state = game.new(3)
    while compared < 40:
        state = game.new(rng.randrange(1000)) if state.over else state
        seat = state.actor
        belief = belief_of(state.player(seat)).ready()
        thought = Thought(belief, belief.worlds, lambda world: frozenset(world[:1]))
        mind = Imagination(belief, state.player(seat).question())
        for _ in range(3):
            position = mind.state(rng.choice(belief.worlds))
            for _ in range(12):
                if position.is_over:
                    break
                position.apply(position.sample(rng, habits=True), trusted=True)
            rows = position.seen_rows(belief.mask)
            plain = belief.supposing(belief.worlds)
            for row in rows:
                plain.look_at(row)
            assert belief.deals.listed(thought.after(rows)) == plain.worlds
            compared += len(plain.worlds) < len(belief.worlds)
        state.apply(bots[seat].choose(state.player(seat), rng))


@pytest.mark.parametrize("edition,players", [t for t in TABLES if t[0].startswith("venice")])
def test_nothing_is_remembered_to_win_where_the_board_decides_it(edition, players):
    assert not any(insight(loaded(edition, players)).timeless.values())


@pytest.mark.long
@pytest.mark.parametrize("edition", ["venice-2013", "cards-phone"])
def test_a_bot_plays_the_same_whatever_was_played_before(edition):
    """What bots remember of a game from one time to the next makes them quicker, and nothing else."""
    again = loaded(edition, 4)
    for seed in (5, 6):
        play(again, dict.fromkeys(again.seats, "deducer"), seed)
    fresh = load_game(edition, 4)
    assert (
        play(again, dict.fromkeys(again.seats, "deducer"), 7)[1]
        == play(fresh, dict.fromkeys(fresh.seats, "deducer"), 7)[1]
    )


# --- habits -----------------------------------------------------------------------------------------------------------
def house_rule(folder, habits):
    path = folder / "house.yaml"
    path.write_text(
        f"name: A house rule\nabout: It is tuned.\nextends: cards-safe\nhabits: {habits}\n", encoding="utf-8"
    )
    return path


def test_a_house_rule_can_tune_the_habits_of_bots(tmp_path):
    tuned = load_game(house_rule(tmp_path, "{gamble: 0.5, curiosity: 5}"), 4)
    assert habits_of(tuned) == {**habits_of(loaded("cards-safe", 4)), "gamble": 0.5, "curiosity": 5}
    lengths = {
        bot: sum(len(play(tuned, dict.fromkeys(tuned.seats, bot), seed)[1]) for seed in range(5))
        for bot in ("careful", "gambler")
    }
    assert lengths["gambler"] < lengths["careful"]  # who dares when two worlds are left declares sooner


def test_a_habit_that_no_bot_has_is_refused(tmp_path):
    with pytest.raises(RulesError) as refused:
        load_game(house_rule(tmp_path, "{curiousity: 5}"), 4)
    assert refused.value.problems[0].args["meant"] == "curiosity"


def test_every_habit_stands_in_the_schema():
    from tabarro.interpreter.schema import schema

    assert set(schema()["$defs"]["habits"]["properties"]) == set(HABITS)


def test_habits_do_not_change_the_game(tmp_path):
    """A save of a game stays good when only the habits of bots are tuned."""
    usual = load_game(house_rule(tmp_path, "{}"), 4).digest
    assert load_game(house_rule(tmp_path, "{goal: 9}"), 4).digest == usual
