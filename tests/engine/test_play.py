"""The bookkeeping of hands, rivers and sets, hidden tiles included."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.declare import claim, own_kong, win
from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    Flower,
    HandStart,
    Kong,
    Position,
    Pung,
    Reveal,
    Win,
)
from engine.opening import deal, position, start_hand
from engine.play import (
    IllegalEvent,
    check_shown,
    discard,
    draw,
    hidden,
    lay_flower,
    ordered,
    reveal,
    without,
)
from engine.state import Phase, Player, SetKind, State
from engine.tiles import KINDS, UNKNOWN, Tile, parse

TILES = 112
WALL = dict.fromkeys(map(Tile, KINDS[:28]), 4)
SIZE = 13
CLOSED = Kong(0, "closed", UNKNOWN)
KNOWN = parse("123m 456p 789s 1225m")


def started(dealer: int | None = None) -> State:
    return start_hand(State(phase=Phase.BEFORE_HAND), HandStart(dealer), TILES, SIZE)


def dealt(tiles: tuple[Tile, ...] = KNOWN, seat: int = 0) -> State:
    return deal(started(), Deal(seat, tiles), SIZE)


def after(state: State, *events: Draw | Discard) -> State:
    for number, event in enumerate(events):
        state = draw(state, event) if isinstance(event, Draw) else discard(state, event, number)
    return state


def code_of(error: pytest.ExceptionInfo[IllegalEvent]) -> tuple[str, str]:
    return error.value.code, error.value.follows


def test_hands_that_nobody_saw_are_counts() -> None:
    state = started()
    assert [player.hand for player in state.players] == [hidden(13)] * 4
    assert (state.wall_left, state.turn, state.phase) == (60, 0, Phase.TO_DRAW)


def test_dealer_with_fourteen_tiles_need_not_draw() -> None:
    state = deal(started(dealer=2), Deal(2, hidden(14)), SIZE)
    assert (state.phase, state.turn, state.wall_left) == (Phase.TO_DISCARD, 2, 59)


@pytest.mark.parametrize(
    ("seat", "count", "follows"),
    [(1, 14, "deal_of_other_size"), (0, 12, "deal_of_other_size"), (0, 15, "deal_of_other_size")],
)
def test_deal_of_another_size_cannot_be(seat: int, count: int, follows: str) -> None:
    with pytest.raises(IllegalEvent) as error:
        deal(started(), Deal(seat, hidden(count)), SIZE)
    assert code_of(error) == ("contradicts", follows)


def test_a_hand_is_dealt_once() -> None:
    with pytest.raises(IllegalEvent) as error:
        deal(dealt(), Deal(0, KNOWN), SIZE)
    assert code_of(error) == ("contradicts", "already_dealt")


@pytest.mark.parametrize(
    ("hand", "leaving", "rest"),
    [
        ("? ? ?", "5m", "? ?"),
        ("5m ? ?", "5m", "? ?"),
        ("5m ? ?", "6m", "5m ?"),
        ("5m 6m", "?", "?"),
        ("5m ? ?", "?", "5m ?"),
        ("5m 6m", "55m", None),
    ],
)
def test_tiles_leave_a_hand(hand: str, leaving: str, rest: str | None) -> None:
    left = without(parse(hand), parse(leaving))
    if rest is None:
        assert left == Tile("5m")
    else:
        assert left == parse(rest)


def test_more_tiles_than_are_held_cannot_leave_a_hand() -> None:
    assert without(parse("5m ?"), parse("? ? ?")) == UNKNOWN
    state = after(started(), Draw(0, UNKNOWN))
    with pytest.raises(IllegalEvent) as error:
        own_kong(replace(state, players=(Player(hand=hidden(2)),) * 4), CLOSED, 3)
    assert error.value.code == "tile_not_held"


@pytest.mark.parametrize(
    ("drawn", "event", "hand"),
    [
        ("9m", Discard(0, Tile("9m")), "123m 456p 789s 1225m"),
        ("9m", Discard(0, Tile("1m")), "23m 456p 789s 1225m 9m"),
        ("1m", Discard(0, Tile("1m"), drawn=False), "123m 456p 789s 1225m"),
        ("?", Discard(0, Tile("9m")), "123m 456p 789s 1225m"),
        ("?", Discard(0, Tile("1m")), "23m 456p 789s 1225m ?"),
        ("?", Discard(0, Tile("1m"), drawn=True), "123m 456p 789s 1225m"),
        ("9m", Discard(0, UNKNOWN, drawn=True), "123m 456p 789s 1225m"),
    ],
)
def test_what_is_left_of_a_known_hand_after_a_discard(
    drawn: str, event: Discard, hand: str
) -> None:
    state = after(dealt(), Draw(0, Tile(drawn)), event)
    assert state.players[0].hand == ordered(parse(hand))
    assert state.players[0].drawn is None
    assert (state.phase, state.turn) == (Phase.TO_DRAW, 1)


def test_a_ready_hand_discards_what_it_drew() -> None:
    state = dealt()
    player = replace(state.players[0], ready=True)
    state = replace(state, players=(player, *state.players[1:]))
    state = after(state, Draw(0, UNKNOWN), Discard(0, Tile("1m")))
    assert state.players[0].hand == ordered(KNOWN)


@pytest.mark.parametrize(
    ("drawn", "event", "code"),
    [
        ("9m", Discard(0, Tile("9p")), "tile_not_held"),
        ("9m", Discard(0, Tile("1m"), drawn=True), "contradicts"),
        ("9m", Discard(0, Tile("9m"), drawn=False), "tile_not_held"),
        ("9m", Discard(1, Tile("9m")), "out_of_turn"),
        ("9m", Draw(0, Tile("9m")), "out_of_turn"),
    ],
)
def test_what_cannot_be_discarded(drawn: str, event: Discard | Draw, code: str) -> None:
    state = after(dealt(), Draw(0, Tile(drawn)))
    with pytest.raises(IllegalEvent) as error:
        after(state, event)
    assert error.value.code == code


def test_a_claim_takes_the_tile_from_the_river_and_two_from_the_hand() -> None:
    state = after(dealt(seat=1), Draw(0, UNKNOWN), Discard(0, Tile("1m")))
    state = claim(state, Pung(1, 0, Tile("1m"), (Tile("1m"), Tile("1m"))))
    assert state.players[0].river[0].claimed_by == 1
    assert state.players[1].hand == ordered(parse("23m 456p 789s 225m"))
    assert (state.phase, state.turn, state.wall_left) == (Phase.TO_DISCARD, 1, 59)
    meld = state.players[1].melds[0]
    assert (meld.kind, meld.from_seat, meld.tiles) == (SetKind.PUNG, 0, parse("111m"))


def test_a_claim_says_what_an_unread_discard_was() -> None:
    state = after(started(), Draw(0, UNKNOWN), Discard(0, UNKNOWN))
    state = claim(state, Pung(2, 0, Tile("7z"), (UNKNOWN, UNKNOWN)))
    assert state.players[0].river[0].tile == Tile("7z")
    assert state.players[2].melds[0].tiles == parse("777z")


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Chow(1, 0, Tile("1m"), (Tile("2m"), Tile("4m"))), "contradicts"),
        (Chow(1, 0, Tile("1m"), (Tile("2m"), Tile("2m"))), "contradicts"),
        (Chow(1, 0, Tile("1m"), (Tile("2p"), Tile("3p"))), "contradicts"),
        (Pung(1, 0, Tile("1m"), (Tile("1m"), Tile("2m"))), "contradicts"),
        (Kong(1, "open", Tile("1m"), 0), "tile_not_held"),
        (Pung(1, 0, Tile("2m"), (Tile("2m"), Tile("2m"))), "nothing_to_claim"),
        (Pung(1, 3, Tile("1m"), (Tile("1m"), Tile("1m"))), "nothing_to_claim"),
        (Pung(0, 0, Tile("1m"), (Tile("1m"), Tile("1m"))), "nothing_to_claim"),
    ],
)
def test_what_cannot_be_claimed(event: Chow | Pung | Kong, code: str) -> None:
    state = after(dealt(seat=1), Draw(0, UNKNOWN), Discard(0, Tile("1m")))
    with pytest.raises(IllegalEvent) as error:
        claim(state, event)
    assert error.value.code == code


def test_a_robbed_kong_is_a_pung_again() -> None:
    state = after(started(), Draw(0, UNKNOWN), Discard(0, Tile("5s")))
    state = claim(state, Pung(1, 0, Tile("5s"), (Tile("5s"), Tile("5s"))))
    state = after(state, Discard(1, Tile("1m")), Draw(2, UNKNOWN), Discard(2, Tile("1m")))
    state = after(state, Draw(3, UNKNOWN), Discard(3, Tile("1m")), Draw(0, UNKNOWN))
    state = after(state, Discard(0, Tile("9m")), Draw(1, UNKNOWN))
    state = own_kong(state, Kong(1, "added", Tile("5s")), 9)
    assert state.players[1].melds[0].kind is SetKind.ADDED_KONG
    assert state.last_discard is not None
    assert state.last_discard.added_kong
    state = win(state, Win(2, 1, Tile("5s")))
    assert state.players[1].melds[0].kind is SetKind.PUNG
    assert Tile("5s") in state.players[2].hand
    assert state.winners == (2,)


def test_a_closed_kong_draws_again() -> None:
    state = after(dealt(parse("1111m 456p 789s 122m")), Draw(0, Tile("9p")))
    state = own_kong(state, Kong(0, "closed", Tile("1m")), 1)
    assert (state.phase, state.turn) == (Phase.TO_DRAW, 0)
    assert state.players[0].hand == ordered(parse("456p 789s 122m 9p"))
    assert not state.players[0].melds[0].is_open


def test_a_shown_hand_must_hold_what_is_known() -> None:
    assert check_shown(0, parse("1m ? ?"), parse("1m 2m 3m"), ()) == parse("123m")
    assert check_shown(0, parse("1m ? ?"), parse("? 2m 3m"), ()) == parse("123m")
    with pytest.raises(IllegalEvent) as error:
        check_shown(0, parse("1m ? ?"), parse("2m 3m 4m"), ())
    assert code_of(error) == ("contradicts", "other_hand_known")


def test_a_hand_may_be_shown_without_the_drawn_tile() -> None:
    state = after(started(), Draw(0, UNKNOWN))
    shown = reveal(state, Reveal(0, KNOWN)).players[0]
    assert shown.hand == ordered((*KNOWN, UNKNOWN))
    assert shown.resting == ordered(KNOWN)
    assert shown.shown


def test_a_position_counts_the_wall_that_it_leaves_out() -> None:
    event = Position(
        sets=((Pung(0, 3, Tile("5s"), (Tile("5s"), Tile("5s"))),), (), (), ()),
        rivers=((Discard(0, Tile("1m")),), (Discard(1, Tile("2m")),), (), ()),
        turn=2,
    )
    state = position(started(), event, 2, WALL, SIZE, 0)
    assert state.wall_left == TILES - 4 * SIZE - 2
    assert [len(player.hand) for player in state.players] == [10, 13, 13, 13]
    assert state.last_discard is not None
    assert (state.last_discard.seat, state.last_discard.tile) == (1, Tile("2m"))


def test_a_position_with_a_wrong_number_of_tiles_cannot_be() -> None:
    hands = (hidden(12), hidden(13), hidden(13), hidden(13))
    with pytest.raises(IllegalEvent) as error:
        position(started(), Position(hands=hands), 2, WALL, SIZE, 0)
    assert code_of(error) == ("contradicts", "wrong_tile_count")


def test_a_dealt_hand_has_no_drawn_tile_to_leave_out() -> None:
    assert Player(hand=hidden(14)).resting is None


@pytest.mark.parametrize(
    ("state", "replaced", "hand"),
    [
        (dealt(seat=1), True, KNOWN),
        (dealt((*KNOWN, Tile("9s"))), True, (*KNOWN, Tile("9s"))),
        (after(dealt(), Draw(0, Tile("9s"))), True, (*KNOWN, UNKNOWN)),
        (after(dealt(), Draw(0, Tile("9s"))), False, KNOWN),
        (after(dealt(), Draw(0, UNKNOWN)), True, (*KNOWN, UNKNOWN)),
    ],
    ids=["dealt to another", "dealt to the dealer", "drawn", "last tile", "drawn unseen"],
)
def test_a_flower_that_nobody_names_leaves_a_known_hand_known(
    state: State, replaced: bool, hand: tuple[Tile, ...]
) -> None:
    seat = next(seat for seat, player in enumerate(state.players) if player.hand[0].known)
    laid = lay_flower(state, Flower(seat, UNKNOWN), drawn=replaced)
    assert laid.players[seat].hand == ordered(hand)
    assert laid.players[seat].flowers == (UNKNOWN,)
    assert laid.wall_left == state.wall_left - replaced
