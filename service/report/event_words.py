"""What happened at the table, in words and tiles for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
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
from service.report.event_messages import MESSAGES

Part = str | Tile
"""Words, or a tile to be drawn in their place."""

Said = tuple[str, Mapping[str, object]]
"""The key of a message and what stands in its gaps."""

_NAMED: Final = {"kind": "indicator", "reason": "reason", "offence": "offence"}
"""Gaps that hold a word of a record, and the rows that say it in the language."""


def event_parts(event: Event, names: Sequence[str], lang: str = "en") -> tuple[Part, ...]:
    """One event as a row of words and tiles, seats by their ``names``."""
    parts: list[Part] = []
    words = ""
    for part in _filled(event, named(names, lang), MESSAGES[lang]):
        if not isinstance(part, Tile):
            words += part
            continue
        parts += [*filter(None, [words.strip()]), part]
        words = ""
    return (*parts, *filter(None, [words.strip()]))


def named(names: Sequence[str], lang: str) -> tuple[str, ...]:
    """What to call the four seats: who has no name is called by the seat, in the language."""
    unnamed = MESSAGES["en"]["seat"]
    return tuple(
        MESSAGES[lang]["seat"].format(seat=seat)
        if name in ("", unnamed.format(seat=seat))
        else name
        for seat, name in enumerate(names)
    )


def event_text(event: Event, names: Sequence[str], lang: str = "en") -> str:
    """The same as plain text, tiles as their codes."""
    return " ".join(map(str, event_parts(event, names, lang)))


def _filled(event: Event, names: Sequence[str], table: Mapping[str, str]) -> Iterator[Part]:
    for key, values in _said(event, names):
        for text, gap, _, _ in Formatter().parse(table[key]):
            yield text
            value = values[gap] if gap else ""
            if gap in _NAMED:
                value = table.get(f"{_NAMED[gap]}.{value}", str(value).replace("_", " "))
            if isinstance(value, tuple):
                yield from value
            else:
                yield value if isinstance(value, Tile) else str(value)


def _said(event: Event, names: Sequence[str]) -> Iterator[Said]:
    match event:
        case GameStart(first_dealer=first):
            yield "game_start", {"rules": event.rules}
            if first is not None:
                yield "game_start.first_dealer", {"seat": names[first]}
        case HandStart(dealer=dealer):
            yield "hand_start", {}
            if dealer is not None:
                yield "hand_start.dealer", {"seat": names[dealer]}
        case Deal(seat, tiles):
            hidden = not any(tile.known for tile in tiles)
            values = {"seat": names[seat], "tiles": tiles, "count": len(tiles)}
            yield "deal.hidden" if hidden else "deal", values
        case Indicator(tile, kind):
            yield "indicator", {"kind": kind, "tile": tile}
        case Draw(seat, tile, end):
            yield "draw" if tile.known else "draw.hidden", {"seat": names[seat], "tile": tile}
            if end == "tail":
                yield "draw.tail", {}
        case Discard(seat, tile, ready, drawn):
            yield "discard", {"seat": names[seat], "tile": tile}
            if drawn:
                yield "discard.drawn", {}
            yield from _ready(ready)
        case Chow(seat, giver, tile, own, ready) | Pung(seat, giver, tile, own, ready):
            values = {"seat": names[seat], "giver": names[giver], "tile": tile, "tiles": own}
            yield type(event).__name__.lower(), values
            yield from _ready(ready)
        case Kong(seat, kind, tile, from_seat, _):
            yield f"kong.{kind}", {"seat": names[seat], "tile": tile}
            if from_seat is not None:
                yield "kong.giver", {"giver": names[from_seat]}
        case Position(turn=turn):
            yield "position", {}
            if turn is not None:
                yield "position.turn", {"seat": names[turn]}
        case Win(seat, giver, tile, hand):
            values = {"seat": names[seat], "giver": names[giver], "tile": tile}
            yield "win.self" if seat == giver else "win", values
            if hand:
                yield "win.hand", {"tiles": hand}
        case Reveal(seat, tiles):
            yield "reveal", {"seat": names[seat], "tiles": tiles}
        case DrawnHand(reason):
            yield "drawn", {"reason": reason}
        case Foul(seat, offence, shown):
            yield "foul", {"seat": names[seat], "offence": offence, "tiles": shown or ()}
        case Dice(values=rolled):
            yield "dice", {"values": ", ".join(map(str, rolled))}
        case HandEnd():
            yield "hand_end", {}
        case GameEnd(reason):
            yield "game_end", {}
            if reason == "time":
                yield "game_end.time", {}
        case Correct(of, events):
            yield "correct", {"of": of}
            for place, entry in enumerate(events):
                if place:
                    yield "then", {}
                yield from _said(entry.event, names)
            if not events:
                yield "correct.none", {}
        case _:
            assert_never(event)


def _ready(ready: bool) -> Iterator[Said]:
    if ready:
        yield "ready", {}
