"""A device opens the hand of the seat that it sits in, and no other: whatever guests and hosts do.

Keys that have ended are tried again after every act, on pages, sockets that stay open, and after a
restart. Many more sequences with ``--hypothesis-profile=long``.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.codec import event_to_json, write_record
from engine.errors import Conflict, Refused
from engine.events import Entry, GameEnd, GameStart, Seat
from engine.state import Phase
from service.table.dispute import agreed_file
from service.texts.catalogue import texts_of
from service.web.keys import TableKeys, keys_file
from tests.support.in_process import Socket, asked
from tests.support.live_table import in_loop
from tests.support.properties import some
from tests.support.riichi_sample import ENTRIES, MIDDLE
from tests.support.sittings import (
    ACTS,
    ALL_SEATS,
    DEVICES,
    ENDED,
    PEOPLE,
    Act,
    Evening,
    Walk,
    act,
    check,
    ended,
    evening,
    opens,
    sat_down,
    seat_page,
    takes,
)


@settings(max_examples=max(4, some.max_examples // 2))
@given(acts=st.lists(ACTS, min_size=3, max_size=9))
@example(acts=[*ALL_SEATS])
@example(acts=[("scan without a word", 1), ("take", DEVICES[0], 1), ("look", DEVICES[0])])
@example(acts=[("take", DEVICES[0], 1), ("restart",), ("take", DEVICES[1], 1)])
@example(acts=[("take", DEVICES[0], 3), ("next game", PEOPLE[2]), ("undo",)])
@example(acts=[("take", DEVICES[0], 0), ("names", PEOPLE[1]), ("undo",), ("take", DEVICES[1], 0)])
@example(acts=[("another record",), ("new code", 0), ("the first record",)])
def test_one_device_opens_at_most_the_hand_of_the_seat_it_sits_in(acts: list[Act]) -> None:
    async def walked() -> None:
        walk = Walk()
        with evening() as here:
            walk.codes.update(here.keys.seats)
            for what in acts:
                names, codes = here.table.names, here.keys.seats
                await act(here, walk, what)
                await check(here, walk, names, codes)
            for key in {*(key for _, key in walk.by_card), *here.keys.seats}:
                seat = here.keys.seat_of(key)
                assert await opens(here, key) == (set() if seat is None else {seat})

    asyncio.run(walked())


@in_loop
async def test_who_moves_on_loses_the_seats_that_were_left_and_their_open_pages() -> None:
    with evening() as here:
        keys, pages = [], []
        for seat in range(4):
            _, told = await takes(here, seat)
            keys.append(told["key"])
            assert told["key"] not in here.keys.seats, "a code is for who is shown it"
            pages.append(await seat_page(here, told["key"]))
            assert json.loads(pages[-1].told[0])["mine"]["seat"] == seat
        watching = Socket(here.app, "/ws", keys[-1])
        await watching.heard(1)
        assert [await opens(here, key) for key in keys] == [set(), set(), set(), {3}]
        assert all([await ended(page) for page in pages[:3]])
        assert (await takes(here, None))[1]["seat"] == 3
        assert (await here.ask("GET", "/api/table", keys[0]))[0] == 401
        await takes(here, 0)
        assert await ended(pages[3])
        assert await ended(watching), "what it opened for watching is closed, too"


@in_loop
async def test_a_taken_seat_is_nobody_else_s_whoever_looks_and_after_a_restart() -> None:
    with evening() as here:
        await sat_down(here, here.keys.seats[1], None)
        for _ in range(2):
            for device in DEVICES:
                status, told = await takes(here, None, device)
                assert (status, told["taken"], told["key"]) == (200, [1], None)
                assert (await takes(here, 1, device))[0] == 409
            here.open(here.record, restart=True)
        assert (await here.ask("GET", "/api/drill", here.keys.seats[2]))[0] == 200
        assert (await takes(here, 2))[0] == 409, "its code was used, if not by a page of the seat"
        _, told = await takes(here, 3)
        here.open(here.record, restart=True)
        assert await opens(here, told["key"]) == {3}
        assert (await takes(here, None))[1] == told
        assert (await takes(here, 3, DEVICES[1]))[0] == 409
        _, seats = await here.ask("GET", "/api/seats", here.keys.control)
        assert [one["taken"] for one in seats] == [False, True, True, True]


@in_loop
async def test_who_sits_there_by_a_code_leaves_it_to_the_next_one() -> None:
    """The phone tells its word: it is the same one that takes another seat."""
    with evening() as here:
        code = here.keys.seats[0]
        await sat_down(here, code, DEVICES[0])
        page = await seat_page(here, code)
        assert (await takes(here, None))[1]["seat"] == 0
        await takes(here, 2)
        assert await ended(page)
        assert await opens(here, code) == set()
        assert (await takes(here, 0, DEVICES[1]))[0] == 200


@pytest.mark.parametrize("how", ["next", "corrected", "undone", "set up anew", "while it was off"])
@in_loop
async def test_who_has_left_sees_nothing_of_who_sits_there_now(how: str) -> None:
    with evening(whole=True) as here:
        if how == "undone":
            await here.change("next", {"names": PEOPLE[2]})
        old = here.keys.seats
        guest_key = (await takes(here, 2))[1]["key"]
        pages = [await seat_page(here, key) for key in (*old, guest_key)]
        drill = await here.ask("GET", "/api/drill", old[3])
        start = event_to_json(ENTRIES[0].event) | {"players": list(PEOPLE[2])}
        match how:
            case "next":
                assert await here.change("next", {"names": PEOPLE[2]}) == 200
            case "corrected":
                renamed: dict[str, object] = {"of": 0, "do": "replace", "events": [start]}
                assert await here.change("corrections", renamed) == 200
            case "undone":
                assert await here.change("undo", {}) == 200
            case "set up anew" | "while it was off":
                record = here.another() if how == "set up anew" else here.record
                lines = record.read_text().splitlines()
                record.write_text("\n".join([json.dumps(start), *lines[1:]]) + "\n")
                here.open(record, restart=how == "while it was off")
        assert drill[0] == 200
        assert await opens(here, old[3]) == set()
        assert await ended(pages[3])
        told = [json.loads(text) for text in pages[3].told if text.startswith('{"')]
        now = here.table.names[3]
        names = [one["table"]["names"][3] for one in told if "table" in one]
        assert now not in names, (names, [one["type"] for one in told])
        assert here.keys.seats[3] != old[3]
        assert await opens(here, here.keys.seats[3]) == {3}
        stayed = [await opens(here, key) for key in (*old[:3], guest_key)]
        assert stayed == [{0}, {1}, {2}, {2}]
        if how in ("next", "corrected", "undone"):
            back = "redo" if how == "undone" else "undo"
            assert await here.change(back, {}) == 200
            assert await opens(here, old[3]) == set(), "what has ended stays so"


@in_loop
async def test_a_new_player_sees_nothing_of_the_hands_of_who_sat_there_before() -> None:
    with evening() as here:
        before = await here.ask("GET", "/api/drill", here.keys.seats[3])
        assert before[1]["decisions"]
        assert await here.change("next", {"names": PEOPLE[2]}) == 200
        code = here.keys.seats[3]
        assert (await here.ask("GET", "/api/drill", code))[1]["decisions"] == []
        assert (await here.ask("GET", "/api/drill/mistakes", code))[1] == []
        assert (await here.ask("GET", "/api/drill/review", code))[1]["expected"] == []
        step = before[1]["decisions"][0]["step"]
        assert (await here.ask("GET", f"/api/drill/{step}", code))[0] == 404
        status, told = await here.ask("GET", "/api/teach/happened", code)
        assert (status, "Dan" in json.dumps(told)) == (200, False)
        page = json.loads((await seat_page(here, code)).told[0])
        assert "You" not in json.dumps([one["text"] for one in page["announced"]])
        same = (await here.ask("GET", "/api/drill", here.keys.seats[0]))[1]
        assert same["decisions"], "whoever stays keeps the own decisions"
        run = (await here.ask("GET", "/api/drill?seat=3", here.keys.control))[1]
        assert run["decisions"] == before[1]["decisions"]


@in_loop
async def test_a_new_player_s_first_decision_tells_nothing_of_who_sat_there_before() -> None:
    """Until something is said in the new game, the last thing said was said to another one."""
    with evening() as here:
        first = ENTRIES[0].event
        assert isinstance(first, GameStart)
        start = replace(ENTRIES[0], event=replace(first, players=PEOPLE[2]))
        lines = [*ENTRIES[: ENDED + 1], Entry(GameEnd()), start, *ENTRIES[1:ENDED]]
        record = here.another()
        record.write_text(write_record(lines))
        here.open(record)
        code = here.keys.seats[3]
        decided = (await here.ask("GET", "/api/drill", code))[1]["decisions"]
        step = decided[0]["step"]
        rows = (await here.ask("GET", f"/api/teach/happened?step={step}", code))[1]["rows"]
        assert [row["text"] for row in rows] == [texts_of("en")["teach.nothing_yet"]]
        run = f"/api/teach/happened?seat=3&step={step}"
        assert (await here.ask("GET", run, here.keys.control))[1]["rows"] != rows


@in_loop
async def test_one_seat_gets_a_new_code_from_whoever_runs_the_table_alone() -> None:
    with evening() as here:
        keys, wish = here.keys, {"renew": True, "seat": 1}
        await takes(here, 1)
        taken = (await takes(here, None))[1]["key"]
        codes, control = keys.seats, keys.control
        pages = [await seat_page(here, key) for key in (codes[0], codes[1], taken)]
        for key in (keys.viewer, keys.guest, keys.scorer, codes[1], taken):
            assert (await here.ask("POST", "/api/keys", key, wish))[0] in (401, 403)
        for wrong in (4, -1, "1"):
            refused = {"renew": True, "seat": wrong}
            assert (await here.ask("POST", "/api/keys", control, refused))[0] == 400
        assert keys.seats == codes
        assert await here.ask("POST", "/api/keys", control, wish) == (200, {"key": control})
        assert [code == old for code, old in zip(keys.seats, codes, strict=True)] == [
            True,
            False,
            True,
            True,
        ]
        assert await ended(pages[1])
        assert await ended(pages[2])
        assert "websocket.close" not in "".join(pages[0].told)
        assert [await opens(here, key) for key in (codes[1], taken)] == [set(), set()]
        here.open(here.record, restart=True)
        assert here.keys.seats == keys.seats


async def host_renews(here: Evening, seat: Seat) -> str:
    """The host's tap for a lost phone; the code of the seat then."""
    wish = {"renew": True, "seat": seat}
    assert (await here.ask("POST", "/api/keys", here.keys.control, wish))[0] == 200
    return here.keys.seats[seat]


async def has_taken(here: Evening, seat: Seat) -> bool:
    """What closes the host's dialog."""
    _, told = await here.ask("GET", "/api/seats", here.keys.control)
    return bool(told[seat]["taken"])


@pytest.mark.parametrize("restart", [False, True])
@in_loop
async def test_a_lost_phone_that_came_by_the_card_does_not_come_back_by_it(restart: bool) -> None:
    lost, new, other = DEVICES
    with evening() as here:
        await takes(here, 1, lost)
        code = await host_renews(here, 1)
        for device in (lost, other):
            if restart:
                here.open(here.record, restart=True)
            assert (await takes(here, 1, device))[0] == 409, "it waits for its own code"
            assert (await takes(here, None, device))[1]["taken"] == [1]
            assert not await has_taken(here, 1)
        await sat_down(here, code, new)
        assert await has_taken(here, 1)
        assert await opens(here, code) == {1}
        await takes(here, 2, new)  # and leaves the seat again
        if restart:
            here.open(here.record, restart=True)
        assert (await takes(here, 1, lost))[0] == 409
        assert (await takes(here, None, lost))[1]["taken"] == [1, 2]
        assert (await takes(here, 1, other))[0] == 200


@in_loop
async def test_a_phone_that_is_found_again_comes_in_by_the_seat_s_code_and_by_new_codes() -> None:
    with evening() as here:
        await takes(here, 1)
        code = await host_renews(here, 1)
        await sat_down(here, code, DEVICES[0])
        assert here.keys.taken[1].device == DEVICES[0]
        await takes(here, 2)
        assert (await takes(here, 1))[0] == 200
        await host_renews(here, 1)
        assert (await takes(here, 1))[0] == 409
        here.keys.renew()
        assert (await takes(here, 1))[0] == 200


@in_loop
async def test_neither_other_names_nor_a_free_seat_open_what_waits_for_its_code() -> None:
    with evening() as here:
        await takes(here, 1)
        await host_renews(here, 1)
        await host_renews(here, 2)  # where nobody sat
        assert await here.change("next", {"names": PEOPLE[1]}) == 200
        assert [(await takes(here, seat, DEVICES[2]))[0] for seat in (1, 2, 0)] == [409, 409, 200]


async def add(here: Evening, lines: Sequence[Entry]) -> None:
    async with here.table.writing:
        await here.table.submit(*lines)


async def named(here: Evening, names: Sequence[str]) -> None:
    start = event_to_json(here.table.game.entries[0].event) | {"players": list(names)}
    assert await here.change("corrections", {"of": 0, "do": "replace", "events": [start]}) == 200


@pytest.mark.parametrize("restart", [False, True])
@in_loop
async def test_names_that_are_put_right_in_mid_hand_let_everybody_go_on(restart: bool) -> None:
    with evening() as here:
        first = ENTRIES[0].event
        assert isinstance(first, GameStart)
        unnamed = replace(ENTRIES[0], event=replace(first, players=("",) * 4))
        record = here.folder / "unnamed.jsonl"
        record.write_text(write_record([unnamed, *ENTRIES[1 : ENDED + 1]]))
        here.open(record)
        keys = [(await takes(here, seat, DEVICES[seat]))[1]["key"] for seat in range(3)]
        await add(here, ENTRIES[ENDED + 1 : ENDED + MIDDLE])
        await named(here, PEOPLE[0])
        assert [await opens(here, key) for key in keys] == [set()] * 3
        if restart:
            here.open(record, restart=True)
        for seat, device in enumerate(DEVICES):
            _, told = await takes(here, None, device)
            assert (told["seat"], told["playing"], told["back"]) == (None, True, seat)
            others = [at for at in range(4) if at != seat]
            assert [(await takes(here, at, device))[0] for at in others] == [409] * 3
            status, told = await takes(here, seat, device)
            assert (status, told["seat"], told["back"]) == (200, seat, None)
            assert await opens(here, told["key"]) == {seat}
            page = await seat_page(here, told["key"])
            assert "?" not in json.loads(page.told[0])["mine"]["hand"], "it goes on as before"
            await page.close()


@in_loop
async def test_nobody_comes_back_to_a_seat_that_was_renewed_or_in_the_next_hand() -> None:
    with evening() as here:
        keys, lost = here.keys, DEVICES[0]
        keys.choose(lost, 0, 10)
        keys.seated(PEOPLE[1], 30)
        assert keys.way_back(lost, 20) == 0
        assert keys.way_back(lost, 30) is None, "dealt since then"
        assert keys.way_back(DEVICES[1], 20) is None
        assert keys.way_back("", 20) is None
        keys.new_code(0)
        assert keys.way_back(lost, 20) is None
        with pytest.raises(Conflict):
            keys.choose(lost, 0, 40, 20)
        keys.scanned(keys.seats[0], DEVICES[1])
        keys.choose(DEVICES[2], 1, 10)
        keys.choose(DEVICES[2], 2, 15)  # who moves on has no way back
        assert keys.way_back(DEVICES[2], 10) is None
        keys.seated(PEOPLE[0], 30)
        keys.seated(PEOPLE[2], 30)
        keys.choose(lost, 3, 31)
        keys.seated(PEOPLE[0], 40)
        assert keys.way_back(lost, 35) == 3, "to the last seat alone"


@in_loop
async def test_whoever_sits_down_is_shown_nothing_of_the_hand_before() -> None:
    """Between its end and the next deal, and while it is paid; on every way to a hand."""
    with evening() as here:
        record = here.folder / "paying.jsonl"
        record.write_text(write_record(ENTRIES[:1]))
        here.open(record)
        early = (await takes(here, 1, DEVICES[0]))[1]["key"]
        await add(here, ENTRIES[1:ENDED])  # the hand is over, and its end is not told
        assert here.table.game.state.phase is Phase.SETTLED
        status, told = await takes(here, 2, DEVICES[1])
        assert (status, told["detail"]) == (
            409,
            "a hand is being played: take a seat when it is over",
        )
        await add(here, ENTRIES[ENDED : ENDED + 1])
        late = (await takes(here, 2, DEVICES[1]))[1]["key"]
        shown = {"early": early, "late": late, "its code": here.keys.seats[2]}
        for restart in (False, True):
            if restart:
                here.open(here.record, restart=True)
            seen = {who: await all_of_hand(here, key) for who, key in shown.items()}
            assert set(seen["late"][0]) <= {"?"}
            assert set(seen["early"][0]) - {"?"}
            assert set(seen["its code"][0]) - {"?"}, "the host shows it to who plays"
            assert seen["late"][1] == 0 < seen["its code"][1], "no decisions of it"
        await add(here, ENTRIES[ENDED + 1 : ENDED + MIDDLE])
        assert set((await all_of_hand(here, late))[0]) - {"?"}, "the next one is the player's own"


@in_loop
async def test_whoever_sat_down_at_another_record_is_shown_no_hand_that_this_one_held() -> None:
    """Lines are counted in each record: those of another say nothing of who sat here when."""
    with evening() as here:
        early = (await takes(here, 1, DEVICES[0]))[1]["key"]
        record = here.folder / "second.jsonl"
        record.write_text(write_record(ENTRIES[:1]))
        here.open(record)
        late = (await takes(here, 2, DEVICES[1]))[1]["key"]
        for restart in (False, True):
            here.open(here.first, restart=restart)
            assert here.keys.seat_of(late) == 2
            assert set((await all_of_hand(here, late))[0]) <= {"?"}
            assert here.keys.taken[1].since == ENDED + 1, "it sat down here after these lines"
        here.open(record)
        assert (here.keys.seat_of(early), here.keys.seat_of(late)) == (1, 2)
        assert [here.keys.taken[seat].since for seat in (1, 2)] == [1, 1]
        other = here.another()
        here.open(other)
        assert set((await all_of_hand(here, late))[0]) <= {"?"}


def test_of_several_games_none_shows_more_to_who_sat_down_at_another(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    keys = TableKeys.kept_beside(one)
    keys.seated(PEOPLE[0])
    _, own = keys.choose(DEVICES[0], 1, 40) or (None, "")
    left = keys.choose(DEVICES[1], 2, 40)
    keys.scanned(keys.seats[3], DEVICES[2])
    keys.seated((*PEOPLE[0][:2], "Eve", "Dan"), 60)
    other = keys.of_other_game(two, PEOPLE[2], 900)
    grants = [other.grant_of(key) for key in (own, keys.seats[3])]
    assert left is not None
    assert [grant and grant.since for grant in grants] == [900, 0]
    assert other.way_back(DEVICES[1], 50) is None, "a line of the other game"
    again = other.of_other_game(one, PEOPLE[0], 70)
    assert again.taken[1].since == 40, "its own game, as it sat down there"


async def all_of_hand(here: Evening, key: str) -> tuple[list[str], int]:
    """The hand that a key shows on the seat's page, and the decisions of its drill."""
    page = await seat_page(here, key)
    mine = json.loads(page.told[0])["mine"]
    await page.close()
    status, answer = await here.ask("GET", "/api/teach/hand", key)
    assert status == 200
    if set(mine["hand"]) <= {"?"}:
        assert not re.search(r"\d[mpsz]", json.dumps(answer)), answer
    _, drill = await here.ask("GET", "/api/drill", key)
    _, review = await here.ask("GET", "/api/drill/review", key)
    _, worst = await here.ask("GET", "/api/drill/mistakes", key)
    assert drill["decisions"] or not (worst or review["costliest"])
    return mine["hand"], len(drill["decisions"])


@in_loop
async def test_who_sits_where_is_not_changed_where_it_cannot_be_written_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with evening() as here:
        key = (await takes(here, 0))[1]["key"]
        codes = here.keys.seats
        with monkeypatch.context() as disk:
            disk.setattr("service.web.keys.write_whole", full)
            assert (await takes(here, 1))[0] == 507
            wish = {"renew": True, "seat": 0}
            assert (await here.ask("POST", "/api/keys", here.keys.control, wish))[0] == 507
            assert await opens(here, key) == {0}
            # Who has left has left: the keys in the file are those of other names.
            assert await here.change("next", {"names": PEOPLE[1]}) == 200
            assert await opens(here, key) == set()
        here.open(here.record, restart=True)
        assert [await opens(here, old) for old in (key, codes[0], codes[1])] == [set()] * 3


def test_who_has_left_has_left_where_the_folder_is_gone(tmp_path: Path) -> None:
    """As of a stick that was pulled out."""
    folder = tmp_path / "stick"
    folder.mkdir()
    keys = TableKeys.kept_beside(folder / "game.jsonl")
    keys.seated(PEOPLE[0])
    told: list[Collection[Seat]] = []
    keys.on_ended.append(told.append)
    folder.rename(tmp_path / "elsewhere")
    control, codes = keys.control, keys.seats
    with pytest.raises(Refused):
        keys.renew()
    assert (keys.control, keys.seats, told) == (control, codes, [])
    keys.scanned(codes[3], DEVICES[0])
    assert keys.taken[3].device == DEVICES[0]
    keys.seated(PEOPLE[2])
    assert (told[-1], keys.seat_of(codes[3])) == ([3], None)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/agreed", {"clips": True}),
        ("POST", "/api/v1/agreed", {"clips": False}),
        ("POST", "/api/keys", {"renew": True}),
        ("POST", "/api/guest", {"device": DEVICES[0], "seat": 1}),
        ("POST", "/api/undo", {"lines": 10**6}),
    ],
)
@in_loop
async def test_a_key_that_ends_while_a_body_arrives_does_nothing(
    method: str, path: str, body: dict[str, object]
) -> None:
    with evening(whole=True) as here:
        keys = here.keys
        by = {"agreed": keys.seats[3], "keys": keys.control, "guest": keys.guest}
        key = by.get(path.rpartition("/")[2], keys.scorer)
        arrives = asyncio.Event()
        asking = asyncio.create_task(asked(here.app, method, path, key, body, arrives))
        await asyncio.sleep(0)
        await here.ask("GET", "/api/table", keys.viewer)  # by now it has passed the gate
        assert await here.change("next", {"names": PEOPLE[2]}) == 200
        if "agreed" not in path:
            keys.renew()
        before = keys.control, keys.seats, dict(keys.taken), agreed_file(here.record).exists()
        arrives.set()
        assert (await asking)[0] == 403
        assert before[:3] == (keys.control, keys.seats, keys.taken)
        assert before[3] is agreed_file(here.record).exists() is False


@in_loop
async def test_a_body_that_arrives_after_its_table_was_closed_changes_nothing() -> None:
    with evening(whole=True) as here:
        arrives, lines = asyncio.Event(), here.record.read_bytes()
        body = {"event": {"type": "dice", "values": [1, 2]}, "lines": ENDED + 1}
        key = here.keys.scorer
        asking = asyncio.create_task(asked(here.app, "POST", "/api/events", key, body, arrives))
        await asyncio.sleep(0)
        await here.ask("GET", "/api/table", here.keys.viewer)
        here.open(here.record)
        arrives.set()
        assert (await asking)[0] == 409
        assert here.record.read_bytes() == lines


@pytest.mark.parametrize(
    "told",
    [
        ["a" * 24] * 5,
        {"control": "a" * 24, "seats": ["b" * 24] * 3},
        {"control": "a" * 24, "seats": 7},
        {"control": "a" * 24, "seats": ["b" * 24] * 4, "taken": [[4, "", "", True]]},
        {"control": "a" * 24, "seats": ["b" * 24] * 4, "taken": [[0, "", "short", True]]},
        {"control": "a" * 24, "seats": ["b" * 24] * 4, "taken": [7]},
    ],
)
def test_a_file_of_keys_of_an_earlier_version_or_of_nonsense(tmp_path: Path, told: object) -> None:
    record = tmp_path / "game.jsonl"
    keys_file(record).write_text(json.dumps(told))
    keys = TableKeys.kept_beside(record)
    assert (keys.control == "a" * 24) is isinstance(told, list)
    assert TableKeys.kept_beside(record) == keys


def test_of_two_files_of_an_evening_what_the_younger_one_holds_is_over(tmp_path: Path) -> None:
    first = TableKeys.kept_beside(tmp_path / "one.jsonl")
    second = TableKeys.kept_beside(tmp_path / "two.jsonl", first)
    assert second == first
    old = second.seats[0]
    second.new_code(0)
    with pytest.raises(Conflict):
        second.choose(DEVICES[1], second.choose(DEVICES[0], 2)[0])  # type: ignore[index]
    again = TableKeys.kept_beside(tmp_path / "one.jsonl", second)
    assert again.grant_of(old) is None
    assert again == second
