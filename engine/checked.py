"""Frozen records that check the types of their fields when they are made.

A value that only looks right, such as NumPy's ``True_`` for ``True``, would otherwise fail when the
record is written: after a whole game was read, and far from where the value came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

_OPTION: Final = bool | int | float | str | None
"""What a mapping may hold, alone or in tuples."""


class Checked:
    """Base of frozen dataclasses that check the types of their fields; raises ``TypeError``."""

    def __post_init__(self) -> None:
        # Thousands of events are made a second: this one look-up passes most of them.
        shape = (type(self), *map(type, self.__dict__.values()))
        if shape not in _RIGHT:
            _check(self, shape)


_RIGHT: Final[set[tuple[type, ...]]] = set()
"""Combinations of a record and its field types that passed and hold no nested values."""


def _check(made: Checked, shape: tuple[type, ...]) -> None:
    record: type = type(made)
    holds_others = False
    for name, kind in _kinds(record):
        value = getattr(made, name)
        holds_others |= type(value) not in kind.plain
        for wrong in _wrong_in(value, kind):
            must = get_type_hints(record)[name]
            shown = must.__name__ if isinstance(must, type) else must
            raise TypeError(
                f"{record.__name__}.{name} must be {shown}, got {wrong!r} of {type(wrong)}"
            )
    if not holds_others:
        _RIGHT.add(shape)


@dataclass(frozen=True)
class _Kind:
    """The types that a field allows."""

    plain: frozenset[type]
    """Types of values that hold no others."""
    item: _Kind | None = None
    """What a tuple, or the values of a mapping, may hold. None where the field takes neither."""
    is_mapping: bool = False


def _wrong_in(value: object, kind: _Kind) -> Iterable[object]:
    """Return the value, or its parts, that have a wrong type."""
    if type(value) in kind.plain:
        return ()
    if kind.is_mapping and isinstance(value, Mapping):
        value = tuple(value.values())
    if kind.item is not None and isinstance(value, tuple):
        if kind.item.plain.issuperset(map(type, value)):
            return ()
        return [wrong for part in value for wrong in _wrong_in(part, kind.item)]
    # Subclasses of ``float`` or ``str`` pass; ``bool``, a subclass of ``int``, is no number here.
    fits = isinstance(value, tuple(kind.plain)) and not isinstance(value, bool)
    return () if fits else (value,)


@cache
def _kinds(record: type) -> tuple[tuple[str, _Kind], ...]:
    hints = get_type_hints(record)
    return tuple((name, _kind(hints[name])) for name in record.__annotations__)


def _kind(hint: Any) -> _Kind:
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _one_of(inside)
    if origin is Literal:
        return _Kind(frozenset(map(type, inside)))
    if origin is tuple:
        return _Kind(frozenset(), _one_of(part for part in inside if part is not ...))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        option = _kind(_OPTION)
        return _Kind(frozenset(), _Kind(option.plain, option), is_mapping=True)
    return _Kind(frozenset({int, float}) if hint is float else frozenset({hint}))


def _one_of(hints: Iterable[Any]) -> _Kind:
    kinds = [_kind(hint) for hint in hints]
    plain = frozenset[type]().union(*(kind.plain for kind in kinds))
    return _Kind(plain, next((kind.item for kind in kinds if kind.item is not None), None))
