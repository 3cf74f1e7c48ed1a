"""CSV in which no text is taken for a formula."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import dropwhile
from typing import Final

Cell = str | int | Decimal
"""Text that anybody may have chosen, or a number."""
_FORMULA: Final = ("=", "+", "-", "@", "\N{MINUS SIGN}")


def csv_of(rows: Iterable[Sequence[Cell]]) -> str:
    """Write rows as CSV; texts are quoted."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for row in rows:
        writer.writerow([_plain(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def _plain(text: str) -> str:
    """A name like "=1+1" stays a name.

    Spreadsheets pass over blanks, line ends and invisible characters before a formula, and East
    Asian versions read the full-width signs as the plain ones.
    """
    line = " ".join("".join(dropwhile(_is_invisible, text)).split())
    return f"'{line}" if unicodedata.normalize("NFKC", line).startswith(_FORMULA) else line


def _is_invisible(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter).startswith("C")
