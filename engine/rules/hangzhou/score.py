"""What a complete Hangzhou hand pays: the doubles of its best reading (002, Scoring)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Final

from engine import hands
from engine.announce import Item, note
from engine.events import Seat, Win
from engine.hands import HandForm
from engine.rules.hangzhou.fortune import Fortune, fortune_of
from engine.rules.hangzhou.series import Series, acts_of, series_of
from engine.rules.patterns import Worth, multiplied
from engine.rules.results import after_unseen_kong
from engine.state import State
from engine.tiles import COPIES, Tile

SETS: Final = frozenset({HandForm.SETS})
PAIRS: Final = frozenset({HandForm.PAIRS})


PLAIN: Final = multiplied(())
"""The worth of a hand without any doubles."""
Doubles = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class HangzhouReading:
    """One way to read a complete hand."""

    worth: Worth = PLAIN
    """Its doubles."""
    wild_eye: bool = False
    before: int = 1
    """What the hand was worth at the first claim, with liability for the second half of a float."""
    halves: tuple[tuple[Seat, int], ...] = ()
    """Feeders of the claims that kept a float going, and what the hand was worth after each."""

    @property
    def times(self) -> int:
        return self.worth.value

    @property
    def items(self) -> list[Item]:
        """What a payout lists of it."""
        return [*self.worth.items("times"), *([note("second_half")] if self.halves else [])]


def _of_hand(
    resting: Sequence[Tile], tile: Tile, fortune: Fortune, *, drawn: bool, natural: bool
) -> Iterator[HangzhouReading]:
    """Readings of the tiles alone; of two that pay the same, the plain one comes first.

    002: the wild eye depends on what the hand waits for, seven pairs and deluxe on the finished
    hand. So the wild eye is judged before the draw and counts for every reading. ``natural``:
    whether pairs without fortune count twice as much.
    """
    plain, wild = fortune.split((*resting, tile))
    wild_eye = drawn and fortune.wild_eye(resting)
    first: Doubles = (("wild_eye", 2),) if wild_eye else ()
    if hands.wins(plain, wild, SETS):
        yield HangzhouReading(multiplied(first), wild_eye)
    if hands.wins(plain, wild, PAIRS):
        plainly = natural and not wild
        pairs = ("seven_pairs_natural", 4) if plainly else ("seven_pairs", 2)
        yield HangzhouReading(multiplied((*first, pairs, *_deluxe(plain))), wild_eye)


def _deluxe(plain: Sequence[Tile]) -> Iterator[tuple[str, int]]:
    """002, Deluxe: four identical tiles count as two pairs, without fortunes."""
    fours = sum(count == COPIES for count in Counter(plain).values())
    if fours:
        yield "deluxe", 2**fours


def _with_series(reading: HangzhouReading, series: Series, *, halves: bool) -> HangzhouReading:
    """Add the kongs and floats that count for this reading."""
    kongs = series.count("kong") if reading.wild_eye else series.last_kongs
    floats = series.count("float") if reading.wild_eye else 0
    lines = reading.worth.lines
    if floats:
        lines = (*lines, ("float", 2**floats))
    if kongs:
        lines = (*lines, ("kong_bloom", 2**kongs))
    worth = multiplied(lines)
    fed = [step.feeder for step in series.steps if step.kind == "claim" and step.feeder is not None]
    if not (halves and fed and reading.wild_eye):
        return HangzhouReading(worth, reading.wild_eye, worth.value)
    worths = list(
        accumulate(
            (1 if step.kind == "claim" else 2 for step in series.steps), mul, initial=reading.times
        )
    )
    claims = [worths[place] for place, step in enumerate(series.steps) if step.kind == "claim"]
    later = tuple(zip(fed, [*claims[1:], worth.value], strict=True))
    return HangzhouReading(worth, True, claims[0], later)


def is_complete(state: State, win: Win) -> bool:
    """Whether the hand is known to be complete with the winning tile."""
    fortune, resting = fortune_of(state), state.players[win.seat].undeclared
    last = state.last_discard
    drawn = last is None or last.seat != win.seat  # else it was won by its own discard
    if fortune is None or resting is None or not win.tile.known or not drawn:
        return False
    return fortune.wins((*resting, win.tile))


def best_reading(state: State, win: Win) -> tuple[HangzhouReading, list[Item]]:
    """The reading that pays most, and notes on unknown facts that might make it pay more.

    ``state`` is the one that the win led to. An incomplete or unknown hand is worth what can be
    seen from outside.
    """
    seat, drawn = win.seat, win.seat == win.from_seat
    fortune, resting = fortune_of(state), state.players[seat].undeclared
    if state.last_discard is not None and state.last_discard.seat == seat:
        return HangzhouReading(), []  # 002, Ten honours: won by what was discarded
    notes = []
    if fortune is None:
        notes.append(note("fortune_unknown"))
    if resting is None or not win.tile.known:
        notes.append(note("hand_unknown"))
    if after_unseen_kong(state, win):
        notes.append(note("kong_unknown"))
    ways = [(resting, win.tile)]
    if drawn and resting is not None and not acts_of(state, seat):
        # Nothing was drawn yet, so any of the banker's fourteen tiles may count as the last one.
        ways = _each_apart((*resting, win.tile))
    halves = bool(state.options["float_second_half_liability"])
    # 002, Seven pairs: "some (many?)" give no extra double for a claim or a robbed kong.
    natural = drawn or bool(state.options["natural_pairs_on_claim"])
    best = None
    for rest, tile in ways:
        series = series_of(state, seat, rest, fortune) if drawn else Series()
        readings: Iterator[HangzhouReading] | list[HangzhouReading] = [HangzhouReading()]
        if rest is not None and fortune is not None and tile.known:
            readings = _of_hand(rest, tile, fortune, drawn=drawn, natural=natural)
        for reading in readings:
            full = _with_series(reading, series, halves=halves)
            if best is None or full.times > best.times:
                best = full
        if series.unsure:
            notes.append(note("float_unknown"))
    if best is None:
        kongs = series_of(state, seat, None, fortune) if drawn else Series()
        best = _with_series(HangzhouReading(), kongs, halves=False)
    return best, list(dict.fromkeys(notes))


def _each_apart(tiles: Sequence[Tile]) -> list[tuple[tuple[Tile, ...] | None, Tile]]:
    ways: list[tuple[tuple[Tile, ...] | None, Tile]] = []
    for tile in dict.fromkeys(tiles):
        place = tiles.index(tile)
        ways.append(((*tiles[:place], *tiles[place + 1 :]), tile))
    return ways
