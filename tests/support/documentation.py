"""Reads tables out of pages of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.support.paths import ROOT


def read(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table whose first heading is this; empty where there is none."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {heading} |"):
            next(lines)
            return [cells(row) for row in _table(lines)]
    return []


def headings(text: str, heading: str) -> list[str]:
    """All headings of the first table whose first heading is this; empty where there is none."""
    line = next((line for line in text.splitlines() if line.startswith(f"| {heading} |")), "")
    return cells(line) if line else []


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split(" |")]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def _table(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("|"):
            return
        yield line
