"""Further wins of players who have won and play on: each tile lies apart, their hands lie open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.events import Seat, Win
from engine.state import State
from engine.tiles import Tile
from vision.decoder import prices
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.unseen import PACE_S, TakenTile, taken_before, turn_of
from vision.decoder.table_evidence import sure_of


def won_again(
    c: Context, hypothesis: Hypothesis, seat: Seat, fresh: Sequence[int]
) -> Iterator[Hypothesis]:
    """One more tile lies apart: its player has drawn it, or taken the last discard."""
    if len(fresh) != 1 or not c.table.is_face(fresh[0]):
        return
    (tile,) = fresh
    hand = _waiting(hypothesis.state, seat)
    drawn = turn_of(c, seat, hypothesis, PACE_S)
    ways = [] if drawn is None else [TakenTile(drawn, seat, drawn=True)]
    ways += taken_before(c, hypothesis, seat)
    for face, cost in c.table.candidate_faces(tile):
        for way in ways:
            before = way.read_as(face)
            if before is None:
                continue
            charges = (
                prices.of_own_draw(c.table, hypothesis)
                if way.drawn
                else prices.of_taken_tile(c.table, way.lies_there, in_row=True, apart=True)
            )
            paid = {**charges, **prices.of_faces(cost)}
            win = Win(seat, way.seat, face, hand)
            step = c.step(win, tiles=(tile,), sure=sure_of(cost), charges=paid)
            yield from some(before.then(step))


def won_on_it_too(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """The hypothesis as it is, and with the others who play on after a win and wait for that tile.

    It lies with one of them only, and nobody lets such a win pass.
    """
    last = hypothesis.last_event()
    win = None if last is None else last[1].event
    plays_on = hypothesis.rules.payment.wins_to_end is None
    if not plays_on or not isinstance(win, Win) or win.seat == win.from_seat:
        yield hypothesis
        return
    found, missed = hypothesis, 0
    for step in (1, 2, 3):
        seat = (win.from_seat + step) % 4
        hand = _waiting(found.state, seat)
        if seat in (win.seat, win.from_seat) or not found.state.players[seat].won or hand is None:
            continue
        waits = found.rules.waits(found.state, seat) or ()
        if any(wait.tile == win.tile.kind and wait.refused is None for wait in waits):
            too = found.then(c.step(Win(seat, win.from_seat, win.tile, hand)))
            if too is not None and not too.hand[-1].flawed:
                found, missed = too, missed + 1
    if found is not hypothesis:
        yield found
    yield hypothesis.charged({"not_won_too": float(missed)} if missed else {})


def _waiting(state: State, seat: Seat) -> tuple[Tile, ...] | None:
    """The open hand of a seat that has won, if its faces are known."""
    return state.players[seat].waiting
