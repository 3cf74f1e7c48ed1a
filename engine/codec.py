"""The JSON form of events in files and on the wire, an object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from engine import fields as read
from engine.events import Correct, Entry, Event, HandEnd, ReadAgain
from engine.fields import FieldReader, Unreadable, refuse
from engine.options import check
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.tiles import Tile


class BadRecord(ValueError):
    """A line of a record cannot be read; the message names the line and what was expected."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


MOST_LINES: Final = 20_000
"""Length limit of a record; one of a whole day has 15,000. To replay so many takes seconds."""
DEEPEST: Final = 32
"""Most levels of nested lists and objects: enough for a dozen nested corrections.

Events are also compared and written, and each level takes several calls.
"""


def entry_from_json(value: object) -> Entry:
    """Parse one event and its envelope; raise ``Unreadable``."""
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


def _read_again(value: object) -> ReadAgain:
    given = read.keyed(value)
    if given.keys() != {"change", "tiles"}:
        refuse('an object with "change" and "tiles"', value)
    return ReadAgain(read.text(given["change"]), read.tiles(given["tiles"]))


def entry_to_json(entry: Entry) -> dict[str, object]:
    return event_to_json(entry.event) | {
        name: plain(getattr(entry, name)) for name in _AROUND if getattr(entry, name) is not None
    }


def event_to_json(event: Event) -> dict[str, object]:
    """Write an event; fields with their default value are left out."""
    result: dict[str, object] = {"type": _NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if _required(field) or value != _default(field):
            result[_KEYS.get(field.name, field.name)] = plain(value)
    return result


def read_record(text: str, rule_sets: Mapping[str, RuleSet] = RULE_SETS) -> list[Entry]:
    """Parse a whole record; raise ``BadRecord`` if any line is wrong.

    A game with unknown rules or options is wrong too.
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
    """Parse every line that is not empty: yield its entry, or what is wrong with it."""
    text = text.removeprefix("\ufeff")  # some editors put a byte order mark first
    # Only "\n" ends a line: JSON text may hold other characters at which Python splits lines.
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


@dataclass(frozen=True)
class Salvaged:
    """The readable part of a record."""

    entries: tuple[Entry, ...]
    """A valid record in which every intact line keeps its number."""
    broken: tuple[BadRecord, ...]
    """One error for each line that cannot be read, in order."""


def salvage(text: str) -> Salvaged:
    """Parse every line that can be parsed.

    Corrections name events by number, so a damaged line must keep its number. A placeholder takes
    its place, and a correction at the end removes that, unless the record itself corrects the line.
    """
    entries: list[Entry] = []
    broken: dict[int, BadRecord] = {}
    for line in read_lines(text):
        if isinstance(line, BadRecord):
            broken[len(entries)] = line
            entries.append(Entry(HandEnd()))
        else:
            entries.append(line)
    corrected = {entry.event.of for entry in entries if isinstance(entry.event, Correct)}
    entries += [Entry(Correct(number, ())) for number in broken if number not in corrected]
    return Salvaged(tuple(entries), tuple(broken.values()))


def write_record(entries: Iterable[Entry]) -> str:
    lines = (json.dumps(entry_to_json(entry), ensure_ascii=False) + "\n" for entry in entries)
    return "".join(lines)


def _split(given: Mapping[str, object]) -> tuple[Event, dict[str, Any]]:
    if "type" not in given:
        raise Unreadable("an event with a type", "none")
    kind = given["type"]
    if not isinstance(kind, str) or kind not in _EVENTS:
        raise Unreadable(f"one of {', '.join(_EVENTS)}", json.dumps(kind), "type")
    defined = {field.name: field for field in fields(_EVENTS[kind])}
    readers = _readers(_EVENTS[kind])
    wanted = {_KEYS.get(name, name): (name, readers[name]) for name in defined}
    around: dict[str, Any] = {}
    inside: dict[str, Any] = {}
    for key, value in given.items():
        if key == "type" or key in OF_THE_FILE:
            continue
        if key in _AROUND:
            name, reader, target = key, _AROUND[key], around
        elif key in wanted:
            (name, reader), target = wanted[key], inside
        else:
            known = ", ".join(wanted) or "none"
            raise Unreadable(f"fields of {kind} ({known})", json.dumps(key))
        # Programs that write every field write null for the ones they mean to leave out.
        if value is None and not (target is inside and _required(defined[name])):
            continue
        try:
            target[name] = reader(value)
        except Unreadable as error:
            raise error.inside(key) from None
    for key, (name, _) in wanted.items():
        if name not in inside and _required(defined[name]):
            raise Unreadable(f"{kind} with {key}", f"no {key}")
    event: Event = _EVENTS[kind](**inside)
    return event, around


@cache
def _readers(record: type) -> Mapping[str, FieldReader[Any]]:
    """A reader for each field of a dataclass, by the field's type."""
    return {name: _reader(hint) for name, hint in get_type_hints(record, None, None, True).items()}


def _reader(hint: Any) -> FieldReader[Any]:
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        parts = [part for part in inside if part is not NoneType]
        return _nested(parts) if set(parts) <= _NAMES.keys() else _reader(parts[0])
    if origin is Annotated:
        base, more = inside
        return read.listing(_reader(get_args(base)[0]), more) if isinstance(more, int) else more
    if origin is Literal:
        return read.one_of(inside)
    if hint == tuple[Tile, ...]:
        return read.tiles
    if hint == tuple[Tile, Tile]:
        return read.some_tiles(2, 2)
    if origin is tuple:
        return read.listing(_reader(inside[0]))
    return _nested([hint]) if hint in _NAMES else _BY_TYPE[origin or hint]


def _nested(kinds: Sequence[type[Event]]) -> FieldReader[Event]:
    """Return a reader of an event inside another; only the outer line has an envelope."""
    names = [_NAMES[kind] for kind in kinds]

    def read_event(value: object) -> Event:
        given = read.keyed(value)
        if given.get("type") not in names:
            raise Unreadable(f"one of {', '.join(names)}", json.dumps(given.get("type")), "type")
        return _split(given)[0]

    return read_event


def _options(value: object) -> dict[str, object]:
    frozen = {}
    for name, option in read.keyed(value).items():
        frozen[name] = tuple(option) if isinstance(option, list) else option
    return frozen


def event_name(event: type[Event]) -> str:
    """What a record calls an event: ``GameStart`` is ``game_start``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event.__name__).lower()


def event_names() -> tuple[str, ...]:
    """What a record calls the kinds of events."""
    return tuple(_EVENTS)


_EVENTS: Final[Mapping[str, Any]] = {event_name(event): event for event in get_args(Event)}
_NAMES: Final = {event: name for name, event in _EVENTS.items()}
_BY_TYPE: Final[Mapping[type, FieldReader[Any]]] = {
    str: read.text,
    bool: read.truth,
    int: read.whole(),
    float: read.number(),
    Tile: read.tile,
    Mapping: _options,
    Entry: _entry,
    ReadAgain: _read_again,
}
_KEYS: Final = {"from_seat": "from", "end": "from"}
"""JSON names of fields that are keywords in Python."""


OF_THE_FILE: Final = {"seal", "made_by"}
"""Keys of a line that say nothing of the game: see ``engine.seal``."""
_AROUND: Final = {name: reader for name, reader in _readers(Entry).items() if name != "event"}
"""Readers of the envelope of an event."""


def _required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def plain(value: object) -> object:
    """Convert a value of an event to plain JSON types."""
    match value:
        case Entry():
            return entry_to_json(value)
        case ReadAgain(change, tiles):
            return {"change": change, "tiles": plain(tiles)}
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
    except (ValueError, RecursionError):  # numbers of thousands of digits, endless nesting
        raise Unreadable("a JSON object", "something too large to read") from None
