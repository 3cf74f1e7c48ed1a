"""Examples of requests to a table whose record has 13 lines, and of the answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from service.report.public import Json


@dataclass(frozen=True)
class Example:
    answer: Json
    asked: Json | None = None
    """None for requests without a body."""


def _examples() -> Mapping[tuple[str, str], Example]:
    written = (files("service") / "templates" / "api_examples.json").read_text("utf-8")
    rows = json.loads(written)
    return {(row["method"], row["path"]): Example(row["answer"], row.get("asked")) for row in rows}


EXAMPLES: Final = _examples()
"""By method and path."""
