"""The people of a hall: their figures, their ratings, and their names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import String, select, update

from engine.codec import entry_to_json, read_record, write_record
from engine.events import Correct, Entry, GameStart
from engine.game import replay
from engine.stories import GameStory
from service.archive.films import FilmFile, ReadingSettings, storage_at
from service.archive.kept import publish, result_name
from service.archive.leases import Lease, found_in
from service.archive.ledger import Ledger
from service.film.seat_recordings import with_players
from service.hall.database_schema import (
    METADATA,
    QUESTIONS,
    READINGS,
    RECORDS,
    SeatCounts,
    seat_counts,
)
from service.hall.people import NEW_RATING, ratings
from service.hall.records import without
from service.hall.webhooks import WebhookSettings
from service.machine.records import tell
from service.report.questions import asked_of, worded
from service.report.report import to_report
from service.report.sheet import BYTE_ORDER_MARK, to_csv
from tests.support.axe import faults
from tests.support.browsing import PHONE, choose_language, fits, opened
from tests.support.folders import files
from tests.support.golden import golden
from tests.support.halls import ENTRIES, LINES, HallServed, hall_at, on_sqlite
from tests.support.paths import GAMES
from tests.support.patience import until

SECRET = "whsec_" + "A" * 32
GAME = tell(read_record((GAMES / "riichi-tenhou.jsonl").read_text("utf-8")))[0]


@pytest.fixture
def hall(database: str) -> Iterator[HallServed]:
    with hall_at(database) as hall:
        yield hall


def named(*players: str) -> list[dict[str, Any]]:
    return [LINES[0] | {"players": list(players)}, *LINES[1:]]


def played(hall: HallServed, *tables: tuple[str, ...]) -> None:
    """Post one game for each four names."""
    hall.add("north")
    for number, players in enumerate(tables):
        assert hall.post("north", named(*players), record=f"{number}.jsonl").status == 200


def people(hall: HallServed) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in hall.told("GET", "players")["people"]}


def test_hands_are_counted_as_they_came_out() -> None:
    counts = [seat_counts(GAME, seat) for seat in range(4)]
    wins = [win for hand in GAME.hands for win in hand.wins]
    assert sum(one.wins for one in counts) == len(wins)
    assert sum(one.self_draws for one in counts) == sum(win.from_seat == win.seat for win in wins)
    assert sum(one.dealt_in for one in counts) == sum(win.from_seat != win.seat for win in wins)
    assert {one.hands for one in counts} == {len(GAME.hands)}
    for seat, one in enumerate(counts):
        won = [hand for hand in GAME.hands if any(win.seat == seat for win in hand.wins)]
        assert one.won_points == sum(hand.deltas[seat] for hand in won)
        fed = [hand for hand in GAME.hands if any(w.from_seat == seat != w.seat for w in hand.wins)]
        assert one.paid_points == -sum(hand.deltas[seat] for hand in fed)
    assert sum((one for one in counts), SeatCounts()).ready == sum(one.ready for one in counts) > 0


def test_a_rating_rises_with_a_win_and_more_against_the_strong() -> None:
    first, second = ratings([{1: 1, 2: 2, 3: 3, 4: 4}, {1: 4, 5: 1, 3: 2, 4: 3}])
    assert first[1] > first[2] > first[3] > first[4]
    (level,) = ratings([{5: 1, 6: 2, 7: 3, 8: 4}])
    assert second[5] > level[5] > NEW_RATING, "whoever beats a winner gains more"
    assert second[1] < first[1]
    (tied,) = ratings([{1: 1, 2: 1, 3: 3, 4: 4}])
    assert tied[1] == pytest.approx(tied[2])
    assert list(ratings([{1: 1}])) == [{1: pytest.approx(NEW_RATING)}]


def test_people_are_told_with_their_figures_over_several_evenings(hall: HallServed) -> None:
    played(hall, ("Aki", "Ben", "Chiyo", "Dan"), ("Elena", "Ben", "", "Aki"))
    until(lambda: not hall.hall.results.unjudged())
    found = people(hall)
    assert next(iter(found)) == "Ben"
    ben = found["Ben"]
    assert (ben["games"], ben["points"], ben["places"]) == (2, 18_000, [2, 0, 0, 0])
    assert ben["hands"] == 2 * len(GAME.hands)
    assert 0 < ben["mistakes"] < ben["decisions"]
    assert ben["average_won"] == ben["won_points"] / ben["wins"]
    told = hall.told("GET", f"players/{ben['id']}")
    assert told["person"] == ben
    assert [one["record"] for one in told["games"]] == ["1.jsonl", "0.jsonl"]
    assert told["games"][0]["rating"] > told["games"][1]["rating"] > NEW_RATING
    assert hall.told("GET", "players")["rules"] == ["riichi-tenhou"]
    assert hall.told("GET", "players?rules=hangzhou")["people"] == []
    written = hall.ask("GET", "players/csv").text
    assert written.startswith(BYTE_ORDER_MARK)
    csv = written.removeprefix(BYTE_ORDER_MARK).splitlines()
    assert len(csv) == 6
    assert csv[0].startswith('"name","rank","rating"')


@on_sqlite
def test_names_are_joined_and_parted_again(hall: HallServed) -> None:
    played(hall, ("Aki", "Ben", "Chiyo", "Dan"), ("Aki", "Benn", "Chiyo", "Dan"))
    number, other = people(hall)["Ben"]["id"], people(hall)["Benn"]["id"]
    hall.told("POST", f"players/{number}/join", {"other": other})
    assert people(hall)["Ben"]["games"] == 2
    assert hall.told("GET", f"players/{number}")["names"] == ["Ben", "Benn"]
    assert hall.ask("GET", f"players/{other}").status == 404
    hall.told("PUT", f"players/{number}", {"name": "Benjamin"})
    assert hall.post("north", named("", "Ben", "", ""), record="2.jsonl").status == 200
    assert people(hall)["Benjamin"]["games"] == 3, "every name stays the same person's"
    hall.told("POST", f"players/{number}/part", {"name": "Benn"})
    found = people(hall)
    assert (found["Benjamin"]["games"], found["Benn"]["games"]) == (2, 1)
    for method, path, body, status in [
        ("PUT", f"players/{number}", {"name": "Aki"}, 409),
        ("PUT", "players/999", {"name": "Aki"}, 404),
        ("POST", f"players/{number}/join", {"other": number}, 422),
        ("POST", f"players/{number}/join", {"other": 999}, 404),
        ("POST", f"players/{number}/part", {"name": "Aki"}, 404),
        ("POST", f"players/{found['Benn']['id']}/part", {"name": "Benn"}, 422),
        ("DELETE", "players/999", {}, 404),
    ]:
        answer = hall.ask(method, path, body)
        assert (answer.status, "\n" in answer.text) == (status, False), (method, path, answer.text)
    assert people(hall) == found


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_whoever_is_forgotten_is_named_nowhere(hall: HallServed) -> None:
    played(hall, ("Aki", "Ben", "Chiyo", "Dan"), ("Elena", "Ben", "", "Aki"))
    before = people(hall)
    hall.told("DELETE", f"players/{before['Ben']['id']}", {})
    after = people(hall)
    assert set(after) == set(before) - {"Ben"}
    assert after["Aki"]["games"] == before["Aki"]["games"]
    for record in ("0.jsonl", "1.jsonl"):
        assert '"Ben"' not in hall.ask("GET", f"tables/north/record?record={record}").text
    assert '"Ben"' not in hall.ask("GET", "tables/north").text
    names = hall.hall.find("north").game.state.names
    assert names == ("Elena", "", "", "Aki")


XAVER = re.compile(r"Xaver(?!ius)")
FILM = FilmFile("/films/friday.mp4", "friday.mp4", "f" * 64, 1)
ASKED = {
    "id": "put@51.1@130,12",
    "number": 0,
    "t": 51.1,
    "picture": None,
    "choices": [
        {
            "events": [{"type": "discard", "seat": 0, "tile": "5m"}],
            "text": "Xaver discards 5m",
            "share": 0.5,
        },
        {
            "events": [{"type": "discard", "seat": 0, "tile": "6m"}],
            "text": "Xaver discards 6m",
            "share": 0.5,
        },
    ],
    "answer": None,
}


FOUR = ("Xaver", "Xaverius", "5m", "Dan")


def claimed(ledger: Ledger, settings: ReadingSettings) -> Lease:
    """A worker has begun to read a film in which two of the people play."""
    assert ledger.add(FILM, settings, FOUR)
    lease = ledger.claim("here", 60)
    assert lease is not None
    return lease


def finish(ledger: Ledger, lease: Lease) -> int:
    """Store the results under the names that the worker knows, with a question."""
    seen = [
        replace(entry, event=replace(entry.event, players=None))
        if isinstance(entry.event, GameStart)
        else entry
        for entry in golden("harbin-hlr")
    ]
    stood = tuple(with_players(entry, lease.players) for entry in seen)
    names = replay(stood).state.names
    asked = asked_of([worded(ASKED, names, "en", "harbin-hlr")], FILM.name)
    with TemporaryDirectory() as folder:
        for name, text in {
            "record.jsonl": write_record(stood),
            "sheet.csv": to_csv(tell(stood)),
            "questions.json": json.dumps(asked),
            "report.html": to_report(stood, {}, FILM.name, asked=asked),
            "1.jpg": "a picture",
        }.items():
            (Path(folder) / name).write_text(text, "utf-8", newline="")
        publish(storage_at(lease.settings.out), Path(folder), result_name(lease, lease.token))
    result = f"{lease.settings.out}/{result_name(lease, lease.token)}"
    ledger.finish(lease, found_in(stood, [ASKED], {}, 60.0), result)
    return lease.reading_id


def texts_in(folder: Path) -> dict[str, str]:
    return {name: data.decode() for name, data in files(folder).items() if not hidden(name)}


def hidden(name: str) -> bool:
    """Whether a file is one that is being written."""
    return name.rpartition("/")[2].startswith(".")


def holding(hall: HallServed, pattern: re.Pattern[str]) -> dict[str, str]:
    """Every table, every file of the database and of results in which a pattern is found."""
    engine = hall.hall.records._engine
    with engine.begin() as connection:
        tables = {
            table.name: repr(connection.execute(select(table)).all())
            for table in METADATA.sorted_tables
        }
    if engine.url.database is not None and engine.dialect.name == "sqlite":
        path = Path(engine.url.database)
        tables |= {
            name.removeprefix("results/"): data.decode("utf-8", "surrogateescape")
            for name, data in files(path.parent).items()
            if name.startswith((path.name, "results/")) and not hidden(name)
        }
    return {name: text for name, text in tables.items() if pattern.search(text)}


def test_a_forgotten_name_is_in_no_table_and_no_file(tmp_path: Path) -> None:
    nobody = WebhookSettings(("http://127.0.0.1:1/",), SECRET, every=True)
    database = str(tmp_path / "hall.sqlite3")
    with hall_at(database, webhooks=nobody) as hall:
        hall.add("north")
        ledger = Ledger(hall.hall.records._engine)
        lines = named("Xaver", "Xaverius", "5m", "Dan")
        ruling = Entry(Correct(2, (ENTRIES[2],)), evidence="ruled by Xaver", source="person")
        lines.append(entry_to_json(ruling))
        assert hall.post("north", lines).status == 200
        for label in ("Xaver's phone", "Xaverius", "5m"):
            hall.told("POST", "keys", {"role": "viewer", "label": label})
        results = tmp_path / "results"
        settings = ReadingSettings("harbin-hlr", str(results))
        reading = finish(ledger, claimed(ledger, settings))
        stored = texts_in(results / "friday.1")
        late = claimed(ledger, replace(settings, mirrored=True))
        with ledger.engine.begin() as connection:  # as earlier versions kept it
            connection.execute(update(QUESTIONS).values(asked=json.dumps(ASKED)))
        ledger.answer(reading, [{**ASKED, "answer": 1}])
        before = holding(hall, XAVER)
        assert {"lines", "keys", "player_names"} <= before.keys()
        assert {"archive_films", "archive_seats", "archive_questions"} <= before.keys()
        written = {f"friday.1/{name}" for name in stored.keys() - {"1.jpg"}}
        assert written <= before.keys()
        (results / "friday.1").rename(results / "away")
        hall.told("DELETE", f"players/{people(hall)['Xaver']['id']}", {})
        in_way = "the stored files of reading 1 cannot be read and written"
        until(lambda: in_way in str(hall.server.json("/health")["background"]))
        (results / "away").rename(results / "friday.1")
        until(lambda: holding(hall, XAVER) == {})
        until(lambda: not ledger._rows(select(READINGS.c.id).where(READINGS.c.names_stale)))
        kept = texts_in(results / "friday.1")
        assert kept.keys() == stored.keys() - {"report.html"}
        assert kept["1.jpg"] == stored["1.jpg"]
        assert kept["record.jsonl"] == XAVER.sub("", stored["record.jsonl"])
        for name in ("sheet.csv", "questions.json"):
            assert kept[name] != stored[name]
            assert kept[name].count("Xaverius") == stored[name].count("Xaverius")
        report = hall.ask("GET", "archive/readings/1/files/report.html")
        assert (report.status, "removed with the name" in report.text) == (404, True)
        finish(ledger, late)
        until(lambda: holding(hall, XAVER) == {})
        others = holding(hall, re.compile("Xaverius"))
        assert others.keys() == set(holding(hall, re.compile("Xaverius|Dan")))
        assert {"lines", "keys", "player_names", "archive_films"} <= set(others)
        assert set(people(hall)) == {"Xaverius", "5m", "Dan"}
        again = ledger.claim("here", 60)
        assert again is not None
        assert again.players == ("", "Xaverius", "5m", "Dan")
        finish(ledger, again)
        assert holding(hall, XAVER) == {}
        asked = ledger.questions()[-1]
        assert json.dumps(asked.questions).count('"text"') == 2

        assert hall.post("north", lines[-1:], first=len(lines) - 1).status == 200, "as it was sent"
        assert holding(hall, XAVER) == {}
        hall.told("DELETE", f"players/{people(hall)['5m']['id']}", {})
        left = hall.ask("GET", "tables/north/record?record=a.jsonl").text.splitlines()
        assert [json.loads(line) for line in left[1:-1]] == lines[1:-1], "tiles are no names"
        until(lambda: '"5m", "Dan"' not in texts_in(results / "friday.1")["record.jsonl"])
        stripped = kept["record.jsonl"].replace('"5m", "Dan"', '"", "Dan"')
        assert texts_in(results / "friday.1")["record.jsonl"] == stripped


def test_a_name_does_not_come_back_with_results_that_are_being_derived(
    hall: HallServed, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(hall, ("Aki", "Ben", "Chiyo", "Dan"))
    number = people(hall)["Ben"]["id"]
    results = hall.hall.results
    forgotten: list[list[int]] = []

    def told(entries: Sequence[Entry]) -> tuple[GameStory, ...]:
        """Between the reading of the lines and the writing of the results."""
        if not forgotten:
            forgotten.append(hall.hall.player_names.forget(number))
        return tell(entries)

    monkeypatch.setattr("service.hall.league.tell", told)
    (record,) = {row.id for row in results._rows(select(RECORDS.c.id))}
    results.update(record)
    assert forgotten == [[record]]
    assert set(people(hall)) == {"Aki", "Chiyo", "Dan"}


def test_every_text_of_the_database_has_names_taken_out_or_holds_none() -> None:
    texts = {
        f"{table.name}.{column.name}"
        for table in METADATA.sorted_tables
        for column in table.columns
        if isinstance(column.type, String)
    }
    assert texts == HOLD_NAMES | HOLD_NONE


HOLD_NAMES = {
    "lines.line",
    "keys.label",
    "players.name",
    "player_names.name",
    "archive_films.players",
    "archive_seats.player",
    "archive_questions.asked",
    "archive_readings.answers",
}
HOLD_NONE = {
    *("leagues.name", "leagues.season", "leagues.rules"),
    *("tables.name", "tables.title", "records.name", "games.rules"),
    *("keys.role", "keys.hash", "webhook_addresses.url", "webhook_cursors.url"),
    *("archive_files.hash", "archive_films.fingerprint", "archive_films.address"),
    *("archive_films.name", "archive_readings.settings", "archive_readings.settings_hash"),
    *("archive_readings.state", "archive_readings.worker", "archive_readings.error"),
    *("archive_readings.made_with", "archive_readings.result"),
    *("archive_hands.rules", "archive_hands.round", "archive_hands.outcome"),
    *("archive_hands.reason", "archive_seats.patterns"),
    *("archive_questions.name", "archive_questions.answer"),
}


def test_a_name_is_taken_out_of_corrections_too() -> None:
    start = Entry(GameStart("riichi", players=("Ben", " Ben  B. ", "Chiyo", "Dan")))
    mended = Entry(Correct(0, (start,)))
    names = {"Ben", "Ben B."}
    left = without(start, names)
    assert isinstance(left.event, GameStart)
    assert left.event.players == ("", "", "Chiyo", "Dan")
    assert without(mended, names) == Entry(Correct(0, (left,)))
    other = Entry(GameStart("riichi"))
    assert without(other, {"Ben"}) == other


def test_a_person_is_looked_at_renamed_and_forgotten(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        played(hall, ("Aki", "<b>Ben</b>", "Chiyo", "Dan"), ("Aki", "Benn", "Chiyo", "Dan"))
        page = opened(browser, hall.server.url, PHONE, complaints)
        page.get_by_role("link", name="Players").click()
        expect(page.locator("#everybody li")).to_have_count(5)
        assert fits(page)
        assert faults(page) == []
        page.get_by_role("link", name="<b>Ben</b>").click()
        expect(page.locator("#title")).to_have_text("<b>Ben</b>")
        expect(page.locator("#rating polyline")).to_have_count(0)  # one game is no line
        expect(page.locator("#figures > div")).to_have_count(4)
        page.get_by_text("Names of this person").click()
        page.get_by_label("Is the same person as").select_option("Benn")
        page.get_by_role("button", name="Join the two").click()
        expect(page.locator("#names")).to_have_text("Has played as: <b>Ben</b>, Benn")
        expect(page.locator("#games tr")).to_have_count(2)
        expect(page.locator("#rating polyline")).to_have_count(1)
        page.get_by_label("Shown as").fill("Aki")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#wrong")).to_contain_text("somebody else is called Aki")
        assert faults(page) == []
        for lang in ("ja", "zh", "en"):
            choose_language(page, lang)
            assert fits(page)
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Forget this person").click()
        expect(page.locator("#everybody li")).to_have_count(3)
        assert [text for text in complaints if "409" not in text] == []
        page.close()
