"""People are counted by name over the games of several records."""

from __future__ import annotations

import json
import os
import shutil
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.codec import read_record, write_record
from engine.events import Entry, GameStart, HandStart
from engine.game import replay
from service.app import create_app
from service.commands import serve
from service.evening.open_table import TableRequest, open_table
from service.machine.files import LineSink
from service.machine.records import evening_of, load_record, tell
from service.pages.network_door import NetworkDoor
from service.pages.settings import OpenTable, PageSettings
from service.report.player_standings import (
    FinishedGame,
    Folder,
    by_rules,
    payments,
    results_of,
    standings,
)
from service.report.public import public_table
from service.report.report import places_of_seats
from service.table.options import Options
from service.table.reader import EmptyReader, EmptySource
from tests.support.riichi_sample import ENTRIES, SAMPLE, table_of
from tests.support.served import serving

TONIGHT = date(2026, 11, 25)
PLACES = [("Anna", 4, -13_700), ("Bo", 2, 500), ("Chie", 3, -10_700), ("Dan", 1, 23_900)]


def test_a_finished_game_counts_and_another_does_not() -> None:
    (game,) = results_of(tell(ENTRIES), TONIGHT)
    assert (game.rules, list(game.result)) == ("riichi-tenhou", PLACES)
    assert list(results_of(tell(ENTRIES[:-1]), TONIGHT)) == []


def test_rule_sets_are_never_added_up_and_tonight_is_told_apart() -> None:
    tonight = tuple(PLACES)
    other = (("Anna", 1, 12), ("Bo", 4, -12))
    games = [
        FinishedGame("riichi", TONIGHT, tonight),
        FinishedGame("riichi", TONIGHT - timedelta(days=7), tonight),
        FinishedGame("wsom", TONIGHT, other),
    ]
    told: Any = by_rules(games, "riichi", TONIGHT)
    rows = {one["rules"]: one for one in told["by_rules"]}
    assert list(rows) == ["riichi", "wsom"]
    assert {row["name"]: row["games"] for row in told["people"]} == dict.fromkeys(
        ("Anna", "Bo", "Chie", "Dan"), 2
    )
    assert [row["games"] for row in rows["riichi"]["tonight"]] == [1, 1, 1, 1]
    assert told["payments"] == payments([tonight])
    assert [(row["name"], row["points"]) for row in rows["wsom"]["people"]] == [
        ("Anna", 12),
        ("Bo", -12),
    ]


def test_an_evening_ends_in_the_morning(tmp_path: Path) -> None:
    assert evening_of(tmp_path / "game-20261125-200000.jsonl") == date(2026, 11, 25)
    assert evening_of(tmp_path / "game-20261126-013000-2.jsonl") == date(2026, 11, 25)
    named = tmp_path / "friday.jsonl"
    named.write_text("")
    os.utime(named, (time := datetime(2026, 11, 20, 23).timestamp(), time))
    assert evening_of(named) == date(2026, 11, 20)


def test_people_are_ranked_by_their_average_place() -> None:
    second = (("Anna", 1, 9_000), ("Eve", 2, 100), ("Bo", 3, 0), ("Dan", 4, -9_100))
    rows = standings([tuple(PLACES), second])
    told = [(row["name"], row["games"], row["average_place"], row["points"]) for row in rows]
    assert told == [
        ("Eve", 1, 2.0, 100),
        ("Dan", 2, 2.5, 14_800),
        ("Bo", 2, 2.5, 500),
        ("Anna", 2, 2.5, -4_700),
        ("Chie", 1, 3.0, -10_700),
    ]
    dan = rows[1]
    assert (dan["player"], dan["places"], dan["average_points"]) == (None, [1, 0, 0, 1], 7_400)


def paid(*won: tuple[str, int]) -> list[tuple[object, object, object]]:
    rows = payments([tuple((name, 0, points) for name, points in won)])
    return [(row["from"], row["to"], row["points"]) for row in rows]


def test_an_evening_is_settled_in_the_fewest_payments() -> None:
    assert paid(("Anna", -12), ("Bo", 5), ("Chie", 7), ("Dan", 0)) == [
        ("Anna", "Chie", 7),
        ("Anna", "Bo", 5),
    ]
    two_pairs = paid(("Anna", -9), ("Bo", 4), ("Chie", 9), ("Dan", -4), ("Eve", 0))
    assert sorted(two_pairs) == [("Anna", "Chie", 9), ("Dan", "Bo", 4)]
    # Three people who settle among themselves save a payment, though Anna owes more than Bo.
    apart = paid(("Anna", -4), ("Bo", -3), ("Chie", 2), ("Dan", 2), ("Eve", 3))
    assert sorted(apart) == [("Anna", "Chie", 2), ("Anna", "Dan", 2), ("Bo", "Eve", 3)]
    # Who has won more than anybody has lost is paid by several.
    assert paid(("Anna", 10), ("Bo", -6), ("Chie", -4)) == [
        ("Bo", "Anna", 6),
        ("Chie", "Anna", 4),
    ]
    assert paid(("Anna", -9), ("Bo", 4)) == []  # somebody has no name
    assert payments([]) == []


def test_the_other_records_of_the_folder_count_too(tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path / "one.jsonl")
    shutil.copy(SAMPLE, tmp_path / "fri day.jsonl")  # the table's own
    (tmp_path / "broken.jsonl").write_text("{}")
    (tmp_path / "notes.jsonl").write_bytes(b"\xff\xfe")
    (tmp_path / "begun.jsonl").write_text(write_record(tuple(ENTRIES[:50])))
    (tmp_path / "opened.jsonl").touch()
    folder = Folder(tmp_path, "fri day.jsonl")
    assert [list(game.result) for game in folder.results()] == [PLACES]
    with serving(create_app(table_of(ENTRIES), PageSettings(records=tmp_path))) as server:
        server.wait_for_end()
        told = json.loads(server.get("/api/standings").text)
        people = told["people"]
    assert told["unreadable"] == folder.unreadable()
    assert [line.split(" ")[:3] for line in folder.unreadable()] == [
        ["broken.jsonl,", "line", "1:"],
        ["notes.jsonl,", "line", "1:"],
    ]
    assert [(person["name"], person["games"]) for person in people] == [
        ("Dan", 2),
        ("Bo", 2),
        ("Chie", 2),
        ("Anna", 2),
    ]


def test_every_evening_counts_however_many_there_are(tmp_path: Path) -> None:
    game = write_record(ENTRIES[:2])
    for evening in range(350):
        (tmp_path / f"game-20250101-{evening:06}.jsonl").write_text(game)
    shutil.copy(SAMPLE, tmp_path / "game-20261125-200000.jsonl")  # the newest, by name and time
    assert [list(game.result) for game in Folder(tmp_path, "").results()] == [PLACES]


def test_a_record_is_read_again_only_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(SAMPLE, tmp_path / "one.jsonl")
    (tmp_path / "broken.jsonl").write_text("{")
    read: list[str] = []

    def noted(path: str, say: LineSink) -> list[Entry]:
        read.append(Path(path).name)
        return load_record(path, say)

    monkeypatch.setattr("service.report.player_standings.load_record", noted)
    for table in ("first.jsonl", "next.jsonl"):  # the next game is another table
        folder = Folder(tmp_path, table)
        assert len(folder.results()) == len(folder.unreadable()) == 1
    assert read == ["broken.jsonl", "one.jsonl"]
    shutil.copy(SAMPLE, tmp_path / "broken.jsonl")
    assert len(folder.results()) == 2
    assert folder.unreadable() == []
    assert read[2:] == ["broken.jsonl"]
    (tmp_path / "one.jsonl").unlink()
    assert len(folder.results()) == 1


def test_a_game_counts_once_whatever_links_lead_to_it(tmp_path: Path) -> None:
    record = tmp_path / "game-20261125-200000.jsonl"
    shutil.copy(SAMPLE, record)
    (tmp_path / "a link.jsonl").symlink_to(record)
    (tmp_path / "the same.jsonl").hardlink_to(record)
    (game,) = Folder(tmp_path, "").results()
    assert game.evening == TONIGHT
    for own in tmp_path.glob("*.jsonl"):
        assert Folder(tmp_path, own.name).results() == [], "it is the table's own"


def test_the_own_record_counts_once_where_it_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    shutil.copy(SAMPLE, tmp_path / "disk" / "friday.jsonl")
    link = tmp_path / "game.jsonl"
    link.symlink_to(tmp_path / "disk" / "friday.jsonl")
    place: Any = SimpleNamespace(hosts=(), is_local=True)
    request = TableRequest(EmptySource("none"), EmptyReader, GameStart("riichi-tenhou"), link)
    with open_table(request) as opened:
        pages = serve.page_settings(place, NetworkDoor(0), opened, Options(), "")
        others = OpenTable(opened.table, pages).others
    assert others is not None
    assert others.results() == []


def test_a_record_of_the_same_size_and_time_is_another_one(tmp_path: Path) -> None:
    record = tmp_path / "one.jsonl"
    shutil.copy(SAMPLE, record)
    folder, about = Folder(tmp_path, ""), record.stat()
    assert folder.results()[0].result[0][0] == "Anna"
    record.write_bytes(record.read_bytes().replace(b"Anna", b"Lena"))
    os.utime(record, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert folder.results()[0].result[0][0] == "Lena"


def test_players_without_names_are_nobody() -> None:
    lines = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
    lines[0]["players"] = ["", "Bo", "", ""]
    entries = read_record("".join(json.dumps(line) + "\n" for line in lines))
    (game,) = results_of(tell(entries), TONIGHT)
    assert [name for name, _, _ in game.result] == ["Bo"]


def test_people_who_are_level_share_a_rank() -> None:
    results = [
        (("Anna", 1, 500), ("Bo", 2, 100), ("Chie", 2, 100), ("Dan", 4, -700)),
        (("Eve", 2, 100), ("Fay", 3, -50)),
    ]
    assert [(row["rank"], row["name"]) for row in standings(results)] == [
        (1, "Anna"),
        (2, "Bo"),
        (2, "Chie"),
        (2, "Eve"),
        (5, "Fay"),
        (6, "Dan"),
    ]


def test_a_game_without_an_end_tells_ties_as_its_end_would() -> None:
    """The report, the page of the table and the saved game ask the rules alike."""
    for rules, places in (("riichi-tenhou", [1, 2, 3, 4]), ("riichi", [1, 1, 1, 1])):
        entries = [Entry(GameStart(rules)), Entry(HandStart())]
        state = replay(entries).state
        assert public_table(state, state.names)["places"] == places
        (story,) = tell(entries)
        assert [one["place"] for one in places_of_seats(story, "en")] == places
