"""The one message of a table: what each grant is shown, and how large it is."""

from __future__ import annotations

import asyncio
import json
from typing import Any, get_args

import pytest

from engine.events import GameStart, Win
from engine.game import Game, replay
from engine.news import New
from engine.texts.files import LANGUAGES
from service.hall.wire import RowsMessage, WatchMessage
from service.table.seat_view import SeatViews
from service.table.view import Edits, TableMessage, shown, table_view
from service.web.grants import Grant, Role
from tests.support.live_table import SCORER, moment_of, seen
from tests.support.riichi_sample import ENTRIES
from vision.decoder.question import AnswerChoice, EventPlace, Question

LARGEST = 32 * 1024
"""Bytes of a view; that of the sample game has 60 events and announcements."""
GAME = replay(ENTRIES)


@pytest.mark.parametrize("messages", [TableMessage, RowsMessage, WatchMessage])
def test_a_socket_has_at_most_two_kinds_of_message(messages: object) -> None:
    assert len(get_args(messages)) <= 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_table_is_small(lang: str) -> None:
    moment = moment_of(GAME, edits=Edits())
    for grant in (Grant(Role.VIEWER), SCORER):
        sent = json.dumps(seen(moment, lang, grant), ensure_ascii=False, separators=(",", ":"))
        assert len(sent.encode()) <= LARGEST


def test_the_next_game_begins_with_nothing_of_the_last_one() -> None:
    begins = next(one for one in ENTRIES if isinstance(one.event, GameStart))
    told = seen(moment_of(GAME.with_lines(begins)))
    assert [one["event"]["type"] for one in told["happened"]] == ["game_start"]
    assert told["announced"] == []
    before = seen(moment_of(GAME))
    assert before["happened"][-1]["event"]["type"] == "game_end"
    assert before["announced"][-1]["kind"] == "game_result"


def test_a_seat_is_told_of_the_hand_that_is_played() -> None:
    wins = [at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win)]
    game = replay(ENTRIES[: wins[1]])
    said: Any = table_view(moment_of(game), "en", Grant(Role.SEAT, 1), own=game)["announced"]
    first = game.state.history.entries[0][0]
    assert first > wins[0]
    assert all(one["of"] >= first for one in said)
    assert any(one["of"] < first for one in seen(moment_of(game))["announced"])


def test_a_wall_is_sent_no_events_that_it_does_not_show() -> None:
    moment = moment_of(GAME)
    whole = seen(moment)
    wall: Any = asyncio.run(shown(moment, "en", Grant(Role.PUBLIC), most=1))
    assert wall["happened"] == whole["happened"][-1:]
    assert wall["announced"] == whole["announced"][-1:]
    assert wall["table"] == whole["table"]
    sent = [len(json.dumps(one, ensure_ascii=False).encode()) for one in (wall, whole)]
    assert 3 * sent[0] < sent[1]


def test_a_grant_decides_what_is_shown() -> None:
    asked = Question(EventPlace("put", 1.0), (AnswerChoice((), 0.5), AnswerChoice((), 0.4)), 1)
    moment = moment_of(GAME, edits=Edits(undo=True), asked=[asked])
    views: dict[Role, Any] = {role: seen(moment, "en", Grant(role)) for role in Role}
    views[Role.SEAT] = table_view(moment, "en", Grant(Role.SEAT, 1), GAME)
    assert {role for role, one in views.items() if one["questions"]} == {Role.SCORER, Role.ADMIN}
    assert {role for role, one in views.items() if one["may_mend"]} == {Role.SCORER, Role.ADMIN}
    assert {role for role, one in views.items() if one["acts"] is None} == {Role.SEAT}
    whole = [one["table"] for one in views.values()]
    assert all(one == whole[0] for one in whole)


def test_a_key_of_a_seat_opens_no_hand_on_the_page_of_the_table() -> None:
    """What it may see of its own hand, its own page alone is sent."""
    moment = moment_of(GAME, New(GAME.announcements(0)))
    for seat in range(4):
        assert seen(moment, "en", Grant(Role.SEAT, seat)) == seen(moment, "en", Grant(Role.VIEWER))


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_s_view_is_kept_apart_from_everybody_s(seat: int) -> None:
    """Numbers of seats and rights are keys that are easily alike."""

    class Table:
        def game_of(self, seat: int) -> Game:
            return GAME

    async def views() -> list[Any]:
        moment, seats = moment_of(GAME, edits=Edits()), SeatViews(Table(), seat)
        found: list[Any] = []
        for _ in range(2):
            for grant in (Grant(Role.VIEWER), SCORER):
                found.append(await shown(moment, "en", grant))
            found.append((await seats.view(moment, "en", lambda game: False))[2])
        return found

    watched, scored, own, *again = asyncio.run(views())
    assert (watched["mine"], watched["may_mend"]) == (None, False)
    assert (scored["mine"], scored["may_mend"]) == (None, True)
    assert own["mine"]["seat"] == seat
    assert again[0] is watched
    assert again[1] is scored
    assert again[2]["announced"] is own["announced"]
