"""Find out which tiles of an observed hand were dealt, and which were drawn when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.events import Chow, Deal, Discard, Draw, Event, Flower, Kong, Pung, Seat
from engine.tiles import UNKNOWN, Tile
from vision.seat_camera.standing_hand import StandingHand
from vision.seat_camera.witness import COMES_S
from vision.tiles.classes import FACE_INDEX, FACES, face_class, told_tile

Timed = tuple[Event, float | None]
"""An event, and its time if known."""

LEAST_SURE: Final = 0.4
"""A less likely face stays unknown."""
LEAST_NEW: Final = 0.4
"""A tile is the new one only if at least this share of it is missing from the earlier hand."""
SOONER_S: Final = 0.3
"""A hand that begins to stand this shortly before an action belongs to the next one."""


@dataclass
class SeatAction:
    """One action by which tiles left the seat's hand; the first stands for the deal."""

    at: int
    """Index among the events in force."""
    time_s: float
    size: int
    """Number of tiles in the hand afterwards."""
    gone: tuple[Tile, ...] = ()
    drew: bool = False
    """Whether a tile was drawn before it."""
    draw_at: int | None = None
    """Index of that draw, or of the flower for which the tile came, if the record has it."""
    flower: bool = False
    """Whether a flower was laid, in whose place a tile came."""
    rest: StandingHand | None = None
    """The hand that was seen after it."""
    full: StandingHand | None = None
    """That hand with the next tile drawn."""


@dataclass(frozen=True)
class TracedHand:
    """Where the tiles of a hand came from."""

    dealt: tuple[Tile, ...]
    draws: tuple[Tile, ...]
    """The tile drawn before each action; ``?`` where there was none or it is unknown."""
    pending: Tile = UNKNOWN
    """Drawn after the last action."""


def acts(
    events: Sequence[Timed],
    start: int,
    end: int,
    seat: Seat,
    hand_size: int,
    dealer: Seat | None = None,
) -> list[SeatAction] | None:
    """The seat's actions of the hand that starts at ``start``; None if the record has its deal.

    ``dealer``: who is known to have been dealt one tile more than ``hand_size``.
    """
    played = [(at, *events[at]) for at in range(start + 1, end)]
    if any(isinstance(event, Deal) and event.seat == seat for _, event, _ in played):
        return None
    first = next(
        (event for _, event, _ in played if isinstance(event, Draw | Discard | Kong)), None
    )
    # The dealer needs no draw for the first turn: one tile more was dealt.
    deals = isinstance(first, Discard | Kong) and first.seat == seat
    if first is None:
        deals = dealer == seat
    found = [SeatAction(start, events[start][1] or 0.0, hand_size + deals)]
    draws, draw_at, turn = not deals, None, seat if deals else None
    for at, event, moment in played:
        if isinstance(event, Draw) and event.seat == seat:
            draw_at, draws = at, True
        # The tile for a flower after the deal stands in the hand as if it had been dealt.
        in_turn = turn == seat or not isinstance(event, Flower)
        turn = _next_turn(event, turn)
        if not isinstance(event, Discard | Chow | Pung | Kong | Flower) or event.seat != seat:
            continue
        if not in_turn:
            continue
        gone, claims = _gone(event)
        drew = draws and not claims
        time_s = found[-1].time_s if moment is None else moment
        size = found[-1].size + drew - len(gone)
        flower = isinstance(event, Flower)
        found.append(SeatAction(at, time_s, size, gone, drew, draw_at, flower))
        # After a chow or a pung the claimant discards without a draw.
        draws, draw_at = not isinstance(event, Chow | Pung), at if flower else None
    return found


def _next_turn(event: Event, turn: Seat | None) -> Seat | None:
    """Whose turn it is after an event; None where nobody knows."""
    match event:
        case Discard(seat=seat):
            return (seat + 1) % 4
        case Draw(seat=seat) | Chow(seat=seat) | Pung(seat=seat) | Kong(seat=seat):
            return seat
    return turn


def with_drawn(event: Event | None, seat: Seat, tile: Tile) -> Draw | Flower:
    """The event by which this tile came: the flower for which it was drawn, or a draw."""
    return replace(event, drawn=tile) if isinstance(event, Flower) else Draw(seat, tile)


def _gone(event: Discard | Chow | Pung | Kong | Flower) -> tuple[tuple[Tile, ...], bool]:
    """The tiles that left the hand, and whether another tile was claimed with them."""
    match event:
        case Flower():
            return (UNKNOWN,), False
        case Discard(tile=tile):
            return (tile,), False
        case Chow(own=own) | Pung(own=own):
            return own, True
        case Kong(kind="open", tile=tile, own=own):
            return own or (tile.kind,) * 3, True
        case Kong(kind="added", tile=tile, own=own):
            return own or (tile,), False
        case Kong(tile=tile, own=own):
            return own or (tile.kind,) * 4, False


def see(done: Sequence[SeatAction], stood: Sequence[StandingHand], end_s: float | None) -> None:
    """Attach to every action the hands that were seen between it and the next one."""
    ends = [act.time_s for act in done[1:]] + [float("inf") if end_s is None else end_s]
    for act, until_s in zip(done, ends, strict=True):
        for hand in stood:
            if act.time_s - COMES_S <= hand.from_s < until_s - SOONER_S:
                if len(hand) == act.size:
                    act.rest, act.full = hand, None
                elif len(hand) == act.size + 1 and act.size % 3 == 1:
                    act.full = hand


def traced(done: Sequence[SeatAction], left: Counter[Tile]) -> TracedHand | None:
    """Trace where the tiles came from; None if the hand was not seen.

    Works backwards from the hand seen last: what it holds and what left it was dealt or drawn. If
    the hand was not seen before a turn, the discarded tile is taken for the drawn one.
    """
    seen = [place for place, act in enumerate(done) if act.rest is not None or act.full is not None]
    if not seen:
        return None
    last = done[seen[-1]]
    newest = last.full or last.rest
    assert newest is not None, "it was seen"
    hand = surest_first(list(newest.probabilities), left)
    draws = [UNKNOWN] * len(done)
    pending = UNKNOWN
    if last.full is not None:
        drawn = _newcomer(hand, _rest_after(done, seen[-1]), hand[-1])
        hand.remove(drawn)
        if seen[-1] + 1 < len(done):
            draws[seen[-1] + 1] = drawn
        else:
            pending = drawn
    for place in range(seen[-1], 0, -1):
        act = done[place]
        hand += act.gone
        if act.drew:
            draws[place] = _newcomer(hand, _rest_after(done, place - 1), act.gone[0])
            hand.remove(draws[place])
    if len(hand) != done[0].size:
        return None
    return TracedHand(tuple(hand), tuple(draws), pending)


def _rest_after(done: Sequence[SeatAction], place: int) -> StandingHand | None:
    """The hand that was seen after an action; a flower that was just drawn leaves it as it was."""
    while done[place].flower and done[place].rest is None:
        place -= 1
    return done[place].rest


def _newcomer(hand: Sequence[Tile], before: StandingHand | None, usual: Tile) -> Tile:
    """The tile of a hand that was not there before; ``usual`` where nothing tells."""
    if before is None:
        return usual
    missing = np.zeros(len(FACES))
    for tile in hand:
        if tile.known:
            missing[_face(tile)] += 1
    missing -= before.counts
    best = max((float(missing[_face(tile)]) for tile in hand if tile.known), default=0.0)
    if usual.known and missing[_face(usual)] > best - 0.2:
        return usual
    new = [tile for tile in hand if tile.known and missing[_face(tile)] == best]
    return new[0] if new and best > LEAST_NEW else usual


def surest_first(shares: Sequence[NDArray[np.floating]], left: Counter[Tile]) -> list[Tile]:
    """Name tiles by their face shares (38,), the surest first.

    ``left``: how many copies of each face there may be among them.
    """
    names = [UNKNOWN] * len(shares)
    left = left.copy()
    for place in sorted(range(len(shares)), key=lambda at: -float(shares[at].max())):
        for face in np.argsort(-shares[place]):
            tile, share = told_tile(int(face)), float(shares[place][face])
            if share < LEAST_SURE or not tile.known:
                break
            if left[tile] > 0:
                names[place] = tile
                left[tile] -= 1
                break
    return names


def _face(tile: Tile) -> int:
    return FACE_INDEX[face_class(tile) or str(tile)]
