"""Names of people stand once: lines, films and results name them by number."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, get_args

import pytest
from sqlalchemy import Engine, MetaData, insert, select, update

from engine.codec import entry_from_json, entry_to_json, write_record
from engine.events import Correct, Entry, Event, GameStart
from engine.game import replay
from service.archive.films import FilmFile, ReadingSettings, storage_at
from service.archive.hands_table import FoundHands, HandSearch
from service.archive.kept import publish, result_name
from service.archive.leases import found_in
from service.archive.ledger import Ledger
from service.film.seat_recordings import FourNames, with_players
from service.hall.database import engine_of, open_database, upgrade, upgrading
from service.hall.database_schema import METADATA, NAMES, PLAYERS, READINGS
from service.hall.hall import Hall
from service.hall.names import dumped, line_with_names, numbers_of, with_names, with_numbers
from service.hall.records import OutOfStep
from service.hall.webhooks import WebhookSettings
from service.machine.records import tell
from service.report.questions import asked_of, worded
from service.report.report import to_report
from service.report.sheet import to_csv
from tests.support.folders import files
from tests.support.golden import golden
from tests.support.halls import ENTRIES, LINES, HallServed, hall_at
from tests.support.patience import until
from tests.support.postgres import Postgres

SECRET: Final = "whsec_" + "A" * 32
OLD: Final = Path(__file__).parents[2] / "old_halls" / "webhook_cursors.json"
"""A hall as the program before names by number kept it, with lines of every kind."""
XAVER: Final = re.compile(r"Xaver(?!ius)")
FILM: Final = FilmFile("/films/friday.mp4", "friday.mp4", "f" * 64, 1)
FOUR: Final = ("Xaver", "Xaverius", "5m", "Dan")
ASKED: Final[dict[str, Any]] = {
    "id": "put@51.1@130,12",
    "number": 0,
    "t": 51.1,
    "picture": None,
    "choices": [
        {
            "events": [{"type": "discard", "seat": 0, "tile": tile}],
            "text": f"Xaver discards {tile}",
            "share": 0.5,
        }
        for tile in ("5m", "6m")
    ],
    "answer": None,
}


def old_hall(database: str) -> Engine:
    """The old hall, brought up to date."""
    engine = engine_of(database)
    with upgrading(engine) as connection:
        upgrade(connection, "webhook_cursors")
    tables = MetaData()
    with engine.begin() as connection:
        tables.reflect(connection)
        for name, rows in json.loads(OLD.read_text("utf-8")).items():
            connection.execute(insert(tables.tables[name]), rows)
    engine.dispose()
    return open_database(database)


def named(*players: str) -> list[dict[str, Any]]:
    return [LINES[0] | {"players": list(players)}, *LINES[1:]]


def people(hall: HallServed) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in hall.told("GET", "players")["people"]}


def columns(engine: Engine) -> dict[str, str]:
    """All that stands in each column of each table."""
    found = {}
    with engine.begin() as connection:
        for table in METADATA.sorted_tables:
            rows = connection.execute(select(table)).all()
            for column in table.columns:
                found[f"{table.name}.{column.name}"] = repr([row._mapping[column] for row in rows])
    return found


def test_an_old_hall_says_what_it_said(database: str) -> None:
    old = json.loads(OLD.read_text("utf-8"))
    engine = old_hall(database)
    hall = Hall(engine)
    asyncio.run(hall.update_results())
    kinds = set()
    for record in old["records"]:
        lines = [row for row in old["lines"] if row["record_id"] == record["id"]]
        given = [entry_from_json(json.loads(row["line"])) for row in lines]
        kinds |= {type(entry.event) for entry in given}
        assert [write_record([one]).replace("Ben  B.", "Ben B.") for one in given] == [
            write_record([one]) for one in hall.records.entries(record["id"])
        ]
    assert kinds == set(get_args(Event))
    shown = {row["id"]: row["name"] for row in old["players"]}
    for result in old["results"]:
        if result["player_id"] is not None:
            assert shown[result["player_id"]] in {one.name for one in hall.people.listed()}
    joined = next(one for one in hall.people.listed() if one.name == "Ben B.")
    assert hall.people.find(joined.id).names == ["Ben B.", "Benn"]
    points = sorted(row["points"] for row in old["results"] if row["player_id"] == joined.id)
    assert sorted(game.points for game in hall.people.find(joined.id).games) == points
    ledger = Ledger(engine)
    assert [row.players for row in ledger.readings()] == [("Ben", "Benn", "5m", "Dan"), ("",) * 4]
    (hand,) = FoundHands(engine).search(HandSearch(player="Benn"))
    assert (hand.game, hand.hand, hand.winners, hand.player_1) == (1, 1, "3", "Ben B.")
    assert [getattr(hand, f"points_{row['seat']}") for row in old["archive_seats"]] == [
        row["points"] for row in old["archive_seats"]
    ]
    found = columns(engine)
    named_in = {name for name, text in found.items() if "Ben" in text.replace("Benedict", "")}
    assert named_in == {"names.name", "keys.label"}
    assert '"text"' not in found["archive_questions.asked"] + found["archive_readings.answers"]
    hall.player_names.forget(joined.id)
    hall.player_names.forget(next(one.id for one in hall.people.listed() if one.name == "Ben"))
    assert [name for name, text in columns(engine).items() if re.search(r"Ben\b", text)] == []
    assert hall.keys.listed()[1].label == "Benedict"
    engine.dispose()


def test_a_stored_line_has_numbers_and_reads_as_it_was_sent(database: str) -> None:
    engine = open_database(database)
    hall = Hall(engine)
    table = hall.records.add_table("north", "North").id
    start = Entry(GameStart("riichi", players=("Ben", "", "Chiyo", "Dan")))
    ruled = Entry(Correct(0, (start,)), evidence="ruled by Ben", source="person")
    nested = Entry(Correct(1, (ruled, Entry(GameStart("riichi")))))
    sent = [start, ruled, nested, *ENTRIES[1:4]]
    record = hall.records.take(table, "a", 0, sent).record_id
    assert hall.records.entries(record) == sent
    assert "Ben" not in columns(engine)["lines.line"]
    assert hall.records.take(table, "a", 0, sent).new == 0
    for players in (("Bob", "", "Chiyo", "Dan"), ("Ben", "Bob", "Chiyo", "Dan")):
        other = replace(start, event=GameStart("riichi", players=players))
        with pytest.raises(OutOfStep, match="line 0 of a differs"):
            hall.records.take(table, "a", 0, [other])
    engine.dispose()


def test_of_a_forgotten_name_a_number_is_left_that_nobody_gets(database: str) -> None:
    engine = open_database(database)
    hall = Hall(engine)
    table = hall.records.add_table("north", "North").id
    start = Entry(GameStart("riichi", players=("Ann", "Bo", "Cid", "Ben")))
    ruled = replace(start, evidence="ruled by Ben")
    record = hall.records.take(table, "a", 0, [start, ruled]).record_id
    with engine.begin() as connection:
        asked = select(NAMES.c.player_id).where(NAMES.c.name == "Ben")
        ben = connection.execute(asked).scalar_one()
    hall.player_names.forget(ben)
    left = Entry(GameStart("riichi", players=("Ann", "Bo", "Cid", "")))
    assert hall.records.entries(record) == [left, left]
    assert hall.records.take(table, "a", 0, [start, ruled]).new == 0, "as it was sent"
    assert "Ben" not in columns(engine)["names.name"], "a repeated line brings no name back"
    again = hall.records.take(table, "b", 0, [Entry(GameStart("riichi", players=("Eve",) * 4))])
    assert hall.records.entries(record) == [left, left], "a new name has a new number"
    with engine.begin() as connection:
        connection.execute(PLAYERS.delete())
    assert again.new == 1
    engine.dispose()


def test_names_of_many_letters_and_of_none_are_kept(database: str) -> None:
    engine = open_database(database)
    hall = Hall(engine)
    table = hall.records.add_table("north", "North").id
    start = Entry(GameStart("riichi", players=("x" * 9000, " \0 ", "B\0en ", "\n")))
    record = hall.records.take(table, "a", 0, [start]).record_id
    (read,) = hall.records.entries(record)
    assert isinstance(read.event, GameStart)
    assert read.event.players == ("x" * 500, "", "B en", "")
    assert hall.records.take(table, "a", 0, [start]).new == 0
    engine.dispose()


def test_who_ruled_is_a_person_before_they_play(database: str) -> None:
    engine = open_database(database)
    with engine.begin() as connection:
        (first,) = numbers_of(connection, [], ["Ben"]).values()
        assert numbers_of(connection, ["Ben"]) == {"Ben": first}
        rows = connection.execute(select(NAMES)).all()
        assert [(row.name, row.player_id, row.is_shown) for row in rows] == [("Ben", 1, True)]
    engine.dispose()


def test_lines_are_turned_into_numbers_and_back() -> None:
    start = Entry(GameStart("riichi", players=("Ben", "Ben B.", "", "Dan")), evidence=7)
    mended = Entry(Correct(0, (start,)), evidence="ruled by Dan")
    numbers = {"Ben": 1, "Ben B.": 2, "Dan": 3}
    names = {number: name for name, number in numbers.items()}
    for line in (start, mended, Entry(Correct(1, (mended, start))), ENTRIES[1]):
        stored = with_numbers(line_with_names(line), numbers)
        assert "Ben" not in dumped(stored)
        assert with_names(stored, names) == entry_to_json(line)


def finish(
    ledger: Ledger, settings: ReadingSettings, names: FourNames | None, is_new: bool = False
) -> int:
    """Read a film: ``names`` are stored with its results, as earlier versions did.

    ``is_new``: the hall does not hear yet of what is to be rewritten.
    """
    assert ledger.add(FILM, settings, FOUR)
    lease = ledger.claim("here", 60)
    assert lease is not None
    seen = [
        replace(entry, event=replace(entry.event, players=None))
        if isinstance(entry.event, GameStart)
        else entry
        for entry in golden("harbin-hlr")
    ]
    stood = tuple(with_players(entry, names) for entry in seen)
    asked = asked_of([worded(ASKED, replay(stood).state.names, "en", "harbin-hlr")], FILM.name)
    name = result_name(lease, lease.attempt)
    with TemporaryDirectory() as folder:
        for file, text in {
            "record.jsonl": write_record(stood),
            "sheet.csv": to_csv(tell(stood)),
            "questions.json": json.dumps(asked),
            "report.html": to_report(stood, {}, FILM.name, asked=asked),
            "1.jpg": "a picture",
        }.items():
            (Path(folder) / file).write_text(text, "utf-8", newline="")
        publish(storage_at(lease.settings.out), Path(folder), name)
    ledger.finish(lease, found_in(stood, [ASKED], {}, 60.0), f"{lease.settings.out}/{name}")
    if names is not None and not is_new:
        with ledger.engine.begin() as connection:
            own = update(READINGS).where(READINGS.c.id == lease.reading_id)
            connection.execute(own.values(names_stale=True))
    return lease.reading_id


def kept_files(folder: Path) -> dict[str, str]:
    """Every file that the hall and its archive keep."""
    return {
        name: data.decode("utf-8", "surrogateescape")
        for name, data in files(folder).items()
        if not name.rpartition("/")[2].startswith(".")
    }


def backed_up(database: Path, to: Path) -> None:
    """Copy a hall's database as one does while it runs."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(to)) as copy:
        source.backup(copy)


def holding(found: Mapping[str, str], pattern: re.Pattern[str]) -> set[str]:
    return {name for name, text in found.items() if pattern.search(text)}


def lines_with_xaver() -> list[Any]:
    ruling = Entry(Correct(2, (ENTRIES[2],)), evidence="ruled by Xaver", source="person")
    other = Entry(Correct(2, (ENTRIES[2],)), evidence="ruled by Xaver and Yan", source="person")
    start = entry_from_json(LINES[0] | {"players": ["Xaver", "", "5m", "Dan"]})
    nested = Entry(Correct(0, (replace(start, evidence="ruled by Xaver"),)), source="person")
    return [*named(*FOUR), *map(entry_to_json, (ruling, other, nested))]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallServed]:
    nobody = WebhookSettings(("http://127.0.0.1:1/",), SECRET, every=True)
    folder = tmp_path / "hall"
    folder.mkdir()
    with hall_at(str(folder / "hall.sqlite3"), webhooks=nobody) as served:
        yield served


def test_a_forgotten_name_is_in_no_column_no_file_and_no_backup(
    hall: HallServed, tmp_path: Path
) -> None:
    folder = tmp_path / "hall"
    hall.add("north")
    ledger = Ledger(hall.hall.records._engine)
    lines = lines_with_xaver()
    assert hall.post("north", lines).status == 200
    for label in ("Xaver's phone", "Xaverius", "5m"):
        hall.told("POST", "keys", {"role": "viewer", "label": label})
    settings = ReadingSettings("harbin-hlr", str(folder / "results"))
    old = finish(ledger, settings, FOUR)
    until(lambda: not ledger._rows(select(READINGS.c.id).where(READINGS.c.names_stale)))
    new = finish(ledger, replace(settings, mirrored=True), None)
    ledger.answer(old, [{**ASKED, "answer": 1}])
    assert holding(columns(ledger.engine), XAVER) == {"names.name", "keys.label"}
    for reading in (old, new):
        for name in ("record.jsonl", "sheet.csv"):
            assert "Xaverius" in hall.ask("GET", f"archive/readings/{reading}/files/{name}").text
    assert "Xaverius" in hall.ask("GET", f"archive/readings/{new}/files/report.html").text
    gone = hall.ask("GET", f"archive/readings/{old}/files/report.html")
    assert (gone.status, "named people and was removed" in gone.text) == (404, True)

    hall.told("DELETE", f"players/{people(hall)['Xaver']['id']}", {})
    for name in ("hall.backup", "again.backup"):
        backed_up(folder / "hall.sqlite3", folder / name)
    found = columns(ledger.engine)
    assert found.keys() == {f"{t.name}.{c.name}" for t in METADATA.sorted_tables for c in t.columns}
    assert holding(found, XAVER) == set()
    kept = kept_files(folder)
    assert {"hall.sqlite3", "hall.backup", f"results/friday.{old}/record.jsonl"} <= kept.keys()
    assert holding(kept, XAVER) == set()
    for path in (
        "tables/north/record?record=a.jsonl",
        "tables/north",
        "tables",
        "keys",
        "players",
        "players/csv",
        "archive",
        "archive/hands",
        "archive/hands/csv",
        "archive/players",
        "archive/questions",
        *(
            f"archive/readings/{reading}/files/{name}"
            for reading in (old, new)
            for name in ("record.jsonl", "sheet.csv", "report.html")
        ),
    ):
        assert XAVER.search(hall.ask("GET", path).text) is None, path
    assert "Xaverius" in found["names.name"]
    assert "Xaverius" in found["keys.label"]
    assert set(people(hall)) == {"5m", "Dan", "Xaverius"}

    assert hall.post("north", lines[-1:], first=len(lines) - 1).status == 200, "as it was sent"
    assert holding(columns(ledger.engine), XAVER) == set()
    hall.told("DELETE", f"players/{people(hall)['5m']['id']}", {})
    left = hall.ask("GET", "tables/north/record?record=a.jsonl").text.splitlines()
    assert [json.loads(line) for line in left[1:-3]] == lines[1:-3], "tiles are no names"


def test_a_forgotten_name_is_in_no_column_of_a_server(postgres: Postgres) -> None:
    database = postgres.new_database()
    with hall_at(database) as hall:
        hall.add("north")
        assert hall.post("north", lines_with_xaver()).status == 200
        engine = hall.hall.records._engine
        assert holding(columns(engine), XAVER) == {"names.name"}
        hall.told("DELETE", f"players/{people(hall)['Xaver']['id']}", {})
        assert holding(columns(engine), XAVER) == set()
        assert hall.hall.find("north").game.state.names == ("", "", "5m", "Dan")
        for path in ("tables/north/record?record=a.jsonl", "tables/north", "players"):
            assert XAVER.search(hall.ask("GET", path).text) is None, path


def test_stored_files_of_earlier_versions_lose_their_names(
    hall: HallServed, tmp_path: Path
) -> None:
    ledger = Ledger(hall.hall.records._engine)
    results = tmp_path / "hall" / "results"
    settings = ReadingSettings("harbin-hlr", str(results))
    reading = finish(ledger, settings, FOUR, is_new=True)
    stored = kept_files(results)
    (results / f"friday.{reading}").rename(results / "elsewhere")
    with ledger.engine.begin() as connection:
        connection.execute(update(READINGS).values(names_stale=True))
    in_way = f"the stored files of reading {reading} cannot be read and written"
    until(lambda: in_way in str(hall.server.json("/health")["background"]))
    (results / "elsewhere").rename(results / f"friday.{reading}")
    until(lambda: not ledger._rows(select(READINGS.c.id).where(READINGS.c.names_stale)))
    kept = kept_files(results)
    assert stored.keys() - kept.keys() == {f"friday.{reading}/report.html"}
    assert holding(kept, re.compile("Xaver|Dan")) == set()
    assert kept[f"friday.{reading}/1.jpg"] == "a picture"
    assert '"Seat 0' in kept[f"friday.{reading}/questions.json"]


def test_whoever_is_named_anywhere_is_listed_and_forgotten(hall: HallServed) -> None:
    hall.add("north")
    ruled = Entry(Correct(0, (ENTRIES[0],)), evidence="ruled by Yan", source="person")
    unfinished = [*named("Xaver", "", "5m", "Dan")[:2], entry_to_json(ruled)]
    assert hall.post("north", unfinished).status == 200
    ledger = Ledger(hall.hall.records._engine)
    ledger.add(FILM, ReadingSettings("hangzhou", "/results"), ("Mistyped", "Dan", "Zoe", ""))
    ledger.add(FILM, ReadingSettings("hangzhou", "/results"), ("Mia", "Dan", "Zoe", ""))
    names = {"Xaver", "5m", "Dan", "Yan", "Mia", "Zoe"} | set(LINES[0]["players"])
    found = people(hall)
    assert found.keys() == names, "nothing refers to the mistyped name any more"
    assert {(one["rank"], one["games"], one["average_place"]) for one in found.values()} == {
        (0, 0, None)
    }
    assert hall.told("GET", "players?rules=hangzhou")["people"] == []
    for name in ("Yan", "Zoe", "Xaver"):
        page = hall.told("GET", f"players/{found[name]['id']}")
        assert (page["names"], page["games"]) == ([name], [])
        hall.told("DELETE", f"players/{found[name]['id']}", {})
        assert f'"{name}"' not in hall.ask("GET", "players").text
        assert name not in columns(ledger.engine)["names.name"]
    assert people(hall).keys() == names - {"Yan", "Zoe", "Xaver"}


def test_who_has_no_finished_game_is_shown_to_the_admin_alone(hall: HallServed) -> None:
    hall.add("north")
    ruled = Entry(Correct(1, (ENTRIES[1],)), evidence="ruled by Yan", source="person")
    lines = [*named("Aki", "Ben", "Chiyo", "Dan"), entry_to_json(ruled)]
    assert hall.post("north", lines).status == 200
    until(lambda: people(hall)["Aki"]["games"] == 1)
    found = people(hall)
    players = found.keys() - {"Yan"}
    assert players == {"Aki", "Ben", "Chiyo", "Dan"}
    yan, aki = (f"players/{found[name]['id']}" for name in ("Yan", "Aki"))
    assert (hall.told("GET", yan)["names"], hall.told("GET", yan)["games"]) == (["Yan"], [])
    assert "Yan" in hall.ask("GET", "players/csv").text
    key = hall.told("POST", "keys", {"role": "viewer", "table": None, "label": ""})["key"]
    told = hall.told("GET", "players", key=key)["people"]
    assert {one["name"] for one in told} == players
    assert "Yan" not in hall.ask("GET", "players/csv", key=key).text
    assert hall.ask("GET", yan, key=key).status == 404
    assert hall.told("GET", aki, key=key)["names"] == ["Aki"]
