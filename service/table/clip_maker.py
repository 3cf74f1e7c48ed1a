"""Makes the clip of an evening beside everything else, and keeps it beside the record.

One is made at a time. What is offered is whole: the file that tells of it is written last.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from engine.errors import Conflict, Refused
from service.machine.files import write_whole
from service.table.highlight_clip import FORMS, Cancelled, Clip, NoCodec, NoPictures
from service.table.pictures import refuse_full
from vision.given_files import read_given

ABOUT: Final = "highlights.json"
CAPTIONS: Final = "highlights.vtt"
FILM: Final = "highlights"
LARGEST: Final = 16 * 1024
NICER: Final = 10
"""How much further back the thread stands than the table's, where the system knows of that."""

Trouble = Literal[
    "no_wins",
    "no_pictures",
    "film_gone",
    "not_agreed",
    "disk_full",
    "not_written",
    "no_codec",
    "cancelled",
    "interrupted",
    "failed",
]
"""Why there is no clip."""
Told = tuple[int, int]
"""An event that a clip shows: the number of its line, and its place there."""


@dataclass(frozen=True)
class Shows:
    """What a clip shows."""

    of: tuple[Told, ...]
    seal: str
    """Of what it says of them: another one once the record tells it otherwise."""


@dataclass(frozen=True)
class KeptClip:
    """A clip that is there, whole."""

    film: Path
    captions: Path
    media_type: str
    seconds: float
    shows: Shows


class Stopped(Exception):
    """There can be no clip."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Trouble = trouble


Progress = Callable[[float], None]
Make = Callable[[Progress], tuple[Clip, Shows]]
"""Makes a clip, and tells what it shows; raises ``Stopped``, ``Cancelled``, ``NoPictures``."""


class ClipMaker:
    """The clip of one record: none, one that is being made, or one that is kept."""

    def __init__(self, folder: Path | None) -> None:
        """``folder`` is made with the first clip; without one none is made."""
        self._folder = folder
        self._changing = threading.Lock()
        self._thread: threading.Thread | None = None
        self._unwanted = threading.Event()
        self._unwanted_as: Trouble = "cancelled"
        self.done = 0.0
        """Which share of the clip is made."""
        self.trouble: Trouble | None = None
        about = self._about()
        if about is not None and "making" in about:
            self.trouble = "interrupted"

    @property
    def making(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def kept(self) -> KeptClip | None:
        """The clip that is there; None without one, or where it cannot be used."""
        folder, about = self._folder, self._about()
        if folder is None or about is None:
            return None
        try:
            form = next(one for one in FORMS if one.media_type == about["kind"])
            of = tuple((int(number), int(place)) for number, place in about["of"])
            film = folder / f"{FILM}.{form.container}"
            shows = Shows(of, str(about["seal"]))
            seconds = float(about["seconds"])
            kept = KeptClip(film, folder / CAPTIONS, form.media_type, seconds, shows)
        except (KeyError, StopIteration, TypeError, ValueError):
            return None
        return kept if film.is_file() and kept.captions.is_file() else None

    def start(self, make: Make) -> None:
        """Make one in the background, in place of the one that is kept.

        Raises ``Conflict`` while one is made, ``Refused`` where nothing is kept of this table.
        """
        if self._folder is None:
            raise Refused("nothing is kept of this table, and so no clip is")
        with self._changing:
            if self.making:
                raise Conflict("a clip is being made already")
            self._unwanted.clear()
            self.done, self.trouble = 0.0, None
            self._thread = threading.Thread(
                target=self._work, args=(self._folder, make), daemon=True, name="clip"
            )
            self._thread.start()

    def cancel(self, trouble: Trouble = "cancelled") -> None:
        """Let the one that is being made end soon; nothing is left of it."""
        self._unwanted_as = trouble
        self._unwanted.set()

    def wait(self, longest_s: float) -> None:
        """Until none is being made."""
        if self._thread is not None:
            self._thread.join(longest_s)

    def _progress(self, share: float) -> None:
        self.done = share
        if self._unwanted.is_set():
            raise Cancelled

    def _work(self, folder: Path, make: Make) -> None:
        _stand_back()
        try:
            folder.mkdir(0o700, exist_ok=True)
            self._drop(folder)
            write_whole(folder / ABOUT, json.dumps({"making": True}))
            clip, shows = make(self._progress)
            self._progress(1.0)
            refuse_full(folder, len(clip.data))
            write_whole(folder / CAPTIONS, clip.captions)
            write_whole(folder / f"{FILM}.{clip.form.container}", clip.data)
            told = {"kind": clip.form.media_type, "seconds": clip.seconds} | asdict(shows)
            write_whole(folder / ABOUT, json.dumps(told))
        except BaseException as error:
            self.trouble = self._why(error)
            # What tells that one was being made stays for the next start of the program.
            self._drop(folder, but=ABOUT if self.trouble == "interrupted" else "")
            if self.trouble == "failed":
                raise  # it is a fault of the program, and logged as one

    def _why(self, error: BaseException) -> Trouble:
        match error:
            case Cancelled():
                return self._unwanted_as
            case Stopped(trouble=trouble):
                return trouble
            case NoPictures():
                return "no_pictures"
            case NoCodec():
                return "no_codec"
            case OSError(errno=errno.ENOSPC | errno.EDQUOT):
                return "disk_full"
            case OSError() | Refused():
                return "not_written"
            case _:
                return "failed"

    def _drop(self, folder: Path, but: str = "") -> None:
        """Delete what there is of a clip; what tells of it goes first."""
        names = (ABOUT, CAPTIONS, *(f"{FILM}.{form.container}" for form in FORMS))
        with contextlib.suppress(OSError):
            for name in (each for each in names if each != but):
                (folder / name).unlink(missing_ok=True)

    def _about(self) -> dict[str, Any] | None:
        if self._folder is None:
            return None
        with contextlib.suppress(OSError, Refused, ValueError):
            told = json.loads(read_given(self._folder / ABOUT, LARGEST))
            return told if isinstance(told, dict) else None
        return None


def _stand_back() -> None:
    """Let this thread have what the others leave; on Linux each thread stands for itself."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICER)
