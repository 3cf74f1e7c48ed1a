"""Records on disk: how they are read, and which belong to one evening."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from engine.codec import MOST_LINES, BadRecord, event_names, read_record
from engine.errors import Refused
from engine.events import Entry, GameStart
from engine.game import Game, Progress, replay
from engine.log import in_force
from engine.state import Phase, State
from engine.stories import GameStory, tell_game
from engine.updates import game_begins
from service.machine.files import LineSink, to_stderr
from service.machine.memory import without_collection
from vision.given_files import MIB, read_bounded, read_given

MOST_BYTES: Final = 16 * MIB
"""Size limit of a record; one of a long evening has a tenth of it."""


_BEGUN: Final = "game-%Y%m%d-%H%M%S"
"""Name of a record that was not named by anybody; another of the same second has a number more."""
_STEM: Final = len("game-20261125-200000")
LATE: Final = timedelta(hours=6)
"""What is played so long after midnight belongs to the evening before."""


def unused(folder: Path, stem: str, suffix: str) -> Path:
    """A file of this time in the folder that does not exist yet."""
    name = time.strftime(_BEGUN.replace("game", stem, 1))
    path, more = folder / f"{name}{suffix}", 1
    while path.exists():
        path, more = folder / f"{name}-{more}{suffix}", more + 1
    return path


def evening_of(record: Path) -> date:
    """The evening on which a record was begun, or last written to if its name does not tell."""
    begun = _begun(record)
    if begun is None:
        written = datetime.now()
        with contextlib.suppress(OSError):
            written = datetime.fromtimestamp(record.stat().st_mtime)
        begun = written
    return (begun - LATE).date()


def tonight() -> date:
    """The evening of now."""
    return (datetime.now() - LATE).date()


def day_named(record: Path) -> str | None:
    """The evening that a record's name tells, as ISO date; None for a name that people gave."""
    return None if _begun(record) is None else evening_of(record).isoformat()


def of_this_evening(folder: Path) -> list[Path]:
    """The records in a folder that were begun this evening and not named by anybody, newest
    first."""
    now = tonight()
    paths = [path for path in folder.glob("game-*.jsonl") if _begun(path) is not None]
    return sorted((path for path in paths if evening_of(path) == now), reverse=True)


def in_the_middle(record: Path, others: str) -> Refused:
    """The refusal of a record whose game of ``others`` is not finished."""
    return Refused(
        f"{record} is in the middle of a game by {others}; "
        f"give --rules {others}, or another file with --record"
    )


def replayed(entries: Sequence[Entry], progress: Progress = lambda played, of: None) -> Game:
    """The replay of a whole record, which may have thousands of lines."""
    with without_collection():
        return replay(entries, progress=progress)


def rules_of_last(entries: Sequence[Entry]) -> str | None:
    """The rules of a record's last game; None where it has none."""
    starts = (event.entry.event for event in reversed(in_force(entries)))
    return next((start.rules for start in starts if isinstance(start, GameStart)), None)


def state_in_the_middle(entries: Sequence[Entry]) -> State:
    """How a game stands that a record is in the middle of; the games before it are not replayed."""
    return replay(entries, since=game_begins(entries)).state


def unfinished_by(state: State, start: GameStart) -> str | None:
    """The rules of a game in the middle that is no part of the one that begins, as a command names
    them: its rules are others, or its house rules others than those that are given.

    A start without options goes on under any house rules.
    """
    if state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME):
        return None
    if state.rules != start.rules:
        return state.rules
    others = [
        f"--option {name}={_typed(state.options.get(name))}"
        for name, value in start.options.items()
        if state.options.get(name) != value
    ]
    return " ".join((state.rules, *others)) if others else None


def _typed(value: object) -> str:
    """The value of an option as it is typed."""
    if isinstance(value, tuple):
        return ",".join(map(_typed, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _begun(record: Path) -> datetime | None:
    with contextlib.suppress(ValueError):
        return datetime.strptime(record.stem[:_STEM], _BEGUN)
    return None


@dataclass(frozen=True)
class RecordRead:
    """What a file holds that is a record."""

    entries: tuple[Entry, ...]
    whole: bytes
    """Its lines; the end of the last one may be missing."""
    torn: bytes
    """What an interrupted write left of one more line, which was never acknowledged."""

    def cut(self, name: str) -> str | None:
        """One line for a person about what is torn; None where nothing is."""
        if not self.torn:
            return None
        after = f" after event {len(self.entries) - 1}" if self.entries else ""
        return f"the last line of {name} was not whole: {len(self.torn)} bytes{after} are left out"


def parse_record(written: bytes, name: str) -> RecordRead:
    """Read the content of a record file; every program reads records in this way.

    Raises ``Refused`` that names the file and the line of what is no record, or is damaged.
    """
    if written.count(b"\n") > MOST_LINES:
        raise Refused(f"{name} has more than {MOST_LINES} lines, too many for one evening")
    end = written.rfind(b"\n") + 1
    if not _is_torn(written[end:], not written[:end].strip(_BLANK)):
        end = len(written)
    try:
        entries = tuple(read_record(_text_of(written[:end], name)))
    except BadRecord as error:
        by_cr = b"\r" in written[:end].replace(b"\r\n", b"").rstrip()
        hint = "; lines end in LF, and CR is found here" if by_cr else ""
        raise Refused(f"{name}, {error}{hint}") from None
    return RecordRead(entries, written[:end], written[end:])


_MARK: Final = b"\xef\xbb\xbf"
"""Some editors put it at the beginning of a text."""
_BLANK: Final = b" \t\r\n" + _MARK
_BEGINNINGS: Final = tuple(
    f'{{"type":{space}"{name}"'.encode() for name in event_names() for space in (" ", "")
)
"""How a line begins."""


def _is_torn(last: bytes, is_first: bool) -> bool:
    """Whether what follows the last line end is the beginning of a line that was being written.

    What nobody could have been writing there is no record, and is never cut off.
    """
    if is_first:
        last = last.removeprefix(_MARK)
        begun = any(last.startswith(one) or one.startswith(last) for one in _BEGINNINGS)
    else:
        # After a power cut a file may end in zeros.
        begun = last.startswith(b"{") or not last.strip(b"\0")
    return begun and bool(last) and b"\r" not in last and not _holds_json(last)


def _holds_json(written: bytes) -> bool:
    """Whether it begins with a whole JSON value, as a record of a newer version does."""
    try:
        json.JSONDecoder().raw_decode(written.decode(errors="replace"))
    except (ValueError, RecursionError):
        return False
    return True


def load_record(path_or_dash: str, say: LineSink = to_stderr) -> list[Entry]:
    """Read a whole record; raises ``Refused`` that names the file and the line.

    ``say`` is told of a torn last line, which is left out.
    """
    return read_record_text(path_or_dash, say)[0]


def read_record_text(path_or_dash: str, say: LineSink = to_stderr) -> tuple[list[Entry], str]:
    """Read a record as ``load_record`` does; its events, and the text of its whole lines."""
    name = name_of(path_or_dash)
    lines = parse_record(read_bytes(path_or_dash), name)
    if (cut := lines.cut(name)) is not None:
        say(cut)
    if not lines.entries:
        raise no_event_in(path_or_dash)
    return list(lines.entries), _text_of(lines.whole, name)


def no_event_in(path_or_dash: str) -> Refused:
    """The refusal of an empty record."""
    return Refused(f"{name_of(path_or_dash)} holds no event; give a record with a game in it")


def read_bytes(path_or_dash: str, most_bytes: int = MOST_BYTES) -> bytes:
    """Read a file, a pipe or standard input; raises ``OSError``."""
    if path_or_dash == "-":
        return read_bounded(sys.stdin.buffer, most_bytes, name_of(path_or_dash))
    return read_given(Path(path_or_dash), most_bytes, pipe=True)


def read_text(path_or_dash: str) -> str:
    """Read a file, a pipe or standard input; raises ``OSError``, ``Refused``."""
    return _text_of(read_bytes(path_or_dash), name_of(path_or_dash))


def _text_of(written: bytes, name: str) -> str:
    try:
        return written.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise Refused(
            f"{name}, line {line}: expected text in UTF-8, got byte "
            f"0x{written[error.start]:02x}; save it as UTF-8"
        ) from None


def name_of(path_or_dash: str) -> str:
    return "standard input" if path_or_dash == "-" else path_or_dash


def tell(entries: Sequence[Entry]) -> tuple[GameStory, ...]:
    """Replay a record and split it into games and hands."""
    return tell_game(replayed(entries))
