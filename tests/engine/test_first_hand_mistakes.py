"""What goes wrong in a first hand: each planted mistake is told once, by its rule."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine import events as ev
from engine.announce import Problem
from engine.events import Discard, Draw, Entry, Event, GameStart, HandStart, Kong, Pung, Seat
from engine.first_deal import (
    Counted,
    LaidSet,
    cleared,
    counted_wrong,
    stacks_of,
)
from engine.first_hand import (
    laid_wrong,
    miscounted,
    mistakes,
    steps,
    turned_place,
)
from engine.game import replay
from engine.rules import RULE_SETS
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from tests.support.first_hand import HANDS, before_each, begun
from tests.support.golden import WITH_GAME
from tests.support.properties import every_rule_set
from tests.support.random_games import hidden, played

# --- planted mistakes: each is told once, by its rule ---


def hand_of(rules: str, seed: int, wanted: type[Event]) -> tuple[list[Entry], int]:
    """A hand in which such an event happens, with its place in the record."""
    for each in range(seed, seed + 60):
        entries = list(played(rules, each).entries)
        for at, entry in enumerate(entries):
            if isinstance(entry.event, wanted) and at > 12:
                return entries[: at + 1], at
    raise AssertionError(f"no {wanted.__name__} in {rules}")


def told_of(entries: list[Entry]) -> list[Problem]:
    """All mistakes of a record, by the event that shows them."""
    return [
        problem for event in replay(entries).played for problem in mistakes(event.announcements)
    ]


def planted(rules: str, kind: str) -> tuple[list[Entry], str]:
    """A record with one mistake at its end, and the code by which the rules know it."""
    entries, at = hand_of(rules, 0, Discard)
    state = replay(entries).state
    last = entries[at].event
    assert isinstance(last, Discard)
    unknown = hidden(entries, range(4), draws=True)  # nobody sees the hands at a real table
    after, across = state.turn, (last.seat + 2) % 4
    other = Tile("1p") if last.tile.kind != "1p" else Tile("2p")
    own, thrown = (UNKNOWN, UNKNOWN), last.tile
    events: dict[str, tuple[Event, str]] = {
        "discard out of turn": (Discard(across, Tile("5p")), "out_of_turn"),
        "two discards": (Discard(last.seat, Tile("5p")), "out_of_turn"),
        "draw out of turn": (Draw(across, UNKNOWN), "out_of_turn"),
        "claim of another tile": (Pung(across, last.seat, other, own), "nothing_to_claim"),
        "claim of the own discard": (Pung(last.seat, last.seat, thrown, own), "nothing_to_claim"),
        "wrong number of tiles": (ev.Foul(after, "wrong_tile_count"), "wrong_tile_count"),
        "a hand that does not win": (ev.Foul(after, "false_win"), "false_win"),
    }  # fmt: skip
    event, code = events[kind]
    return [*unknown, Entry(event)], code


MISTAKES = (
    "discard out of turn",
    "two discards",
    "draw out of turn",
    "claim of another tile",
    "claim of the own discard",
    "wrong number of tiles",
    "a hand that does not win",
)


@pytest.mark.parametrize("kind", MISTAKES)
@every_rule_set
def test_a_planted_mistake_is_told_once(rules: str, kind: str) -> None:
    entries, code = planted(rules, kind)
    before = Counter(problem.code for problem in told_of(entries[:-1]))
    now = told_of(entries)
    assert [problem.code for problem in now if not before[problem.code]] == [code]
    mistake = next(problem for problem in now if problem.code == code)
    assert mistake.source
    # It is told with its own event, and no more with the next one.
    assert mistakes(replay(entries).played[-1].announcements) == (mistake,)


@pytest.mark.parametrize("rules", [game for game in WITH_GAME if RULE_SETS[game].claims.chows])
def test_a_chow_from_another_seat_than_the_left_one_is_told(rules: str) -> None:
    known = RULE_SETS[rules]
    lines = [Entry(GameStart(rules)), Entry(HandStart())]
    if known.layout.indicator_at == "wall":
        kind = known.layout.indicator_kinds[0]
        lines.append(Entry(ev.Indicator(Tile("9s"), kind)))
    lines += [Entry(Draw(0, UNKNOWN)), Entry(Discard(0, Tile("4p")))]
    chow = ev.Chow(2, 0, Tile("4p"), (Tile("5p"), Tile("6p")))
    assert [one.code for one in told_of([*lines, Entry(chow)])] == ["not_left_neighbour"]
    right = replace(chow, seat=1)
    assert told_of([*lines, Entry(right)]) == []


@every_rule_set
def test_a_wall_that_is_too_short_is_told_to_who_built_it(rules: str) -> None:
    known, state = RULE_SETS[rules], begun(rules)
    whole = stacks_of(known, state.options, 0)
    assert counted_wrong(known, state, Counted(stacks=whole), still=True) == ()
    short = (*whole[:2], whole[2] - 1, whole[3])
    assert counted_wrong(known, state, Counted(stacks=short), still=False) == ()
    (told,) = counted_wrong(known, state, Counted(stacks=short), still=True)
    assert (told.code, told.seat) == ("wall_short", 2)
    assert told.values == {"count": whole[2] - 1, "wanted": whole[2]}
    long = (*whole[:3], whole[3] + 2)
    assert [
        each.code for each in counted_wrong(known, state, Counted(stacks=long), still=True)
    ] == ["wall_long"]
    spread = (whole[0] + 1, whole[1] - 1, *whole[2:])
    if sorted(spread) != sorted(whole):
        told_now = counted_wrong(known, state, Counted(stacks=spread), still=False)
        assert [(each.code, each.seat) for each in told_now] == [
            ("wall_long", 0),
            ("wall_short", 1),
        ]
    for still in (False, True):
        building = Counted(stacks=(5, 9, 12, 3))
        assert counted_wrong(known, state, building, still=still) == ()
    # A wall of which a part is hidden, or still being built, is no mistake.
    assert counted_wrong(known, state, Counted(stacks=(*short[:3], None)), still=True) == ()
    assert counted_wrong(known, state, Counted(stacks=(*short[:3], 0)), still=True) == ()


def test_whoever_builds_one_stack_more_all_tiles_are_there() -> None:
    sichuan, state = RULE_SETS["sichuan"], begun("sichuan")
    assert counted_wrong(sichuan, state, Counted(stacks=(13, 14, 13, 14)), still=True) == ()


@every_rule_set
def test_tiles_too_many_or_too_few_after_the_deal_are_told(rules: str) -> None:
    known, state = RULE_SETS[rules], begun(rules)
    size = known.wall.hand_size
    right = (size + 1, size, size, size)
    assert counted_wrong(known, state, Counted(standing=right), still=True) == ()
    for seat, count, code in (
        (1, size + 1, "too_many"),
        (0, size + 2, "too_many"),
        (3, size - 1, "too_few"),
    ):
        standing = tuple(count if each == seat else right[each] for each in range(4))
        (told,) = counted_wrong(known, state, Counted(standing=standing), still=False)
        assert (told.code, told.seat, told.values["count"]) == (code, seat, count)


def test_the_dealer_may_take_the_last_two_tiles_at_once() -> None:
    known, state = RULE_SETS["riichi"], begun("riichi")
    for standing in ((14, 12, 12, 12), (14, 13, 12, 12)):
        assert counted_wrong(known, state, Counted(standing=standing), still=False) == ()
        told = counted_wrong(known, state, Counted(standing=standing), still=True)
        assert {each.code for each in told} == {"too_few"}
    (told_now,) = counted_wrong(known, state, Counted(standing=(14, 13, 13, 12)), still=False)
    assert (told_now.code, told_now.seat) == ("too_few", 3)
    # A game in which everybody's last tiles come four at a time has no such jump.
    taiwan = begun("taiwan")
    assert (
        len(
            counted_wrong(
                RULE_SETS["taiwan"], taiwan, Counted(standing=(17, 15, 16, 16)), still=False
            )
        )
        == 1
    )


@pytest.mark.parametrize(
    ("counted", "is_cleared"),
    [
        (Counted(), False),
        (Counted(standing=(13, 14, 13, 13)), False),
        (Counted(standing=(13, None, None, None)), False),
        (Counted(standing=(0, 0, None, None)), False),
        (Counted(standing=(0, 0, 0, 0)), True),
        (Counted(standing=(0, None, 0, 0)), True),
        (Counted(stacks=(9, 4, 20, 7)), True),
        (Counted(stacks=(9, 4, 20, 7), standing=(13, 0, 0, 0)), False),
    ],
)
def test_hands_of_before_stand_until_the_table_is_bare_or_washed(
    counted: Counted, is_cleared: bool
) -> None:
    assert cleared(counted) == is_cleared


@every_rule_set
def test_a_draw_that_was_skipped_and_a_tile_too_many_show_in_the_standing_hands(rules: str) -> None:
    known = RULE_SETS[rules]
    entries, at = hand_of(rules, 0, Discard)
    state = replay(entries).state
    held = [len(player.hand) for player in state.players]
    assert miscounted(known, state, Counted(standing=tuple(held))) == ()
    last = entries[at].event
    assert isinstance(last, Discard)
    skipped = tuple(count - (seat == last.seat) for seat, count in enumerate(held))
    shown = state.players[last.seat]
    told = miscounted(known, state, Counted(standing=skipped))
    quiet = shown.ready or shown.shown
    assert [(one.code, one.seat) for one in told] == ([] if quiet else [("too_few", last.seat)])
    across = (state.turn + 1) % 4
    fourteen = tuple(count + (seat == across) for seat, count in enumerate(held))
    player = state.players[across]
    told = miscounted(known, state, Counted(standing=fourteen))
    quiet = player.ready or player.shown
    assert [(one.code, one.seat) for one in told] == ([] if quiet else [("too_many", across)])
    # A hand of which nothing stands was not seen.
    assert miscounted(known, state, Counted(standing=(0, 0, 0, 0))) == ()
    # Whoever's turn it is may have drawn already.
    drawn = tuple(count + (seat == state.turn) for seat, count in enumerate(held))
    assert miscounted(known, state, Counted(standing=drawn)) == ()


@every_rule_set
def test_a_set_with_the_wrong_tile_sideways_is_told(rules: str) -> None:
    known = RULE_SETS[rules]
    entries, _ = hand_of(rules, 0, Pung)
    claim = entries[-1].event
    assert isinstance(claim, Pung)
    state, seat = replay(entries).state, claim.seat
    index = len(state.players[seat].melds) - 1
    right = turned_place(known.layout, seat, claim.from_seat, 3)
    assert laid_wrong(known, state, [LaidSet(seat, index, right)]) == ()
    assert laid_wrong(known, state, [LaidSet(seat, index, None)]) == ()
    assert laid_wrong(known, state, [LaidSet(seat, index + 1, 0)]) == ()
    if right is None:
        return
    wrong = (right + 1) % 3
    found = laid_wrong(known, state, [LaidSet(seat, index, wrong)])
    # Where the rules do not speak of it, nobody lays a set wrongly.
    assert [one.code for one in found] == ["laid_wrong"] * bool(known.layout.turned_by_rule)
    for told in found:
        assert told.seat == seat
        assert told.values == {
            "set": index, "place": wrong, "wanted": right, "from": claim.from_seat
        }  # fmt: skip


def test_the_rules_of_riichi_and_hangzhou_say_how_a_claimed_set_lies() -> None:
    by_rule = {rules for rules in RULE_SETS if RULE_SETS[rules].layout.turned_by_rule}
    assert by_rule == {one for one in RULE_SETS if one.startswith(("riichi", "hangzhou"))}


@pytest.mark.parametrize(
    ("rules", "from_seat", "count", "place"),
    [("riichi", 0, 3, 0), ("riichi", 3, 3, 1), ("riichi", 2, 3, 2), ("riichi", 2, 4, 3),
     ("hangzhou", 3, 3, None), ("hangzhou", 0, 3, 0), ("taiwan", 3, 4, 1)],
)  # fmt: skip
def test_the_sideways_tile_says_who_threw_it(
    rules: str, from_seat: Seat, count: int, place: int | None
) -> None:
    assert turned_place(RULE_SETS[rules].layout, 1, from_seat, count) == place


def test_after_a_kong_the_tile_comes_from_the_other_end() -> None:
    for rules in WITH_GAME:
        for state, event in before_each(played(rules, 2)):
            last = state.history.last_move
            if isinstance(event, Draw) and isinstance(last, Kong) and state.last_discard is None:
                codes = {step.code for step in steps(RULE_SETS[rules], state)}
                assert "draw_tail" in codes


def test_a_drawn_hand_ends_for_each_reason_by_its_own_step() -> None:
    known = RULE_SETS["riichi"]
    winds = [Entry(GameStart("riichi")), Entry(HandStart())]
    winds.append(Entry(ev.Indicator(Tile("9s"), "dora")))
    for seat in range(4):
        winds += [Entry(Draw(seat, UNKNOWN)), Entry(Discard(seat, Tile("1z")))]
    codes = {step.code for step in steps(known, replay(winds).state)}
    assert "ends_four_winds" in codes
    assert not codes & {"wall_empty", "wall_empty_after"}
    for rules in WITH_GAME:
        for state, event in before_each(played(rules, 5)):
            if not isinstance(event, ev.DrawnHand):
                continue
            told = [step.code for step in steps(RULE_SETS[rules], state)]
            may_claim = {"may_win", "may_kong", "may_pung", "may_chow"} & set(told)
            assert told[-1] == ("wall_empty_after" if may_claim else "wall_empty")


@every_rule_set
def test_after_a_drawn_hand_nobody_is_told_to_lay_tiles_that_won(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(6):
        for state, _ in before_each(played(rules, seed)):
            if state.phase is Phase.SETTLED:
                (step,) = steps(known, state)
                assert step.code == ("settle" if state.winners else "settle_drawn")


def test_no_tile_is_to_be_turned_up_where_those_that_lie_there_are_unknown() -> None:
    for indicators, is_told in ((None, False), ((), True)):
        lines = [
            Entry(GameStart("riichi")),
            Entry(HandStart()),
            Entry(ev.Position(wall_left=60, turn=0, indicators=indicators)),
        ]
        codes = {step.code for step in steps(RULE_SETS["riichi"], replay(lines).state)}
        assert ("turn_up_now" in codes) == is_told
        assert "wall_empty" not in codes


@every_rule_set
def test_kongs_of_a_hand_and_tiles_added_to_a_pung_are_told_apart(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS):
        for state, _ in before_each(played(rules, seed)):
            for step in steps(known, state):
                if step.code == "own_kong_added":
                    melds = state.players[state.turn].melds
                    assert any(
                        not meld.is_kong and len({tile.kind for tile in meld.tiles}) == 1
                        for meld in melds
                    )
