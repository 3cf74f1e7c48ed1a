"""A hall's page over an archive: films, hands, questions, and the files of results."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import update

from service.archive import archive_pages
from service.archive.films import ReadingSettings, StorageAway, films_at
from service.archive.leases import DONE, QUARANTINED, WAITING
from service.archive.ledger import Ledger
from service.archive.worker import Worker
from service.hall.database import open_database
from service.hall.database_schema import SEATS
from service.report.sheet import BYTE_ORDER_MARK
from tests.support.archive_worker import read_all, reader_of
from tests.support.browsing import choose_language, menu, opened
from tests.support.halls import HallServed, hall_at
from tests.support.score_program import HANDS, RULES, film_at

LAPTOP = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def read_films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hall's database that has a film that was read, and one that cannot be."""
    folder = tmp_path_factory.mktemp("archive")
    films = folder / "films"
    films.mkdir()
    film_at(films / "friday.mp4")
    (films / "broken.mp4").write_text("no film")
    database = folder / "hall.sqlite3"
    engine = open_database(str(database))
    ledger = Ledger(engine)
    for film in films_at(str(films)):
        ledger.add(film, ReadingSettings(RULES, str(folder / "results")))
    read_all(Worker(ledger, folder / "work", reader_of=reader_of))
    with engine.begin() as connection:
        won = update(SEATS).where(SEATS.c.number == 0, SEATS.c.seat == 2)
        connection.execute(won.values(won=True, patterns=" all_pungs "))
    ledger.name_players(2, ("", "", "Anna", ""))
    engine.dispose()
    return database


@pytest.fixture
def hall(read_films: Path, tmp_path: Path) -> Iterator[HallServed]:
    """A hall of its own for each test, over the films that were read once."""
    with hall_at(str(shutil.copy(read_films, tmp_path))) as hall:
        yield hall


def test_films_hands_and_files_are_told(hall: HallServed) -> None:
    told = hall.told("GET", "archive")
    states = {one["film"]: one["state"] for one in told["readings"]}
    assert states == {"friday.mp4": DONE, "broken.mp4": QUARANTINED}
    assert (told["hands"], told["more"], told["left_s"]) == (HANDS, False, None)
    assert told["rules"] == [RULES]
    assert [one["film"] for one in hall.told("GET", "archive?state=done")["readings"]] == [
        "friday.mp4"
    ]
    assert hall.told("GET", "archive?from=1")["readings"] == told["readings"][1:]
    hands = hall.told("GET", "archive/hands")["hands"]
    assert [hand["hand"] for hand in hands] == [1, 2]
    assert hands[0]["begun_s"] < hands[0]["ended_s"]
    assert hall.told("GET", "archive/hands?player=Anna")["hands"] == hands
    for asked in ("pattern=all_pungs", "doubtful=true&pattern=all_pungs&player=Anna"):
        assert hall.told("GET", f"archive/hands?{asked}")["hands"] == hands[:1]
    assert hall.told("GET", "archive/hands?player=Bo")["hands"] == []
    written = hall.ask("GET", "archive/hands/csv").text
    assert written.startswith(BYTE_ORDER_MARK)
    rows = list(csv.DictReader(io.StringIO(written.removeprefix(BYTE_ORDER_MARK))))
    assert [row["player_2"] for row in rows] == ["Anna"] * HANDS
    number = hands[0]["reading"]
    record = hall.ask("GET", f"archive/readings/{number}/files/record.jsonl")
    assert record.status == 200
    assert json.loads(record.text.splitlines()[0])["type"] == "game_start"


def test_answers_have_the_film_read_again(hall: HallServed) -> None:
    (film,) = hall.told("GET", "archive/questions?lang=ja")
    question = film["questions"][0]
    assert "打牌" in str(question["choices"][0]["told"])
    address = f"archive/readings/{film['reading']}/answers"
    for answers, status in (
        ([{"id": question["id"], "answer": 9}], 422),
        ([{"id": "nothing", "answer": 1}], 404),
        ([], 400),
        ([{"id": question["id"], "answer": 1}], 200),
        ([{"id": question["id"], "answer": 1}], 422),
    ):
        assert hall.ask("POST", address, {"answers": answers}).status == status, answers
    states = {one["film"]: one["state"] for one in hall.told("GET", "archive")["readings"]}
    assert states["friday.mp4"] == WAITING


def test_players_are_named_film_by_film(hall: HallServed) -> None:
    reading = hall.told("GET", "archive/hands")["hands"][0]["reading"]
    address = f"archive/readings/{reading}/players"
    for names, status in (
        (["Anna"], 400),
        (["x" * 41, "", "", ""], 400),
        (["Anna", " Bo ", "", "Dana"], 200),
    ):
        assert hall.ask("POST", address, {"names": names}).status == status, names
    wrong = hall.ask("POST", "archive/readings/999/players", {"names": ["A", "B", "C", "D"]})
    assert wrong.status == 422
    played = hall.told("GET", "archive/players")
    assert [(one["player"], one["hands"]) for one in played] == [
        (name, HANDS) for name in ("Anna", "Bo", "Dana")
    ]
    assert sum(one["points"] for one in played) + sum(
        hand["points_2"] for hand in hall.told("GET", "archive/hands")["hands"]
    ) == sum(
        hand[f"points_{seat}"]
        for hand in hall.told("GET", "archive/hands")["hands"]
        for seat in range(4)
    )
    (film,) = hall.told("GET", "archive?state=done")["readings"]
    assert film["players"] == ["Anna", "Bo", "", "Dana"]
    assert len(hall.told("GET", "archive/hands?player=Bo")["hands"]) == HANDS


@pytest.mark.parametrize(
    "name", ["../hall.sqlite3", "%2e%2e/secret", "questions.json", "evidence/"]
)
def test_only_files_of_the_result_are_told(hall: HallServed, name: str) -> None:
    number = hall.told("GET", "archive/hands")["hands"][0]["reading"]
    assert hall.ask("GET", f"archive/readings/{number}/files/{name}").status == 404
    assert hall.ask("GET", "archive/readings/999/files/record.jsonl").status == 404


def test_nobody_waits_for_a_storage_that_does_not_answer(
    hall: HallServed, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Event()

    def away(_: str) -> None:
        answers.wait()
        raise StorageAway("s3://films")

    monkeypatch.setattr(archive_pages, "storage_at", away)
    monkeypatch.setattr(archive_pages, "FETCH_S", 0.1)
    number = hall.told("GET", "archive/hands")["hands"][0]["reading"]
    try:
        answer = hall.ask("GET", f"archive/readings/{number}/files/record.jsonl")
        assert (answer.status, "storage" in answer.text) == (422, True)
    finally:
        answers.set()


def test_a_person_searches_and_answers(browser: Browser, hall: HallServed) -> None:
    complaints: list[str] = []
    page = opened(browser, f"{hall.server.url}/archive", LAPTOP, complaints)
    expect(page.locator("#hands li")).to_have_count(HANDS)
    page.get_by_role("combobox", name="Player, pattern, or points won").fill("all pungs")
    page.keyboard.press("Enter")
    expect(page.locator("#hands li")).to_have_count(1)
    page.locator("#hands").get_by_role("button", name="Anna").click()
    page.get_by_role("button", name="Anna ✕").wait_for()
    expect(page.locator("#hands li")).to_have_count(1)
    # What is searched for stands as a chip, which a tap takes away.
    page.get_by_role("button", name="All pungs ✕").click()
    expect(page.locator("#hands li")).to_have_count(HANDS)
    page.get_by_role("button", name="Anna ✕").click()
    expect(page.locator("#hands li")).to_have_count(HANDS)
    for said, chip in (
        ("all pungs", "All pungs ✕"),
        ("Bo", "Bo ✕"),
        ("8", "Points won, at least: 8 ✕"),
    ):
        page.get_by_role("combobox", name="Player, pattern, or points won").fill(said)
        page.keyboard.press("Enter")
        page.get_by_role("button", name=chip).wait_for()
    expect(page.locator("#no-hands")).to_be_visible()
    page.get_by_role("button", name="Films").click()
    expect(page.locator("#progress")).to_contain_text("1 film read")
    expect(page.locator("#films li")).to_have_count(2)
    expect(page.locator("#films .reason:not(:empty)")).to_contain_text("cannot be read as a video")
    menu(page)
    choose_language(page, "ja")
    page.locator("#asked-title").evaluate("(tap) => tap.click()")
    expect(page.locator("#open-questions")).to_contain_text("打牌")
    choose_language(page, "en")
    page.locator("#open-questions input").first.check()
    page.get_by_role("button", name="Save and read the film again").click()
    expect(page.locator("#asked-title")).to_be_hidden()
    page.get_by_role("button", name="Films").click()
    expect(page.locator("#progress")).to_contain_text("1 waiting")
    film = page.locator("#films li", has_text="friday.mp4")
    film.locator(".names summary", has_text="Anna").click()
    names = {"Blue": "Anna", "Purple": "Bo", "Teal": "", "Brown": "Dana"}
    for colour, name in names.items():
        film.get_by_label(colour, exact=True).fill(name)
    film.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#films")).to_contain_text("Anna, Bo, Dana")
    page.get_by_role("button", name="Players", exact=True).click()
    expect(page.locator("#players li", has_text="Bo")).to_contain_text(str(HANDS))
    page.locator("#players").get_by_role("button", name="Dana").click()
    expect(page.locator("#hands li")).to_have_count(0)  # what was searched for before narrows, too
    assert complaints == []
    page.close()
