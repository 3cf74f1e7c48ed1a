"""Films that begin or end at an odd moment of a game, and what is true of each."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from engine.events import (
    Claim,
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    GameEnd,
    HandEnd,
    HandStart,
    Indicator,
    Position,
    Win,
)
from engine.game import replay
from engine.state import State
from studio.film.director import Mark
from studio.play.joined_record import joined_record
from studio.play.truth import seen_entries, true_entries

FPS: Final = 5.0
BARE_S: Final = 4.0  # how long the bare table is filmed before the walls stand on it
STILL_S: Final = 4.0  # how long a dealt table stands still before the first tile moves
DEPOSIT: Final = 1000  # points of a riichi stick

STARTS: Final = (
    *("empty", "deal", "dealt", "dice", "before", "one", "two", "five", "claim", "middle", "over"),
)
"""When the film begins: before the walls stand, in the deal, once everybody has stood their hand up
(alone, or with dice on the console), a second before the first discard lies there, when one, two or
five do, at the first claim, in the middle of a hand, and after a hand, before the wash.
"""
ENDS: Final = ("last", "won")
"""When a film of a whole hand ends: a second after the last discard that nobody takes at once, or
after the win.
"""
AFTER_S: Final = 1.0
OPENS_S: Final = 1.5  # how long before its moment a claim or a win begins to show
DISCARDS: Final = {"one": 1, "two": 2, "five": 5}
BEFORE_S: Final = 1.0  # how long before the first discard lies there a film begins


@dataclass(frozen=True)
class FilmStart:
    """Where in a planned game its film begins, and what is then true of the film."""

    true: tuple[Entry, ...]
    """Events that a camera can know, with times of the film."""
    from_s: float = 0.0
    """The moment of the planned game at which the film begins; on a frame."""
    still_s: float = 0.0
    """How long that moment is filmed before the game goes on."""
    bare: bool = False
    """Nothing lies on the table meanwhile."""
    until_s: float = math.inf
    """The moment of the film at which its frames end."""

    def played_s(self, film_s: float) -> float:
        """Return the moment of the planned game at a time of the film."""
        return self.from_s + max(0.0, film_s - self.still_s)

    def film_s(self, played_s: float) -> float:
        """Return the time of the film at a moment of the planned game."""
        return played_s - self.from_s + self.still_s

    def stopped(self, played_s: float) -> FilmStart:
        """Return the same film, stopped at this moment of the planned game."""
        until_s = round(self.film_s(played_s), 2)
        true = tuple(entry for entry in self.true if (entry.t or 0.0) <= until_s)
        return replace(self, true=true, until_s=until_s)


def hands_needed(start: str) -> int:
    """Return how many hands a game must have for this start."""
    return 2 if start == "over" else 1


def film_start(
    start: str, marks: Sequence[Mark], rules: str, seed: int, begins_s: float | None = None
) -> FilmStart:
    """Return where the film begins and ends.

    ``start`` is one of ``STARTS`` or ``ENDS``, or empty for the whole game. ``begins_s``: the
    moment of the planned game at which it begins, where that is given.
    """
    true = true_entries(marks)
    if start in ENDS:
        until_s = _ends_s(start, true)
        # A hand that is won is over, also where nobody sees its tiles taken up.
        over = (HandEnd, GameEnd) if start == "won" else ()
        shown = [
            replace(entry, t=min(entry.t or 0.0, until_s))
            for entry in true
            if (entry.t or 0.0) <= until_s or isinstance(entry.event, over)
        ]
        return FilmStart(tuple(seen_entries(shown, (), rules)), until_s=until_s)
    if begins_s is None:
        begins_s = _begins_s(start, true, random.Random(f"{start} {rules} {seed}"))
    from_s = math.ceil(begins_s * FPS) / FPS
    still_s = {"empty": BARE_S, "dealt": STILL_S, "dice": STILL_S}.get(start, 0.0)
    bare = start == "empty"
    record = joined_record(true, from_s)
    joined = any(isinstance(entry.event, Position) for entry in record)
    if joined or start == "over":
        at = sum((entry.t or 0.0) <= from_s for entry in true)
        record[1] = _as_it_looks(record[1], replay(true[:at]).state, joined)
    shown = [
        replace(entry, t=round(entry.t + still_s, 2)) if entry.t and number else entry
        for number, entry in enumerate(seen_entries(record, (), rules))
    ]
    return FilmStart(tuple(shown), from_s, still_s, bare)


def _begins_s(start: str, true: Sequence[Entry], rng: random.Random) -> float:
    """Return the moment of the planned game at which the film begins."""
    discards = [entry.t or 0.0 for entry in true if isinstance(entry.event, Discard)]
    match start:
        case "deal":
            begun_s = next(e.t or 0.0 for e in true if isinstance(e.event, HandStart))
            return (begun_s + _dealt_s(true)) / 2
        case "dealt" | "dice":
            return _dealt_s(true)
        case "before":
            return max(_dealt_s(true), discards[0] - BEFORE_S)
        case "one" | "two" | "five":
            return discards[min(DISCARDS[start], len(discards)) - 1]
        case "claim":
            claims = (entry.t or 0.0 for entry in true if isinstance(entry.event, Claim))
            return next(claims, discards[0])
        case "middle":
            # A position cannot tell who has won in a hand that goes on.
            won_s = next((e.t or 0.0 for e in true if isinstance(e.event, Win)), math.inf)
            before = [thrown_s for thrown_s in discards if thrown_s <= won_s]
            return before[int(len(before) * rng.uniform(0.35, 0.65))]
        case "over":
            return _over_s(true)
        case _:
            return 0.0


def _over_s(true: Sequence[Entry]) -> float:
    """Return when the first hand ends; play may go on after earlier wins."""
    over_s: float | None = None
    for entry in true:
        if isinstance(entry.event, HandEnd):
            break
        if isinstance(entry.event, Draw | Discard):
            over_s = None
        elif isinstance(entry.event, Win | DrawnHand) and over_s is None:
            over_s = entry.t or 0.0
    assert over_s is not None, "a hand has a result before it ends"
    return over_s


def _ends_s(start: str, true: Sequence[Entry]) -> float:
    """Return the moment of the planned game at which the film ends, on a frame."""
    if start == "won":
        ends = [entry.t or 0.0 for entry in true if isinstance(entry.event, Win | DrawnHand)]
    else:
        # Where somebody claims or wins at once, the film would show some of that.
        acts = [entry for entry in true if not isinstance(entry.event, Draw)]
        ends = [
            entry.t or 0.0
            for entry, then in pairwise(acts)
            if isinstance(entry.event, Discard)
            and (then.t or 0.0) - (entry.t or 0.0) > AFTER_S + OPENS_S
        ]
    return math.ceil((ends[-1] + AFTER_S) * FPS) / FPS


def _dealt_s(true: Sequence[Entry]) -> float:
    """Return when the first hand has been dealt, with the indicators that belong to the deal."""
    dealt_s = 0.0
    for entry in true:
        if isinstance(entry.event, Deal | Indicator):
            dealt_s = entry.t or 0.0
        elif dealt_s:
            break
    return dealt_s


def _as_it_looks(entry: Entry, state: State, joined: bool) -> Entry:
    """Return the start of a hand with what its table shows: who deals, and the deposits."""
    assert isinstance(entry.event, HandStart), "a hand begins after the game"
    deposits = state.pot // DEPOSIT or None if joined else None
    return replace(entry, event=HandStart(entry.event.dealer, deposits=deposits))
