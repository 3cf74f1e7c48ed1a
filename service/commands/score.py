"""``tilesight score``: turns a recorded game into a record, a score sheet and a report."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.announce import Problem
from engine.rules import RULE_SETS
from service.atomic_files import write_whole
from service.commands.checkpoint import Checkpoint, rest_of
from service.commands.progress import ProgressCallback, no_progress, progress
from service.commands.score_folder import ScoreFolder
from service.commands.seat_recordings import hands_seen, recorded, write_hands
from service.errors import Refused
from service.fingerprints import fingerprint
from service.private_files import to_stderr
from service.report.questions import asked_of, read_answers
from service.report.report import to_report
from service.report.sheet import result_words
from service.report.story import GameStory, tell
from service.seat_camera.films import SeatFilm
from service.setup.readers import MakeReader, ReaderMaker
from service.table.notices import to_terminal
from service.table.reader import (
    CheckpointingReader,
    MirrorChecker,
    QuestionSource,
    Reader,
    WitnessingReader,
)
from service.table.tile_keeper import TileKeeper
from service.weights import load_detector
from service.words.catalogue import words_of
from vision.camera.buffer import ahead
from vision.camera.frames import Frames
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile
from vision.decoder.question import Answer, Question
from vision.pipeline import STEP_S
from vision.seat_camera.witness import NOBODY, Witness

REPORT, QUESTIONS = "report.html", "questions.json"


def run(
    video: Path,
    rules: str,
    out: Path | None,
    make_reader: MakeReader,
    lang: str = "en",
    answers: Path | None = None,
    films: Sequence[SeatFilm] = (),
    own_set: Path | None = None,
    keep_tiles: Path | None = None,
) -> int:
    """Score a video into a new folder, or into one where this was interrupted.

    Raises ``SourceError``, ``Refused``, ``NoSuchLanguage``; where no event was seen before that,
    nothing is left behind. ``answers`` is the file of questions of an earlier run, answered;
    ``films`` are recordings of single seats' standing hands, ``own_set`` what they are read by,
    ``keep_tiles`` a folder for pictures of doubtful, corrected and confirmed tiles.
    """
    refuse_unknown_rules(rules)
    words = words_of(lang)
    said = [] if answers is None else read_answers(answers)
    folder = out or Path(video.stem if answers is None else f"{video.stem}-answered")
    source = VideoFile(video)
    made_with = {"film": fingerprint([video]), "--rules": rules}
    made_with |= {"--answers": fingerprint([answers])} if answers is not None else {}
    made_with |= {
        f"--seat-camera {film.seat}": f"{fingerprint([Path(film.source)])} {film.shift_s}"
        for film in films
        if Path(film.source).is_file()
    }
    made_with |= make_reader.made_with if isinstance(make_reader, ReaderMaker) else {}
    rest = rest_of(folder, made_with)
    reader = _reader(make_reader, rest, source, films, own_set, said)
    growing = ScoreFolder(folder, made_with, rest)
    tell_kept(keep_tiles, lang)
    keeper = None if keep_tiles is None else TileKeeper(keep_tiles, growing.lines, said)
    if source.cut_off:
        to_stderr(source.cut_off)
    if rest is not None:
        to_stderr(words["cli.score.going_on"].format(seconds=round(rest.place.time_s)))
    try:
        with progress(source, growing.time_s, lang) as advance_to:
            frames = ahead(source.frames(STEP_S, None if rest is None else rest.place))
            read(frames, reader, growing, advance_to, keeper)
        for notice in growing.notices:
            to_terminal(notice, lang)
        if not growing.game_seen:
            raise Refused(
                f"no game was seen in {video}; is the whole table in the picture? "
                "(tilesight calibrate shows what was found)"
            )
        questions = tuple(reader.questions) if isinstance(reader, QuestionSource) else ()
        _finish(growing, questions, video.name, lang, _witness(reader))
    except BaseException as error:
        growing.close_record()
        if not growing.game_seen:
            growing.remove()
            if isinstance(error, KeyboardInterrupt):
                to_stderr(words["cli.score.nothing"].format(seconds=round(growing.time_s)))
            raise
        # The disk may be full; a second Ctrl-C skips the report, but not the line about it.
        with contextlib.suppress(OSError, KeyboardInterrupt):
            _write_so_far(growing, video.name, lang)
        return _ended(error, growing, words)
    for line in hands_seen(_witness(reader), lang):
        print(line)
    _say(tell(growing.stood), folder, len(questions), lang)
    return 0


def read(
    frames: Frames,
    reader: Reader,
    growing: ScoreFolder,
    advance_to: ProgressCallback = no_progress,
    keeper: TileKeeper | None = None,
) -> None:
    """Read every frame; write each result to the folder at once."""
    asking = reader if isinstance(reader, QuestionSource) else None
    with contextlib.closing(frames):
        for reading in reader.read(frames):
            growing.add(reading)
            if keeper is not None:
                keeper.add(reading, () if asking is None else asking.questions)
            advance_to(reading.frame.time_s)
            if isinstance(reader, CheckpointingReader) and reader.rests:
                growing.keep(reading, reader)
    if keeper is not None:
        keeper.finish()


def _reader(
    make_reader: MakeReader,
    rest: Checkpoint | None,
    source: VideoFile,
    films: Sequence[SeatFilm],
    own_set: Path | None,
    answers: Sequence[Answer],
) -> Reader:
    """Return the reader, as it was at its checkpoint or with what it is given at the start."""
    if rest is not None:
        reader = make_reader()
        assert isinstance(reader, CheckpointingReader), "such a reader has kept what it knew"
        reader.go_on(rest.reader)
        return reader
    reader = make_reader()
    if isinstance(reader, MirrorChecker) and (wrong := reader.wrong_way(source.glimpses())):
        raise Refused(f"{source.path}: {wrong}")
    witness = recorded(films, lambda: load_detector(own_set))
    if isinstance(reader, WitnessingReader):
        reader.listen_to(witness)
    if isinstance(reader, QuestionSource):
        for answer in answers:
            reader.answer(answer)
    return reader


def _witness(reader: Reader) -> Witness:
    return reader.witness if isinstance(reader, WitnessingReader) else NOBODY


def _finish(
    growing: ScoreFolder, questions: Sequence[Question], title: str, lang: str, witness: Witness
) -> None:
    """Write the results of a film that was read to its end."""
    folder, stood = growing.folder, growing.stood
    growing.close_record(stood)
    growing.write_sheet(stood)
    asked = asked_of(questions, stood, title, lang)
    if questions:
        write_whole(folder / QUESTIONS, json.dumps(asked, ensure_ascii=False, indent=1) + "\n")
    write_whole(folder / REPORT, to_report(stood, growing.pictures(stood), title, lang, asked))
    write_hands(folder, stood, witness)
    growing.drop_others(stood)
    growing.finish()


def _write_so_far(growing: ScoreFolder, title: str, lang: str) -> None:
    """Write the sheet and the report of what was read before an interruption."""
    stood, until_s = growing.stood, growing.time_s
    growing.write_sheet(stood, until_s)
    report = to_report(stood, growing.pictures(stood), title, lang, until_s=until_s)
    write_whole(growing.folder / REPORT, report)


def _ended(error: BaseException, growing: ScoreFolder, words: Mapping[str, str]) -> int:
    """Say where reading was interrupted and how to go on; raise faults of ours again."""
    since = words["cli.score.again"]
    if growing.rest is not None:
        since = words["cli.score.goes_on"].format(seconds=round(growing.rest.place.time_s))
    so_far = {"seconds": round(growing.time_s), "folder": growing.folder, "since": since}
    told = words["cli.score.ended"].format(**so_far)
    if isinstance(error, OSError):
        raise Refused(f"{error.filename or growing.folder}: {error.strerror}; {told}") from error
    if isinstance(error, Refused | SourceError):
        raise Refused(f"{error}; {told}") from error
    to_stderr(f"tilesight: {told}")
    if isinstance(error, KeyboardInterrupt):
        return 130
    raise error


def tell_kept(folder: Path | None, lang: str) -> None:
    """Say what is kept, and that everybody at the table has to agree to it; raises ``OSError``."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        to_stderr(words_of(lang)["cli.keep_tiles"].format(folder=folder))


def refuse_unknown_rules(rules: str) -> None:
    """Raise ``Refused`` unless the engine plays these rules."""
    if rules in RULE_SETS.faults:
        raise Refused(RULE_SETS.faults[rules])
    if rules not in RULE_SETS:
        known = ", ".join(RULE_SETS)
        raise Refused(f"there is no rule set {rules!r}; give --rules one of {known}")


def _say(games: Sequence[GameStory], folder: Path, questions: int, lang: str) -> None:
    words = words_of(lang)
    problems = 0
    for game in games:
        for hand in game.hands:
            moved = ", ".join(
                f"{name} {delta:+d}" if delta else f"{name} 0"
                for name, delta in zip(game.names_in(lang), hand.deltas, strict=True)
            )
            result = result_words(game, hand, lang)
            print(words["cli.score.hand"].format(number=hand.number, result=result, moved=moved))
        problems += sum(isinstance(said, Problem) for event in game.happened for said in event.said)
    text = words["cli.score.problems.one" if problems == 1 else "cli.score.problems"]
    print(text.format(count=problems, report=folder / REPORT))
    if questions:
        text = words["cli.score.questions.one" if questions == 1 else "cli.score.questions"]
        print(text.format(count=questions, file=folder / QUESTIONS))
