"""The reader of a real table: detector, tracker and rules put together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from service.reading import Reader
from vision.table import TableView

MakeReader = Callable[[], Reader]
"""Loads the weights, so it is called when everything else is known to be in order."""


def reader_maker(rules: str, table: Path | None, seat0: str | None) -> MakeReader:
    """Check what a person gave about the table; raises ``SourceError``."""
    view = None if table is None else TableView.load(table, seat0)

    def make() -> Reader:
        from vision.detect import Detector
        from vision.pipeline import TableReader

        return TableReader(Detector.load(), rules, view, seat0)

    return make
