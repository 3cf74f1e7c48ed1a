"""The tables of both Harbin games: documents 000 and 001."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.rules.base import Option
from engine.rules.tables import options_of, read_tables, rulings_of
from engine.rules.verdict import Ruling


@dataclass(frozen=True)
class Pays:
    """A row of the payment table."""

    discarder: int
    """What the seat that fed the tile pays; for an own draw nobody did."""
    each: int
    """What every other opponent pays."""
    shooting: bool = False
    """``shooting_punishment`` makes the discarder pay for all."""


@dataclass(frozen=True)
class HarbinTables:
    payments: Mapping[str, Pays]
    options: Sequence[Option]
    problems: Mapping[str, Ruling]


def _tables(name: str) -> HarbinTables:
    tables = read_tables(__package__, f"{name}.toml")
    payments = {row: Pays(**pays) for row, pays in tables["payments"].items()}
    return HarbinTables(payments, options_of(tables["options"]), rulings_of(tables["problems"]))


HLR: Final = _tables("hlr")
TREASURE: Final = _tables("treasure")
