"""World Series rules: what needs more than a row of the table of cases."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.announce import HandResult, Payout, Problem, Ready
from engine.events import (
    Correct,
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    Foul,
    GameStart,
    HandEnd,
    HandStart,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.game import Game, replay
from engine.rules.wsom.play import WSOM
from engine.rules.wsom.table_state import Penalty, kept
from engine.state import Phase
from engine.texts.announcements import with_text
from engine.tiles import UNKNOWN, Tile, parse
from tests.support.properties import some
from tests.support.random_games import chosen, hidden

BIG = parse("223344m 556677p 9s")
"""Waits for the nine of bamboos and is worth 70."""
HIDDEN = (UNKNOWN,) * 13
NOTHING: tuple[tuple[Discard, ...], ...] = ((), (), (), ())


def game(*events: Event) -> Game:
    return replay([Entry(GameStart("wsom")), Entry(HandStart()), *map(Entry, events)])


def paid(played: Game) -> tuple[tuple[int, ...], list[str]]:
    """What the last payout moved, and the names of its items."""
    payout = [said for said in played.announcements() if isinstance(said, Payout)][-1]
    return payout.deltas, [item.name for item in payout.items]


def codes(played: Game) -> list[str]:
    return [said.code for said in played.announcements() if isinstance(said, Problem)]


def rivers(*texts: str) -> tuple[tuple[Discard, ...], ...]:
    return tuple(
        tuple(Discard(seat, tile) for tile in parse(text)) for seat, text in enumerate(texts)
    )


# --- same-turn immunity where the record begins in mid-hand ---------------------------------------


@pytest.mark.parametrize(
    ("thrown", "deltas", "names"),
    [
        (rivers("1m 2z", "1m 9s", "1m", "1m"), (210, -160, -25, -25), ["discard_immune"]),
        (rivers("1m 2z", "9s 1m", "1m", "1m"), (210, -25, -160, -25), ["discard_responsible"]),
        (rivers("1m 9s", "1m 1p", "1m", "1m"), (210, -70, -70, -70), ["discard_nobody"]),
        (rivers("9s 2z", "1m 1p", "1m", "1m"), (210, -25, -160, -25), ["discard_responsible"]),
        (
            rivers("1m 2z", "1m ?", "1m", "1m"),
            (210, -25, -160, -25),
            ["discard_responsible", "immunity_unknown"],
        ),
    ],
)
def test_rivers_without_claims_tell_the_discards_of_the_turn(
    thrown: tuple[tuple[Discard, ...], ...], deltas: tuple[int, ...], names: list[str]
) -> None:
    """Seat 2 is about to play: only seat 1 has discarded since seat 0 did."""
    table = Position((BIG, HIDDEN, HIDDEN, HIDDEN), ((), (), (), ()), thrown, None, 2)
    tile = Tile("9s")
    played = game(table, Discard(2, tile), Win(0, 2, tile))
    assert paid(played)[0] == deltas
    assert [name for name in paid(played)[1] if name.startswith(("disc", "imm"))] == names


def test_the_last_tile_of_a_river_may_be_won_on() -> None:
    thrown = rivers("1m 2z", "1m 9s", "1m", "1m")
    table = Position((BIG, HIDDEN, HIDDEN, HIDDEN), ((), (), (), ()), thrown, None, 2)
    played = game(table, Win(0, 1, Tile("9s")))
    assert paid(played)[0] == (210, -160, -25, -25)
    assert "discard_responsible" in paid(played)[1]


@pytest.mark.parametrize(
    ("thrown", "known"),
    [
        (rivers("1m", "2m", "3m", "4m"), True),
        (rivers("1m", "9s", "3m", "4m"), False),
        (rivers("1m", "?", "3m", "4m"), False),
        (rivers("9s", "9s", "3m", "4m"), True),
        (None, False),
    ],
)
def test_with_claims_the_order_of_the_rivers_is_not_known(
    thrown: tuple[tuple[Discard, ...], ...] | None, known: bool
) -> None:
    pung = Pung(3, 2, Tile("8p"), (Tile("8p"), Tile("8p")))
    table = Position((BIG, HIDDEN, HIDDEN, HIDDEN[:10]), ((), (), (), (pung,)), thrown, 40, 2)
    played = game(table, Discard(2, Tile("9s")), Win(0, 2, Tile("9s")))
    assert ("immunity_unknown" in paid(played)[1]) is not known


def test_how_many_tiles_were_left_may_not_be_known() -> None:
    table = Position((BIG, HIDDEN, HIDDEN, HIDDEN), None, None, None, 0)
    played = game(table, Win(0, 0, Tile("9s")))
    assert "wall_unknown" in paid(played)[1]
    assert paid(played)[0] == (210, -70, -70, -70)


def test_a_tile_drawn_before_the_record_began_may_have_followed_a_kong() -> None:
    kong = Kong(0, "closed", Tile("1z"), own=parse("1111z"))
    hand = parse("123m 456p 789s 99p")
    table = Position((hand, HIDDEN, HIDDEN, HIDDEN), ((kong,), (), (), ()), NOTHING, 40, 0)
    assert "kong_unknown" in paid(game(table, Win(0, 0, Tile("9s"))))[1]
    later = replace(table, hands=(hand[:-3] + hand[-2:], HIDDEN, HIDDEN, HIDDEN))
    assert "kong_unknown" not in paid(game(later, Win(0, 0, Tile("9s"))))[1]


# --- rounds ---------------------------------------------------------------------------------------


def test_sixteen_hands_are_four_rounds() -> None:
    table = Position(wall_left=14, turn=1)
    entries = [Entry(GameStart("wsom"))]
    for _ in range(17):
        hand: list[Event] = [HandStart(), table, DrawnHand("exhausted"), HandEnd()]
        entries += map(Entry, hand)
    played = replay(entries)
    results = [said for said in played.announcements() if isinstance(said, HandResult)]
    assert [one.round for one in results[:16]] == [
        Tile(wind) for wind in ("1z",) * 3 + ("2z",) * 4 + ("3z",) * 4 + ("4z",) * 4 + ("1z",)
    ]
    assert [one.dealer for one in results[:5]] == [1, 2, 3, 0, 1]
    assert codes(played) == ["rounds_over"]


# --- penalty tiles --------------------------------------------------------------------------------


def test_penalty_tiles_live_and_die() -> None:
    start = Position((HIDDEN,) * 4, ((), (), (), ()), NOTHING, 60, 0)
    played = game(start, Foul(0, "exposed_tile", parse("5m 6m")), Discard(0, Tile("5m")))
    assert kept(played.state).penalties[0] == Penalty((), (Tile("6m"),))
    played.submit(Entry(Foul(0, "exposed_tile", parse("1z"))))
    assert kept(played.state).penalties[0] == Penalty((Tile("1z"),), (Tile("6m"),))
    assert Counter(played.state.players[0].hand)[Tile("6m")] == 1
    assert kept(played.state).penalties[1] == Penalty()


def test_a_new_hand_begins_without_penalty_tiles() -> None:
    start = Position((HIDDEN,) * 4, ((), (), (), ()), NOTHING, 14, 0)
    played = game(start, Foul(0, "exposed_tile", parse("5m")))
    played.submit(Entry(DrawnHand("exhausted")))
    played.submit(Entry(HandEnd()))
    played.submit(Entry(HandStart()))
    assert kept(played.state).penalties == (Penalty(),) * 4


def test_a_corrected_foul_leaves_no_penalty_tile() -> None:
    start = Position((HIDDEN,) * 4, ((), (), (), ()), NOTHING, 60, 0)
    foul = Foul(0, "exposed_tile", parse("5m"))
    played = game(start, foul, Discard(0, Tile("1z")))
    played.submit(Entry(Correct(3, ())))
    assert kept(played.state).penalties == (Penalty(),) * 4


def test_no_more_tiles_can_be_exposed_than_the_hand_holds() -> None:
    start = Position((parse("5m 12z") + HIDDEN[:10], *(HIDDEN,) * 3), None, NOTHING, 60, 1)
    played = game(start, Foul(0, "exposed_tile", parse("5555m 1111p 222s")))
    assert codes(played) == ["exposed_tile"]
    played.submit(Entry(Foul(0, "exposed_tile", parse("11s"))))
    assert codes(played) == ["exposed_tile", "tile_not_held"]


def exposing(seed: int) -> Game:
    """Regular play in which hand tiles are exposed now and then."""
    random = Random(seed)
    played = Game()
    wall = [tile for tile, copies in WSOM.wall.items() for _ in range(copies)]
    random.shuffle(wall)
    played.submit(Entry(GameStart("wsom")))
    played.submit(Entry(HandStart()))
    for seat in range(4):
        count = 13 + (seat == 0)
        played.submit(Entry(Deal(seat, tuple(wall[:count]))))
        del wall[:count]
    while played.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
        if random.random() < 0.06:
            foul = _exposure(played, random)
            if foul is not None:
                played.submit(Entry(foul))
                continue
        if not played.legal():
            break  # only dead tiles are left after a claim
        event = chosen(played, random, 1.0)
        if isinstance(event, Draw):
            event = replace(event, tile=wall.pop(0))
        played.submit(Entry(event))
    return played


def _exposure(played: Game, random: Random) -> Foul | None:
    seat = random.randrange(4)
    lying = Counter(kept(played.state).penalties[seat].tiles)
    held = list((Counter(played.state.players[seat].hand) - lying).elements())
    count = min(random.choice((1, 1, 2)), len(held))
    return Foul(seat, "exposed_tile", tuple(random.sample(held, count))) if held else None


@given(seed=st.integers(0, 10_000))
@some
def test_regular_play_with_penalty_tiles_breaks_no_further_rule(seed: int) -> None:
    played = exposing(seed)
    assert set(codes(played)) <= {"exposed_tile"}
    for seat, player in enumerate(played.state.players):
        lying = Counter(kept(played.state).penalties[seat].tiles)
        assert not lying - Counter(player.hand)
    assert replay(played.entries).state == played.state


@given(seed=st.integers(0, 10_000))
@some
def test_penalty_tiles_of_hidden_hands_are_known(seed: int) -> None:
    entries = hidden(exposing(seed).entries, (0, 1, 2, 3), draws=False)
    seen = [entry for entry in entries if not isinstance(entry.event, Win)]
    live = Game()
    for entry in seen:
        live.submit(entry)
        for said in live.announcements()[-3:]:
            assert with_text(said)["text"]
        for seat, player in enumerate(live.state.players):
            assert not Counter(kept(live.state).penalties[seat].tiles) - Counter(player.hand)


def test_a_penalty_tile_takes_the_claim_out_of_what_may_come() -> None:
    hand = parse("55s 13579p 1357m 12z")
    start = Position((hand, *(HIDDEN,) * 3), ((), (), (), ()), NOTHING, 60, 1)
    free = game(start, Discard(1, Tile("5s")))
    assert [event for event in free.legal() if isinstance(event, Pung) and event.seat == 0]
    foul = Foul(0, "exposed_tile", parse("5s"))
    lying = game(start, foul, Discard(1, Tile("5s")))
    assert not [event for event in lying.legal() if isinstance(event, Pung) and event.seat == 0]


def test_waits_that_penalty_tiles_leave_to_an_own_draw_are_told() -> None:
    hand = parse("123m 456p 78s 99p 222z 1z")
    start = Position((hand, *(HIDDEN,) * 3), ((), (), (), ()), NOTHING, 60, 0)
    played = game(start, Foul(0, "exposed_tile", parse("7s")), Discard(0, Tile("1z")))
    ready = [said for said in played.announcements() if isinstance(said, Ready)][-1]
    assert {wait.by_draw_only for wait in ready.waits} == {"penalty_tile_in_claim"}
    assert "own draw" in str(with_text(ready)["text"])
