"""The record is put right over HTTP; what is wrong, late or from elsewhere changes nothing."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.codec import read_record
from engine.events import Discard, Entry, GameEnd, GameStart, HandStart, Position
from engine.fields import Unreadable
from engine.texts.files import LANGUAGES
from engine.tiles import Tile
from service.pages.bodies import sent_entry
from service.table.live_table import LiveTable, TableSettings
from service.table.record_file import RecordFile
from service.texts.catalogue import texts_of
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.live_table import KeptLines, frames, resumed
from tests.support.paths import STATIC
from tests.support.patience import PATIENCE_S, until
from tests.support.riichi_sample import ENTRIES as RIICHI
from tests.support.riichi_sample import table_of
from tests.support.served import Answer, Served, served
from tests.support.told_reader import HearingTold

WINNER = ["1p", "3p", "4s", "5s", "6s", "7s", "8s", "9s", "7z", "7z"]
MISREAD = 12
"""Bo discards twice in a row: Chen did, or his second tile was drawn by another."""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


@pytest.fixture
def client(record: Path) -> Iterator[Served]:
    record.write_text(RECORD)
    kept = RecordFile(record)
    table = resumed(kept.entries, record=kept)
    with served(table) as client:
        client.wait_for_end()
        yield client
    kept.close()


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table of which nothing that is asked changes the record."""
    record = tmp_path_factory.mktemp("table") / "game.jsonl"
    record.write_text(RECORD)
    kept = RecordFile(record)
    with served(resumed(kept.entries, record=kept)) as client:
        client.wait_for_end()
        yield client
    assert record.read_text() == RECORD
    kept.close()


def asked(answer: Answer) -> dict[str, Any]:
    assert answer.status == 200, answer.text
    told: dict[str, Any] = json.loads(answer.text)
    return told


def refused(answer: Answer, status: int, says: str) -> None:
    assert answer.status == status, answer.text
    detail = json.loads(answer.text)["detail"]
    assert says in detail
    assert "\n" not in detail


def replacing(number: int, events: list[dict[str, Any]], lines: int) -> dict[str, Any]:
    do = "replace" if events else "remove"
    return {"of": number, "do": do, "events": events, "lines": lines}


def rivers(client: Served) -> list[list[str]]:
    players = client.json("/api/table")["players"]
    return [[one["tile"] for one in player["river"]] for player in players]


def test_a_missed_event_is_added_at_the_end(client: Served, record: Path) -> None:
    event = {"type": "discard", "seat": 2, "tile": "4p"}
    told = asked(client.post("/api/events", {"event": event, "lines": 13}))
    assert (told["number"], told["lines"], told["corrected"]) == (13, 14, None)
    assert rivers(client)[2] == ["4p"]
    last = read_record(record.read_text())[-1]
    assert (last.event, last.source) == (Discard(2, Tile("4p")), "person")


def test_the_likely_readings_come_first_and_one_of_them_mends(client: Served) -> None:
    likely = client.json(f"/api/events/{MISREAD}/ways")
    best = likely["ways"][0]
    assert best["problems"] < likely["problems"]
    assert likely["ways"][-1]["do"] == "remove"
    way = next(way for way in likely["ways"] if way["events"])
    at = likely["ways"].index(way)
    path = f"/api/events/{MISREAD}/ways"
    said = [client.json(f"{path}?lang={lang}")["ways"][at] for lang in LANGUAGES]
    assert len({str(one["told"]) for one in said}) == 3, "a variant says the same"
    assert [{**one, "told": []} for one in said] == [{**way, "told": []}] * len(LANGUAGES)
    told = asked(client.post("/api/corrections", replacing(MISREAD, best["events"], 13)))
    assert told["corrected"] == MISREAD
    after = client.json("/api/fouls")
    assert after["lines"] == 14
    assert [said for said in told["said"] if said["kind"] == "problem"] == []


def test_only_what_changed_is_announced(client: Served) -> None:
    own_draw = {"type": "win", "seat": 2, "from": 3, "tile": "2p", "hand": WINNER}
    with client.socket("/ws") as socket:
        socket.recv(PATIENCE_S)
        # The discard that fed the winner was Dai's, so everything after it is paid otherwise.
        fed = {"type": "discard", "seat": 3, "tile": "2p"}
        asked(client.post("/api/corrections", replacing(6, [], 13)))
        asked(client.post("/api/corrections", replacing(7, [fed], 14)))
        with client.socket("/ws") as other:
            before = {said["key"] for said in json.loads(other.recv(PATIENCE_S))["announced"]}
        told = asked(client.post("/api/corrections", replacing(8, [own_draw], 15)))
        while json.loads(socket.recv(PATIENCE_S)).get("said") != told["said"]:
            pass
    payout = next(said for said in told["said"] if said["kind"] == "payout")
    assert payout["deltas"][3] == min(payout["deltas"]) < 0
    assert not before & {said["key"] for said in told["said"]}


def test_insert_remove_undo_and_redo_leave_what_they_should(client: Served) -> None:
    missed = {"type": "discard", "seat": 2, "tile": "8s"}
    insert = {"of": 12, "do": "insert", "events": [missed], "lines": 13}
    asked(client.post("/api/corrections", insert))
    assert rivers(client)[2] == ["8s"]
    shown = client.json("/api/events")["events"]
    assert [(one["number"], one["place"]) for one in shown][-3:] == [(11, 0), (12, 0), (12, 1)]
    # The inserted event is a phantom: it goes, and the one behind it stays.
    asked(client.post("/api/corrections", {"of": 12, "place": 0, "do": "remove", "lines": 14}))
    assert rivers(client)[1:3] == [["5m"], []]
    for path, river in [("undo", ["8s"]), ("undo", []), ("redo", ["8s"]), ("redo", []),
                        ("undo", ["8s"])]:  # fmt: skip
        lines = client.json("/api/events")["lines"]
        asked(client.post(f"/api/{path}", {"lines": lines}))
        assert rivers(client)[2] == river


def test_what_follows_is_told_before_it_is_written(client: Served, record: Path) -> None:
    told = asked(client.post("/api/corrections/preview", replacing(8, [], 13)))
    assert [said["kind"] for said in told["unsaid"]] == ["payout", "hand_result"]
    assert {said["of"] for said in told["said"] if said["impossible"]} == {9, 10}
    assert told["removed"] == []
    told = asked(client.post("/api/events/preview", {"event": DISCARD, "lines": 13}))
    assert told["turn"] == 3
    impossible = {"event": {**DISCARD, "seat": 3}, "lines": 13}
    told = asked(client.post("/api/events/preview", impossible))
    assert told["said"][0]["impossible"]
    bad = replacing(8, [{"type": "win", "seat": 2}], 13)
    refused(client.post("/api/corrections/preview", bad), 422, "from")
    assert record.read_text() == RECORD


ENDED = [*ENTRIES[:10], Entry(GameEnd())]


def test_the_end_of_a_hand_that_goes_on_is_taken_away_and_comes_back() -> None:
    record = KeptLines()
    with served(resumed(ENDED, record=record)) as client:
        client.wait_for_end()
        no_win = {**replacing(8, [], 11), "leftovers": True}
        told = asked(client.post("/api/corrections/preview", no_win))
        assert len(told["removed"]) == 2
        assert [said["kind"] for said in told["said"]] == []
        done = asked(client.post("/api/corrections", no_win))
        assert done["lines"] == 14
        assert client.json("/api/events")["events"][-1]["number"] == 7
        assert client.json("/api/table")["phase"] == "to_draw"
        for path, last in [("undo", 10), ("redo", 7), ("undo", 10)]:
            lines = client.json("/api/events")["lines"]
            asked(client.post(f"/api/{path}", {"lines": lines}))
            assert client.json("/api/events")["events"][-1]["number"] == last
        refused(client.post("/api/undo", {"lines": 23}), 404, "nothing to undo")
    assert all(entry.source == "person" for entry in record.entries)


def test_of_two_people_who_correct_at_once_one_is_told_to_look_again(client: Served) -> None:
    answers: list[Answer] = []

    def mend(tile: str) -> None:
        event = {"type": "discard", "seat": 1, "tile": tile}
        wish = {"of": 11, "do": "replace", "events": [event], "lines": 13}
        answers.append(client.post("/api/corrections", wish))

    people = [threading.Thread(target=mend, args=(f"{rank}p",)) for rank in range(1, 6)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409, 409]
    refused(next(a for a in answers if a.status == 409), 409, "changed meanwhile")
    assert client.json("/api/events")["lines"] == 14


def test_a_foul_is_listed_confirmed_and_cancelled(client: Served) -> None:
    across = {"type": "chow", "seat": 3, "from": 1, "tile": "5m", "own": ["4m", "6m"]}
    asked(client.post("/api/events", {"event": across, "lines": 13}))
    foul = {"type": "foul", "seat": 1, "offence": "exposed_tile", "tiles": ["1m"]}
    asked(client.post("/api/events", {"event": foul, "lines": 14}))
    listed = client.json("/api/fouls")["fouls"]
    assert [one["number"] for one in listed if one["foul"]] == [14]
    (irregular,) = (one for one in listed if not one["foul"])
    assert irregular["number"] == 13
    assert "left" in " ".join(irregular["texts"])
    (same,) = (one for one in client.json("/api/fouls?lang=ja")["fouls"] if not one["foul"])
    assert same["texts"] != irregular["texts"]
    assert same["told"] != irregular["told"]
    wish = {"of": 13, "place": 0, "lines": 15}
    refused(client.post("/api/fouls", {**wish, "do": "cancel"}), 422, "is a move")
    asked(client.post("/api/fouls", {**wish, "do": "confirm"}))
    again = client.json("/api/fouls")["fouls"]
    assert all(one["confirmed"] for one in again)
    asked(client.post("/api/fouls", {"of": 14, "do": "cancel", "lines": 16}))
    assert [one["number"] for one in client.json("/api/fouls")["fouls"]] == [13]


def test_a_penalty_is_listed_with_what_it_costs() -> None:
    begun = read_record('{"type":"game_start","rules":"hangzhou"}\n{"type":"hand_start"}')
    table = resumed(begun, "hangzhou")
    with served(table) as client:
        client.wait_for_end()
        foul = {"type": "foul", "seat": 2, "offence": "false_win"}
        told = asked(client.post("/api/events", {"event": foul, "lines": 2}))
        (payout,) = (said for said in told["said"] if said["kind"] == "payout")
        assert payout["deltas"][2] < 0
        (listed,) = client.json("/api/fouls")["fouls"]
        assert payout["text"] in listed["texts"]
        asked(client.post("/api/fouls", {"of": 2, "do": "cancel", "lines": 3}))
        assert client.json("/api/table")["points"] == [0, 0, 0, 0]
        assert client.json("/api/fouls")["fouls"] == []


DISCARD = {"type": "discard", "seat": 2, "tile": "4p"}


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("events", b"\xff{", 400, "not JSON"),
        ("events", b"[" * 50_000, 400, "not JSON"),
        ("events", b"[]", 400, "a JSON object"),
        ("events", {"lines": 13, "more": "x" * 70_000}, 400, "too large"),
        ("events", {"event": DISCARD}, 400, '"lines"'),
        ("events", {"event": DISCARD, "lines": True}, 400, '"lines"'),
        ("events", {"event": DISCARD, "lines": 10**30}, 400, '"lines"'),
        ("events", {"lines": 13}, 400, "event"),
        ("events", {"event": {"type": "dance"}, "lines": 13}, 422, "dance"),
        ("events", {"event": {**DISCARD, "tile": "10m"}, "lines": 13}, 422, "10m"),
        ("events", {"event": {**DISCARD, "seat": 4}, "lines": 13}, 422, "seat"),
        ("events", {"event": {**DISCARD, "seat": 3}, "lines": 13}, 422, "cannot be"),
        ("events", {"event": {"type": "game_start", "rules": "go"}, "lines": 13}, 422, "go"),
        ("events", {"event": {"type": "correct", "of": 1, "events": []}, "lines": 13}, 400,
         "/api/corrections"),
        ("events", {"event": DISCARD, "lines": 99}, 409, "changed meanwhile"),
        ("corrections", {"of": 99, "do": "remove", "lines": 13}, 404, "event 99"),
        ("corrections", {"of": 3, "place": 1, "do": "remove", "lines": 13}, 404, "place 1"),
        ("corrections", {"of": 3, "do": "dance", "lines": 13}, 400, "'confirm'"),
        ("corrections", {"of": 3, "do": "replace", "lines": 13}, 400, "at least one event"),
        ("corrections", {"of": 3, "do": "remove", "events": [DISCARD], "lines": 13}, 400, "no "),
        ("corrections", {"of": 3, "do": "insert", "events": [DISCARD] * 41, "lines": 13}, 400,
         "at most 40"),
        ("corrections", {"of": -1, "do": "remove", "lines": 13}, 400, '"of"'),
        ("fouls", {"of": 3, "do": "confirm", "lines": 13}, 404, "no foul"),
        ("undo", {"lines": 13}, 404, "nothing to undo"),
        ("redo", {"lines": 13}, 404, "nothing to redo"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_changes_nothing(
    unchanged: Served, path: str, body: object, status: int, says: str
) -> None:
    refused(unchanged.post(f"/api/{path}", body), status, says)
    assert unchanged.json("/api/events")["lines"] == 13


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/api/events/x/ways", 422, '"number"'),
        ("/api/events/3/ways?place=x", 422, '"place"'),
        ("/api/events/3/ways?place=-1", 404, "place -1"),
        ("/api/events/99/ways", 404, "event 99"),
        (f"/api/events/{'9' * 5000}/ways", 422, '"number"'),
    ],
)
def test_an_event_that_is_not_there_is_one_line(
    unchanged: Served, path: str, status: int, says: str
) -> None:
    refused(unchanged.get(path), status, says)


def test_a_foreign_page_changes_nothing(unchanged: Served) -> None:
    body = {"event": DISCARD, "lines": 13}
    elsewhere = {"Origin": "https://elsewhere.example"}
    refused(unchanged.post("/api/events", body, elsewhere), 403, "other sites")
    form = {"Content-Type": "text/plain"}  # what a page may send without asking first
    refused(unchanged.post("/api/events", body, form), 400, "application/json")
    own = {"Origin": unchanged.url}
    asked(unchanged.post("/api/events/preview", body, own))


DEALT = [
    '{"type":"game_start","rules":"harbin-hlr"}',
    '{"type":"hand_start"}',
    '{"type":"deal","seat":0,"tiles":["1m","1m","1m","2m","2m","2m","3m","3m","3m","4m","4m","4m",'
    '"7z","6s"]}',
]


def test_who_tries_what_a_hand_holds_leaves_a_line_for_everybody() -> None:
    kept = KeptLines()
    table = resumed(read_record("\n".join(DEALT)), record=kept)
    with served(table) as client:
        client.wait_for_end()
        tried = {"type": "discard", "seat": 0, "tile": "9p"}
        told = asked(client.post("/api/events", {"event": tried, "lines": 3}))
        (problem,) = told["said"]
        assert (problem["code"], problem["impossible"]) == ("tile_not_held", True)
        assert [entry.event for entry in kept.entries] == [Discard(0, Tile("9p"))]
        assert client.json("/api/events")["events"][-1]["event"]["tile"] == "9p"
        # What everybody can see to be impossible is refused, and leaves none.
        refused(
            client.post("/api/events", {"event": {**tried, "seat": 2}, "lines": 4}), 422, "cannot"
        )
        assert len(kept.entries) == 1


def test_a_proposal_speaks_the_words_of_the_game() -> None:
    """Also what would be announced, before it is written."""
    at = next(
        at for at, one in enumerate(RIICHI) if isinstance(one.event, Discard) and one.event.ready
    )
    with served(table_of(RIICHI[: at + 1])) as client:
        client.wait_for_end()
        ready = client.json(f"/api/events/{at}/ways")
        assert ready["event"]["ready"]
        (told, *_) = (way["told"][0] for way in ready["ways"] if way["do"] == "replace")
        assert "declares riichi" in told[-1]
        plain = {name: value for name, value in ready["event"].items() if name != "ready"}
        asking = {**replacing(at, [plain], at + 1), "leftovers": False}
        follows = asked(client.post("/api/corrections/preview", asking))
        assert "riichi" in " ".join(one["text"] for one in follows["unsaid"])


def test_how_a_hand_began_is_put_right_and_reaches_the_reader() -> None:
    """Of a table that was joined: who deals, the counters, and that the hand was only dealt."""
    joined = Position(rivers=((Discard(0, Tile("5p")),), (), (), ()), turn=1)
    told = [Entry(GameStart("riichi-tenhou")), Entry(HandStart()), Entry(joined)]
    reader = HearingTold(told)
    table = LiveTable(reader, frames(), KeptLines(), TableSettings("riichi-tenhou", "x"))
    start = {"type": "hand_start", "dealer": 2, "round": "1z", "honba": 3, "deposits": 1}
    with served(table) as client:
        client.wait_for_end()
        asked(client.post("/api/v1/corrections", replacing(1, [start], 3)))
        asked(client.post("/api/v1/corrections", replacing(2, [], 4)))
        until(lambda: len(reader.heard) == 2)
        shown = client.json("/api/table")
        assert (shown["dealer"], shown["honba"]) == (2, 3)
        assert rivers(client)[0] == []
        asked(client.post("/api/v1/undo", {"lines": 5}))
        until(lambda: len(reader.heard) == 3)
        assert rivers(client)[0] == ["5p"]
    dealt = HandStart(dealer=2, round=Tile("1z"), honba=3, deposits=1)
    fixed = [
        ([one.event for one in pins.own], {one.change for one in pins.removed})
        for pins in reader.heard
    ]
    assert fixed[0] == fixed[2] == ([dealt], set())
    assert fixed[1] == ([dealt], {"told@2"})


def test_what_a_person_may_choose_has_a_word_in_every_language() -> None:
    form = (STATIC / "table/mend_fields.js").read_text("utf-8")
    keys = dict(re.findall(r"(\w+): \(value\) => word\(`([\w.]+)\.\$\{value\}`\)", form))
    chosen = form[form.index("const CHOICES") : form.index("const CHOICE_WORDS")]
    choices = {
        f"{keys[name]}.{value}"
        for name, values in re.findall(r"(\w+): \[([^]]*)\]", chosen)
        for value in re.findall(r"\w+", values)
    }
    assert {"page.mend.kong.open", "offence.chombo"} <= choices
    for lang in LANGUAGES:
        assert choices <= set(texts_of(lang))


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"type": "dice", "values": [1] * 20_001}, "12 values, got 20001 in event.values"),
        (
            {"type": "game_start", "rules": "riichi", "players": ["A" * 240_000] * 4},
            "300 letters, got 240000 in event.players",
        ),
    ],
    ids=["dice", "names"],
)
def test_an_event_that_is_sent_has_bounds_and_one_in_a_record_has_none(
    event: dict[str, Any], told: str
) -> None:
    with pytest.raises(Unreadable, match=told):
        sent_entry(event, "event")
    assert len(read_record(json.dumps(event))) == 1
