"""What is explained anew is told when all of it is known, and prepared before anybody asks."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.codec import read_record
from engine.events import Event, GameStart
from engine.updates import CameraRecord
from service.app import create_app
from service.evening.open_table import TableRequest, open_table
from service.film.explaining_reader import ExplainingReader, answers_of
from service.film.kept_looks import kept_game, looks_about
from service.film.mended import MendedFolder
from service.pages.settings import PageSettings
from service.table.questions import answer_lines
from service.table.reader import EmptySource
from service.table.reader_thread import ReaderThread
from tests.support.answered_film import asked, plain
from tests.support.score_program import RULES
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptGame
from vision.decoder.kept_looks import DamagedLooks
from vision.decoder.pin import Pins
from vision.decoder.question import Answer
from vision.tracking.observe import Observation

pytestmark = pytest.mark.film


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
