"""What reads the films of an archive: each task takes one film and reads it."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

from engine.errors import Refused
from service.archive.films import (
    ReadingSettings,
    StorageAway,
    StorageError,
    parted,
    storage_at,
    within,
)
from service.archive.kept import FilmCache, KeptFolder, fetch_result, publish, result_name
from service.archive.leases import Found, Lease, LeaseLost, found_in
from service.archive.ledger import Ledger
from service.film.film import FilmScoring, FilmToScore, asked_pictures
from service.film.kept_looks import ExplainedLooks, NoLooks, explained_looks
from service.film.score_folder import rest_of
from service.hall.database import AWAY
from service.machine.files import locked
from service.machine.weights import load_detector
from service.report.questions import answer_of
from service.table.options import Options
from service.table.reader_maker import MakeReader
from vision.camera.pictures import SourceError
from vision.detect import Detector
from vision.errors import ProfileError

LEASE_S: Final = 120.0
PATIENCE_S: Final = 600.0
"""How long a database may be away."""
GIB: Final = 1 << 30
READING: Final = "reading-"
"""How the name of a folder begins into which a film is read."""

DISK_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})

FileOf = Callable[[str], Path]
ReaderOf = Callable[[ReadingSettings, FileOf], MakeReader]
_Result = TypeVar("_Result")


class TaskEnd(Enum):
    """What became of a task that ended by itself; the ledger has the rest."""

    READ = "read"
    """Its film is done, set aside, or waits again."""
    AWAY = "away"
    """A storage did not answer, or a disk is full: the film waits again."""
    NONE_WAITED = "none waited"


class Worker:
    """Reads a film in each task; its nets stay loaded between them."""

    def __init__(
        self,
        ledger: Ledger,
        work: Path,
        lease_s: float = LEASE_S,
        cache_bytes: int = 50 * GIB,
        reader_of: ReaderOf | None = None,
    ) -> None:
        """``work`` is a folder of this machine; ``reader_of`` makes readers of real tables."""
        self._ledger = ledger
        self._work = work
        self._lease_s = lease_s
        self._cache = FilmCache(work / "films", cache_bytes)
        self._detectors: dict[str | None, Detector] = {}
        self._reader_of = reader_of or self._real_reader
        work.mkdir(parents=True, exist_ok=True)

    def read_next(self, task: str) -> TaskEnd:
        """The work of one task: read the first film that waits.

        Whatever goes wrong with the film is noted. ``task`` names who reads it.
        """
        lease = patiently(lambda: self._ledger.claim(task, self._lease_s))
        return TaskEnd.NONE_WAITED if lease is None else self.read(lease)

    def read(self, lease: Lease) -> TaskEnd:
        """Read the film of a lease."""
        try:
            with self._folder() as folder:
                self._read(lease, folder)
        except LeaseLost:
            patiently(lambda: self._ledger.wrote_late(lease))
        except Exception as error:  # a film may break anything: the others go on
            if _is_away(error):
                self._fail(lease, error, for_good=False, its_fault=False)
                return TaskEnd.AWAY
            self._fail(
                lease, error, for_good=isinstance(error, Refused | SourceError | ProfileError)
            )
        return TaskEnd.READ

    def tidy(self) -> None:
        """Remove what tasks that were killed have left on this machine and beside the results."""
        with contextlib.suppress(OSError), self._folder():
            pass  # it removes those of others
        for lease in patiently(self._ledger.uncleared):
            with contextlib.suppress(StorageError, OSError):  # then the next run clears it
                self._clear(lease)

    @contextlib.contextmanager
    def _folder(self) -> Iterator[Path]:
        """A new folder that is removed at the end, with those of tasks that were killed."""
        with (self._work / ".lock").open("wb") as gate:
            locked(gate, self._work / ".lock", wait=True)
            self._sweep()
            folder = Path(tempfile.mkdtemp(prefix=READING, dir=self._work))
            held = _locked(folder)
        # Whoever fills it may put another folder in its place, which nobody would hold.
        filled = folder / "film"
        try:
            filled.mkdir()
            yield filled
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            if held is not None:
                os.close(held)

    def _sweep(self) -> None:
        """Remove the folders that nobody holds: a lock ends with its process."""
        for folder in self._work.glob(f"{READING}*"):
            if (held := _locked(folder)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(held)

    def _read(self, lease: Lease, folder: Path) -> None:
        storage = storage_at(lease.settings.out)
        heard = _Heartbeat(self._ledger, lease, self._lease_s)
        with self._folder() as before:
            looks = self._looks(lease, before, heard)
            if looks is not None:
                explained = replace(self._film(lease), kept=looks)
                found = self._scored(FilmScoring(explained, folder), heard)
            else:
                with self._cache.held(lease.address, lease.fingerprint, heard) as video:
                    found = self._read_film(lease, folder, video, heard)
        name = ""
        if found.remark is None:
            name = result_name(lease, lease.attempt)
            publish(storage, folder, name, heard)
        result = within(lease.settings.out, name) if name else ""
        patiently(lambda: self._ledger.finish(lease, found, result))
        self._clear(lease)

    def _looks(self, lease: Lease, folder: Path, heard: _Heartbeat) -> ExplainedLooks | None:
        """The film as an earlier reading saw it, explained with the answers, fetched to ``folder``.

        None where the film must be read.
        """
        before = None
        if lease.answers and not lease.checkpoint:
            before = patiently(lambda: self._ledger.explained_before(lease.reading_id))
        if before is None:
            return None
        film, (address, name) = self._film(lease), parted(before)
        try:
            fetch_result(storage_at(address), name, folder, heard)
            asked_pictures(folder)  # it is asked for at the end, where no film is at hand
            return explained_looks(folder, film.answers, heard)
        except (NoLooks, Refused, StorageError):
            return None  # the film itself is there

    def _read_film(self, lease: Lease, folder: Path, video: Path, heard: _Heartbeat) -> Found:
        storage, film = storage_at(lease.settings.out), self._film(lease, video)
        kept, number = KeptFolder(storage, lease), lease.checkpoint
        if number:
            kept.restore(folder, number)
            try:
                rest_of(folder, film.made_with)
            except Refused:
                # Another version of the program began it: results of two are never mixed.
                _empty(folder)
                kept.drop()
                kept = KeptFolder(storage, lease)

        def keep() -> None:
            nonlocal number
            number += 1
            kept.keep(folder, number)
            patiently(lambda: self._ledger.keep(lease, number))

        return self._scored(FilmScoring(film, folder), heard, keep)

    def _scored(
        self, scoring: FilmScoring, heard: _Heartbeat, keep: Callable[[], None] = lambda: None
    ) -> Found:
        try:
            scoring.read(heard.read_until, keep)
            return self._found(scoring)
        finally:
            scoring.growing.close_record()

    def _clear(self, lease: Lease) -> None:
        """Remove what a finished reading no longer needs; raises ``StorageError``."""
        storage = storage_at(lease.settings.out)
        KeptFolder(storage, lease).drop()
        for attempt in range(
            1, lease.attempt
        ):  # of attempts that were lost just before they said so
            storage.delete(result_name(lease, attempt))
        patiently(lambda: self._ledger.cleared(lease))

    def _film(self, lease: Lease, *videos: Path) -> FilmToScore:
        settings = lease.settings
        answers = tuple(
            answer_of(answer, f"reading {lease.reading_id}") for answer in lease.answers
        )
        make = self._reader_of(settings, self._file)
        return FilmToScore(
            videos,
            Options(settings.rules, settings.lang, house_rules=dict(settings.house_rules)),
            make,
            answers,
            title=lease.name,
            told_seal=False,
            fingerprint=None if videos else lease.fingerprint,
        )

    def _found(self, scoring: FilmScoring) -> Found:
        growing, made_with = scoring.growing, scoring.made_with
        if not growing.game_seen:
            growing.close_record()
            return Found(made_with, growing.time_s, (), (), (), "no game was seen")
        asked = scoring.finish()
        return found_in(growing.stood, asked, made_with, growing.time_s, growing.gaps)

    def _real_reader(self, settings: ReadingSettings, file: FileOf) -> MakeReader:
        maker = settings.reader(file)
        if settings.own_set not in self._detectors:
            # One set at a time: an archive of one club has one or two.
            loaded = load_detector(maker.own_set, maker.pace.readers)
            self._detectors = {settings.own_set: loaded}
        return replace(maker, detector=self._detectors[settings.own_set])

    def _file(self, name: str) -> Path:
        path = self._work / "files" / name
        if not path.is_file():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(self._ledger.file(name))
        return path

    def _fail(self, lease: Lease, error: Exception, for_good: bool, its_fault: bool = True) -> None:
        said = " ".join(str(error).split()) or type(error).__name__
        if not isinstance(error, Refused | SourceError | ProfileError):
            said = f"{type(error).__name__}: {said}"
        try:
            patiently(lambda: self._ledger.fail(lease, said, for_good, its_fault))
        except LeaseLost:
            patiently(lambda: self._ledger.wrote_late(lease))


@dataclass(frozen=True)
class WorkerSettings:
    """What everybody who reads is given."""

    database: str
    work: Path
    """A folder of each machine."""
    lease_s: float
    cache_bytes: int

    def worker(self, ledger: Ledger, reader_of: ReaderOf | None = None) -> Worker:
        return Worker(ledger, self.work, self.lease_s, self.cache_bytes, reader_of)


def _empty(folder: Path) -> None:
    """Remove what lies in a folder."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _is_away(error: Exception) -> bool:
    """Whether the same may go well later, on this machine or another, whatever the film is."""
    full = isinstance(error, OSError) and error.errno in DISK_FULL
    return full or isinstance(error, StorageAway)


def _locked(folder: Path) -> int | None:
    """An open folder that nobody else holds; None where somebody does, or where it is gone."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:  # its task has just removed it
        return None
    try:
        held = locked(opened, folder)
    except BaseException:
        os.close(opened)
        raise
    if not held:
        os.close(opened)
        return None
    return opened


class _Heartbeat:
    """Keeps a lease while a film is read."""

    def __init__(self, ledger: Ledger, lease: Lease, lease_s: float) -> None:
        self._ledger, self._lease, self._lease_s = ledger, lease, lease_s
        self._next_s = 0.0
        self._read_s = 0.0

    def __call__(self) -> None:
        """Renew the lease when it is time; raises ``LeaseLost``."""
        if time.monotonic() < self._next_s:
            return
        try:
            self._ledger.renew(self._lease, self._lease_s, self._read_s)
        except AWAY:
            return  # asked again at the next frame, until the lease is lost
        self._next_s = time.monotonic() + self._lease_s / 4

    def read_until(self, time_s: float) -> None:
        self._read_s = time_s
        self()


def patiently(call: Callable[[], _Result], patience_s: float = PATIENCE_S) -> _Result:
    """Ask a database that may be away for a while; raises what is in the way at last."""
    until_s, pause_s = time.monotonic() + patience_s, 0.1
    while True:
        try:
            return call()
        except AWAY:
            if time.monotonic() > until_s:
                raise
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, 10.0)
