"""The reader of a real table: detector, tracker and rules put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from service.reading import Reader
from service.weights import load_detector
from vision.pipeline import Reads, TableReader
from vision.table import TableView

MakeReader = Callable[[], Reader]
"""Loads the weights, so it is called when everything else is known to be in order."""


@dataclass(frozen=True)
class ReaderMaker:
    """What a person gave about the table, checked."""

    rules: str
    view: TableView | None
    """None: the table is looked for in the first pictures."""
    seat0: str | None

    @classmethod
    def of(cls, rules: str, table: Path | None, seat0: str | None) -> ReaderMaker:
        """Raises ``SourceError`` for a table file that cannot be used."""
        return cls(rules, None if table is None else TableView.load(table, seat0), seat0)

    def __call__(self, detector: Reads | None = None) -> Reader:
        """A new reader, with the shipped detector or another; raises ``WeightsError``."""
        return TableReader(detector or load_detector(), self.rules, self.view, self.seat0)
