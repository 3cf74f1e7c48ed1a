"""What happened at the table, in words and tiles for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from engine.events import (
    Chow,
    Correct,
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Event,
    Foul,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Win,
)
from engine.tiles import Tile

Part = str | Tile
"""Words, or a tile to be drawn in their place."""

DRAWN_HANDS: Final = {
    "exhausted": "the wall is used up",
    "nine_terminals": "nine terminals and honours",
    "four_winds": "four equal winds",
    "four_kongs": "four kongs",
    "four_ready": "four ready claims",
}


def event_parts(event: Event, names: Sequence[str]) -> tuple[Part, ...]:
    """One event as a row of words and tiles, seats by their ``names``."""
    return tuple(part for part in _parts(event, names) if part)


def event_text(event: Event, names: Sequence[str]) -> str:
    """The same as plain text, tiles as their codes."""
    return " ".join(str(part) for part in event_parts(event, names))


def _parts(event: Event, names: Sequence[str]) -> Iterator[Part]:
    match event:
        case GameStart():
            yield f"The game starts, played by {event.rules}"
        case HandStart():
            yield "A hand starts"
            if event.dealer is not None:
                yield f"with {names[event.dealer]} as dealer"
        case Deal(seat, tiles):
            yield f"{names[seat]} is dealt"
            yield from _tiles(tiles)
        case Indicator(tile, kind):
            yield f"The {kind.replace('_', ' ')} is shown:"
            yield tile
        case Draw(seat, tile, end):
            yield f"{names[seat]} draws"
            if tile.known:
                yield tile
            yield "from the tail" if end == "tail" else ""
        case Discard(seat, tile, ready, drawn):
            yield f"{names[seat]} discards"
            yield tile
            yield "as drawn" if drawn else ""
            yield "and claims ready" if ready else ""
        case Chow(seat, from_seat, tile, own, ready) | Pung(seat, from_seat, tile, own, ready):
            yield f"{names[seat]} claims"
            yield tile
            yield f"from {names[from_seat]} as a {type(event).__name__.lower()} with"
            yield from own
            yield "and claims ready" if ready else ""
        case Kong(seat, kind, tile, from_seat, _):
            yield f"{names[seat]} makes {_KONGS[kind]} of"
            yield tile
            yield f"from {names[from_seat]}" if from_seat is not None else ""
        case Position():
            yield "The hand goes on from a known position"
        case Win(seat, from_seat, tile, hand):
            yield f"{names[seat]} wins with"
            yield tile
            yield "by own draw" if seat == from_seat else f"from {names[from_seat]}"
            if hand:
                yield "with the hand"
                yield from hand
        case Reveal(seat, tiles):
            yield f"{names[seat]} shows"
            yield from tiles
        case DrawnHand(reason):
            yield f"Nobody wins: {DRAWN_HANDS[reason]}"
        case Foul(seat, offence, tiles):
            yield f"Foul of {names[seat]}: {offence.replace('_', ' ')}"
            yield from tiles or ()
        case Dice(values):
            yield f"The dice show {' and '.join(map(str, values))}"
        case HandEnd():
            yield "The hand ends"
        case GameEnd(reason):
            yield "The game ends" + (" because time is up" if reason == "time" else "")
        case Correct(of, events):
            yield f"Correction of event {of}:"
            for place, entry in enumerate(events):
                yield "then" if place else ""
                yield from _parts(entry.event, names)
            yield "" if events else "it did not happen"
        case _:
            assert_never(event)


_KONGS: Final = {"open": "an open kong", "closed": "a closed kong", "added": "an added kong"}


def _tiles(tiles: Sequence[Tile]) -> Iterator[Part]:
    if any(tile.known for tile in tiles):
        yield from tiles
    else:
        yield f"{len(tiles)} tiles"
