"""What a seat's page is told of its own hand, and of the calls of others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.events import Deal, Discard, Draw, Entry, GameEnd, GameStart, HandStart, Seat, Win
from engine.game import Game, replay
from engine.news import New
from engine.state import Phase
from engine.tiles import UNKNOWN, parse
from service.app import create_app
from service.pages.settings import PageSettings
from service.report.public import AnnouncementView
from service.seat.lessons import Question, answered
from service.table.live_table import LiveTable, TableSettings
from service.table.seat_view import GivenHint, SeatViews
from service.table.view import table_view
from service.web.grants import Grant, Role
from tests.support.golden import WITH_GAME, golden
from tests.support.in_process import Socket
from tests.support.keys import KEYS
from tests.support.live_table import KeptLines, frames, moment_of, seen, written
from tests.support.random_games import played
from tests.support.riichi_sample import ENTRIES, MIDDLE
from tests.support.told_reader import ToldReader

HINT: AnnouncementView = {"of": 0, "kind": "hint", "key": "", "text": ""}
WITH_FLOWER = [
    Entry(GameStart("taiwan")),
    Entry(HandStart()),
    Entry(Deal(0, parse("123456789m 123p 456p 3z 5f"))),
]
NEXT_GAME = [Entry(GameEnd()), Entry(GameStart("riichi", players=("Eve", "Eli", "Fay", "Gus")))]
END = next(number for number, one in enumerate(ENTRIES) if isinstance(one.event, Win))


class TableOf:
    def __init__(self, game: Game) -> None:
        self._game = game

    def game_of(self, seat: Seat) -> Game:
        return self._game


def view(entries: Sequence[Entry], seat: Seat, teach: bool = False) -> Any:
    views = SeatViews(TableOf(replay(entries)), seat)
    _, own, _ = asyncio.run(views.view(None, "en", lambda game: teach))
    return own


def hidden(entry: Entry) -> Entry:
    event = entry.event
    if isinstance(event, Deal):
        return replace(entry, event=replace(event, tiles=(UNKNOWN,) * len(event.tiles)))
    return replace(entry, event=replace(event, tile=UNKNOWN)) if isinstance(event, Draw) else entry


def test_a_seat_with_a_flower_is_told_to_lay_it_open_first() -> None:
    mine = view(WITH_FLOWER, 0, teach=True)
    assert mine["no_hint"] is None
    assert (mine["hint"]["flower"], mine["hint"]["discards"]) == ("5f", [])
    assert mine["hint"]["text"] == "You, lay flower five open first"
    played_so_far = replay(WITH_FLOWER).played
    questions: tuple[Question, ...] = ("hand", "plans")
    for question in questions:
        (row,) = answered(question, played_so_far, 0, "en")["rows"]
        assert (row["shown"], row["text"]) == (["5f"], "You, lay flower five open first")


def test_the_drawn_tile_lies_apart_and_a_hint_counts_what_is_left() -> None:
    state = replay(ENTRIES[:MIDDLE]).state
    mine = view(ENTRIES[:MIDDLE], state.turn, teach=True)
    assert mine["apart"] == state.players[state.turn].drawn
    assert mine["no_hint"] is mine["result"] is None
    named = {tile for row in mine["hint"]["discards"] for tile in row["useful"]}
    assert {one["tile"] for one in mine["hint"]["copies"]} == named
    best = mine["hint"]["discards"][0]
    counts = {one["tile"]: one["left"] for one in mine["hint"]["copies"]}
    assert sum(counts[tile] for tile in best["useful"]) == best["left"]


def test_a_learner_is_told_of_the_last_discard_until_the_next_own_turn() -> None:
    at = next(n for n, one in enumerate(ENTRIES) if isinstance(one.event, Discard))
    seat = replay(ENTRIES[:at]).state.turn
    assert view(ENTRIES[: at + 1], seat)["why"] is None, "nobody asked for hints"
    why = view(ENTRIES[: at + 1], seat, teach=True)["why"]
    assert why.startswith("Good: ") or " was better: " in why
    assert view(ENTRIES[: at + 2], seat, teach=True)["why"] == why
    assert view(ENTRIES[:at], seat, teach=True)["why"] is None, "it is the seat's turn"
    entries = [hidden(entry) for entry in ENTRIES[: at + 1]]
    assert view(entries, seat, teach=True)["why"] is None, "nobody sees the hand"


@pytest.mark.parametrize("before_own_turn", [0, 1])
def test_a_hint_stays_until_the_next_own_turn(before_own_turn: int) -> None:
    asked = MIDDLE + before_own_turn
    seat = replay(ENTRIES[:MIDDLE]).state.turn
    state = replay(ENTRIES[:asked]).state
    given = GivenHint.of(HINT, state, seat)
    stood, left = [], False
    for end in range(asked, END + 2):
        state = replay(ENTRIES[:end]).state
        own = state.phase is Phase.TO_DISCARD and state.turn == seat
        left |= not own
        if own and left:
            break
        stood.append(given.in_force(state, seat))
    assert len(stood) > 3
    assert all(stood)
    assert own, "it is the player's turn"
    assert not given.in_force(state, seat)
    assert not given.in_force(replay(ENTRIES[: END + 1]).state, seat), "the hand is over"


def test_a_hand_that_nobody_sees_has_a_reason_instead_of_a_hint() -> None:
    entries = [hidden(entry) for entry in ENTRIES[:MIDDLE]]
    mine = view(entries, 0, teach=True)
    assert (mine["no_hint"], mine["hint"], mine["waits"]) == ("hidden", None, [])
    assert view([], 0)["no_hint"] == "no_hand"


def test_waits_go_when_the_hand_has_ended_and_the_result_comes() -> None:
    win = ENTRIES[END].event
    assert isinstance(win, Win)
    before, after = view(ENTRIES[:END], win.seat), view(ENTRIES[: END + 1], win.seat)
    assert win.tile in {one["tile"] for one in before["waits"]}
    assert before["result"] is None
    assert after["waits"] == []
    assert not any(one["kind"] == "ready" for one in after["said"])
    assert after["apart"] == win.tile
    assert (after["result"]["won"], after["result"]["delta"]) == (True, 2000)
    assert view(ENTRIES[: END + 1], win.from_seat)["result"]["delta"] == -2000


def test_the_end_of_the_game_tells_the_own_place() -> None:
    last = max(n for n, one in enumerate(ENTRIES) if isinstance(one.event, GameEnd))
    places = [view(ENTRIES[: last + 1], seat)["result"]["place"] for seat in range(4)]
    assert sorted(places) == [1, 2, 3, 4]


def test_a_place_that_two_players_share_is_told_as_shared() -> None:
    results = [view(golden("hong-kong"), seat)["result"] for seat in range(4)]
    told = [(result["place"], result["place_shared"]) for result in results]
    assert told == [(3, True), (2, False), (1, False), (3, True)]


def test_public_news_is_spoken_to_the_seat_and_keeps_its_key() -> None:
    game = replay(ENTRIES[: END + 1])
    moment = moment_of(game, New(game.announcements(END)))
    said = seen(moment)["said"]
    told = table_view(moment, "en", Grant(Role.SEAT, game.state.winners[0]), game)["said"]
    assert [one["key"] for one in told] == [one["key"] for one in said]
    assert told[0]["text"].startswith("You win")
    assert said[0]["text"].startswith("Bo wins")


def test_who_sits_there_since_a_line_is_not_spoken_to_about_what_was_before() -> None:
    game = replay([*ENTRIES[: END + 1], *NEXT_GAME])
    winner = replay(ENTRIES[: END + 1]).state.winners[0]
    moment = moment_of(game, New(game.announcements(END)[:1]))
    told = table_view(moment, "en", Grant(Role.SEAT, winner), game)["said"]
    assert told[0]["text"].startswith("Bo wins")


CALLS = [name for name in WITH_GAME if name.startswith(("harbin", "riichi"))]


def called(rules: str) -> tuple[list[Entry], Seat]:
    """A record whose last line is a discard with which a seat calls ready."""
    for seed in range(200):
        lines = list(played(rules, seed).entries)
        for number, line in enumerate(lines):
            if isinstance(line.event, Discard) and line.event.ready:
                return lines[: number + 1], line.event.seat
    raise AssertionError("nobody calls")


async def heard(lines: Sequence[Entry], seats: Sequence[Seat]) -> list[list[dict[str, Any]]]:
    """What each seat's page is sent as the last line comes, and when it is opened after that."""
    before = lines[:-1]
    table = LiveTable(
        ToldReader([]), frames(0), KeptLines(), TableSettings("riichi", "a.mp4", before=before)
    )
    app = create_app(table, PageSettings(keys=KEYS))
    pages = [Socket(app, "/ws/seat", None) for _ in seats]
    for page, seat in zip(pages, seats, strict=True):
        page.say({"key": KEYS.seats[seat]})
        await page.heard(1)
    await written(table, lines[-1])
    late = [Socket(app, "/ws/seat", None) for _ in seats]
    for page, seat in zip(late, seats, strict=True):
        page.say({"key": KEYS.seats[seat]})
        await page.heard(1)
    told = []
    for page, again in zip(pages, late, strict=True):
        await page.heard(2)
        told.append([json.loads(page.told[1]), json.loads(again.told[0])])
        await page.close()
        await again.close()
    return told


@pytest.mark.parametrize("rules", CALLS)
def test_the_own_call_is_told_once_and_with_its_waits(rules: str) -> None:
    lines, seat = called(rules)
    number = len(lines) - 1
    own, other = asyncio.run(heard(lines, [seat, (seat + 1) % 4]))
    for message in own + other:
        keys = {one["key"] for one in message["announced"]}
        assert all(one["key"] in keys for one in message["said"])
        public = message["announced"]
        ready = [one for one in public if one["kind"] == "ready" and one["of"] == number]
        mine = [one for one in message["mine"]["said"] if one["of"] == number]
        if message in own:
            assert ready == []
            assert [bool(one["waits"]) for one in mine if one["kind"] == "ready"] == [True]
        else:
            assert [one["unknown"] for one in ready] == [True]
            assert not any(one["kind"] == "ready" for one in mine)
