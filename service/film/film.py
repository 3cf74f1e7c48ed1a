"""Reads one recorded film into a folder; an interrupted folder is gone on with."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path

from engine.errors import Refused
from engine.events import Entry
from engine.game import replay
from engine.seal import last_seal
from service.film.kept_looks import ExplainedLooks
from service.film.made import MadeReport
from service.film.score_folder import RECORD, Checkpoint, ScoreFolder, rest_of
from service.film.seat_recordings import FourNames, ShowProgress, recorded, unseen, write_hands
from service.machine.files import fingerprint, write_whole
from service.machine.records import read_text
from service.machine.weights import load_detector
from service.report.public import Json
from service.report.questions import AnswersFile, asked_of, question_rows
from service.report.report import to_report
from service.table.options import Options
from service.table.picture_files import asked_tiles
from service.table.questions import upright
from service.table.reader import (
    CheckpointingReader,
    LookKeepingReader,
    MirrorChecker,
    Reader,
    WitnessingReader,
)
from service.table.reader_maker import MakeReader, ReaderMaker
from service.table.second_look import SecondLook, of_film
from service.table.tile_keeper import TileKeeper
from service.table.trusted import asked_payouts, doubtful_fouls, payout_questions
from vision.attention.schedule import RECORDED
from vision.camera.address import readable, shown
from vision.camera.film_parts import film_of
from vision.camera.video_file import VideoFile
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
from vision.detect import TileReader
from vision.draw import jpeg
from vision.seat_camera.witness import NOBODY, Witness

REPORT, QUESTIONS = "report.html", "questions.json"


@dataclass(frozen=True)
class FilmToScore:
    """A film and what a person said of it."""

    videos: tuple[Path, ...]
    """The files in which it goes on, in their order."""
    options: Options
    make_reader: MakeReader
    answers: Sequence[Answer] = ()
    progress: ShowProgress = unseen
    """Shows how far the recordings of single seats have been read."""
    title: str | None = None
    """What reports call the film; None: the file's name."""
    again: str | None = None
    """The command that scores it again with answers; None: the plainest."""
    players: FourNames | None = None
    """They decide nothing: an interrupted reading may go on with others."""
    kept: ExplainedLooks | None = None
    """What the answers make of it by looks that were kept: no frame is read then."""
    told_seal: bool = True
    """Whether the report tells the record's seal; not where names are put into the record later."""
    fingerprint: str | None = None
    """Of the videos, where they need not be here; None: it is computed."""
    nets: Callable[[], TileReader] | None = None
    """Nets with which payouts are read a second time; None: those of the set."""

    @property
    def name(self) -> str:
        return self.title or ", ".join(readable(video.name) for video in self.videos)

    @property
    def made_with(self) -> dict[str, str]:
        """Fingerprints of all that decides the result; raises ``OSError``."""
        film = self.fingerprint or fingerprint(self.videos)
        made = {"film": film, "--rules": self.options.rules}
        if self.options.read_twice is not None:
            made["--read-twice"] = str(self.options.read_twice)
        if self.answers:
            made["--answers"] = sha256(repr(list(self.answers)).encode()).hexdigest()
        made |= {
            f"--seat-camera {film.seat}": f"{fingerprint([Path(film.source)])} {film.shift_s}"
            for film in self.options.films
            if Path(film.source).is_file()
        }
        made |= self.make_reader.made_with if isinstance(self.make_reader, ReaderMaker) else {}
        return made


class FilmScoring:
    """One film that is read into a folder; raises as ``rest_of``, ``VideoFile`` and readers do."""

    def __init__(self, film: FilmToScore, folder: Path) -> None:
        """Open the film and create the folder, or go on where it was interrupted."""
        self.film = film
        self._source = film_of(film.videos) if film.videos else None
        self.made_with = film.made_with
        self.rest = rest_of(folder, self.made_with)
        self._kept = film.kept if self.rest is None else None
        self._reader = _reader(film, self.rest, self.source) if self._kept is None else None
        self._decoding = Decoding()
        self.growing = ScoreFolder(
            folder, self.made_with, self.rest, film.players, self._second_look()
        )

    def _second_look(self) -> SecondLook | None:
        film, least = self.film, self.film.options.read_twice
        if least is None:
            return None
        nets = film.nets or partial(load_detector, film.options.own_set)
        if self._source is None or self._kept is not None:  # what was read then holds
            return SecondLook(least, nets, lambda from_s, to_s: ())
        return SecondLook(least, cache(nets), of_film(self._source.frame_at, self._mirrored))

    @property
    def _mirrored(self) -> bool:
        maker = self.film.make_reader
        return isinstance(maker, ReaderMaker) and bool(maker.mirrored)

    @property
    def source(self) -> VideoFile:
        """The film, where it is not only explained by its looks."""
        assert self._source is not None, "without videos, looks are kept and no picture is asked"
        return self._source

    @property
    def questions(self) -> tuple[Question, ...]:
        """What the reader is unsure of by now."""
        return self._decoding.questions

    @property
    def witness(self) -> Witness:
        if self._kept is not None:
            return self._kept.game.witness
        return self._reader.witness if isinstance(self._reader, WitnessingReader) else NOBODY

    def read(
        self,
        read_until: Callable[[float], None],
        kept: Callable[[], None] = lambda: None,
        keeper: TileKeeper | None = None,
    ) -> None:
        """Read every frame; each result is in the folder at once.

        ``read_until`` hears the second of the film, ``kept`` that reading can go on from here.
        Where the looks of the film are kept, they are explained, and no frame is read.
        """
        if self._kept is not None:
            self._decoding = self._kept.decoding
            self.growing.explain(self._kept)
            read_until(self.growing.time_s)
            return
        assert self._reader is not None, "it is made where nothing is kept"
        place = None if self.rest is None else self.rest.place
        reader, growing = self._reader, self.growing
        with contextlib.closing(RECORDED.frames(self.source, place)) as frames:
            for reading in reader.read(frames):
                self._decoding = reading.decoding or self._decoding
                lines = growing.add(reading)
                if keeper is not None:
                    keeper.add(reading)
                    keeper.lines(lines)
                read_until(reading.frame.time_s)
                if isinstance(reader, CheckpointingReader) and reader.rests:
                    growing.keep(reading, reader)
                    kept()
        growing.keep_hand(reader)
        if keeper is not None:
            keeper.finish()

    def finish(self) -> list[Json]:
        """Write the results of the whole film; return its questions as the file has them."""
        growing, stood = self.growing, self.growing.stood
        questions = self._asked(stood)
        folder, lang = growing.folder, self.film.options.lang
        growing.close_record(stood)
        growing.write_sheet(stood)
        answers = self.film.answers
        growing.drop_others(stood)
        tiles = self._upright(questions)
        named = growing.add_asked(tiles)
        rows = question_rows(questions, stood, lang, named)
        asked = asked_of(rows, self.film.name, self.made_with, answers)
        if questions or answers:
            write_whole(folder / QUESTIONS, json.dumps(asked, ensure_ascii=False, indent=1) + "\n")
        MadeReport.of(self.film.name, lang, self.film.again, growing.gaps).write(folder)
        report = to_report(
            stood,
            growing.crops(stood),
            self.film.name,
            lang,
            asked,
            gaps=growing.gaps,
            again=self.film.again,
            tiles=tiles,
            seal=last_seal(read_text(str(folder / RECORD))) if self.film.told_seal else None,
        )
        write_whole(folder / REPORT, report)
        write_hands(folder, stood, self.witness)
        growing.finish(stood)
        return rows

    def _asked(self, stood: Sequence[Entry]) -> Sequence[Question]:
        """What the reader asks, then payouts that were read twice and not alike, then fouls that it
        did not surely see. What was answered is not asked again."""
        game, lying = replay(stood), self.growing.lying
        payouts = asked_payouts(None, game, 0, self.questions)
        asked = [*self.questions, *payout_questions(payouts, game, self.questions, lying)]
        fouls = doubtful_fouls(None, game, 0)
        by_foul = payout_questions(fouls, game, asked, lying, waits=True)
        pins = Pins(answers=tuple(self.film.answers))
        return [*asked, *(one for one in by_foul if not pins.settle(one.place))]

    def _upright(self, questions: Sequence[Question]) -> dict[str, bytes]:
        """Pictures of the tiles that are asked, from the film, by the question's id."""
        found = {} if self._kept is None else asked_pictures(self._kept.folder)
        found = {one.id: found[one.id] for one in questions if one.id in found}
        for question in questions if self.film.videos else ():
            if question.id in found:
                continue
            shown_s = min(question.shown_s, self.growing.time_s)
            frame = self.source.frame_at(shown_s) if question.tiles else None
            if frame is not None:
                shown = frame.mirror_image() if self._mirrored else frame
                tiles = upright(shown.image_bgr, question)
                found |= {} if tiles is None else {question.id: jpeg(tiles)}
        return found

    def write_so_far(self) -> None:
        """Write the sheet and the report of what was read before an interruption."""
        growing, stood = self.growing, self.growing.stood
        until_s, lang = growing.time_s, self.film.options.lang
        growing.write_sheet(stood, until_s)
        pictures = growing.crops(stood)
        report = to_report(
            stood, pictures, self.film.name, lang, until_s=until_s, gaps=growing.gaps
        )
        write_whole(growing.folder / REPORT, report)


def asked_pictures(folder: Path) -> dict[str, bytes]:
    """The pictures of the tiles that a scored folder asks about, by the question's id."""
    asked = folder / QUESTIONS
    rows = AnswersFile.read(asked).asked if asked.is_file() else ()
    return {name: path.read_bytes() for name, path in asked_tiles(folder, rows).items()}


def _reader(film: FilmToScore, rest: Checkpoint | None, source: VideoFile) -> Reader:
    """Return the reader, as it was at its checkpoint or with what it is given at the start."""
    reader = film.make_reader()
    if rest is not None:
        assert isinstance(reader, CheckpointingReader), "such a reader has kept what it knew"
        reader.go_on(rest.reader)
        if isinstance(reader, LookKeepingReader):
            reader.keep_looks()
        return reader
    if isinstance(reader, MirrorChecker) and (wrong := reader.wrong_way(source.glimpses())):
        raise Refused(f"{shown(source.path)}: {wrong}")
    options = film.options
    witness = recorded(options.films, lambda: load_detector(options.own_set), film.progress)
    if isinstance(reader, WitnessingReader):
        reader.listen_to(witness)
    if film.answers:
        reader.hear(Pins(1, answers=tuple(film.answers)))
    if isinstance(reader, LookKeepingReader):
        reader.keep_looks()
    return reader
