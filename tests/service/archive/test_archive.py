"""An archive reads films, each by one worker at a time, and keeps what they tell."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from engine.codec import read_record
from engine.events import Entry
from service.archive.films import FolderStorage, ReadingSettings
from service.archive.hands_table import FoundHands, HandSearch
from service.archive.kept import fetch_result
from service.archive.leases import DONE, QUARANTINED, RUNNING, WAITING, LeaseLost, found_in
from service.archive.ledger import Ledger
from service.archive.worker import Worker
from service.film.kept_looks import ABOUT, LOOKS, NoLooks
from tests.support.archive_films import copies
from tests.support.archive_readings import added, kept, row
from tests.support.archive_worker import read_all, reader_of
from tests.support.folders import files
from tests.support.golden import golden
from tests.support.halls import on_sqlite
from tests.support.score_program import HANDS


@on_sqlite
def test_a_film_is_read_as_by_score_and_its_hands_can_be_searched(
    ledger: Ledger, settings: ReadingSettings, film: Path, whole: dict[str, bytes], tmp_path: Path
) -> None:
    assert added(ledger, film, settings) == [True]
    assert added(ledger, film, settings) == [False], "the same film is one job"
    read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
    (read,) = ledger.readings()
    assert (read.state, read.hands) == (DONE, HANDS)
    assert read.result is not None
    assert files(Path(read.result)) == whole
    assert kept(settings) == ["friday.1"]
    assert [len(asked.questions) for asked in ledger.questions()] == [read.questions]
    assert ledger.counts().hands == HANDS


@on_sqlite
def test_answers_explain_a_film_without_it_as_reading_it_again_does(
    ledger: Ledger, settings: ReadingSettings, film: Path, tmp_path: Path
) -> None:
    video = Path(shutil.copyfile(film, tmp_path / "friday.mp4"))
    added(ledger, video, settings)

    def read() -> dict[str, bytes]:
        read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
        assert row(ledger).state == DONE, row(ledger).error
        return files(Path(row(ledger).result))

    read()
    (asked,) = ledger.questions()
    said = [{**asked.questions[0], "answer": 2}]
    shutil.rmtree(Path(row(ledger).result) / LOOKS)
    ledger.answer(asked.reading, said)
    by_film = read()
    again = [{**one, "answer": 2} for one in ledger.questions()[0].questions[:1]]
    ledger.answer(row(ledger).id, again)
    video.unlink()
    explained = read()
    video.write_bytes(film.read_bytes())
    shutil.rmtree(Path(row(ledger).result) / LOOKS)
    ledger.reread([row(ledger).id])
    read_again = read()
    assert same_game(explained["record.jsonl"]) == same_game(read_again["record.jsonl"])
    assert same_game(explained["record.jsonl"]) != same_game(by_film["record.jsonl"])
    assert explained["sheet.csv"] == read_again["sheet.csv"]


@on_sqlite
def test_answers_to_a_film_whose_result_is_damaged_read_the_film(
    ledger: Ledger, settings: ReadingSettings, film: Path, tmp_path: Path
) -> None:
    added(ledger, film, settings)
    for _ in range(2):
        read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
        assert row(ledger).state == DONE, row(ledger).error
        (Path(row(ledger).result) / "questions.json").write_text("{")
        (asked,) = ledger.questions()
        ledger.answer(asked.reading, [{**asked.questions[0], "answer": 2}])


def test_of_a_result_that_another_version_made_nothing_else_is_fetched(
    whole: dict[str, bytes], tmp_path: Path
) -> None:
    result, fetched = tmp_path / "results" / "friday.1", tmp_path / "fetched"
    about = json.loads(whole[f"{LOOKS}/{ABOUT}"]) | {"program": "another"}
    for name, data in (whole | {f"{LOOKS}/{ABOUT}": json.dumps(about).encode()}).items():
        (result / name).parent.mkdir(parents=True, exist_ok=True)
        (result / name).write_bytes(data)
    fetched.mkdir()
    with pytest.raises(NoLooks, match="another version"):
        fetch_result(FolderStorage(result.parent), result.name, fetched, lambda: None)
    assert [*files(fetched)] == [f"{LOOKS}/{ABOUT}"]


def same_game(record: bytes) -> list[Entry]:
    """A record without the names of its pictures."""
    return [replace(line, evidence=None) for line in read_record(record.decode())]


def test_of_two_workers_the_later_counts(
    ledger: Ledger, settings: ReadingSettings, film: Path
) -> None:
    added(ledger, film, settings)
    first = ledger.claim("frozen", lease_s=-1)  # it has run out at once
    second = ledger.claim("awake", lease_s=60)
    assert first is not None
    assert second is not None
    assert second.attempt > first.attempt
    assert ledger.claim("third", 60) is None
    with pytest.raises(LeaseLost):
        ledger.renew(first, 60, 1.0)
    with pytest.raises(LeaseLost):
        ledger.keep(first, 1)
    with pytest.raises(LeaseLost):
        ledger.fail(first, "it broke", for_good=True)
    ledger.renew(second, 60, 2.0)
    assert (row(ledger).state, row(ledger).worker) == (RUNNING, "awake")
    ledger.give_back(["frozen"])
    assert row(ledger).state == RUNNING
    ledger.give_back(["awake"])
    assert row(ledger).state == WAITING
    with pytest.raises(LeaseLost):
        ledger.finish(second, found_in((), [], {}, 60.0), "")


def test_a_task_that_did_not_hear_which_film_it_has_is_told_again(
    ledger: Ledger, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    added(ledger, copies(short, tmp_path / "films", 2), settings)
    first = ledger.claim("here", 60)
    assert first is not None
    ledger.renew(first, -5, 0)
    assert ledger.claim("here", 60) == first
    assert ledger.hold(["here"]) == {"here": True}
    assert [read.state for read in ledger.readings()] == [RUNNING, WAITING]
    other = ledger.claim("there", 60)
    assert other is not None
    assert other.reading_id != first.reading_id


def test_names_that_are_given_while_a_film_is_read_stay(
    ledger: Ledger, settings: ReadingSettings, film: Path
) -> None:
    added(ledger, film, settings)
    lease = ledger.claim("one", 60)
    assert lease is not None
    ledger.name_players(lease.reading_id, ("Anna", "", "Chen", "Dana"))
    ledger.finish(lease, found_in(golden("harbin-hlr"), [], {}, 60.0), "")
    (hand, *_) = FoundHands(ledger.engine).search(HandSearch())
    assert (hand.player_0, hand.player_1, hand.player_2) == ("Anna", None, "Chen")


@pytest.mark.parametrize(("its_fault", "most"), [(True, 3), (False, 10)])
def test_some_failures_in_a_row_set_a_film_aside_until_it_is_tried_again(
    ledger: Ledger,
    settings: ReadingSettings,
    film: Path,
    monkeypatch: pytest.MonkeyPatch,
    its_fault: bool,
    most: int,
) -> None:
    """More where others were at fault: the network, a machine that was switched off."""
    monkeypatch.setattr("service.archive.leases.FIRST_PAUSE_S", 0.0)
    added(ledger, film, settings)

    def fail(times: int, kept: bool = False) -> None:
        for _ in range(times):
            assert row(ledger).state == WAITING
            lease = ledger.claim("one", 60)
            assert lease is not None
            if kept:
                ledger.keep(lease, 1)
            ledger.fail(lease, "it broke", for_good=False, its_fault=its_fault)

    fail(most - 1)
    fail(1, kept=True)
    assert row(ledger).state == WAITING, "a hand was finished meanwhile"
    fail(most - 1)
    assert (row(ledger).state, row(ledger).error) == (QUARANTINED, "it broke")
    assert ledger.claim("one", 60) is None
    assert ledger.retry() == 1
    assert ledger.claim("one", 60) is not None


@on_sqlite
def test_what_is_no_film_is_set_aside_at_once_and_the_others_go_on(
    ledger: Ledger, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    folder = copies(short, tmp_path / "films", 1)
    (folder / "a.mp4").write_text("no film")
    assert added(ledger, folder, settings) == [True, True]
    read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
    broken, read = ledger.readings()
    assert (broken.state, read.state) == (QUARANTINED, DONE)
    assert broken.error is not None
    assert "cannot be read as a video" in broken.error
