"""``tilesight check --rehearse``: go through the cards at the table, and learn how good it is."""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final, Protocol

import typer

from engine.errors import Refused
from engine.rehearsal import NotACard, RehearsalCard, Rehearsed, cards_of, read_cards
from engine.rules import RULE_SETS
from engine.texts.files import filled
from engine.updates import CameraRecord
from service.commands.score import refuse_unknown_rules
from service.machine.files import fingerprint
from service.machine.records import unused
from service.machine.weights import load_detector
from service.report.rehearsed import sentences
from service.table.certificate import REHEARSALS, TableCertificate, certificate_file
from service.table.notices import to_terminal
from service.table.reader_maker import ReaderMaker, made_by, view_of
from service.table.record_file import RecordFile
from service.table.rehearsal import (
    SETTLES_S,
    SUFFIX,
    Rehearsal,
    conditions_of,
    faces_seen,
    read_moments,
)
from service.texts.catalogue import texts_of
from vision.camera.address import shown
from vision.camera.frames import Frame, Frames
from vision.camera.live import is_live, open_live
from vision.camera.pictures import Picture, SourceError, read_picture
from vision.camera.video_file import VideoFile
from vision.decoder.pin import Pins
from vision.detect import Detector
from vision.errors import ProfileError
from vision.given_files import read_given
from vision.pipeline import TableReader
from vision.source_check import SourceCheck
from vision.table.view import TableView
from vision.tile_set.enroll import laid_out, profile_of, read_alone

LARGEST: Final = 64 * 1024
"""Bytes of a file of cards."""


@dataclass(frozen=True)
class RehearsalAsked:
    """What was typed of a rehearsal."""

    rules: str
    lang: str
    cards: Path | None = None
    """A club's own cards."""
    folder: Path = Path()
    """Where games are recorded; rehearsals lie in a folder of their own in it."""
    moments: Path | None = None
    """When each card of a film was done."""
    laid_out: Path | None = None
    """A picture of the set, where the film does not show it."""
    table: Path | None = None
    own_set: Path | None = None
    mirrored: bool | None = None
    as_json: bool = False


class Taps(Protocol):
    """Says how often somebody has gone on to the next card."""

    def __call__(self, time_s: float) -> int: ...


def cards_from(path: Path) -> tuple[RehearsalCard, ...]:
    """A club's own cards; raises ``Refused`` in one line."""
    try:
        return read_cards(read_given(path, LARGEST).decode("utf-8-sig"), str(path))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise Refused(f"{path} is no text in UTF-8") from None
    except NotACard as error:
        raise Refused(str(error)) from None


def run(source: str, asked: RehearsalAsked) -> int:
    """Rehearse; return 1 where the table gets no grade. Raises ``Refused``, ``SourceError``."""
    refuse_unknown_rules(asked.rules)
    added = () if asked.cards is None else cards_from(asked.cards)
    try:
        rehearsal = Rehearsal(cards_of(RULE_SETS[asked.rules], *added))
    except NotACard as error:
        raise Refused(str(error)) from None
    live = is_live(source)
    if live and (asked.moments is not None or asked.laid_out is not None):
        raise Refused("--moments and --laid-out are for films; at a camera, lay out and tap Enter")
    if not live and asked.moments is None:
        raise Refused(
            "a film needs --moments FILE, which says when each card was done; a rehearsal at a "
            "camera writes that file"
        )
    taps: Taps = _Enter() if asked.moments is None else _Moments(asked.moments, rehearsal.cards)
    picture = None if asked.laid_out is None else read_picture(asked.laid_out)
    opened = open_live(source) if live else VideoFile(Path(source))
    folder = asked.folder / REHEARSALS
    folder.mkdir(parents=True, exist_ok=True)
    record = unused(folder, "rehearsal", ".jsonl")
    watched = _Watched(rehearsal, asked, taps, live, record)
    with closing(opened.frames()) as frames:
        return watched.told(opened.name, frames, picture)


class _Enter:
    """Counts how often Enter was pressed."""

    def __init__(self) -> None:
        self.count = 0
        threading.Thread(target=self._count, daemon=True, name="enter").start()

    def _count(self) -> None:
        for _ in sys.stdin:
            self.count += 1

    def __call__(self, time_s: float) -> int:
        return self.count


class _Moments:
    """The taps of a rehearsal that was filmed."""

    def __init__(self, path: Path, cards: Sequence[RehearsalCard]) -> None:
        self._times_s = read_moments(path, cards)

    def __call__(self, time_s: float) -> int:
        return sum(at <= time_s for at in self._times_s)


class _Watched:
    """One rehearsal in the terminal."""

    def __init__(
        self, rehearsal: Rehearsal, asked: RehearsalAsked, taps: Taps, live: bool, record: Path
    ) -> None:
        self._rehearsal, self._asked, self._taps, self._live = rehearsal, asked, taps, live
        self._record = record
        self._texts: Mapping[str, str] = texts_of(asked.lang)
        self._maker_view, self._mirrored = view_of(asked.table, None, asked.mirrored)
        self._view: TableView | None = None
        self._own_set = asked.own_set
        self._check: SourceCheck | None = None
        self._refused = 0
        """Taps by which no set was seen."""
        self._ahead_s = 0.0
        """What the clock of the machine is ahead of that of the frames."""

    def told(self, name: str, frames: Frames, picture: Picture | None) -> int:
        """Go through all of it, and say what was seen; also of what was stopped half way."""
        camera, stopped = CameraRecord(Pins()), None
        try:
            detector = load_detector(self._own_set)
            self._lay_out(frames, detector, picture)
            self._play(frames, camera)
        except KeyboardInterrupt:
            pass
        except SourceError as error:
            if not self._rehearsal.begun_s:
                raise
            stopped = error
        self._rehearsal.write(self._record.with_name(self._record.stem + SUFFIX))
        seen = self._rehearsal.result(camera.entries)
        certificate = self._certified(name, seen)
        if self._asked.as_json:
            typer.echo(json.dumps(self._as_json(name, seen, certificate), ensure_ascii=False))
        else:
            rehearsal = self._rehearsal
            for line in sentences(seen, rehearsal.cards, rehearsal.findings, self._asked.lang):
                typer.echo(line)
            if certificate is not None:
                typer.echo(filled(self._texts["cli.rehearse.kept"], {"file": certificate}))
        if stopped is not None:
            raise stopped
        return int(seen.grade is None)

    def _say(self, key: str, **values: object) -> None:
        if not self._asked.as_json:
            typer.echo(filled(self._texts[key], values))

    # --- the set, laid out ---

    def _lay_out(self, frames: Frames, detector: Detector, picture: Picture | None) -> None:
        """Watch until somebody taps, and read the set; a film may show it in a picture."""
        self._say("rehearse.lay_out")
        self._check = check = SourceCheck(detector, self._maker_view, self._mirrored)
        self._see_set(detector, picture, None)
        for frame in frames:
            self._judge(frame)
            if self._taps(frame.time_s) <= self._refused:
                continue
            tile_px = None if check.view is None else check.view.tile_px
            given = picture is not None
            seen = self._right_way(frame).image_bgr
            if given or self._see_set(detector, seen, tile_px) or not self._live:
                self._card(frame.time_s)
                return
            self._refused += 1

    def _right_way(self, frame: Frame) -> Frame:
        return frame.mirror_image() if self._mirrored else frame

    def _judge(self, frame: Frame) -> None:
        """Measure how good the picture is."""
        if self._check is not None and frame.whole:
            self._check.take(self._right_way(frame))
            self._rehearsal.findings, self._view = self._check.findings(), self._check.view

    def _see_set(self, detector: Detector, picture: Picture | None, tile_px: float | None) -> bool:
        """Read the set in a picture of it; without a profile, learn it."""
        if picture is None:
            return False
        try:
            laid = laid_out(detector, picture, tile_px=tile_px)
        except ProfileError as error:
            self._say("cli.rehearse.no_set", why=error)
            return False
        self._rehearsal.faces = faces_seen(RULE_SETS[self._asked.rules], read_alone(laid))
        if self._own_set is None:
            self._own_set = self._record.with_suffix(".tiles")
            profile_of([(picture, laid)]).save(self._own_set)
        return True

    # --- the cards ---

    def _card(self, time_s: float) -> None:
        """Show the next card."""
        rehearsal = self._rehearsal
        rehearsal.go_on(time_s)
        card, at = rehearsal.card, len(rehearsal.begun_s)
        if card is None:
            self._say("cli.rehearse.settles")
        else:
            self._say(
                "cli.rehearse.card",
                number=at,
                of=len(rehearsal.cards),
                text=card.text(self._asked.lang),
            )

    def _play(self, frames: Frames, camera: CameraRecord[Pins]) -> None:
        """Read the game of the cards into its record."""
        maker = ReaderMaker(
            self._asked.rules, self._maker_view, None, self._own_set, mirrored=self._mirrored
        )
        reader = (maker.of_camera() if self._live else maker)()
        kept = RecordFile(self._record)
        with closing(kept):
            for reading in reader.read(self._until_over(frames)):
                for notice in reading.notices:
                    to_terminal(notice, self._asked.lang)
                if reading.decoding is not None:
                    for line in camera.updates(reading.decoding):
                        kept.append(line)
                        camera.add(line)
                    camera.hold(reading.decoding)
                    self._rehearsal.told(len(camera.entries), self._now_s(reading.frame))
        if isinstance(reader, TableReader):
            self._view = reader.view or self._view

    def _until_over(self, frames: Frames) -> Iterator[Frame]:
        rehearsal = self._rehearsal
        for frame in frames:
            self._ahead_s = time.monotonic() - frame.time_s
            while len(rehearsal.begun_s) < self._taps(frame.time_s) - self._refused:
                if rehearsal.over:
                    break
                if self._live and (left_s := rehearsal.left_s(frame.time_s)) > 0:
                    self._say("refused.rehearse_too_soon", left_s=math.ceil(left_s))
                    self._refused += 1
                    continue
                self._card(frame.time_s)
            if rehearsal.over and frame.time_s > rehearsal.begun_s[-1] + SETTLES_S:
                return
            if self._view is None:  # what covers the table hides its edges, too
                self._judge(frame)
            yield frame

    def _now_s(self, frame: Frame) -> float:
        """The time of the record: a camera does not wait for whoever reads it."""
        return time.monotonic() - self._ahead_s if self._live else frame.time_s

    # --- what it has shown ---

    def _certified(self, name: str, seen: Rehearsed) -> Path | None:
        """Keep what it has shown, even without a grade; return the certificate of a grade."""
        if not seen.whole:
            return None
        conditions = replace(
            conditions_of(self._view, self._rehearsal.findings),
            camera=name,
            own_set="" if self._own_set is None else fingerprint([self._own_set]),
            weights=made_by()["weights"],
            rules=self._asked.rules,
        )
        path = certificate_file(self._record)
        TableCertificate.of(seen, conditions, date.today(), film=not self._live).write(path)
        return None if seen.grade is None else path

    def _as_json(
        self, name: str, seen: Rehearsed, certificate: Path | None
    ) -> Mapping[str, object]:
        return {
            "source": shown(name),
            "grade": None if seen.grade is None else seen.grade.name,
            "events": {"right": seen.events_share.right, "of": seen.events_share.of,
                       "at_least": round(seen.events_share.at_least, 4)},
            "faces": {"right": seen.faces_share.right, "of": seen.faces_share.of,
                      "at_least": round(seen.faces_share.at_least, 4)},
            "delay_s": None if seen.delay_s is None else round(seen.delay_s, 2),
            "cards": [
                {"id": one.card, "right": one.good, "of": one.of, "missing": one.missing,
                 "extra": one.extra}
                for one in seen.cards
            ],
            "not_done": seen.missing,
            "margins": {key: round(value, 3) for key, value in seen.margins.items()},
            "change": [
                {"kind": change.kind, "name": change.name} for change in seen.changes()
            ],
            "record": shown(self._record),
            "certificate": None if certificate is None else shown(certificate),
        }  # fmt: skip
