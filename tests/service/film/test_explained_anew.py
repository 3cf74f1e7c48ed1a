"""An answer in a scored folder explains the film anew, as reading the film with it does."""

from __future__ import annotations

import asyncio
import json
import lzma
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.codec import read_record
from engine.errors import Refused
from engine.events import Correct, Discard, Entry, Event, GameStart
from engine.log import in_force
from engine.updates import CameraRecord
from service.app import create_app
from service.commands.score import run
from service.evening.open_table import TableRequest, open_table
from service.film.explaining_reader import ExplainingReader, answers_of
from service.film.film import asked_pictures
from service.film.kept_looks import (
    ABOUT,
    LOOKS,
    NoLooks,
    drop_other_looks,
    kept_game,
    looks_about,
    write_about,
)
from service.film.mended import MendedFolder, take_place
from service.pages.settings import PageSettings
from service.table.options import Options
from service.table.questions import answer_lines
from service.table.reader import EmptySource
from service.table.reader_thread import ReaderThread
from tests.support.evening import ByColour
from tests.support.folders import files
from tests.support.patience import until
from tests.support.saved import saved_in
from tests.support.score_program import LIES, RULES, film_at, made
from tests.support.served import Served, serving
from vision.attention.schedule import RECORDED
from vision.camera.video_file import VideoFile
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptGame
from vision.decoder.kept_looks import Begun, DamagedLooks, packed_looks, unpacked_looks
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
from vision.detect import Detection
from vision.tracking.observe import Observation

pytestmark = pytest.mark.film


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film_at(tmp_path_factory.mktemp("film") / "friday.mp4")


@pytest.fixture(scope="module")
def scored(video: Path) -> Path:
    out = video.with_name("scored")
    assert run([video], Options(RULES), out, made(ByColour(LIES)), players="Zoe,Bo,Chen,Dana") == 0
    return out


@pytest.fixture
def folder(scored: Path, tmp_path: Path) -> Path:
    """A copy, in which something may be put right."""
    return Path(shutil.copytree(scored, tmp_path / "friday"))


@pytest.fixture(scope="module")
def film_with(video: Path) -> Callable[[Sequence[Answer]], list[Event]]:
    """What is told when the film is read with these answers."""
    known: dict[str, list[Event]] = {}

    def told(answers: Sequence[Answer]) -> list[Event]:
        if repr(answers) not in known:
            reader = made(ByColour(LIES))()
            reader.hear(Pins(1, answers=tuple(answers)))
            now: Sequence[Entry] = ()
            for result in reader.read(RECORDED.frames(VideoFile(video))):
                now = now if result.decoding is None else result.decoding.told
            known[repr(answers)] = plain(now)
        return known[repr(answers)]

    return told


def plain(entries: Sequence[Entry]) -> list[Event]:
    """The events, with no name of a player."""
    events = [entry.event for entry in entries if not isinstance(entry.event, Correct)]
    return [replace(one, players=None) if isinstance(one, GameStart) else one for one in events]


def recorded(folder: Path) -> list[Event]:
    lines = read_record((folder / "record.jsonl").read_text())
    return plain([event.entry for event in in_force(lines)])


def holds(folder: Path, events: Sequence[Event]) -> bool:
    return recorded(folder) == list(events)


def asked(folder: Path) -> list[Question]:
    return MendedFolder(folder).asked


@contextmanager
def opened(folder: Path) -> Iterator[Served]:
    scored = MendedFolder(folder)
    request = TableRequest(
        EmptySource(scored.title),
        scored.make_reader,
        GameStart(RULES),
        scored.record,
        pictures=scored.pictures,
        has_next=False,
        whole=True,
    )
    with open_table(request) as shown:
        pages = PageSettings(keys=shown.keys, dispute=shown.dispute, jobs=[scored.job])
        with serving(create_app(shown.table, pages)) as server:
            server.wait_for_end()
            yield server


def say(server: Served, question: Question, choice: int = 1) -> Answer:
    """Give an answer as the page does."""
    until(lambda: question.id in ids(server))
    answer = server.post("/api/v1/answers", {"id": question.id, "choice": choice})
    assert answer.status == 200, answer.text
    return Answer(question.place, question.choices[choice].events)


def take_back(server: Served, folder: Path) -> None:
    """Undo what was said last, whatever is written meanwhile."""

    def undone() -> bool:
        lines = len(read_record((folder / "record.jsonl").read_text()))
        return server.post("/api/v1/undo", {"lines": lines}).status == 200

    until(undone)


def ids(server: Served) -> list[str]:
    return [row["id"] for row in server.json("/api/v1/questions")["questions"]]


def test_each_answer_on_the_page_gives_the_game_that_the_film_gives(
    folder: Path, scored: Path, film_with: Callable[[Sequence[Answer]], list[Event]]
) -> None:
    for at, question in enumerate(asked(folder)):
        copy = Path(shutil.copytree(scored, folder.with_name(f"copy{at}")))
        with opened(copy) as server:
            wanted = film_with([say(server, question)])
            until(partial(holds, copy, wanted))
        assert wanted != recorded(scored)
        assert "Zoe" in (copy / "sheet.csv").read_text()


def test_an_answer_after_an_answer_a_restart_and_an_undo_give_what_the_film_gives(
    folder: Path, film_with: Callable[[Sequence[Answer]], list[Event]]
) -> None:
    first, second, third = asked(folder)
    before = recorded(folder)
    with opened(folder) as server:
        said = [say(server, third)]
        until(lambda: recorded(folder) == film_with(said))
        said = [say(server, first), *said]
        until(lambda: recorded(folder) == film_with(said))
    with opened(folder) as server:
        assert third.id not in ids(server)
        said = [*said, say(server, second)]
        until(lambda: recorded(folder) == film_with(said))
        for left, lines in ((said[:-1], 2), (said[1:2], 1), ([], 2)):
            for _ in range(lines):
                take_back(server, folder)
            wanted = film_with(left) if left else before
            until(partial(holds, folder, wanted))
        until(lambda: ids(server) == [one.id for one in (first, second, third)])


def test_what_was_taken_back_is_asked_again_after_a_restart(
    folder: Path, film_with: Callable[[Sequence[Answer]], list[Event]]
) -> None:
    before, open_before = recorded(folder), [one.id for one in asked(folder)]
    with opened(folder) as server:
        said = say(server, asked(folder)[0])
        until(partial(holds, folder, film_with([said])))
        take_back(server, folder)
        until(partial(holds, folder, before))
    assert [one.id for one in asked(folder)] == open_before
    with opened(folder) as server:
        until(lambda: ids(server) == open_before)
        said = say(server, asked(folder)[0])
        until(partial(holds, folder, film_with([said])))


def test_every_event_keeps_its_picture(folder: Path) -> None:
    with opened(folder) as server:
        was = recorded(folder)
        say(server, asked(folder)[0])
        until(lambda: recorded(folder) != was)
        until(lambda: "friday" in (folder / "report.html").read_text())
    lines = read_record((folder / "record.jsonl").read_text())
    for event in in_force(lines):
        if isinstance(event.entry.event, Discard):
            assert (folder / str(event.entry.evidence)).is_file()


def linked(folder: Path) -> list[int]:
    """The events to which the questions of the report lead."""
    return [question["number"] for question in saved_in(folder / "report.html")["questions"]]


def test_questions_lead_to_their_events_after_earlier_ones_have_become_fewer(folder: Path) -> None:
    (folder / LOOKS / ABOUT).unlink()  # nothing else than the line changes
    last = asked(folder)[-1]
    lines = read_record((folder / "record.jsonl").read_text())
    first = next(at for at, line in enumerate(lines) if isinstance(line.event, Discard))
    at = linked(folder)[-1]
    assert lines[at].change == last.place.change
    with opened(folder) as server:
        gone = {"of": first, "do": "remove", "events": [], "lines": len(lines)}
        assert server.post("/api/v1/corrections", gone).status == 200
        until(lambda: linked(folder)[-1:] == [at - 1])


def other_version(looks: Path) -> None:
    about = json.loads((looks / ABOUT).read_text())
    (looks / ABOUT).write_text(json.dumps(about | {"program": "another"}))


def cut_short(looks: Path) -> None:
    data = (looks / "001").read_bytes()
    (looks / "001").write_bytes(data[: len(data) // 2])


SPOILT: dict[str, Callable[[Path], object]] = {
    "keeps no looks": shutil.rmtree,
    "another version": other_version,
    "is damaged": lambda looks: (looks / ABOUT).write_text("{"),
    "cannot be read": lambda looks: (looks / "001").unlink(),
    "do not say how they begin": lambda looks: (looks / "000").write_bytes(packed_looks([])),
    "are damaged": cut_short,
}


@pytest.mark.parametrize("why", SPOILT)
def test_without_usable_looks_an_answer_changes_its_line_and_one_line_says_why(
    folder: Path, why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    SPOILT[why](folder / LOOKS)
    question, *others = asked(folder)
    was = recorded(folder)
    wanted = [
        question.choices[1].events[0] if event == question.choices[0].events[0] else event
        for event in was
    ]
    with opened(folder) as server:
        say(server, question)
        until(lambda: recorded(folder) == wanted)
        until(lambda: ids(server) == [one.id for one in others])
    assert len([line for line in capfd.readouterr().err.splitlines() if why in line]) == 1


# --- a folder of somebody else ---


@pytest.mark.parametrize("name", ["evidence/../../secret.jpg", "evidence/", "/secret.jpg"])
def test_a_picture_outside_the_folder_is_none(folder: Path, name: str, video: Path) -> None:
    question = asked(folder)[0]
    pictures = folder.with_name("secret.jpg")
    pictures.write_bytes(next((folder / "evidence").glob("0*.jpg")).read_bytes() + SECRET)
    (folder / "crops" / "secret.jpg").write_bytes(pictures.read_bytes())
    lines = (folder / "record.jsonl").read_text().splitlines()
    lines = [json.dumps(json.loads(line) | {"evidence": name}) for line in lines]
    (folder / "record.jsonl").write_text("\n".join(lines) + "\n")
    file = json.loads((folder / "questions.json").read_text())
    for row in file["questions"]:
        row["tiles"] = name
    (folder / "questions.json").write_text(json.dumps(file))
    assert asked_pictures(folder) == {}
    assert score_again(video, folder, answers_file(folder, {question.id: 2}), Blind()) == 0
    there = files(folder)
    assert not [one for one, data in there.items() if SECRET in data if one != "crops/secret.jpg"]


SECRET = b"secret\xff\xd9"


@pytest.mark.parametrize("part", ["evidence", "crops"])
def test_a_link_in_place_of_a_picture_is_refused(folder: Path, part: str, video: Path) -> None:
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    linked = next((folder / part).glob("0*.jpg"))
    linked.rename(folder.with_name("secret.jpg"))
    linked.symlink_to(folder.with_name("secret.jpg"))
    with pytest.raises(Refused, match=f"{linked.name} is a link"):
        MendedFolder(folder)
    with pytest.raises(Refused, match=f"{linked.name} is a link"):
        score_again(video, folder, answers, Blind())
    shutil.move(folder / part, folder.with_name(part))
    (folder / part).symlink_to(folder.with_name(part))
    with pytest.raises(Refused, match=f"{part} is a link"):
        MendedFolder(folder)


@pytest.mark.parametrize("part", ["evidence", "crops", "looks", "answered", "answered/looks"])
def test_a_link_is_refused_before_anything_is_moved_or_deleted(
    folder: Path, part: str, video: Path
) -> None:
    """An empty folder of answers is what an interruption leaves of one that was moved."""
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    (folder / "answered").mkdir()
    foreign = folder.with_name("foreign")
    foreign.mkdir()
    for name in ("holiday.jpg", "900"):
        (foreign / name).write_bytes(b"of somebody else")
    place = folder / part
    if place.is_dir():
        shutil.rmtree(place)
    place.symlink_to(foreign)
    with pytest.raises(Refused, match=f"{part} is a link"):
        MendedFolder(folder)
    with pytest.raises(Refused, match=f"{part} is a link"):
        score_again(video, folder, answers, Blind())
    assert sorted(files(foreign)) == ["900", "holiday.jpg"]


@pytest.mark.parametrize("data", [b"", b"any text"])
def test_tiles_that_are_no_whole_picture_are_not_shown(folder: Path, data: bytes) -> None:
    for path in (folder / "evidence").glob("asked-*"):
        path.write_bytes(data)
    assert asked_pictures(folder) == {}


# --- answers in a file ---


def answers_file(folder: Path, choices: dict[str, int]) -> Path:
    """What the report saves: the file of questions with the chosen numbers in it."""
    file = json.loads((folder / "questions.json").read_text())
    for row in file["questions"]:
        row["answer"] = choices.get(row["id"])
    path = folder.with_name("answers.json")
    path.write_text(json.dumps(file))
    return path


class Blind(ByColour):
    """Sees nothing, and says so when it is asked."""

    def __init__(self) -> None:
        super().__init__([])
        self.asked = 0

    def read(self, *asked: object) -> list[Detection]:
        self.asked += 1
        raise AssertionError("no picture is read")


def score_again(video: Path, folder: Path, answers: Path, detector: ByColour) -> int:
    names = "Zoe,Bo,Chen,Dana"
    return run([video], Options(RULES), folder, made(detector), answers, names)


def test_answers_in_a_file_explain_the_film_without_reading_it(
    folder: Path, video: Path, film_with: Callable[[Sequence[Answer]], list[Event]]
) -> None:
    said: list[Answer] = []
    for question in asked(folder)[::2]:
        said.append(Answer(question.place, question.choices[1].events))
        assert score_again(video, folder, answers_file(folder, {question.id: 2}), Blind()) == 0
        assert recorded(folder) == film_with(said)
        assert not (folder / "answered").exists()


def test_the_files_are_those_of_a_film_that_is_read_again(
    folder: Path, scored: Path, video: Path, tmp_path: Path
) -> None:
    """But for the names of pictures, of which none is made anew."""
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    read = Path(shutil.copytree(scored, tmp_path / "read"))
    shutil.rmtree(read / LOOKS)
    assert score_again(video, read, answers, ByColour(LIES)) == 0
    assert score_again(video, folder, answers, Blind()) == 0
    lines, files_there, pages = zip(*map(contents, (read, folder)), strict=True)
    assert lines[0] == lines[1]
    assert files_there[0] == files_there[1]
    assert pages[0].count("data:image/jpeg") == pages[1].count("data:image/jpeg") > 0


def contents(folder: Path) -> tuple[list[object], dict[str, object], str]:
    """Of a folder: the record with whether there is a picture, the other files, the report."""
    lines: list[object] = []
    for line in read_record((folder / "record.jsonl").read_text()):
        shown = str(line.evidence).endswith(".jpg")
        assert not shown or (folder / str(line.evidence)).is_file()
        assert not shown or (folder / str(line.evidence).replace("evidence", "crops")).is_file()
        lines.append(replace(line, evidence="pictured") if shown else line)
    there: dict[str, object] = {
        name: data
        for name, data in files(folder).items()
        if name.startswith(f"{LOOKS}/0") or name == "sheet.csv"
    }
    questions = json.loads((folder / "questions.json").read_text())
    for row in questions["questions"]:
        del row["picture"]
    return lines, there | {"questions": questions}, (folder / "report.html").read_text()


@pytest.mark.parametrize("why", SPOILT)
def test_without_usable_looks_answers_read_the_film_and_one_line_says_why(
    folder: Path,
    video: Path,
    why: str,
    film_with: Callable[[Sequence[Answer]], list[Event]],
    capfd: pytest.CaptureFixture[str],
) -> None:
    SPOILT[why](folder / LOOKS)
    question = asked(folder)[0]
    answers = answers_file(folder, {question.id: 2})
    assert score_again(video, folder, answers, ByColour(LIES)) == 0
    assert recorded(folder) == film_with([Answer(question.place, question.choices[1].events)])
    said = [line for line in capfd.readouterr().err.splitlines() if why in line]
    assert [line.endswith("the film is read again") for line in said] == [True]
    with opened(folder) as server:
        assert question.id not in ids(server)
    assert why not in capfd.readouterr().err, "they are kept anew"


@pytest.mark.parametrize("spoil", ["record.jsonl", "looks"])
def test_looks_of_another_reading_than_the_record_are_not_used(folder: Path, spoil: str) -> None:
    if spoil == "looks":
        (folder / LOOKS / "001").write_bytes((folder / LOOKS / "000").read_bytes())
    else:
        lines = (folder / spoil).read_text().splitlines(keepends=True)
        (folder / spoil).write_text("".join([lines[0], *lines[2:]]))
    with pytest.raises(NoLooks, match=r"not of this record\.jsonl"):
        kept_game(folder, (), folder / "record.jsonl")


def test_looks_stay_those_of_a_record_in_which_names_are_changed(folder: Path) -> None:
    record = folder / "record.jsonl"
    record.write_text(record.read_text().replace("Zoe", "Zoey Ann"))
    assert kept_game(folder, (), record)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"notices": [{"kind": [], "time_s": 1.0, "text": "", "lasts": False}]},
        {"notices": [{"kind": "gap", "time_s": "1", "text": "", "lasts": False}]},
        {"ends_s": [float("nan")]},
        {"record_lines": None},
    ],
)
def test_what_says_what_the_looks_are_is_checked(folder: Path, spoilt: dict[str, object]) -> None:
    about = folder / LOOKS / ABOUT
    about.write_text(json.dumps(json.loads(about.read_text()) | spoilt))
    with pytest.raises(NoLooks, match="is damaged"):
        looks_about(folder)


def of_no_rules(looks: Path) -> None:
    """With a whole file of another beginning, of which the digest is right."""
    folder = looks.parent
    first, *rest = unpacked_looks((looks / "000").read_bytes())
    assert isinstance(first, Begun)
    spoilt = packed_looks([replace(first, rules="nope"), *rest])
    (looks / "000").write_bytes(spoilt)
    write_about(folder, looks_about(folder), folder / "record.jsonl")


def without_tiles(looks: Path) -> None:
    """With a second hand that names tiles which nobody has seen."""
    folder = looks.parent
    data = lzma.decompress((looks / "001").read_bytes())
    (looks / "001").write_bytes(lzma.compress(data[: len(data) // 2]))
    write_about(folder, looks_about(folder), folder / "record.jsonl")


@pytest.mark.parametrize("spoil", [of_no_rules, without_tiles])
def test_hostile_looks_leave_answers_that_change_their_line(
    folder: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(folder / LOOKS)
    question, *others = asked(folder)
    with opened(folder) as server:
        say(server, question)
        until(lambda: ids(server) == [one.id for one in others])


PREPARED_S = 300.0
"""Time enough to prepare what may be asked for next."""


class Long(KeptGame):
    """Takes long to explain."""

    def __init__(self, given: KeptGame) -> None:
        vars(self).update(vars(given))
        self.begun = threading.Event()
        self.left = 20_000

    def explain(self, answers: Sequence[Answer]) -> Iterator[Decoding | None]:
        while self.left:
            self.left -= 1
            self.begun.set()
            time.sleep(0.001)
            yield None


def test_nobody_waits_for_an_explanation_at_the_end_of_the_program(folder: Path) -> None:
    game = Long(kept_game(folder, (), folder / "record.jsonl"))
    reader = ExplainingReader(game, asked(folder))
    thread = ReaderThread(reader, EmptySource("film").frames(), MendedFolder(folder).pictures, 0.0)

    async def end() -> None:
        assert await anext(thread.settled()) is not None, "the record"
        thread.hear(Pins(1))
        explaining = asyncio.ensure_future(anext(thread.settled()))
        await asyncio.to_thread(game.begun.wait)
        explaining.cancel()
        await asyncio.wait([explaining])

    asyncio.run(end())
    assert game.left > 0


def test_nothing_is_told_first_that_the_later_hands_contradict(folder: Path) -> None:
    """How the first of these hands ended nobody saw: the second tells who has dealt."""
    game = kept_game(folder, (), folder / "record.jsonl")
    assert list(game.explain(()))
    for question in asked(folder):
        told = game.explain([Answer(question.place, question.choices[1].events)])
        *first, whole = [plain(one.told) for one in told if one is not None]
        assert all(one == whole for one in first)


@pytest.mark.parametrize("at", [0, -1])
def test_the_answered_hand_is_explained_before_the_answer_is_given(
    at: int,
    folder: Path,
    film_with: Callable[[Sequence[Answer]], list[Event]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    question, lines = asked(folder)[at], read_record((folder / "record.jsonl").read_text())
    ends_s = next(one for one in (*looks_about(folder).ends_s, 1e9) if one > question.place.time_s)
    wanted = film_with([Answer(question.place, question.choices[1].events)])
    reader = ExplainingReader(kept_game(folder, (), folder / "record.jsonl"), asked(folder))
    reader.resume(lines)
    assert list(reader.read(())) == []
    reader.join(PREPARED_S)
    assert reader.settled() is not None, "the record"
    record = CameraRecord(Pins(), lines, 0)
    for line in answer_lines(lines, question, question.choices[1]):
        record.write(line)
    assert record.pin()
    with monkeypatch.context() as patched:
        observe = Decoder.observe

        def later(self: Decoder, seen: Observation) -> Decoding | None:
            assert seen.time_s > ends_s, "the answered hand is explained again"
            return observe(self, seen)

        patched.setattr(Decoder, "observe", later)
        reader.hear(record.pins)
        now = reader.settled()
    assert now is not None
    assert (plain(now.told), now.heard) == (wanted, record.pins.number)
    reader.stop()


def test_an_answer_that_cannot_be_explained_leaves_the_others_as_they_are(
    folder: Path,
    film_with: Callable[[Sequence[Answer]], list[Event]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, question = asked(folder)[:2]
    foresee = Decoder.foresee

    def foreseen(self: Decoder, pins: Pins) -> None:
        if any(one.place.same(first.place) for one in pins.answers):
            raise ZeroDivisionError
        foresee(self, pins)

    monkeypatch.setattr(Decoder, "foresee", foreseen)
    reader = ExplainingReader(kept_game(folder, (), folder / "record.jsonl"), asked(folder))
    reader.resume(read_record((folder / "record.jsonl").read_text()))
    assert list(reader.read(())) == []
    reader.join(PREPARED_S)
    assert reader.settled() is not None, "the record"
    said = Answer(question.place, question.choices[1].events)
    reader.hear(Pins(1, answers=(said,)))  # the record does not hold it
    now = reader.settled()
    assert now is not None
    assert plain(now.told) == film_with([said])
    reader.stop()


def test_what_people_wrote_says_more_than_what_they_answered_beside_it(folder: Path) -> None:
    question, lines = asked(folder)[0], read_record((folder / "record.jsonl").read_text())
    record = CameraRecord(Pins(), lines, 0)
    for line in answer_lines(lines, question, question.choices[1]):
        record.write(line)
    assert record.pin()
    beside = Answer(question.place, ()), Answer(question.place, question.choices[0].events)
    assert answers_of(replace(Pins(), answers=beside)) == beside[1:]
    wrote = answers_of(record.pins)
    assert [one.events for one in wrote] == [question.choices[1].events]
    assert answers_of(replace(record.pins, answers=beside)) == wrote


class Failing(KeptGame):
    """Tells the game, and fails at once when it is explained again."""

    def __init__(self, given: KeptGame) -> None:
        vars(self).update(vars(given))
        self.explained = 0

    def explain(self, answers: Sequence[Answer]) -> Iterator[Decoding | None]:
        self.explained += 1
        if self.explained > 1:
            raise DamagedLooks("these looks fail")
        yield from super().explain(answers)


def test_what_was_explained_stands_where_what_is_prepared_after_it_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Failing(kept_game(folder, (), folder / "record.jsonl"))
    reader = ExplainingReader(game, asked(folder))
    start = threading.Thread.start

    def ended_at_once(self: threading.Thread) -> None:
        start(self)
        self.join()

    assert reader.settled() is not None, "the record"
    question = asked(folder)[0]
    reader.hear(Pins(1, answers=(Answer(question.place, question.choices[1].events),)))
    assert reader.settled() is not None, "the game"
    monkeypatch.setattr(threading.Thread, "start", ended_at_once)
    assert reader.settled() is None
    assert game.explained == 2


def test_nothing_is_prepared_any_more_once_the_table_is_left(folder: Path) -> None:
    scored = MendedFolder(folder)
    game = Long(kept_game(folder, (), folder / "record.jsonl"))
    reader = ExplainingReader(game, scored.asked)
    request = TableRequest(
        EmptySource(scored.title),
        lambda: reader,
        GameStart(RULES),
        scored.record,
        pictures=scored.pictures,
        has_next=False,
        whole=True,
    )

    async def leave() -> None:
        with open_table(request) as shown:
            app = create_app(shown.table, PageSettings(keys=shown.keys))
            async with app.router.lifespan_context(app):
                await asyncio.to_thread(game.begun.wait)

    asyncio.run(leave())
    assert game.left > 0
    assert not any(one.name == "looks" for one in threading.enumerate())


@pytest.fixture
def answered(folder: Path, video: Path) -> Path:
    """A folder with the whole results of answers in it, which have not taken their place."""
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("service.commands.score.take_place", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            score_again(video, folder, answers, Blind())
    return folder


@pytest.mark.parametrize("moved", [0, 1, -6, -3, -1])
def test_a_folder_in_which_answers_have_taken_half_their_place_is_opened_whole(
    answered: Path, moved: int, tmp_path: Path
) -> None:
    question = asked(Path(shutil.copytree(answered, tmp_path / "whole")))[0]
    whole, before = recorded(tmp_path / "whole"), len(list((answered / LOOKS).iterdir()))
    count = len([path for path in (answered / "answered").rglob("*") if path.is_file()])
    left = iter(range(moved if moved >= 0 else count + moved))

    def replaced(one: Path, other: Path) -> None:
        next(left)  # the end of it is the interruption
        one.rename(other)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("service.film.mended.os.replace", replaced)
        with pytest.raises(StopIteration):
            take_place(answered)
    assert not (answered / LOOKS / ABOUT).exists()
    mended = MendedFolder(answered)
    assert (recorded(answered), mended.asked[0].id) == (whole, question.id)
    assert not (answered / "answered").exists()
    assert isinstance(mended.make_reader(), ExplainingReader)
    assert len(list((answered / LOOKS).iterdir())) == before


def test_answers_do_not_undo_what_a_person_put_right_since(answered: Path) -> None:
    line = {"type": "correct", "of": 2, "events": [], "source": "person"}
    with (answered / "record.jsonl").open("a") as record:
        record.write(json.dumps(line) + "\n")
    with pytest.raises(Refused, match="would undo what was put right"):
        MendedFolder(answered)


def test_no_looks_are_deleted_where_nothing_says_how_many_there_are(folder: Path) -> None:
    (folder / LOOKS / ABOUT).write_text("{")
    there = files(folder)
    drop_other_looks(folder)
    assert files(folder) == there


class Interrupted(ByColour):
    """Is interrupted by Ctrl-C once the looks of a hand are kept."""

    def __init__(self, folder: Path) -> None:
        super().__init__(LIES)
        self.folder = folder

    def read(self, *asked: Any) -> list[Detection]:
        if (self.folder / LOOKS).is_dir():
            raise KeyboardInterrupt
        return super().read(*asked)


def test_a_film_that_is_half_read_with_answers_is_not_explained_as_well(
    folder: Path, video: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / LOOKS / ABOUT).unlink()
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    assert score_again(video, folder, answers, Interrupted(folder / "answered")) != 0
    assert "read again" in capfd.readouterr().err
    assert list((folder / "answered" / LOOKS).iterdir()), "there is a checkpoint"
    assert score_again(video, folder, answers, ByColour(LIES)) == 0
    assert "read again" not in capfd.readouterr().err
