"""What somebody writes down of each hand while tilesight watches and tells nothing: its shadow.

It lies beside the record, and with it what people said afterwards of hands in which the two differ.
Until the evening is over nothing of the table is served but this pad, also after a restart.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from engine.errors import Conflict, Refused
from service.machine.files import write_whole
from vision.given_files import MIB, read_given

Verdict = Literal["read", "written", "neither"]
"""Who was right of a hand, as the people at the table judge by its pictures."""
VERDICTS: Final[tuple[Verdict, ...]] = ("read", "written", "neither")
MOST_ROWS: Final = 500
"""Hands of one evening: far more than are played."""
MOST_POINTS: Final = 10_000_000
MOST_COUNTED: Final = 10_000
"""Hands that one pad may count."""
SUFFIX: Final = ".shadow.json"


def pad_file(record: Path) -> Path:
    return record.with_suffix(SUFFIX)


@dataclass(frozen=True)
class _Kept:
    rows: tuple[tuple[int, ...], ...] = ()
    over: bool = False
    judged: Mapping[str, Verdict] = field(default_factory=dict)
    hands: int = 0
    right: int = 0
    """Of these hands, those that were read right as far as anybody has judged."""
    first: int = 0
    last: int = 0
    names: tuple[str, ...] = ()


class ScorePad:
    """The rows of one evening, in order, each with what a hand moved for the four seats."""

    def __init__(self, record: Path, lines: int = 0) -> None:
        """Goes on with the file beside the record, or begins a new one.

        ``lines``: those of the record by now; nobody kept the score of what they tell. Raises
        ``Refused`` where the file is no pad, ``OSError`` where none can be written.
        """
        self._file = pad_file(record)
        self._changing = threading.RLock()
        """Held from looking at the rows until they are kept: several people may write."""
        if self._file.exists():
            self._kept = _read(self._file)
        else:
            self._keep(_Kept(first=lines))  # at once: a restart goes on in the shadow

    @classmethod
    def of(cls, record: Path, shadow: bool, lines: int = 0) -> ScorePad | None:
        """The pad of a table in the shadow, or of one that was.

        Raises ``Refused``, also for ``shadow`` where everything of the record is shown already.
        """
        pad = cls(record, lines) if shadow or pad_file(record).exists() else None
        if pad is not None and pad.over and shadow:
            raise Refused(
                f"the evening of {record} in the shadow is over: leave --shadow out to look at it, "
                "or give another file with --record"
            )
        return pad

    @property
    def rows(self) -> Sequence[Sequence[int]]:
        return self._kept.rows

    @property
    def over(self) -> bool:
        """Whether the evening is over, so that everything is shown again."""
        return self._kept.over

    @property
    def judged(self) -> Mapping[str, Verdict]:
        """Who was right, by the name of the compared hand."""
        return self._kept.judged

    @property
    def first(self) -> int:
        """Lines of the record when the pad was begun."""
        return self._kept.first

    @property
    def last(self) -> int:
        """Lines of the record when the evening was over."""
        return self._kept.last

    @property
    def names(self) -> Sequence[str]:
        """Who sat where when the evening was over."""
        return self._kept.names

    def add(self, moved: Sequence[int]) -> None:
        """Write down a hand; raises ``Refused`` or ``OSError`` with nothing kept."""
        with self._changing:
            self._refuse_when_over()
            if len(moved) != 4 or any(abs(points) > MOST_POINTS for points in moved):
                raise Refused("write four sums, one for each player")
            if len(self.rows) >= MOST_ROWS:
                raise Refused(f"the pad has {MOST_ROWS} hands; end this evening")
            self._keep(replace(self._kept, rows=(*self._kept.rows, tuple(moved))))

    def remove(self, row: int, moved: Sequence[int]) -> None:
        """Take a row away, such as one that was mistyped.

        ``moved``: what it says; somebody else may have taken away one before it meanwhile.
        """
        with self._changing:
            self._refuse_when_over()
            if not 0 <= row < len(self.rows) or [*self.rows[row]] != [*moved]:
                raise Conflict("this row is gone; look at the pad again")
            rows = (*self._kept.rows[:row], *self._kept.rows[row + 1 :])
            self._keep(replace(self._kept, rows=rows))

    def count(self, right: int, hands: int) -> None:
        """Keep how many of how many hands were read right, for the figure over evenings."""
        with self._changing:
            if (right, hands) != (self._kept.right, self._kept.hands):
                self._keep(replace(self._kept, right=right, hands=hands))

    def end(self, lines: int = 0, names: Sequence[str] = ()) -> None:
        """Show everything from now on; ``lines``: those of the record by now."""
        with self._changing:
            if not self.over:
                self._keep(replace(self._kept, over=True, last=lines, names=tuple(names)))

    def dropped(self) -> None:
        """Leave no file behind where nothing was recorded and nothing written down."""
        if not self.rows and not self.over:
            self._file.unlink(missing_ok=True)

    def judge(self, hand: str, verdict: Verdict | None) -> None:
        """Note who was right of a hand; None takes that back."""
        with self._changing:
            if not self.over:
                raise Refused("end the evening first: until then nothing that was read is shown")
            judged = {name: said for name, said in self.judged.items() if name != hand}
            self._keep(
                replace(self._kept, judged=judged if verdict is None else judged | {hand: verdict})
            )

    def _refuse_when_over(self) -> None:
        if self.over:
            raise Refused(
                "the evening is over, and what was read is shown: no row changes any more"
            )

    def _keep(self, kept: _Kept) -> None:
        write_whole(self._file, json.dumps(asdict(kept)))
        self._kept = kept


def hides(record: Path) -> bool:
    """Whether a record is of a table in the shadow, so that nothing of it may be told now.

    So it is where its pad cannot be read.
    """
    try:
        return not _read(pad_file(record)).over
    except FileNotFoundError:
        return False
    except (OSError, Refused):
        return True


def counted_in(folder: Path) -> tuple[int, int]:
    """How many of how many hands were read right on all evenings whose pads lie in the folder.

    What is no pad counts for nothing.
    """
    right = hands = 0
    for path in folder.glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError, Refused):
            kept = _read(path)
            if kept.over:
                right, hands = right + kept.right, hands + kept.hands
    return right, hands


def _read(path: Path) -> _Kept:
    try:
        told = json.loads(read_given(path, MIB))
        rows = tuple(tuple(int(points) for points in row) for row in told["rows"])
        judged = {str(name): said for name, said in told["judged"].items() if said in VERDICTS}
        right, hands = int(told["right"]), int(told["hands"])
        first, last = int(told["first"]), int(told["last"])
        names = tuple(str(name) for name in told["names"])
        if any(len(row) != 4 for row in rows) or not isinstance(told["over"], bool):
            raise ValueError(rows)
        if any(abs(points) > MOST_POINTS for row in rows for points in row):
            raise ValueError(rows)
        if not 0 <= right <= hands <= MOST_COUNTED or first < 0 or last < 0:
            raise ValueError(hands)
        if len(names) not in (0, 4):
            raise ValueError(names)
    # Infinity is a number in JSON as Python reads it, and brackets may lie a thousand deep.
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise Refused(f"{path} is no score pad; move it away, or mend it") from None
    return _Kept(rows, told["over"], judged, hands, right, first, last, names)
