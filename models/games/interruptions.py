"""What comes between a camera and an evening: a covered lens, lamps, a person, a late start.

Times are those of the planned game, in seconds, unless they are called film times.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from games.starts import FPS, FilmStart, film_start
from numpy.typing import NDArray

from engine.events import Discard, DrawnHand, Entry, Event, HandEnd, HandStart, Win
from engine.game import replay
from studio.film.director import Mark
from studio.play.joined_record import BEFORE_PLAY, position_of
from studio.play.truth import true_entries
from vision.table.view import to_seat

Kind = Literal["covered", "dark", "leaning"]
"""The lens is covered; the lamps are off; somebody leans over the table."""
Place = Literal["play", "break", "win"]
"""While a hand is played; from its end until the next one is dealt; over its end, too."""


@dataclass(frozen=True)
class Evening:
    """What interrupts an evening."""

    interruptions: tuple[tuple[Kind, Place, int], ...]
    """What it is, where, and in which hand, counted from 0."""
    late_and_early: bool = False
    """The film begins in the first hand and stops in the last one."""


EVENINGS: Final = {
    "covered-breaks": Evening(
        (("covered", "break", 0), ("covered", "play", 1), ("covered", "break", 1))
    ),
    "covered-play": Evening(
        (("covered", "play", 0), ("covered", "play", 1), ("covered", "play", 2))
    ),
    "lamps": Evening(
        (("dark", "play", 0), ("dark", "break", 0), ("dark", "play", 1), ("dark", "win", 1))
    ),
    "person": Evening(
        (
            ("leaning", "play", 0),
            ("leaning", "break", 0),
            ("leaning", "play", 1),
            ("leaning", "play", 2),
        )
    ),
    "late-and-early": Evening((("covered", "break", 1),), late_and_early=True),
    "unseen-end": Evening((("covered", "win", 0), ("leaning", "play", 1))),
    "everything": Evening(
        (
            ("covered", "play", 1),
            ("dark", "break", 1),
            ("leaning", "play", 2),
            ("covered", "break", 2),
        ),
        late_and_early=True,
    ),
}

PLAY_S: Final = (4.0, 12.0)
"""How long something lasts while a hand is played."""
AFTER_END_S: Final = (0.5, 2.0)
"""How long after a hand was over an interruption of the break begins, ..."""
INTO_PLAY_S: Final = (-1.0, 9.0)
"""... and how long after the next one was dealt it ends."""
BEFORE_END_S: Final = (1.0, 3.0)
"""How long before the end of a hand was seen one begins that hides it."""
LATE, EARLY = (0.3, 0.6), (0.4, 0.8)
"""Share of the discards of the first hand that nobody films, and of the last one that is filmed."""

RESTS_S: Final = 2.0
"""What is done within so long after the lens was uncovered is part of the table as it is found."""

SHOULDERS_MM, REACH_MM = 240.0, (330.0, 520.0)
"""Half the width of a person from above, and how far one leans over the table from its edge."""
COMES_S: Final = 0.8
SWAYS_MM, SWAYS_S = 9.0, 0.6
SWITCHED_S: Final = 0.7
"""For this long after lamps were switched the whole table is read."""
STILL: Final = 0.4
"""Share of the moments in which somebody who leans over the table holds still."""


@dataclass(frozen=True)
class Interruption:
    """One trouble and how long it lasts."""

    kind: Kind
    from_s: float
    until_s: float
    seat: int = 0
    """Who leans over the table, ..."""
    reach_mm: float = 0.0
    """... and how far."""
    seed: int = 0

    def at(self, time_s: float) -> bool:
        return self.from_s <= time_s < self.until_s

    def reach_at(self, time_s: float) -> float:
        """Return how far a person leans over the table now; 0 for anything else."""
        come = min(1.0, (time_s - self.from_s) / COMES_S, (self.until_s - time_s) / COMES_S)
        return max(0.0, come) * self.reach_mm if self.kind == "leaning" else 0.0

    def hides(self, xy_mm: NDArray[np.float64], time_s: float, half_mm: float) -> NDArray[np.bool_]:
        """Return which points (n, 2) of the table are under the person."""
        reach_mm = self.reach_at(time_s)
        if reach_mm <= 0:
            return np.zeros(len(xy_mm), bool)
        sway = random.Random(f"sway {self.seed} {math.floor(time_s / SWAYS_S)}")
        still = sway.random() < STILL
        u_mm, v_mm = (0.0 if still else sway.gauss(0, SWAYS_MM) for _ in range(2))
        own = to_seat(xy_mm, self.seat)
        # ``v`` grows towards the player; the body is an ellipse around a point beyond the edge.
        beyond_mm = SHOULDERS_MM / 2
        deep = (own[:, 1] - v_mm - half_mm - beyond_mm) / (reach_mm + beyond_mm)
        wide = (own[:, 0] - u_mm) / SHOULDERS_MM
        return np.asarray(deep**2 + wide**2 < 1.0)


@dataclass(frozen=True)
class InterruptedFilm:
    """Where a film begins and ends, what is true of it, and what interrupts it."""

    start: FilmStart
    interruptions: tuple[Interruption, ...] = ()

    def at(self, kind: Kind, film_s: float) -> Interruption | None:
        """Return what interrupts the film at a film time, if it is of this kind."""
        played_s = self.start.played_s(film_s)
        found = (one for one in self.interruptions if one.kind == kind and one.at(played_s))
        return next(found, None)

    def switched(self, film_s: float) -> bool:
        """Return whether lamps went off or on just before a film time."""
        played_s = self.start.played_s(film_s)
        return any(
            0 <= played_s - at_s < SWITCHED_S
            for one in self.interruptions
            if one.kind == "dark"
            for at_s in (one.from_s, one.until_s)
        )


def interrupted(name: str, marks: Sequence[Mark], rules: str, seed: int) -> InterruptedFilm:
    """Return the film of one of ``EVENINGS``."""
    rng = random.Random(f"interruptions {name} {rules} {seed}")
    hands, evening = hands_of(true_entries(marks)), EVENINGS[name]
    found: list[Interruption] = []
    for kind, place, number in evening.interruptions:
        if number < len(hands) - (place == "break"):
            from_s, until_s = _when(place, hands, number, rng)
            seat, reach_mm = rng.randrange(4), rng.uniform(*REACH_MM)
            if until_s - from_s > COMES_S:
                found.append(Interruption(kind, from_s, until_s, seat, reach_mm, len(found)))
    if evening.late_and_early:
        early_s = math.ceil((_discarded_s(hands[-1], rng.uniform(*EARLY)) + 1.0) * FPS) / FPS
        late_s = _discarded_s(hands[0], rng.uniform(*LATE))
        start = film_start("", marks, rules, seed, late_s).stopped(early_s)
    else:
        start = film_start("", marks, rules, seed)
    unseen = (one for one in found if one.kind == "covered")
    true: Sequence[Entry] = start.true
    for one in unseen:
        true = _joined(true, start.film_s(one.from_s), start.film_s(one.until_s) + RESTS_S)
    return InterruptedFilm(replace(start, true=tuple(true)), tuple(found))


def _joined(true: Sequence[Entry], from_s: float, until_s: float) -> Sequence[Entry]:
    """Return the record where a hand that nobody saw begin is told as it lies when it is seen.

    Film times. One that was dealt meanwhile, and in which nothing was done, is told as it is.
    """
    begun = [at for at, entry in enumerate(true) if isinstance(entry.event, HandStart)]
    begun = [at for at in begun if from_s <= (true[at].t or 0.0) < until_s]
    seen = next((at for at, entry in enumerate(true) if (entry.t or 0.0) >= until_s), len(true))
    if not begun or all(isinstance(e.event, BEFORE_PLAY) for e in true[begun[-1] : seen]):
        return true
    state = replay(true[:seen]).state
    if state.hand_over:
        return true
    position = Entry(position_of(state), t=round(until_s, 2))
    return [*true[: begun[-1] + 1], position, *true[seen:]]


def hands_of(true: Sequence[Entry]) -> list[list[Entry]]:
    """Return the lines of each hand."""
    hands: list[list[Entry]] = []
    for entry in true:
        if isinstance(entry.event, HandStart):
            hands.append([])
        if hands:
            hands[-1].append(entry)
    return hands


def _when(
    place: Place, hands: Sequence[Sequence[Entry]], number: int, rng: random.Random
) -> tuple[float, float]:
    hand = hands[number]
    thrown = _times(hand, lambda event: isinstance(event, Discard))
    over_s = max(_times(hand, lambda event: isinstance(event, Win | DrawnHand)))
    if place == "play":
        from_s = thrown[int(len(thrown) * rng.uniform(0.2, 0.8))] + rng.uniform(-0.5, 0.8)
        return from_s, min(from_s + rng.uniform(*PLAY_S), over_s - 1.0)
    from_s = over_s + rng.uniform(*AFTER_END_S)
    if place == "win":
        from_s = over_s - rng.uniform(*BEFORE_END_S)
    if number + 1 == len(hands):
        ends = _times(hand, lambda event: isinstance(event, HandEnd))
        return from_s, max(ends)
    after = hands[number + 1]
    dealt_s = min(_times(after, lambda event: isinstance(event, Discard)))
    return from_s, max(from_s + 2.0, dealt_s + rng.uniform(*INTO_PLAY_S))


def _discarded_s(hand: Sequence[Entry], share: float) -> float:
    """Return when this share of the discards of a hand lay there."""
    thrown = _times(hand, lambda event: isinstance(event, Discard))
    return thrown[int(len(thrown) * share)]


def _times(hand: Sequence[Entry], of: Callable[[Event], bool]) -> list[float]:
    return [entry.t or 0.0 for entry in hand if of(entry.event)]
