"""A rehearsal at a live table: its page leads from card to card, and shows the result."""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final, Literal, Protocol

from typing_extensions import TypedDict

from engine.errors import Refused
from engine.events import Entry
from engine.rehearsal import Rehearsed, cards_of
from engine.rules import RULE_SETS
from engine.texts.files import filled
from engine.tiles import Tile
from service.machine.files import fingerprint
from service.report.rehearsed import sentences
from service.table.certificate import TableCertificate, certificate_file
from service.table.reader_maker import made_by
from service.table.rehearsal import (
    SETTLES_S,
    SUFFIX,
    Rehearsal,
    conditions_of,
    faces_seen,
)
from service.texts.catalogue import texts_of
from vision.camera.frames import Frame
from vision.detect import Detector
from vision.pipeline import TileReader
from vision.table.quality import QualityCheck, judge
from vision.table.view import TableView
from vision.tile_set.enroll import laid_out, read_alone

NO_PICTURE: Final = "no table has been found in the picture yet; wait a moment, then go on"


class RehearsalView(TypedDict):
    """Where a rehearsal is, in words."""

    step: Literal["lay_out", "card", "settles", "over"]
    at: int
    """The number of the card, from 1; 0 while the set is laid out."""
    of: int
    text: str
    """What to do now."""
    result: list[str]
    """What was seen, once it is over."""
    grade: str | None


class Watched(Protocol):
    """The part of a live table that a rehearsal needs."""

    @property
    def ended(self) -> bool: ...

    @property
    def entries(self) -> Sequence[Entry]:
        """The lines of its record."""
        ...

    @property
    def clock_s(self) -> float | None:
        """The time of the last picture, in the time of the record."""
        ...

    @property
    def seen(self) -> tuple[Frame, TableView] | None:
        """The last picture, and where the table lies in it."""
        ...


class Lines(Protocol):
    def append(self, entry: Entry) -> None: ...


@dataclass
class ToldLines:
    """A record that notes when each of its lines was written."""

    file: Lines
    rehearsed: RehearsedTable

    def append(self, entry: Entry) -> None:
        self.file.append(entry)
        self.rehearsed.told()


class RehearsedTable:
    """One rehearsal; its methods may be called from any thread."""

    def __init__(
        self,
        record: Path,
        rules: str,
        camera: str,
        own_set: Path | None,
        load: Callable[[], TileReader],
        film: bool = False,
    ) -> None:
        """``load`` returns a detector that is fitted to the set. ``film``: nobody is at a table."""
        self.rehearsal = Rehearsal(cards_of(RULE_SETS[rules]))
        self.table: Watched | None = None
        """Set once it is open."""
        self._record, self._rules, self._camera, self._own_set = record, rules, camera, own_set
        self._load, self._film = load, film
        self._alone = threading.Lock()
        self._tapping = threading.Lock()
        """Held while a tap is taken, which may take seconds."""
        self._judged: dict[str, list[QualityCheck]] = defaultdict(list)
        self._view: TableView | None = None
        self._lines = 0
        self._stopped = False
        self._seen: Rehearsed | None = None
        """What it has shown, once it is over."""
        self._unwritten: str | None = None
        """Why its files could not be written."""

    def told(self) -> None:
        """Another line was written just now."""
        self._lines += 1
        self.rehearsal.told(self._lines, self._now_s or 0.0)

    def go_on(self, at: int) -> None:
        """Somebody says that the card of this number is done, 0 for the set that is laid out;
        nothing if somebody else said so before. Raises ``Refused``, ``ProfileError``."""
        if not self._tapping.acquire(blocking=False):
            return  # the tap of another phone is being taken
        try:
            self._done(at)
        finally:
            self._tapping.release()

    def _done(self, at: int) -> None:
        seen = None if self.table is None else self.table.seen
        if seen is None or self._now_s is None:
            raise Refused(NO_PICTURE)
        if self._over or at != len(self.rehearsal.begun_s):
            return
        if (left_s := self.rehearsal.left_s(self._now_s)) > 0:
            raise Refused(f"go on with it for {math.ceil(left_s)} s more, then tap again")
        # Reading the set takes seconds; pages are told meanwhile where the rehearsal is.
        faces = self._faces(*seen) if at == 0 else self.rehearsal.faces
        with self._alone:
            self.rehearsal.faces = faces
            self._judge(*seen)
            self.rehearsal.go_on(self._now_s or 0.0)

    @property
    def _now_s(self) -> float | None:
        return None if self.table is None else self.table.clock_s

    def stop(self) -> None:
        """It ends here: what was seen is kept, and nothing is certified."""
        with self._alone:
            self._stopped = not self.rehearsal.over

    def keep(self) -> None:
        """Write what it has shown once it is over, whether or not a page is open."""
        with self._alone:
            if self._settled and self.table is not None and self._seen is None:
                self._write(self.rehearsal.result(self.table.entries))

    @property
    def _over(self) -> bool:
        return self._stopped or self.rehearsal.over

    @property
    def _settled(self) -> bool:
        """Whether what happened in the last card has been told."""
        table = self.table
        if self._stopped or table is None or table.ended:
            return self._stopped or (table is not None and table.ended)
        return self.rehearsal.over and (table.clock_s or 0.0) > (
            self.rehearsal.begun_s[-1] + SETTLES_S
        )

    def _faces(self, frame: Frame, view: TableView) -> Mapping[Tile, bool]:
        detector = self._load()
        if not isinstance(detector, Detector):
            raise Refused("this detector cannot read a set")
        placed = view.in_picture(*frame.size_px)
        laid = laid_out(detector, frame.image_bgr, tile_px=placed.tile_px)
        return faces_seen(RULE_SETS[self._rules], read_alone(laid))

    def _judge(self, frame: Frame, view: TableView) -> None:
        """Of several moments the one in the middle counts: an arm may be in the way of one."""
        self._view = view.in_picture(*frame.size_px)
        for finding in judge(frame.image_bgr, self._view):
            self._judged[finding.name].append(finding)
        self.rehearsal.findings = [
            sorted(each, key=lambda one: one.value)[len(each) // 2]
            for each in self._judged.values()
        ]

    def view(self, lang: str) -> RehearsalView:
        with self._alone:
            rehearsal, texts = self.rehearsal, texts_of(lang)
            at, of, card = len(rehearsal.begun_s), len(rehearsal.cards), rehearsal.card
            if self._settled:
                return self._result(lang)
            if rehearsal.over:
                return _view("settles", of, of, texts["page.rehearse.settles"])
            if card is None:
                return _view("lay_out", 0, of, texts["rehearse.lay_out"])
            return _view("card", at, of, card.text(lang))

    def _result(self, lang: str) -> RehearsalView:
        rehearsal = self.rehearsal
        assert self.table is not None, "what is settled was open"
        seen = self._seen or self._write(rehearsal.result(self.table.entries))
        told = sentences(seen, rehearsal.cards, rehearsal.findings, lang)
        if self._unwritten is not None:
            why = filled(texts_of(lang)["page.rehearse.unwritten"], {"why": self._unwritten})
            told = (why, *told)
        shown = _view("over", len(rehearsal.begun_s), len(rehearsal.cards), "")
        grade = None if seen.grade is None else seen.grade.name
        return {**shown, "result": [*told], "grade": grade}

    def _write(self, seen: Rehearsed) -> Rehearsed:
        """What is corrected from now on changes neither the page nor the certificate."""
        self._seen, rehearsal = seen, self.rehearsal
        try:
            rehearsal.write(self._record.with_name(self._record.stem + SUFFIX))
            if seen.whole:
                conditions = replace(
                    conditions_of(self._view, rehearsal.findings),
                    camera=self._camera,
                    own_set="" if self._own_set is None else fingerprint([self._own_set]),
                    weights=made_by()["weights"],
                    rules=self._rules,
                )
                made = TableCertificate.of(seen, conditions, date.today(), self._film)
                made.write(certificate_file(self._record))
        except OSError as error:
            self._unwritten = error.strerror or str(error)
        return seen


def _view(
    step: Literal["lay_out", "card", "settles", "over"], at: int, of: int, text: str
) -> RehearsalView:
    return {"step": step, "at": at, "of": of, "text": text, "result": [], "grade": None}
