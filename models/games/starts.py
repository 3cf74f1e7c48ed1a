"""Cold starts: films that begin at an odd moment of a game, and what is true of each."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import (
    Chow,
    Deal,
    Discard,
    DrawnHand,
    Entry,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.game import replay
from engine.rules import RULE_SETS
from studio.film.director import Mark
from studio.play.truth import seen_entries, true_entries

FPS: Final = 5.0
BARE_S: Final = 4.0  # how long the bare table is filmed before the walls stand on it
STILL_S: Final = 4.0  # how long a dealt table stands still before the first tile moves

STARTS: Final = ("empty", "deal", "dealt", "dice", "middle", "over")
"""When the film begins: before the walls stand, in the deal, once everybody has stood their hand up
(alone, or with dice on the console), in the middle of a hand, and after a hand, before the wash.
"""


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

    def played_s(self, film_s: float) -> float:
        """Return the moment of the planned game at a time of the film."""
        return self.from_s + max(0.0, film_s - self.still_s)


def hands_needed(start: str) -> int:
    """Return how many hands a game must have for this start."""
    return 2 if start == "over" else 1


def film_start(start: str, marks: Sequence[Mark], rules: str, seed: int) -> FilmStart:
    """Return where the film begins; ``start`` is one of ``STARTS``, or empty for the whole game."""
    true = seen_entries(true_entries(marks), False, rules)
    dealt_s = _dealt_s(true)
    match start:
        case "empty":
            return _begun(true, 0.0, BARE_S, bare=True)
        case "deal":
            begun_s = next(e.t or 0.0 for e in true if isinstance(e.event, HandStart))
            return _begun(true, begun_s + 0.5 * (dealt_s - begun_s))
        case "dealt" | "dice":
            return _begun(true, dealt_s, STILL_S)
        case "middle":
            return _joined(true, random.Random(f"middle {rules} {seed}"))
        case "over":
            return _after_a_hand(true)
        case _:
            return FilmStart(tuple(true))


def _begun(
    true: Sequence[Entry], from_s: float, still_s: float = 0.0, bare: bool = False
) -> FilmStart:
    """Return a film that begins here and tells all of these events, earlier ones at once."""
    from_s = math.ceil(from_s * FPS) / FPS

    def film_s(played_s: float) -> float:
        return 0.0 if played_s <= from_s else round(played_s - from_s + still_s, 2)

    shifted = tuple(replace(entry, t=film_s(entry.t or 0.0)) for entry in true)
    return FilmStart(shifted, from_s, still_s, bare)


def _dealt_s(true: Sequence[Entry]) -> float:
    """Return when the first hand has been dealt, with the indicators that belong to the deal."""
    dealt_s = 0.0
    for entry in true:
        if isinstance(entry.event, Deal | Indicator):
            dealt_s = entry.t or 0.0
        elif dealt_s:
            break
    return dealt_s


def _joined(true: Sequence[Entry], rng: random.Random) -> FilmStart:
    """Begin after a discard in the middle of the hand; a position stands for what lies there."""
    discards = [at for at, entry in enumerate(true) if isinstance(entry.event, Discard)]
    last = discards[int(len(discards) * rng.uniform(0.35, 0.65))]
    state = replay(true[: last + 1]).state
    started = HandStart(state.dealer, deposits=state.pot // 1000 or None)
    before = [Entry(started, t=0.0), Entry(position_after(true[: last + 1]), t=0.0)]
    from_s = true[last].t or 0.0
    return _begun([replace(true[0], t=from_s), *_at(before, from_s), *true[last + 1 :]], from_s)


def _at(entries: Sequence[Entry], time_s: float) -> list[Entry]:
    return [replace(entry, t=time_s) for entry in entries]


def position_after(entries: Sequence[Entry]) -> Position:
    """Return what lies on the table after these events, the last of them a discard."""
    state = replay(entries).state
    sets: list[list[Chow | Pung | Kong]] = [[], [], [], []]
    for _, entry in state.history:
        event = entry.event
        if isinstance(event, Kong) and event.kind == "added":
            mine = sets[event.seat]
            mine.remove(next(s for s in mine if isinstance(s, Pung) and s.tile == event.tile))
        if isinstance(event, Chow | Pung | Kong):
            sets[event.seat].append(event)
    rivers = [
        tuple(Discard(seat, one.tile, one.ready) for one in player.river if one.claimed_by is None)
        for seat, player in enumerate(state.players)
    ]
    in_sight = RULE_SETS[state.rules].layout.indicator_at == "wall"
    return Position(
        sets=tuple(tuple(claims) for claims in sets),
        rivers=tuple(rivers),
        turn=state.turn,
        ready=tuple(seat for seat, player in enumerate(state.players) if player.ready),
        indicators=state.indicators if in_sight else (),
    )


def _after_a_hand(true: Sequence[Entry]) -> FilmStart:
    """Begin once the first hand has been won or drawn; only the second one can be told."""
    from_s = next(e.t or 0.0 for e in true if isinstance(e.event, Win | DrawnHand))
    second = [at for at, entry in enumerate(true) if isinstance(entry.event, HandStart)][1]
    dealer = replay(true[: second + 1]).state.dealer
    start = replace(true[second], event=HandStart(dealer))
    return _begun([replace(true[0], t=from_s), start, *true[second + 1 :]], from_s)
