"""Riichi payments: wins with counters and deposits, drawn hands, chombo, placement."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Seat
from engine.places import places_in_turn, places_of
from engine.rules.riichi.win_facts import MANGAN_BASE, YAKUMAN_BASE, YAKUMAN_HAN
from engine.rules.riichi.worth import RiichiScore
from engine.state import Meld
from engine.tiles import DRAGONS, WINDS, Tile

DEPOSIT: Final = 1000
"""What a riichi declaration puts on the table (004, 3.3.12)."""
COUNTER: Final = 300
"""What each counter adds to a win; for an own draw each of three pays a third (004, 3.4.10)."""
NOTEN_TOTAL: Final = 3000
"""What the noten players pay the tenpai players in all (004, 3.4.2)."""

Four = tuple[int, int, int, int]


@dataclass(frozen=True)
class Liable:
    """A seat that fed the set which made a yakuman certain (004, 3.3.6)."""

    seat: Seat
    yakuman: int = 1
    """How many times that yakuman counts."""


@dataclass(frozen=True)
class Won:
    """One win in force."""

    seat: Seat
    from_seat: Seat
    """The winner itself for an own draw."""
    base: int
    """``RiichiScore.base``."""
    liable: tuple[Liable, ...] = ()

    @property
    def drawn(self) -> bool:
        return self.seat == self.from_seat


@dataclass(frozen=True)
class Paid:
    """Points that move; ``pot`` is the change of the points on the table. The sum is zero."""

    deltas: Four
    pot: int = 0


def pays_win(
    wins: Sequence[Won],
    dealer: Seat,
    counters: int,
    pot: int,
    counters_to_each: bool,
    *,
    counter: int = COUNTER,
    liable_pays_counters: bool = False,
    liable_for_hand: bool = False,
) -> Paid:
    """What the winners of one hand are paid, with counters (of ``counter`` points) and deposits.

    Several winners win on one tile. The nearest after its discarder takes the deposits, and the
    counters too unless ``counters_to_each`` (004, 3.4.4; EMA 2016, 3.4.4). ``liable_for_hand``: who
    is liable for one of several yakuman is so for the others (tenhou).
    """
    deltas = [0, 0, 0, 0]
    nearest = min(wins, key=lambda win: (win.seat - win.from_seat - 1) % 4)
    for win in wins:
        due = counters * counter if counters_to_each or win is nearest else 0
        liable = tuple(_liable(win, liable_for_hand))
        for seat, amount in enumerate(_one(win, liable, dealer, due, liable_pays_counters)):
            deltas[seat] += amount
    deltas[nearest.seat] += pot
    return Paid(_four(deltas), -pot)


def noten_payments(tenpai: Collection[Seat]) -> Four:
    """What the noten players pay the tenpai players after an exhaustive draw."""
    ready = [seat in tenpai for seat in range(4)]
    count = sum(ready)
    if count in (0, 4):
        return (0, 0, 0, 0)
    gain, loss = NOTEN_TOTAL // count, NOTEN_TOTAL // (4 - count)
    return _four([gain if is_ready else -loss for is_ready in ready])


def nagashi_mangan(seats: Collection[Seat], dealer: Seat) -> Four:
    """Pay each seat a self-drawn mangan, without counters and deposits."""
    paid = [_drawn(seat, dealer, MANGAN_BASE) for seat in sorted(seats)]
    return _four([sum(amounts) for amounts in zip((0, 0, 0, 0), *paid, strict=True)])


def reverse_mangan(seat: Seat, dealer: Seat) -> Four:
    """Reverse a mangan: 4000 to and from the dealer, 2000 among others (004, 3.4.6)."""
    return _four([-amount for amount in _drawn(seat, dealer, MANGAN_BASE)])


@dataclass(frozen=True)
class FinalPlaces:
    """The result of a game."""

    points: Four
    places: Four
    """1 for the winner; ties share a place."""


def placement(
    points: Sequence[int],
    pot: int,
    uma: Sequence[int],
    time_ran_out: bool = False,
    penalties: Sequence[int] = (0, 0, 0, 0),
    first_of_level: Seat | None = None,
    first_dealer: Seat = 0,
) -> FinalPlaces:
    """Add leftover deposits to the winner, then the placement bonus, then penalties.

    Level players share the bonuses of their places, and level winners the deposits (004, 3.6.1).
    ``first_of_level`` instead puts that seat first among them, and the others in turn. There is no
    bonus when time ran out. Odd points of a share go to the seats that dealt first. Penalties do
    not change the places.
    """
    level = first_of_level
    places = places_of(points) if level is None else places_in_turn(points, level)
    totals = list(points)
    for place in sorted(set(places)):
        in_turn = ((first_dealer + turn) % 4 for turn in range(4))
        group = [seat for seat in in_turn if places[seat] == place]
        bonus = 0 if time_ran_out else sum(uma[place - 1 : place - 1 + len(group)])
        share = bonus + (pot if place == 1 else 0)
        for nth, seat in enumerate(group):
            totals[seat] += share // len(group) + (nth < share % len(group)) + penalties[seat]
    return FinalPlaces(_four(totals), _four(places))


def _liable(win: Won, for_hand: bool) -> Iterator[tuple[Seat, int]]:
    """Who else is liable, and for which part of the base points."""
    liable = [payer for payer in win.liable if payer.seat != win.seat]
    for payer in liable:
        alone = for_hand and len(liable) == 1
        yield payer.seat, win.base if alone else min(payer.yakuman * YAKUMAN_BASE, win.base)


def _one(
    win: Won, liable: Sequence[tuple[Seat, int]], dealer: Seat, due: int, liable_pays_counters: bool
) -> list[int]:
    """Payments of one win with what is due for counters, without deposits."""
    shifted = min(sum(base for _, base in liable), win.base)
    deltas = _plain(win, dealer, win.base - shifted)
    for payer, base in liable:
        value = _discarded(win.seat, dealer, base)
        deltas[win.seat] += value
        if win.drawn:
            deltas[payer] -= value
        else:
            deltas[payer] -= value // 2
            deltas[win.from_seat] -= value - value // 2
    payers = [win.from_seat] if not win.drawn else [seat for seat in range(4) if seat != win.seat]
    if liable and (liable_pays_counters or (win.drawn and win.base == shifted)):
        payers = [liable[0][0]]
    for seat in payers:
        deltas[seat] -= due // len(payers)
    deltas[win.seat] += due
    return deltas


def _plain(win: Won, dealer: Seat, base: int) -> list[int]:
    if win.drawn:
        return _drawn(win.seat, dealer, base)
    deltas = [0, 0, 0, 0]
    value = _discarded(win.seat, dealer, base)
    deltas[win.seat] += value
    deltas[win.from_seat] -= value
    return deltas


def _drawn(winner: Seat, dealer: Seat, base: int) -> list[int]:
    """Each of three pays, twice as much to and from the dealer."""
    deltas = [
        -_rounded(base * (2 if dealer in (seat, winner) else 1)) if seat != winner else 0
        for seat in range(4)
    ]
    deltas[winner] = -sum(deltas)
    return deltas


def _discarded(winner: Seat, dealer: Seat, base: int) -> int:
    return _rounded(base * (6 if winner == dealer else 4))


def _rounded(points: int) -> int:
    """Round up to the next hundred."""
    return -(-points // 100) * 100


def _four(values: Sequence[int]) -> Four:
    first, second, third, fourth = values
    return first, second, third, fourth


# --- liability ---


@dataclass(frozen=True)
class Certain:
    """A number of declared sets of these kinds that makes this yakuman certain."""

    yakuman: str
    kinds: frozenset[Tile]
    sets: int


CERTAIN: Final = (
    Certain("daisangen", frozenset(DRAGONS), 3),
    Certain("daisuushii", frozenset(WINDS), 4),
)
"""004, 3.3.6."""
FOUR_KONGS: Final = "suukantsu"


def liable_for(
    score: RiichiScore,
    melds: Sequence[Meld],
    yakuman: Collection[str],
    fed_last_kong: Seat | None = None,
) -> tuple[Liable, ...]:
    """Who is liable for a yakuman of this hand, and how many times it counts.

    ``yakuman``: those with a liability. ``fed_last_kong``: whose discard became the winner's last
    kong, which makes four kongs certain.
    """
    feeders = {certain.yakuman: _feeder(certain, melds) for certain in CERTAIN}
    feeders[FOUR_KONGS] = fed_last_kong
    han = dict(score.yaku)
    return tuple(
        Liable(feeder, min(han[name] // YAKUMAN_HAN, score.yakuman))
        for name, feeder in feeders.items()
        if feeder is not None and name in han and name in yakuman
    )


def _feeder(certain: Certain, melds: Sequence[Meld]) -> Seat | None:
    """Who fed the set that made the yakuman certain. None where that set was not claimed."""
    sets = [meld for meld in melds if meld.tiles[0].kind in certain.kinds]
    last = sets[certain.sets - 1] if len(sets) >= certain.sets else None
    return last.from_seat if last is not None and last.is_open else None
