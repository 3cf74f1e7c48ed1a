"""The database of a hall is made, brought up to date, and kept, by SQLite and by PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, insert, select, text

from engine.codec import entry_to_json
from engine.errors import Refused
from service.archive.films import ReadingSettings
from service.hall.database import display_name, engine_of, open_database, upgrade, upgrading
from service.hall.database_schema import GAMES, HANDS, READINGS, RESULTS
from service.hall.hall import Hall
from service.hall.names import numbers_of
from service.hall.records import OutOfStep, Records
from tests.support.halls import ENTRIES
from tests.support.postgres import PASSWORD, Postgres

POSTED = ENTRIES[:60]


def revisions() -> list[str]:
    """The first first."""
    config = Config()
    config.set_main_option("script_location", "service.hall:migrations")
    return [revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()][
        ::-1
    ]


def differences(engine: Engine) -> list[object]:
    with engine.begin() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, HANDS.metadata))


def made(database: str, revision: str) -> Engine:
    """A database as the program of that revision made it."""
    engine = engine_of(database)
    with upgrading(engine) as connection:
        upgrade(connection, revision)
    return engine


def test_an_empty_database_becomes_what_the_program_expects(database: str) -> None:
    engine = open_database(database)
    assert differences(engine) == []
    engine.dispose()
    engine = open_database(database)  # once more: nothing is left to do
    assert differences(engine) == []
    engine.dispose()


@pytest.mark.parametrize("revision", revisions()[:1])
def test_a_database_of_the_first_revision_goes_on_with_all_its_lines(
    database: str, revision: str
) -> None:
    engine = made(database, revision)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO tables (name, title) VALUES ('north', 'North')"))
        (table,) = connection.execute(text("SELECT id FROM tables")).one()
        connection.execute(
            text(
                "INSERT INTO records (table_id, name, begun_s, lines) "
                "VALUES (:table, 'a.jsonl', 1.5, :lines)"
            ),
            {"table": table, "lines": len(ENTRIES)},
        )
        (record,) = connection.execute(text("SELECT id FROM records")).one()
        rows = [
            {"record": record, "number": number, "line": json.dumps(entry_to_json(entry))}
            for number, entry in enumerate(ENTRIES)
        ]
        insert = "INSERT INTO lines (record_id, number, line, came_s) VALUES "
        connection.execute(text(f"{insert} (:record, :number, :line, 2.5)"), rows)
    engine.dispose()
    engine = open_database(database)
    assert differences(engine) == []
    hall = Hall(engine)
    asyncio.run(hall.update_results())
    assert hall.records.entries(record) == ENTRIES
    league = hall.leagues.add("Club", "2026", "riichi-tenhou")
    hall.leagues.assign(record, league.id)
    ranked = [(row["name"], row["points"]) for row in hall.leagues.standings(league)]
    assert ranked == [("Ben", 9_000), ("Dan", 4_400), ("Aki", -4_400), ("Chiyo", -9_000)]
    engine.dispose()


def test_of_people_with_equal_points_the_better_average_place_comes_first(database: str) -> None:
    engine = open_database(database)
    hall = Hall(engine)
    league = hall.leagues.add("Club", "2026", "riichi-tenhou")
    table = hall.records.add_table("north", "North").id
    record = hall.records.take(table, "a", 0, ENTRIES[:1]).record_id
    hall.leagues.assign(record, league.id)
    played = [
        [("Aki", 1, 20), ("Ben", 2, 5), ("Chiyo", 3, -5), ("Dan", 4, -20)],
        [("Chiyo", 1, 20), ("Ben", 2, -5), ("Dan", 3, -7), ("Aki", 4, -20)],
    ]
    with engine.begin() as connection:
        for number, result in enumerate(played):
            about = {"record_id": record, "number": number, "rules": league.rules, "ended_s": 1.0}
            added = insert(GAMES).values(about).returning(GAMES.c.id)
            (game,) = connection.execute(added).one()
            for seat, (name, place, points) in enumerate(result):
                number = numbers_of(connection, [name])[name]
                row = {"game_id": game, "seat": seat, "place": place, "points": points}
                connection.execute(insert(RESULTS).values(row | {"name_id": number}))
    ranked = [(row["rank"], row["name"]) for row in hall.leagues.standings(league)]
    assert ranked == [(1, "Chiyo"), (2, "Ben"), (3, "Aki"), (4, "Dan")]
    engine.dispose()


def test_lines_are_taken_once_and_in_order(database: str) -> None:
    engine = open_database(database)
    records = Hall(engine).records
    table = records.add_table("north", "North").id
    assert records.take(table, "a", 0, ENTRIES[:5]).lines == 5
    again = records.take(table, "a", 3, ENTRIES[3:7])
    assert (again.lines, again.new) == (7, 2)
    for first, entries, sentence in [
        (9, ENTRIES[9:10], "line 7 of a is next and line 9 came; post from line 7"),
        (2, ENTRIES[3:10], "line 2 of a differs from the stored one"),
    ]:
        with pytest.raises(OutOfStep, match=sentence):
            records.take(table, "a", first, entries)
        assert records.entries(again.record_id) == ENTRIES[:7]
    with pytest.raises(OutOfStep, match="line 0 of b is next"):
        records.take(table, "b", 1, ENTRIES[:1])
    assert [row.name for row in records.listed(table)] == ["a"]
    engine.dispose()


def test_of_lines_that_several_post_at_once_each_stands_once(database: str) -> None:
    engines = [open_database(database) for _ in range(3)]  # as several programs would
    records = [Records(engine) for engine in engines]
    table = records[0].add_table("north", "North").id
    begin = threading.Barrier(len(records))

    def post(own: Records) -> int:
        begin.wait()
        stands = 0
        while stands < len(POSTED):
            stands = own.take(table, "a", stands, POSTED[stands : stands + 7]).lines
        return stands

    with ThreadPoolExecutor() as threads:
        assert list(threads.map(post, records)) == [len(POSTED)] * len(records)
    assert records[0].entries(records[0].find(table, "a").record_id) == POSTED
    for engine in engines:
        engine.dispose()


def test_a_database_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no database, but a text about one" * 30)
    with sqlite3.connect(tmp_path / "other") as connection:
        connection.execute("CREATE TABLE cats (name TEXT)")
    connection.close()
    newer = str(tmp_path / "newer")
    engine = open_database(newer)
    with engine.begin() as change:
        change.execute(text("UPDATE alembic_version SET version_num = 'tomorrow'"))
    engine.dispose()
    for where, sentence in [
        (str(tmp_path / "text"), "file is not a database"),
        (str(tmp_path / "other"), "holds something else"),
        (str(tmp_path / "none" / "hall"), "there is no folder"),
        ("mysql://me:secret@host/hall", "mysql cannot be a hall's database"),
        (newer, "made by a newer tilesight"),
    ]:
        with pytest.raises(Refused, match=sentence) as refusal:
            open_database(where)
        assert "secret" not in str(refusal.value)


def test_what_is_said_of_a_server_holds_no_password(postgres: Postgres) -> None:
    for where in (
        postgres.address("postgres", "wrong-word"),
        postgres.address("no_such_database"),
        f"postgresql://tilesight:{PASSWORD}@127.0.0.1:1/hall",
        f"postgresql://tilesight:{PASSWORD}@127.0.0.1:port/hall",
    ):
        with pytest.raises(
            Refused, match=r"cannot use the database postgresql://127\.0\.0\.1"
        ) as said:
            open_database(where)
        assert PASSWORD not in str(said.value)
        assert "wrong-word" not in str(said.value)
        assert PASSWORD not in repr(said.value.__context__)
    assert (
        display_name(f"postgresql://me:{PASSWORD}@db:5432/hall?x=1") == "postgresql://db:5432/hall"
    )
    for where in (
        f"postgresql://me:{PASSWORD}/{PASSWORD}@127.0.0.1:1/hall",
        f"postgresql://me:%zz{PASSWORD}@127.0.0.1:1/hall",
        f"postgresql://me:{PASSWORD}@[::1/hall",
    ):
        with pytest.raises(Refused, match="the database") as refused:
            open_database(where)
        assert PASSWORD not in str(refused.value)


def test_readings_that_differ_in_the_place_of_results_become_rounds_of_one(database: str) -> None:
    engine = made(database, "rulers")
    places = [ReadingSettings("riichi", out, lang=lang) for out, lang in (("a", "en"), ("b", "ja"))]
    kept = [*places, ReadingSettings("hangzhou", "a")]
    film = "INSERT INTO archive_films (fingerprint, address, name, bytes) VALUES ('f', '', '', 1)"
    reading = (
        "INSERT INTO archive_readings (film_id, settings, settings_hash, state) "
        "VALUES (1, :settings, :hash, 'done')"
    )
    with engine.begin() as connection:
        connection.execute(text(film))
        for at, settings in enumerate(kept):
            row = {"settings": settings.to_json(), "hash": f"old {at}"}
            connection.execute(text(reading), row)
    engine.dispose()
    engine = open_database(database)
    with engine.begin() as connection:
        asked = select(READINGS.c.settings_hash, READINGS.c.round).order_by(READINGS.c.id)
        rows = connection.execute(asked).all()
    assert rows == [(kept[0].hash, 1), (kept[0].hash, 2), (kept[2].hash, 1)]
    engine.dispose()
