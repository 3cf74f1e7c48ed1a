"""What happened at the table, in words and tiles for people.

Gaps for tiles are drawn as pictures. An offence without a text is shown by its code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from string import Formatter
from typing import Final, assert_never

from typing_extensions import TypedDict

from engine.events import (
    Chow,
    Correct,
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Event,
    Flower,
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
from engine.texts.announcements import one_line, tile_name
from engine.tiles import Tile, show
from service.texts.catalogue import texts_for, texts_of

TextPart = str | Tile
"""Words, or a tile to be drawn in their place."""


class TileView(TypedDict):
    """A tile that is drawn between words."""

    tile: str


Parts = list[str | TileView]
"""An event in words and tiles."""

KeyWithGaps = tuple[str, Mapping[str, object]]
"""The key of a message and what stands in its gaps."""

MOST_NAMED: Final = 4
"""More tiles than this in a row are a hand, which is written as people type it."""


def event_parts(
    event: Event, names: Sequence[str], lang: str = "en", rules: str = ""
) -> tuple[TextPart, ...]:
    """One event as a row of words and tiles, seats by their ``names``, in words of ``rules``."""
    return _parts_of(event, named(names, lang), lang, rules)


def _parts_of(event: Event, called: Sequence[str], lang: str, rules: str) -> tuple[TextPart, ...]:
    parts: list[TextPart] = []
    text = ""
    for part in _filled(event, called, texts_for(rules, lang)):
        if not isinstance(part, Tile):
            text += part
            continue
        parts += [*filter(None, [text.strip()]), part]
        text = ""
    return (*parts, *filter(None, [text.strip()]))


def events_parts(
    events: Sequence[Event], names: Sequence[str], lang: str = "en", rules: str = ""
) -> tuple[TextPart, ...]:
    """Several events, one after the other."""
    parts: list[TextPart] = []
    for event in events:
        then = [texts_of(lang)["event.then"].strip()] if parts else []
        parts += [*then, *event_parts(event, names, lang, rules)]
    return tuple(parts)


def events_json(events: Sequence[Event], names: Sequence[str], lang: str, rules: str) -> Parts:
    """The same as JSON: words as they are, tiles as ``{"tile": CODE}``."""
    parts = events_parts(events, names, lang, rules)
    return [{"tile": str(part)} if isinstance(part, Tile) else part for part in parts]


def event_json(event: Event, names: Sequence[str], lang: str, rules: str) -> Parts:
    return events_json((event,), names, lang, rules)


def event_sentence(
    event: Event, lang: str = "en", rules: str = "", names: Sequence[str] = ("",) * 4
) -> str:
    """The event in one line, tiles by their names, and whole hands as people type them."""
    said = ""
    filled = _filled(event, _numbered(names, lang), texts_for(rules, lang))
    for _, group in groupby(filled, lambda part: isinstance(part, Tile)):
        parts = list(group)
        tiles = [part for part in parts if isinstance(part, Tile)]
        if len(tiles) > MOST_NAMED:
            said += show(sorted(tiles, key=lambda tile: tile.place))
        elif tiles:
            said += texts_of(lang)["between"].join(tile_name(tile, lang) for tile in tiles)
        else:
            said += "".join(parts)
    return one_line(said.strip())


def question_text(
    choices: Sequence[Sequence[Event]], names: Sequence[str], lang: str, rules: str = ""
) -> tuple[str, str]:
    """What is asked, and the same with its choices as a person would say it."""
    texts = texts_of(lang)
    events = [event for choice in choices for event in choice]
    seats = {event.seat for event in events if isinstance(event, Discard)}
    if len(seats) == 1 and all(isinstance(event, Discard) for event in events):
        title = texts["question.discard"].format(seat=named(names, lang)[seats.pop()])
        said = [[tile_name(event.tile, lang) for event in choice if isinstance(event, Discard)]
                for choice in choices]  # fmt: skip
    else:
        title = texts["question.other"]
        said = [
            [event_sentence(event, lang, rules, named(names, lang)) for event in choice]
            for choice in choices
        ]
    then, nothing = texts["event.then"], texts["question.nothing"]
    listed = texts["question.or"].join(then.join(each) or nothing for each in said)
    return one_line(title), one_line(texts["question.spoken"].format(asks=title, choices=listed))


def event_text(event: Event, names: Sequence[str], lang: str = "en", rules: str = "") -> str:
    """The event as plain text for a terminal, tiles as their codes."""
    return " ".join(map(str, _parts_of(event, _numbered(names, lang), lang, rules)))


def _numbered(names: Sequence[str], lang: str) -> tuple[str, ...]:
    """What a terminal calls the seats, where no colours are seen: as its announcements do."""
    seat_title = texts_of(lang)["seat.title"]
    unnamed = texts_of("en")["seat.title"]
    return tuple(
        seat_title.format(seat=seat) if name in ("", unnamed.format(seat=seat)) else name
        for seat, name in enumerate(names)
    )


def named(names: Sequence[str], lang: str) -> tuple[str, ...]:
    """What to call the four seats: who has no name is called by the colour of the seat."""
    unnamed, texts = texts_of("en")["seat.title"], texts_of(lang)
    return tuple(
        texts[f"seat.colour.{seat}"] if name in ("", unnamed.format(seat=seat)) else name
        for seat, name in enumerate(names)
    )


def _filled(event: Event, names: Sequence[str], texts: Mapping[str, str]) -> Iterator[TextPart]:
    for key, values in _said(event, names):
        for text, gap, _, _ in Formatter().parse(texts[key]):
            yield text
            value = _word_for(gap, values[gap], texts) if gap else ""
            if isinstance(value, tuple):
                yield from value
            else:
                yield value if isinstance(value, Tile) else str(value)


def _word_for(gap: str, value: object, texts: Mapping[str, str]) -> object:
    """What a gap holds: codes of the record in the language, all else as it is."""
    match gap:
        case "kind":
            key = f"indicator.{value}"
        case "reason":
            key = f"drawn.{value}"
        case "offence":
            key = f"offence.{value}"
        case "rules":
            return texts.get(f"rules.{value}.title", value)
        case _:
            return value
    return texts.get(key, str(value).replace("_", " "))


def _said(event: Event, names: Sequence[str]) -> Iterator[KeyWithGaps]:
    match event:
        case GameStart(first_dealer=first):
            yield "event.game_start", {"rules": event.rules}
            if first is not None:
                yield "event.game_start.first_dealer", {"seat": names[first]}
        case HandStart(dealer=dealer):
            yield "event.hand_start", {}
            if dealer is not None:
                yield "event.hand_start.dealer", {"seat": names[dealer]}
        case Deal(seat, tiles):
            hidden = not any(tile.known for tile in tiles)
            values = {"seat": names[seat], "tiles": tiles, "count": len(tiles)}
            yield "event.deal.hidden" if hidden else "event.deal", values
        case Indicator(tile, kind):
            yield "event.indicator", {"kind": kind, "tile": tile}
        case Draw(seat, tile, end):
            yield (
                "event.draw" if tile.known else "event.draw.hidden",
                {"seat": names[seat], "tile": tile},
            )
            if end == "tail":
                yield "event.draw.tail", {}
        case Discard(seat, tile, ready, drawn):
            yield "event.discard", {"seat": names[seat], "tile": tile}
            if drawn:
                yield "event.discard.drawn", {}
            yield from _ready(ready)
        case Chow(seat, giver, tile, own, ready) | Pung(seat, giver, tile, own, ready):
            values = {"seat": names[seat], "giver": names[giver], "tile": tile, "tiles": own}
            yield f"event.{type(event).__name__.lower()}", values
            yield from _ready(ready)
        case Kong(seat, kind, tile, from_seat, _):
            yield f"event.kong.{kind}", {"seat": names[seat], "tile": tile}
            if from_seat is not None:
                yield "event.kong.giver", {"giver": names[from_seat]}
        case Flower(seat, tile, drawn):
            key = "event.flower" if tile.known else "event.flower.unread"
            yield key, {"seat": names[seat], "tile": tile}
            if drawn.known:
                yield "event.flower.drawn", {"tile": drawn}
        case Position(turn=turn):
            yield "event.position", {}
            if turn is not None:
                yield "event.position.turn", {"seat": names[turn]}
        case Win(seat, giver, tile, hand):
            values = {"seat": names[seat], "giver": names[giver], "tile": tile}
            yield "event.win.self" if seat == giver else "event.win", values
            if hand:
                yield "event.win.hand", {"tiles": hand}
        case Reveal(seat, tiles):
            yield "event.reveal", {"seat": names[seat], "tiles": tiles}
        case DrawnHand(reason):
            yield "event.drawn", {"reason": reason}
        case Foul(seat, offence, shown):
            yield "event.foul", {"seat": names[seat], "offence": offence, "tiles": shown or ()}
        case Dice(values=rolled):
            yield "event.dice", {"values": ", ".join(map(str, rolled))}
        case HandEnd():
            yield "event.hand_end", {}
        case GameEnd(reason):
            yield "event.game_end", {}
            if reason == "time":
                yield "event.game_end.time", {}
        case Correct(of, events):
            yield "event.correct", {"of": of}
            for place, entry in enumerate(events):
                if place:
                    yield "event.then", {}
                yield from _said(entry.event, names)
            if not events:
                yield "event.correct.none", {}
        case _:
            assert_never(event)


def _ready(ready: bool) -> Iterator[KeyWithGaps]:
    if ready:
        yield "event.ready", {}
