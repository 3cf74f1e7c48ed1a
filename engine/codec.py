"""The one form of events in files and on the wire: JSON, an object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, Final

from engine import events
from engine import fields as read
from engine.events import Entry, Event
from engine.fields import FieldReader, Unreadable
from engine.options import check
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet


class BadRecord(ValueError):
    """A line of a record cannot be read; the message names the line and what was expected."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


DEEPEST: Final = 32
"""Lists and objects in lists and objects: enough for a dozen corrections inside one another.

What is read must also be compared and written, each level of which takes several calls.
"""


def entry_from_json(value: object) -> Entry:
    """Read one event with what stands around it; raises ``Unreadable``."""
    level = [value]
    for _ in range(DEEPEST):
        level = [part for outer in level for part in _parts(outer)]
    if level:
        raise Unreadable(f"an event at most {DEEPEST} levels deep", "a deeper one")
    return _entry(value)


def _parts(value: object) -> Iterable[object]:
    match value:
        case list():
            return value
        case dict():
            return value.values()
        case _:
            return ()


def _entry(value: object) -> Entry:
    event, rest = _split(read.keyed(value))
    return Entry(event, **rest)


def entry_to_json(entry: Entry) -> dict[str, object]:
    return event_to_json(entry.event) | {
        name: getattr(entry, name) for name in _AROUND if getattr(entry, name) is not None
    }


def event_to_json(event: Event) -> dict[str, object]:
    """Fields that hold what they hold when left out are left out."""
    result: dict[str, object] = {"type": _NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if _required(field) or value != _default(field):
            result[_KEYS.get(field.name, field.name)] = plain(value)
    return result


def read_record(text: str, rule_sets: Mapping[str, RuleSet] = RULE_SETS) -> list[Entry]:
    """Read a whole record; raises ``BadRecord``, and then nothing of it counts.

    A game by rules or options that do not exist cannot be read either.
    """
    entries = []
    for read_line in read_lines(text, rule_sets):
        if isinstance(read_line, BadRecord):
            raise read_line
        entries.append(read_line)
    return entries


def read_lines(
    text: str, rule_sets: Mapping[str, RuleSet] = RULE_SETS
) -> Iterator[Entry | BadRecord]:
    """Read every line of a record that holds anything: what it says, or what is wrong with it."""
    text = text.removeprefix("\ufeff")  # some editors put a mark at the beginning
    # Only "\n" ends a line: JSON text may hold other characters that Python splits at.
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            entry = entry_from_json(_loads(written))
            check(entry, rule_sets)
        except Unreadable as error:
            yield BadRecord(line, str(error))
        else:
            yield entry


def write_record(entries: Iterable[Entry]) -> str:
    lines = (json.dumps(entry_to_json(entry), ensure_ascii=False) + "\n" for entry in entries)
    return "".join(lines)


@dataclass(frozen=True)
class _Shape:
    """What an event looks like in JSON: the record it becomes, a reader for each field."""

    event: type[Event]
    readers: Mapping[str, FieldReader[object]]


def _split(given: Mapping[str, object]) -> tuple[Event, dict[str, Any]]:
    if "type" not in given:
        raise Unreadable("an event with a type", "none")
    kind = given["type"]
    if not isinstance(kind, str) or kind not in _SHAPES:
        raise Unreadable(f"one of {', '.join(_SHAPES)}", json.dumps(kind), "type")
    shape = _SHAPES[kind]
    defined = {field.name: field for field in fields(shape.event)}
    wanted = {_KEYS.get(name, name): (name, reader) for name, reader in shape.readers.items()}
    around: dict[str, Any] = {}
    inside: dict[str, Any] = {}
    for key, value in given.items():
        if key == "type":
            continue
        if key in _AROUND:
            name, reader, target = key, _AROUND[key], around
        elif key in wanted:
            (name, reader), target = wanted[key], inside
        else:
            known = ", ".join(wanted) or "none"
            raise Unreadable(f"fields of {kind} ({known})", json.dumps(key))
        # A program that writes every field writes null for the ones it leaves out.
        if value is None and not (target is inside and _required(defined[name])):
            continue
        try:
            target[name] = reader(value)
        except Unreadable as error:
            raise error.inside(key) from None
    for key, (name, _) in wanted.items():
        if name not in inside and _required(defined[name]):
            raise Unreadable(f"{kind} with {key}", f"no {key}")
    return shape.event(**inside), around


def _nested(*kinds: str) -> FieldReader[Event]:
    """Reader of an event inside another; where it came from is told by the line, so dropped."""

    def read_event(value: object) -> Event:
        given = read.keyed(value)
        if given.get("type") not in kinds:
            expected = f"one of {', '.join(kinds)}"
            raise Unreadable(expected, json.dumps(given.get("type")), "type")
        return _split(given)[0]

    return read_event


def _options(value: object) -> dict[str, object]:
    frozen = {}
    for name, option in read.keyed(value).items():
        frozen[name] = tuple(option) if isinstance(option, list) else option
    return frozen


def _evidence(value: object) -> str | int:
    if isinstance(value, str):
        return read.text(value)
    return read.whole(0)(value)


_COUNT: Final = read.whole(0)
_DICE: Final = read.listing(read.whole(1, 6))
_POINTS: Final = read.listing(read.whole(), 4)
_CLAIM: Final[dict[str, FieldReader[object]]] = {
    "seat": read.seat,
    "from_seat": read.seat,
    "tile": read.tile,
    "own": read.some_tiles(2, 2),
    "ready": read.truth,
}

_SHAPES: Final[Mapping[str, _Shape]] = {
    "game_start": _Shape(
        events.GameStart,
        {
            "rules": read.text,
            "options": _options,
            "players": read.listing(read.text, 4),
            "points": _POINTS,
            "first_dealer": read.seat,
        },
    ),
    "hand_start": _Shape(
        events.HandStart,
        {
            "dealer": read.seat,
            "round": lambda value: read.tile(read.one_of(("1z", "2z", "3z", "4z"))(value)),
            "honba": _COUNT,
            "deposits": _COUNT,
            "staying": read.whole(1),
            "dice": _DICE,
        },
    ),
    "deal": _Shape(events.Deal, {"seat": read.seat, "tiles": read.tiles}),
    "indicator": _Shape(
        events.Indicator,
        {
            "tile": read.tile,
            "kind": read.one_of(("dora", "kan_dora", "ura_dora", "fortune", "treasure")),
        },
    ),
    "draw": _Shape(
        events.Draw,
        {"seat": read.seat, "tile": read.tile, "end": read.one_of(("wall", "tail"))},
    ),
    "discard": _Shape(
        events.Discard,
        {"seat": read.seat, "tile": read.tile, "ready": read.truth, "drawn": read.truth},
    ),
    "chow": _Shape(events.Chow, _CLAIM),
    "pung": _Shape(events.Pung, _CLAIM),
    "kong": _Shape(
        events.Kong,
        {
            "seat": read.seat,
            "kind": read.one_of(("open", "closed", "added")),
            "tile": read.tile,
            "from_seat": read.seat,
            "own": read.some_tiles(1, 4),
        },
    ),
    "position": _Shape(
        events.Position,
        {
            "hands": read.listing(read.tiles, 4),
            "sets": read.listing(read.listing(_nested("chow", "pung", "kong")), 4),
            "rivers": read.listing(read.listing(_nested("discard")), 4),
            "wall_left": _COUNT,
            "turn": read.seat,
            "ready": read.listing(read.seat),
            "indicators": read.listing(_nested("indicator")),
        },
    ),
    "win": _Shape(
        events.Win,
        {
            "seat": read.seat,
            "from_seat": read.seat,
            "tile": read.tile,
            "hand": read.tiles,
            "claimed": read.whole(1, 9_999),
        },
    ),
    "reveal": _Shape(events.Reveal, {"seat": read.seat, "tiles": read.tiles}),
    "drawn_hand": _Shape(
        events.DrawnHand,
        {
            "reason": read.one_of(
                ("exhausted", "nine_terminals", "four_winds", "four_kongs", "four_ready")
            )
        },
    ),
    "foul": _Shape(events.Foul, {"seat": read.seat, "offence": read.name, "tiles": read.tiles}),
    "dice": _Shape(events.Dice, {"values": _DICE}),
    "hand_end": _Shape(events.HandEnd, {}),
    "game_end": _Shape(events.GameEnd, {"reason": read.one_of(("finished", "time"))}),
    "correct": _Shape(
        events.Correct,
        {
            "of": _COUNT,
            "events": read.listing(_entry),
            "reason": read.one_of(("reread", "answer", "put_back")),
        },
    ),
}

_AROUND: Final[Mapping[str, FieldReader[object]]] = {
    "t": read.number(),
    "confidence": read.number(0, 1),
    "evidence": _evidence,
    "source": read.one_of(("camera", "person", "import")),
}

_KEYS: Final = {"from_seat": "from", "end": "from"}
"""Fields that a record calls by a word that Python keeps for itself."""

_NAMES: Final = {shape.event: name for name, shape in _SHAPES.items()}


def _required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def plain(value: object) -> object:
    """A value of an event as JSON has it."""
    match value:
        case Entry():
            return entry_to_json(value)
        case str():
            return str(value)
        case tuple():
            return [plain(part) for part in value]
        case Mapping():
            return {str(key): plain(part) for key, part in value.items()}
        case _ if isinstance(value, Event):
            return event_to_json(value)
        case _:
            return value


def _loads(written: str) -> object:
    """Parse one line; raises ``Unreadable``."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        result: dict[str, object] = {}
        for key, value in pairs:
            if key in result:
                raise Unreadable("each field once", f"{json.dumps(key)} twice")
            result[key] = value
        return result

    try:
        return json.loads(written, object_pairs_hook=once)
    except Unreadable:
        raise
    except json.JSONDecodeError as error:
        raise Unreadable("a JSON object", f"{error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, nesting without end
        raise Unreadable("a JSON object", "something too large to read") from None
