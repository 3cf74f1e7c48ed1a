"""``tilesight score``: a recorded game becomes a record, a score sheet and a report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.announce import Problem
from engine.codec import write_record
from engine.events import Correct, Entry, GameStart
from engine.log import standing
from engine.rules import RULE_SETS
from engine.words import table_of
from service.commands.progress import Advance, no_progress, progress
from service.commands.seat_recordings import hands_seen, recorded, write_hands
from service.errors import Refused
from service.live.evidence import Album
from service.live.noticed import to_terminal
from service.live.readers import MakeReader
from service.live.reading import Asks, Listens, Reader, Reading
from service.live.seat_films import SeatFilm
from service.telling.questions import asked_of, read_answers
from service.telling.report import to_report
from service.telling.sheet import result_words, to_csv
from service.telling.story import GameStory, tell
from service.weights import load_detector
from service.whole import refuse_taken, whole_folder, write_whole
from vision.camera.ahead import ahead
from vision.camera.frames import Frame, VideoFile
from vision.notice import Notice
from vision.pipeline import STEP_S
from vision.telling.question import Answer, Question

RECORD, SHEET, REPORT, EVIDENCE = "record.jsonl", "sheet.csv", "report.html", "evidence"
QUESTIONS = "questions.json"


@dataclass(frozen=True)
class Scored:
    """What came out of a video."""

    entries: tuple[Entry, ...]
    """The events that stood at the end; what was taken back on the way is left out."""
    pictures: Mapping[int, bytes]
    """JPEG files by event number: the part of the table that shows the event."""
    notices: tuple[Notice, ...] = ()
    """What there is to say about camera and table."""
    questions: tuple[Question, ...] = ()
    """What the video does not decide."""


def run(
    video: Path,
    rules: str,
    out: Path | None,
    make_reader: MakeReader,
    lang: str = "en",
    answers: Path | None = None,
    films: Sequence[SeatFilm] = (),
    own_set: Path | None = None,
) -> int:
    """Score a video into a new folder; raises ``SourceError``, ``Refused``, ``NoSuchLanguage``.

    Then nothing is left behind. ``answers`` is the file of questions of an earlier run, answered;
    ``films`` are recordings of single seats' standing hands, ``own_set`` what they are read by.
    """
    refuse_unknown_rules(rules)
    table_of(lang)
    said = [] if answers is None else read_answers(answers)
    folder = out or Path(video.stem if answers is None else f"{video.stem}-answered")
    refuse_taken(folder)
    source = VideoFile(video)
    witness = recorded(films, lambda: load_detector(own_set))
    reader = make_reader()
    if isinstance(reader, Listens):
        reader.listen_to(witness)
    with whole_folder(folder) as filling:
        with progress(source) as advance_to:
            scored = score(ahead(source.frames(STEP_S)), reader, filling, advance_to, said)
        for notice in scored.notices:
            to_terminal(notice)
        if not any(not isinstance(entry.event, GameStart) for entry in scored.entries):
            raise Refused(
                f"no game was seen in {video}; is the whole table in the picture? "
                "(tilesight calibrate shows what was found)"
            )
        write_folder(filling, scored, video.name, lang)
        write_hands(filling, scored.entries, witness)
    for line in hands_seen(witness):
        print(line)
    _say(tell(scored.entries), folder, len(scored.questions))
    return 0


def score(
    frames: Iterator[Frame],
    reader: Reader,
    folder: Path,
    advance_to: Advance = no_progress,
    answers: Sequence[Answer] = (),
) -> Scored:
    """Read every frame; the pictures of the events go into ``folder``."""
    asks = reader if isinstance(reader, Asks) else None
    if asks is not None:
        for answer in answers:
            asks.answer(answer)
    lines: list[Entry] = []
    notices: list[Notice] = []
    pictures = _Pictures(folder / EVIDENCE)
    for reading in reader.read(frames):
        pictures.look(reading)
        lines += reading.entries
        notices += reading.notices
        advance_to(reading.frame.time_s)
    stood = [one.entry for one in standing(lines) if not isinstance(one.entry.event, Correct)]
    entries = tuple(pictures.name(number, entry) for number, entry in enumerate(stood))
    pictures.drop_others()
    questions = () if asks is None else tuple(asks.questions)
    return Scored(entries, pictures.parts, tuple(notices), questions)


class _Pictures:
    """Evidence of every event that was ever told, named when it is known which ones stand."""

    def __init__(self, folder: Path) -> None:
        self.parts: dict[int, bytes] = {}
        self._folder = folder
        self._album = Album()
        self._taken: dict[str, tuple[Path, bytes]] = {}
        folder.mkdir()

    def look(self, reading: Reading) -> None:
        self._album.add(reading)
        for line in reading.entries:
            told = line.event.events if isinstance(line.event, Correct) else (line,)
            for entry in told:
                if _key(entry) not in self._taken:
                    self._take(entry)

    def name(self, number: int, entry: Entry) -> Entry:
        """Give the event's picture its number; answers the entry that says where to look."""
        taken = self._taken.pop(_key(entry), None)
        if taken is None:
            return entry
        path = taken[0].rename(self._folder / f"{number:05}.jpg")
        self.parts[number] = taken[1]
        return replace(entry, evidence=f"{EVIDENCE}/{path.name}")

    def drop_others(self) -> None:
        for path, _ in self._taken.values():
            path.unlink()

    def _take(self, entry: Entry) -> None:
        evidence = self._album.evidence(entry)
        if evidence is not None:
            path = self._folder / f"told-{len(self._taken)}.jpg"
            path.write_bytes(evidence.whole)
            self._taken[_key(entry)] = (path, evidence.part)


def _key(entry: Entry) -> str:
    return f"{entry.event} {entry.t}"


def write_folder(folder: Path, scored: Scored, title: str, lang: str = "en") -> None:
    """Write the record, the sheet and the report into a folder."""
    write_whole(folder / RECORD, write_record(scored.entries))
    write_whole(folder / SHEET, to_csv(tell(scored.entries)))
    asked = asked_of(scored.questions, scored.entries, title, lang)
    if scored.questions:
        write_whole(folder / QUESTIONS, json.dumps(asked, ensure_ascii=False, indent=1) + "\n")
    write_whole(folder / REPORT, to_report(scored.entries, scored.pictures, title, lang, asked))


def refuse_unknown_rules(rules: str) -> None:
    """Raise ``Refused`` unless the engine plays these rules."""
    if rules not in RULE_SETS:
        known = ", ".join(RULE_SETS)
        raise Refused(f"there is no rule set {rules!r}; give --rules one of {known}")


def _say(games: Sequence[GameStory], folder: Path, questions: int) -> None:
    problems = 0
    for game in games:
        for hand in game.hands:
            moved = ", ".join(
                f"{name} {delta:+d}" if delta else f"{name} 0"
                for name, delta in zip(game.names, hand.deltas, strict=True)
            )
            print(f"hand {hand.number}: {result_words(game, hand)}; {moved}")
        problems += sum(isinstance(said, Problem) for event in game.happened for said in event.said)
    print(f"{problems} problem{'' if problems == 1 else 's'}; see {folder / REPORT}")
    if questions:
        print(
            f"{questions} question{'' if questions == 1 else 's'}: answer in the report, or in "
            f"{folder / QUESTIONS}, and score again with --answers FILE"
        )
