"""What a win at home pays, computed a second time from the text of 001, for every option."""

from __future__ import annotations

from itertools import product

import pytest

from engine.announce import Payout
from engine.events import (
    Discard,
    Draw,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.game import replay
from engine.tiles import Tile, parse

WINNER, FEEDER = 2, 0
HANDS = {
    "clamp": "123p 456s 68p 22m",
    "open": "123p 456s 78p 22m",
    "two waits, one a clamp": "123p 456s 2444m",
    "edge": "123p 456s 89p 22m",
    "pair": "123p 456s 789p 2m",
}
WAITS = {"clamp": "7p", "open": "69p", "two waits, one a clamp": "23m", "edge": "7p", "pair": "2m"}
CLAMPS = {("clamp", "7p"), ("two waits, one a clamp", "3m")}
"""What completes these hands as the middle tile of a chow."""
PUNGS = ("1m", "8s", "9m", "1s")


def turned(tile: Tile, option: str) -> Tile:
    """A tile that makes this one the treasure under the option."""
    if tile.suit == "z" or option != "next":
        return tile
    return Tile(f"{(tile.rank + 7) % 9 + 1}{tile.suit}")


def paid(hand: str, tile: str, how: str, options: dict[str, object]) -> int:
    """What the text has every payer pay: the discarder alone, or all three."""
    clamp = (hand, tile) in CLAMPS
    under = any(name == hand for name, _ in CLAMPS)
    wait = tile in [str(each) for each in parse(WAITS[hand])]
    single = len(parse(WAITS[hand])) == 1
    if how == "treasure":
        within = wait and ((single and clamp) or not options["treasure_within_needs_clamp"])
        return 12 if within else 3 * (2 if under else 1)
    if how == "rush":
        return 3 * (2 if under else 1)
    points = {"ready": 1, "not ready": 3, "drawn": 2, "robbed": 2}[how]
    return points * (2 if clamp else 1)


def after(hand: str, tile: Tile, how: str, options: dict[str, object]) -> list[Event]:
    sets: list[tuple[Pung, ...]] = [
        (Pung(seat, (seat + 1) % 4, Tile(kind), (Tile(kind), Tile(kind))),)
        for seat, kind in enumerate(PUNGS)
    ]
    if how == "robbed":
        sets[FEEDER] = (*sets[FEEDER], Pung(FEEDER, 1, tile, (tile, tile)))
    hands = [parse("?" * (13 - 3 * len(claims))) for claims in sets]
    hands[WINNER] = parse(HANDS[hand])
    own = how in ("drawn", "treasure")
    ready = (WINNER, FEEDER) if how == "ready" else (WINNER,)
    position = Position(
        hands=tuple(hands),
        sets=tuple(sets),
        wall_left=40,
        turn=WINNER if own else FEEDER,
        ready=ready,
    )
    indicator = (
        turned(tile, str(options["treasure"])) if how in ("treasure", "rush") else Tile("7z")
    )
    events: list[Event] = [GameStart("harbin-treasure", options), HandStart(), position]
    if how == "rush":
        return [*events, Indicator(indicator, "treasure"), Win(WINNER, WINNER, tile)]
    events.append(Indicator(indicator, "treasure"))
    if own:
        return [*events, Draw(WINNER, tile), Win(WINNER, WINNER, tile)]
    fed: Event = Kong(FEEDER, "added", tile) if how == "robbed" else Discard(FEEDER, tile)
    return [*events, fed, Win(WINNER, FEEDER, tile)]


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("how", ["ready", "not ready", "drawn", "robbed", "treasure", "rush"])
def test_every_payment_by_every_option_is_that_of_the_text(hand: str, how: str) -> None:
    tiles = [str(tile) for tile in parse(WAITS[hand])] + (["5p"] if how == "treasure" else [])
    robbed_pung_fits = {"7p", "6p", "9p", "5p"}
    for tile, treasure, needs in product(tiles, ("next", "same", "both"), (False, True)):
        if how == "robbed" and tile not in robbed_pung_fits:
            continue
        options: dict[str, object] = {"treasure": treasure, "treasure_within_needs_clamp": needs}
        game = replay(map(Entry, after(hand, Tile(tile), how, options)))
        (payout,) = [said for said in game.announcements() if isinstance(said, Payout)]
        each = paid(hand, tile, how, options)
        alone = how in ("ready", "not ready")
        expected = [-each if seat == FEEDER or not alone else 0 for seat in range(4)]
        expected[WINNER] = 0
        expected[WINNER] = -sum(expected)
        assert list(payout.deltas) == expected, (tile, options)
