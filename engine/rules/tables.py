"""Reads the tables of a rule set: its house rules, problems and payments stand in TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from engine.rules.base import Option
from engine.rules.verdict import Ruling


def read_tables(package: str, name: str = "tables.toml") -> Mapping[str, Any]:
    """Read the tables of a rule set's package; lists become tuples."""
    tables = tomllib.loads(files(package).joinpath(name).read_text("utf-8"))
    return {title: _frozen(table) for title, table in tables.items()}


def options_of(rows: Mapping[str, Any], *presets: str) -> tuple[Option, ...]:
    """The house rules of a table, with the defaults of the first preset that gives one."""
    return tuple(
        Option(
            name,
            next(row[preset] for preset in (*presets, "default") if preset in row),
            row["values"],
            row["source"],
            row.get("numbers", False),
            row.get("zero_sum", False),
            row.get("follows", {}),
        )
        for name, row in rows.items()
    )


def rulings_of(rows: Mapping[str, tuple[str, str]]) -> Mapping[str, Ruling]:
    """The source and the consequence of each problem code of a table."""
    return {code: Ruling(*row) for code, row in rows.items()}


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(part) for key, part in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
