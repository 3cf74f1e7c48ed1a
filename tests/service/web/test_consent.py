"""Clips need the consent of those who sat at their event; the key of spectators can be ended."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any, Final

import pytest

from engine.codec import event_to_json, write_record
from engine.events import DrawnHand, Entry, GameEnd, GameStart, HandEnd, HandStart
from engine.game import replay
from service.app import create_app
from service.evening.open_table import TableRequest, open_table
from service.pages.settings import PageSettings
from service.table.dispute import Agreed, agreed_file, signs_at, signs_now
from service.table.picture_files import clips_folder
from service.table.reader import EmptyReader, EmptySource
from tests.support.in_process import Socket, asked
from tests.support.live_table import in_loop
from tests.support.riichi_sample import ENTRIES

ENDED: Final = next(at for at, one in enumerate(ENTRIES) if type(one.event).__name__ == "HandEnd")
EVENT: Final = 20
"""In the first game."""
NAMED: Final = ("Anna", "Bo", "Chie", "Dan")
NAMELESS: Final = ("", "", "", "")
FIRST: Final = f"/api/events/{EVENT}/clip"


class Table:
    """A table with one game that is over, asked by the keys of its people."""

    def __init__(self, record: Path, names: tuple[str, ...] = NAMED) -> None:
        self.record = record
        if not record.exists():
            lines = [
                Entry(GameStart("riichi-tenhou", players=names), t=0.0),
                *ENTRIES[1 : ENDED + 1],
            ]
            record.write_text(write_record(lines))
        start = GameStart("riichi-tenhou")
        self._open = open_table(TableRequest(EmptySource("none"), EmptyReader, start, record))
        self.shown = self._open.__enter__()
        self.keys, self.agreed = self.shown.keys, self.shown.agreed
        settings = PageSettings(keys=self.keys, without_key=None, agreed=self.agreed)
        self.app = create_app(self.shown.table, settings)

    def close(self) -> None:
        self._open.__exit__(None, None, None)

    async def says(self, key: str, **what: object) -> int:
        return (await asked(self.app, "POST", "/api/agreed", key, what))[0]

    async def told(self, key: str, query: str = "") -> dict[str, Any]:
        _, body = await asked(self.app, "GET", f"/api/agreed{query}", key)
        told = next(line for line in body.split(b"\n") if line.startswith(b"{"))
        answer: dict[str, Any] = json.loads(told)
        return answer

    async def clip(self, of: int = EVENT) -> bool:
        """Whether a clip is made; no picture is kept here, so that it is an empty answer."""
        status, _ = await asked(self.app, "GET", f"/api/events/{of}/clip", self.keys.viewer)
        assert status in (204, 422)
        return status == 204

    async def next_game(self, names: tuple[str, ...]) -> int:
        """Begin another game, and return the number of an event in it."""
        wish = {"names": list(names), "lines": len(self.shown.table.game.entries)}
        assert (await asked(self.app, "POST", "/api/next", self.keys.scorer, wish))[0] == 200
        for kind in ({"type": "hand_start"}, {"type": "drawn_hand", "reason": "exhausted"}):
            more = {"event": kind, "lines": len(self.shown.table.game.entries)}
            assert (await asked(self.app, "POST", "/api/events", self.keys.scorer, more))[0] == 200
        return len(self.shown.table.game.entries) - 1


@in_loop
async def test_who_sat_there_at_the_event_is_asked_and_not_who_sits_there_now(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path / "game.jsonl")
    second = await table.next_game(("Anna", "Bo", "Chie", "Eve"))
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert (await table.clip(second), await table.clip()) == (True, False), "Dan was not asked"
    assert not (await table.told(table.keys.scorer, f"?of={EVENT}"))["clips"]
    assert await table.says(table.keys.scorer, clips=True, of=EVENT) == 200
    assert await table.clip()
    assert (await table.told(table.keys.scorer, f"?of={EVENT}"))["clips"]
    assert await table.says(table.keys.scorer, clips=True, of=9999) == 404
    table.close()


@in_loop
async def test_a_no_is_remembered_in_every_game_and_taken_back_by_that_player_alone(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path / "game-20990101-200000.jsonl")
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert await table.clip()
    assert await table.says(table.keys.seats[1], clips=False) == 200
    for key in (table.keys.scorer, table.keys.control, table.keys.seats[0]):
        assert await table.says(key, clips=True) == 200
        assert not await table.clip()
    second = await table.next_game(("Anna", "Fay", "Chie", "Dan"))
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert await table.says(table.keys.seats[1], clips=True) == 200, "Fay speaks for herself"
    assert (await table.clip(second), await table.clip()) == (True, False)
    table.close()
    table = Table(table.record)  # after a restart
    assert await table.says(table.keys.scorer, clips=True, of=EVENT) == 200
    assert (await table.clip(second), await table.clip()) == (True, False)
    third = await table.next_game(("Anna", "Chie", "Bo", "Dan"))
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert not await table.clip(third), "Bo sits elsewhere, and has still said no"
    assert (await table.told(table.keys.seats[2]))["said_no"]
    assert await table.says(table.keys.seats[2], clips=True) == 200
    assert await table.clip(third)
    table.close()


@pytest.mark.parametrize(("begins_s", "both"), [(12.0, True), (20.0, False)])
def test_all_are_asked_who_sat_there_while_the_clip_was_taken(begins_s: float, both: bool) -> None:
    eve = (*NAMED[:3], "Eve")
    lines = [
        Entry(GameStart("riichi-tenhou", players=NAMED), t=0.0),
        Entry(HandStart(), t=1.0),
        Entry(DrawnHand("exhausted"), t=10.0),
        Entry(HandEnd(), t=10.0),
        Entry(GameEnd(), t=11.0),
        Entry(GameStart("riichi-tenhou", players=eve), t=begins_s),
        Entry(HandStart(), t=begins_s + 0.5),
        Entry(DrawnHand("exhausted"), t=begins_s + 6.0),
    ]
    game = replay(lines)
    first, second = signs_at(game, 2, 0), signs_at(game, len(lines) - 1, 0)
    assert ("Dan" in first, "Eve" in first) == (True, both)
    assert ("Dan" in second, "Eve" in second) == (False, True)


def test_a_no_holds_at_the_next_table_of_the_evening(tmp_path: Path) -> None:
    before = Agreed(tmp_path / "one.jsonl")
    before.change(["Bo"], clips=False, own=True)
    agreed = Agreed(tmp_path / "two.jsonl", tmp_path / "one.jsonl")
    agreed.change([*NAMED], clips=True)
    assert not agreed.to_clips(NAMED)
    later = Agreed(tmp_path / "three.jsonl", tmp_path / "two.jsonl")
    later.change([*NAMED], clips=True)
    assert (later.to_clips(NAMED), later.to_clips(["Anna", "Dan"])) == (False, True)


@in_loop
async def test_players_without_names_agree_each_for_themselves(tmp_path: Path) -> None:
    table = Table(tmp_path / "game.jsonl", NAMELESS)
    for seat in range(3):
        assert await table.says(table.keys.seats[seat], clips=True) == 200
        assert not await table.clip(), "the others were not asked"
    assert await table.says(table.keys.seats[3], clips=True) == 200
    assert await table.clip()
    second = await table.next_game(NAMELESS)
    assert (await table.clip(second), await table.clip()) == (False, True), "others may sit there"
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert await table.clip(second)
    assert await table.says(table.keys.seats[2], clips=False) == 200
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert await table.says(table.keys.scorer, clips=True, of=EVENT) == 200
    assert (await table.clip(second), await table.clip()) == (False, False)
    table.close()


@in_loop
async def test_a_name_that_is_put_right_is_asked_anew_and_hides_no_no(tmp_path: Path) -> None:
    table = Table(tmp_path / "game.jsonl")
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert await table.clip()
    assert await table.says(table.keys.seats[1], clips=False) == 200
    start = event_to_json(table.shown.table.game.entries[0].event)
    renamed = {**start, "players": ["Anna", "Bob", "Chie", "Dan"]}
    change = {"of": 0, "do": "replace", "events": [renamed], "lines": ENDED + 1}
    assert (await asked(table.app, "POST", "/api/corrections", table.keys.scorer, change))[0] == 200
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert not await table.clip()
    second = await table.next_game(("Anna", "Chie", "Bob", "Dan"))
    assert await table.says(table.keys.scorer, clips=True) == 200
    assert not await table.clip(second), "the same one, by the name that was put right"
    assert (await table.told(table.keys.seats[2]))["said_no"]
    assert await table.says(table.keys.seats[2], clips=True) == 200
    assert await table.clip(second)
    table.close()


@in_loop
async def test_a_no_while_a_clip_is_made_keeps_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path / "game.jsonl")
    assert await table.says(table.keys.scorer, clips=True) == 200
    people = signs_now(table.shown.table.game, 0)

    class Slow:
        gallery = None

        def animated(self, _: Entry) -> bytes:
            table.agreed.change(people, clips=False, own=True)
            return b"a clip"

    settings = PageSettings(
        keys=table.keys,
        without_key=None,
        agreed=table.agreed,
        dispute=Slow(),  # type: ignore[arg-type]
    )
    table.app = create_app(table.shown.table, settings)
    status, body = await asked(table.app, "GET", FIRST, table.keys.viewer)
    assert (status, b"a clip" in body) == (422, False)
    assert not clips_folder(table.record).exists()
    table.close()


@in_loop
async def test_one_clip_is_made_at_a_time_however_many_ask(tmp_path: Path) -> None:
    table = Table(tmp_path / "game.jsonl")
    assert await table.says(table.keys.scorer, clips=True) == 200
    at_work: list[int] = []
    most, made = 0, []

    class Counting:
        gallery = None

        def animated(self, entry: Entry) -> bytes:
            nonlocal most
            at_work.append(1)
            most = max(most, len(at_work))
            threading.Event().wait(0.01)  # others would begin meanwhile
            made.append(entry)
            at_work.pop()
            return b"a clip"

    settings = PageSettings(
        keys=table.keys,
        without_key=None,
        agreed=table.agreed,
        dispute=Counting(),  # type: ignore[arg-type]
    )
    table.app = create_app(table.shown.table, settings)
    paths = [f"/api/events/{of}/clip" for of in (EVENT, EVENT + 1, EVENT + 2) for _ in range(6)]
    asking = (asked(table.app, "GET", path, table.keys.viewer) for path in paths)
    answers = await asyncio.gather(*asking)
    assert {status for status, _ in answers} == {200}
    assert (most, len(made)) == (1, 3)
    table.close()


@pytest.mark.parametrize(
    "told",
    ["", "[]", "7", '{"clips_of": 7}', '{"clips_of": [[1, 2, 3]]}', '{"clips_of": [[0, "x"]]}'],
)
def test_what_was_agreed_and_cannot_be_read_is_nothing(tmp_path: Path, told: str) -> None:
    record = tmp_path / "game.jsonl"
    agreed_file(record).write_text(told)
    assert not Agreed(record).to_clips(NAMED)


def test_of_an_earlier_version_only_names_have_agreed(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    agreed_file(record).write_text(
        json.dumps({"spectators": True, "clips_of": ["Anna", "Bo", "Chie", "Seat 3"]})
    )
    agreed = Agreed(record)
    assert agreed.to_clips(["Anna", "Bo", "Chie"])
    assert not agreed.to_clips(["Seat 3"])


@in_loop
async def test_the_link_for_spectators_is_taken_back(tmp_path: Path) -> None:
    table = Table(tmp_path / "game.jsonl")
    assert await table.says(table.keys.scorer, clips=True) == 200
    control = table.keys.control
    for key in (table.keys.viewer, table.keys.scorer, table.keys.seats[0]):
        assert await table.says(key, spectators=True) == 403
    assert (await table.told(control))["link"] is None
    links = []
    for _ in range(2):
        assert await table.says(control, spectators=True) == 200
        told = await table.told(table.keys.viewer)
        assert told["spectators"]
        links.append(told["link"].partition("#")[2])
        socket = Socket(table.app, "/ws", links[-1])
        await socket.heard(1)
        assert (await asked(table.app, "GET", "/game", links[-1]))[0] == 200
        assert (await asked(table.app, "GET", FIRST, links[-1]))[0] == 204
        assert await table.says(control, spectators=True) == 200
        assert (await table.told(control))["link"] == told["link"], "it stays the same one"
        assert await table.says(control, spectators=False) == 200
        await socket.heard(2)
        assert "websocket.close" in socket.told[-1]
        for path in ("/game", "/api/table", FIRST):
            assert (await asked(table.app, "GET", path, links[-1]))[0] == 401
    assert links[0] != links[1]
    others = (control, table.keys.viewer, table.keys.scorer)
    assert not set(links) & {*others, *table.keys.seats}
    assert (await asked(table.app, "GET", "/api/table", table.keys.viewer))[0] == 200
    table.close()
