"""Ways to win at a Harbin table, as events."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import (
    Discard,
    Draw,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.tiles import Tile, parse

OPTIONS = (
    "holed_wait_double",
    "no_melding_punishment",
    "no_melding_minimum_doubles",
    "shooting_punishment",
)

WINNER, FEEDER = 2, 0

HOLED, OPEN_ENDED = parse("123p 456s 68p 22m"), parse("123p 456s 78p 22m")


@dataclass(frozen=True)
class Case:
    """One way to win: the winner at seat 2 has a pung of nines and waits in dots."""

    name: str
    tile: str
    holed: bool
    dora: str | None = None
    drawn: bool = False
    feeder_ready: bool = False
    robbed: bool = False


def after(case: Case, options: dict[str, object], closed: set[int]) -> list[Event]:
    """The events up to the win; the dora beside a holed wait is drawn as another tile."""
    hand = HOLED if case.holed else OPEN_ENDED
    sets: list[tuple[Pung | Kong, ...]] = []
    for seat, kind in enumerate(("1m", "3m", "9m", "4m")):
        tile = Tile(kind)
        if seat in closed:
            sets.append((Kong(seat, "closed", tile),))  # a closed kong is no claimed set
        else:
            sets.append((Pung(seat, (seat + 1) % 4, tile, (tile, tile)),))
    tile = Tile(case.tile)
    if case.robbed:
        sets[FEEDER] = (*sets[FEEDER], Pung(FEEDER, 1, tile, (tile, tile)))
    hands = [parse("?" * (13 - 3 * len(claims))) for claims in sets]
    hands[WINNER] = hand
    start = HandStart()
    position = Position(
        hands=tuple(hands),
        sets=tuple(sets),
        wall_left=40,
        turn=WINNER if case.drawn else FEEDER,
        ready=(WINNER, FEEDER) if case.feeder_ready else (WINNER,),
    )
    events: list[Event] = [GameStart("harbin-hlr", options), start, position]
    if case.dora:
        events.append(Indicator(Tile(case.dora), "dora"))
    if case.drawn:
        return [*events, Draw(WINNER, tile), Win(WINNER, WINNER, tile)]
    fed: Event = Kong(FEEDER, "added", tile) if case.robbed else Discard(FEEDER, tile)
    return [*events, fed, Win(WINNER, FEEDER, tile)]
