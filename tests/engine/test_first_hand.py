"""The steps of a first hand: each is what the rules allow, and none of them gives a hand away."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given

from engine import events as ev
from engine.events import Discard, Draw, Entry, GameStart, HandStart, Kong, Pung, Seat
from engine.first_deal import (
    OPTION_STEPS,
    Counted,
    Move,
    before_first_turn,
    broken_at,
    counted_wrong,
    reached,
    stacks_of,
    takes_next,
    total_stacks,
)
from engine.first_hand import (
    SECRET_WIN,
    move_of,
    steps,
    with_secret,
)
from engine.game import replay
from engine.play import IN_PLAY
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.state import Phase, State
from engine.visibility import concealed
from tests.support.first_hand import HANDS, before_each, begun
from tests.support.properties import every_rule_set, seeds, some
from tests.support.random_games import hidden, played


def allowed(rules: RuleSet, state: State, viewer: Seat | None = None) -> set[Move]:
    return {move for step in steps(rules, state, viewer) for move in step.moves}


def moves_of(rules: RuleSet, state: State) -> set[Move]:
    events = rules.legal(state)
    return {move_of(event) for event in events if not isinstance(event, ev.Deal)}


@every_rule_set
def test_whatever_happens_next_was_among_what_the_table_was_told(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS):
        for state, event in before_each(played(rules, seed)):
            assert move_of(event) in allowed(known, state), (seed, event)


@every_rule_set
def test_every_step_is_what_the_rules_allow_whoever_sees_no_hand(rules: str) -> None:
    known = RULE_SETS[rules]
    under = {Move("Indicator")} if known.layout.under_kind else set[Move]()
    for seed in range(HANDS):
        for state, _ in before_each(played(rules, seed)):
            seen = moves_of(known, concealed(state, known)) | under
            for step in steps(known, state):
                assert step.moves <= seen | by_secret(known, state), (seed, step)


def by_secret(rules: RuleSet, state: State) -> set[Move]:
    """The own wins that are regular if the secret tile, which nobody sees, is one or another."""
    return {
        move_of(event)
        for known in with_secret(rules, concealed(state, rules))
        if any(player.ready for player in known.players)
        for event in rules.legal(known)
        if isinstance(event, ev.Win) and event.seat == event.from_seat
    }


@pytest.mark.parametrize("rules", ["harbin-hlr", "harbin-treasure"])
def test_the_secret_tile_is_asked_of_whom_it_lets_win_now_and_of_nobody_else(rules: str) -> None:
    known, told = RULE_SETS[rules], 0
    for seed in range(3):
        for state, _ in before_each(played(rules, seed)):
            if state.phase not in IN_PLAY:
                continue
            asked = {
                move
                for step in steps(known, state)
                if step.code == SECRET_WIN
                for move in step.moves
            }
            assert asked == by_secret(known, state)
            acts = [entry.event for _, entry in state.history.entries]
            if asked and not any(isinstance(act, ev.Indicator) for act in acts[-3:]):
                assert isinstance(state.history.last_move, Draw | Kong | Discard)
            told += len(asked)
            claimed = isinstance(state.history.last_move, ev.Chow | Pung)
            assert not (claimed and asked), "who has just claimed wins by no tile"
    assert told


@every_rule_set
def test_a_seat_that_knows_its_hand_is_told_all_that_it_may_do_and_nothing_else(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS // 3):
        for state, _ in before_each(played(rules, seed)):
            if state.phase not in IN_PLAY:
                continue
            legal = moves_of(known, state)
            for seat in range(4):
                own = {move for move in allowed(known, state, seat) if move.seat == seat}
                assert own == {move for move in legal if move.seat == seat}, (seed, seat)


@every_rule_set
@given(seed=seeds)
@some
def test_what_a_viewer_is_told_depends_on_no_hand_that_it_cannot_see(rules: str, seed: int) -> None:
    known, game = RULE_SETS[rules], played(rules, seed)
    for viewer in (None, seed % 4):
        others = [seat for seat in range(4) if seat != viewer]
        unseen = replay(hidden(game.entries, others, draws=True))
        for full, covered in zip(game.played, unseen.played, strict=True):
            if full.state.phase in IN_PLAY:
                told = steps(known, covered.state, viewer)
                assert steps(known, full.state, viewer) == told, (viewer, full.event.entry.event)


@every_rule_set
def test_no_step_contradicts_what_lies_on_the_table(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS):
        for state, _ in before_each(played(rules, seed)):
            told = {step.code: step for step in steps(known, state)}
            draws = told.keys() & {"draw", "draw_after", "draw_tail"}
            throws = told.keys() & {"discard", "discard_drawn"}
            if "first_turn" in told:
                assert state.untouched
                assert told["first_turn"].seat == state.turn == state.dealer
                continue
            if state.phase is Phase.TO_DISCARD:
                assert len(throws) == 1
                assert not draws
            elif state.phase is Phase.TO_DRAW:
                assert not throws
                assert bool(draws) != known.wall.used_up(state)
            for code in (*draws, *throws):
                assert told[code].seat == state.turn
            if "thrown" in told:
                last = state.last_discard
                assert last is not None
                assert told["thrown"].tiles == ((last.tile,),)
            if "discard" in told:
                rest = len(state.players[state.turn].hand) - 1
                assert told["discard"].values["count"] == rest
            for step in told.values():
                if step.code.startswith("lay_") and step.turned is not None:
                    meld = state.players[state.turn].melds[-1]
                    assert Counter(step.tiles[0]) == Counter(meld.tiles)
                    assert step.tiles[0][step.turned] == meld.claimed


@every_rule_set
def test_whoever_is_named_is_who_the_rules_allow_it_to(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS):
        for state, _ in before_each(played(rules, seed)):
            for step in steps(known, state):
                may = {move.seat for move in step.moves} - {None}
                if step.code == "look":  # a secret tile is nobody's, and who is ready sees it
                    may = {seat for seat in range(4) if state.players[seat].ready}
                if step.players:
                    assert set(step.players) == may, (seed, step)
                elif step.seat is not None:
                    assert may <= {step.seat}, (seed, step)
                if "count" in step.values:
                    assert step.seat is not None
                    sets = len(state.players[step.seat].melds)
                    assert step.values["count"] == known.wall.waiting(sets)
                if "more" in step.values:
                    needed = {"may_kong": 3, "may_pung": 2, "may_chow": 2}.get(step.code, 0)
                    assert step.values["more"] == needed
                if step.code == "thrown":
                    last = state.last_discard
                    assert last is not None
                    assert step.other == last.seat


@every_rule_set
def test_each_seat_is_told_what_to_do_or_to_wait(rules: str) -> None:
    known = RULE_SETS[rules]
    for state, _ in before_each(played(rules, 1)):
        for seat in range(4):
            assert steps(known, state, seat), state.phase


# --- before the first turn ---


@every_rule_set
@pytest.mark.parametrize("dealer", range(4))
def test_the_walls_and_the_dealt_tiles_are_those_of_the_rule_set(rules: str, dealer: Seat) -> None:
    known, state = RULE_SETS[rules], replace(begun(rules), dealer=dealer)
    stacks = stacks_of(known, state.options, dealer)
    assert 2 * sum(stacks) == sum(known.wall.under(state.options).values())
    assert max(stacks) - min(stacks) <= 1
    told = {step.code: step for step in before_first_turn(known, state)}
    rounds = told["take"].values["count"]
    singles = told["take_single"].values["singles"] if "take_single" in told else 0
    assert rounds + singles == known.wall.hand_size == told["sort"].values["count"]
    assert told["one_more"].values == {"count": rounds + singles + 1, "others": rounds + singles}
    assert told["one_more"].seat == told["first_turn"].seat == dealer
    assert ("lay_flowers" in told) == bool(known.wall.flowers(state.options))
    # The hand begins as the last step says.
    hand = replay([Entry(GameStart(rules)), Entry(HandStart(dealer=dealer))]).state
    first = next(step for step in steps(known, hand) if step.code == "first_turn")
    assert first.seat == dealer


@pytest.mark.parametrize(
    ("rules", "options", "told", "not_told"),
    [
        ("riichi", {}, {"turn_up", "kept_back", "sit"}, {"kept_secret", "exchange"}),
        ("hangzhou", {}, {"turn_up"}, {"kept_secret"}),
        ("hangzhou", {"permanent_fortune": True}, set(), {"turn_up"}),
        ("harbin-hlr", {}, {"kept_secret", "sit_plain"}, {"turn_up", "lay_flowers", "sit"}),
        ("harbin-treasure", {}, {"kept_secret"}, {"turn_up"}),
        ("hong-kong", {"flowers": True}, {"lay_flowers"}, {"turn_up"}),
        ("hong-kong", {}, set(), {"lay_flowers"}),
        ("taiwan", {}, {"lay_flowers", "kept_back_flowers"}, {"take_single"}),
        ("sichuan", {}, {"build_uneven"}, {"exchange", "void_suit", "build"}),
        ("sichuan", {"exchange": True, "void_suit": True}, {"exchange", "void_suit"}, set()),
    ],
)  # fmt: skip
def test_games_and_house_rules_differ_in_their_steps(
    rules: str, options: dict[str, object], told: set[str], not_told: set[str]
) -> None:
    codes = {step.code for step in before_first_turn(RULE_SETS[rules], begun(rules, options))}
    assert told <= codes
    assert not codes & not_told


def test_every_house_rule_with_a_step_is_one_of_some_game() -> None:
    names = {option.name for rules in RULE_SETS.values() for option in rules.options}
    assert OPTION_STEPS.keys() <= names


@pytest.mark.parametrize(
    ("dealer", "dice", "seat"),
    [(0, (1, 1), 1), (0, (3, 2), 0), (2, (6, 6), 1), (3, (2,), 0), (1, (1, 2, 4), 3)],
)
def test_the_dice_say_whose_wall_is_opened(dealer: Seat, dice: tuple[int, ...], seat: Seat) -> None:
    assert broken_at(dealer, dice) == seat


@pytest.mark.parametrize(
    ("standing", "taker"),
    [
        ((0, 0, 0, 0), None),
        ((0, 4, 0, 0), (2, 4)),
        ((4, 4, 4, 4), (1, 4)),
        ((4, 8, 8, 4), (3, 4)),
        ((12, 12, 12, 12), (1, 1)),
        ((12, 13, 13, 12), (3, 1)),
        ((13, 13, 13, 13), (1, 1)),
        ((13, 14, 13, 13), None),
        ((4, None, 4, 4), None),
    ],
)
def test_who_takes_tiles_next_is_counted(
    standing: tuple[int | None, ...], taker: tuple[Seat, int] | None
) -> None:
    assert takes_next(RULE_SETS["riichi"], 1, standing) == taker


@every_rule_set
def test_dealing_by_the_steps_gives_everybody_their_tiles(rules: str) -> None:
    known, dealer = RULE_SETS[rules], 2
    held = [0, 0, 0, 0]
    held[dealer] = 4  # the first who takes: nobody is named while nothing stands
    while (taker := takes_next(known, dealer, tuple(held))) is not None:
        assert not counted_wrong(
            known, replace(begun(rules), dealer=dealer), Counted(standing=tuple(held)), still=True
        )
        held[taker[0]] += taker[1]
    size = known.wall.hand_size
    assert held == [size, size, size + 1, size]


@every_rule_set
def test_the_counted_tiles_say_how_far_the_deal_is(rules: str) -> None:
    known, state = RULE_SETS[rules], begun(rules)
    whole, size = stacks_of(known, state.options, 0), known.wall.hand_size
    assert reached(known, state, Counted()) is None
    assert reached(known, state, Counted(stacks=(0, 0, 0, 0))) is None
    short = (whole[0] - 1, *whole[1:])
    assert sum(short) == total_stacks(known, state.options) - 1
    assert reached(known, state, Counted(stacks=short)) == "build"
    # As many backs as a whole wall has stacks are no wall: they are washed, or spread wrongly.
    washed = (whole[0] + 3, whole[1] - 3, whole[2] + 9, whole[3])
    assert sum(washed) > total_stacks(known, state.options)
    assert reached(known, state, Counted(stacks=washed)) == "build"
    spread = (whole[0] + 3, whole[1] - 3, *whole[2:])
    assert reached(known, state, Counted(stacks=spread)) == "build"
    assert reached(known, state, Counted(stacks=whole)) == "dice"
    assert reached(known, state, Counted(stacks=whole, dice=(3, 4))) == "take"
    assert reached(known, state, Counted(standing=(4, 0, 0, 0))) == "take"
    assert reached(known, state, Counted(standing=(size + 1, size, size, size))) == "sort"
