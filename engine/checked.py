"""Frozen records that check their fields when they are made.

A value that only looks right, such as NumPy's ``True_`` for ``True``, would otherwise fail when the
record is written: after a whole game was read, and far from where the value came from. What stands
for a value in a record file is taken for it: text for tiles, a list for a tuple.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from operator import is_
from textwrap import shorten
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from engine import fields as read
from engine.fields import FieldReader, Unreadable
from engine.tiles import NotATile, Tile, parse

_OPTION: Final = bool | int | float | str | None
"""What a mapping may hold, alone or in tuples."""


class Checked:
    """Base of frozen dataclasses that check their fields; raises ``Unreadable``."""

    def __post_init__(self) -> None:
        # Thousands of events are made a second: this one look-up passes most of them.
        shape = (type(self), *map(type, self.__dict__.values()))
        if shape not in _RIGHT and _inner_shape(self) not in _RIGHT_INSIDE:
            _check(self, shape)
        record: type = type(self)
        for name, good, reader in _limits(record):
            value = self.__dict__[name]
            if value is not None and value not in good:
                _read(self, name, reader, value)


_RIGHT: Final[set[tuple[type, ...]]] = set()
"""Combinations of a record and its field types that passed and hold no nested values."""


_RIGHT_INSIDE: Final[set[tuple[object, ...]]] = set()
"""The same with the types in short tuples, of those that passed as they were given."""
_SHORT: Final = 16


def _inner_shape(made: Checked) -> tuple[object, ...] | None:
    """The types of the fields and of what is in their tuples. None where one is long."""
    shape: list[object] = [type(made)]
    for value in made.__dict__.values():
        if type(value) is not tuple:
            shape.append(type(value))
        elif len(value) <= _SHORT:
            shape.append(tuple(map(type, value)))
        else:
            return None
    return tuple(shape)


def _check(made: Checked, shape: tuple[type, ...]) -> None:
    record: type = type(made)
    holds_others = deep = False
    for name, kind in _kinds(record):
        given = getattr(made, name)
        if type(given) in kind.plain:
            continue
        holds_others = True
        if _fits(given, kind):
            deep |= not _is_flat(given, kind)
            continue
        deep = True
        value = _as_in_a_record(given, kind)
        if value is not given:
            object.__setattr__(made, name, value)
        for wrong in _wrong_in(value, kind):
            got = repr(wrong) if isinstance(wrong, str | tuple) else f"{wrong!r} of {type(wrong)}"
            raise Unreadable(_expected(kind), got, f"{record.__name__}.{name}")
    if not holds_others:
        _RIGHT.add(shape)
    elif not deep and (inner := _inner_shape(made)) is not None:
        _RIGHT_INSIDE.add(inner)


def _fits(value: object, kind: _Kind) -> bool:
    """Whether the value is right as it was given, with all its parts."""
    if type(value) in kind.plain:
        return True
    item = kind.item
    if item is None:
        return False
    if kind.is_mapping:
        return type(value) is dict and all(_fits(part, item) for part in value.values())
    if type(value) is not tuple or kind.length not in (None, len(value)):
        return False
    return item.plain.issuperset(map(type, value)) or all(_fits(part, item) for part in value)


def _is_flat(value: object, kind: _Kind) -> bool:
    """Whether the value is a tuple whose parts hold no others."""
    if type(value) is not tuple or kind.item is None or kind.is_mapping:
        return False
    return kind.item.plain.issuperset(map(type, value))


def _expected(kind: _Kind) -> str:
    """What a field holds, in a few words."""
    names = " or ".join(
        sorted(allowed.__name__ for allowed in kind.plain if allowed is not NoneType)
    )
    if kind.item is not None and not kind.is_mapping:
        number = "" if kind.length is None else f"{kind.length} "
        tiles = Tile in kind.item.plain
        return (
            f"{number}tiles such as 123m 0p 77z ?"
            if tiles
            else f"a list of {number}{_expected(kind.item)}"
        )
    if Tile in kind.plain:
        return "a tile such as 5m, 0p, 7z or ?"
    return "a mapping" if kind.is_mapping else shorten(names, 40, placeholder=" ...")


def _read(made: Checked, name: str, reader: FieldReader[object], value: object) -> None:
    try:
        reader(list(value) if isinstance(value, tuple) else value)
    except Unreadable as error:
        raise error.inside(f"{type(made).__name__}.{name}") from None


@cache
def _limits(record: type) -> tuple[tuple[str, frozenset[object], FieldReader[object]], ...]:
    """Fields whose values have limits: the allowed values where they are few, and a reader."""
    readers: list[tuple[str, frozenset[object], FieldReader[object]]] = []
    for name, hint in get_type_hints(record, include_extras=True).items():
        for part in (hint, *get_args(hint)):
            if get_origin(part) is Literal:
                readers.append((name, frozenset(get_args(part)), read.one_of(get_args(part))))
            elif get_origin(part) is Annotated and callable(get_args(part)[1]):
                reader = get_args(part)[1]
                good = frozenset[object](range(4)) if reader is read.seat else frozenset[object]()
                readers.append((name, good, reader))
    return tuple(readers)


@dataclass(frozen=True)
class _Kind:
    """The types that a field allows."""

    plain: frozenset[type]
    """Types of values that hold no others."""
    item: _Kind | None = None
    """What a tuple, or the values of a mapping, may hold. None where the field takes neither."""
    is_mapping: bool = False
    length: int | None = None
    """How many parts a tuple must have. None: any number."""


def _as_in_a_record(value: Any, kind: _Kind) -> object:
    """The value that this one stands for in a record: tiles for text, a tuple for a list."""
    try:
        if type(value) is str and str not in kind.plain:
            if Tile in kind.plain:
                return Tile(value)
            if kind.item is not None and Tile in kind.item.plain:
                return parse(value)
    except NotATile:
        return value
    if kind.item is None:
        return value
    if kind.is_mapping and isinstance(value, Mapping):
        same = not any(isinstance(part, list) for part in value.values())
        return value if same else {k: _as_in_a_record(v, kind.item) for k, v in value.items()}
    if not isinstance(value, list | tuple):
        return value
    if type(value) is tuple and kind.item.plain.issuperset(map(type, value)):
        return value
    parts = tuple(_as_in_a_record(part, kind.item) for part in value)
    return value if isinstance(value, tuple) and all(map(is_, parts, value)) else parts


def _wrong_in(value: object, kind: _Kind) -> Iterable[object]:
    """Return the value, or its parts, that have a wrong type, or a tuple of another length."""
    if type(value) in kind.plain:
        return ()
    if kind.is_mapping and isinstance(value, Mapping):
        value = tuple(value.values())
    if kind.item is not None and isinstance(value, tuple):
        if kind.length not in (None, len(value)):
            return (value,)
        if kind.item.plain.issuperset(map(type, value)):
            return ()
        return [wrong for part in value for wrong in _wrong_in(part, kind.item)]
    # Subclasses of ``float`` or ``str`` pass; ``bool``, a subclass of ``int``, is no number here.
    fits = isinstance(value, tuple(kind.plain)) and not isinstance(value, bool)
    return () if fits else (value,)


@cache
def _kinds(record: type) -> tuple[tuple[str, _Kind], ...]:
    hints = get_type_hints(record, include_extras=True)
    return tuple((name, _kind(hints[name])) for name in record.__annotations__)


def _kind(hint: Any, length: int | None = None) -> _Kind:
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _kind(inside[0], inside[1] if isinstance(inside[1], int) else None)
    if origin in (Union, UnionType):
        return _one_of(inside)
    if origin is Literal:
        return _Kind(frozenset(map(type, inside)))
    if origin is tuple:
        parts = [part for part in inside if part is not ...]
        fixed = length if len(parts) < len(inside) else len(parts)
        return _Kind(frozenset(), _one_of(parts), length=fixed)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        option = _kind(_OPTION)
        return _Kind(frozenset(), _Kind(option.plain, option), is_mapping=True)
    return _Kind(frozenset({int, float}) if hint is float else frozenset({hint}))


def _one_of(hints: Iterable[Any]) -> _Kind:
    kinds = [_kind(hint) for hint in hints]
    plain = frozenset[type]().union(*(kind.plain for kind in kinds))
    held = next((kind for kind in kinds if kind.item is not None), _Kind(frozenset()))
    return _Kind(plain, held.item, length=held.length)
