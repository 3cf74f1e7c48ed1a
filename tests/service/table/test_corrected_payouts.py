"""A payout that changes is said as a correction, never as a second payout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.announce import Item, Payout
from engine.events import (
    Correct,
    Discard,
    Entry,
    Event,
    Foul,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Win,
)
from engine.game import Game, replay
from engine.news import New, News
from engine.texts.announcements import sentence
from engine.texts.files import LANGUAGES
from engine.tiles import Tile
from service.table.view import Moment, newest, table_view
from service.web.grants import Grant, Role
from tests.support.live_table import moment_of, seen

WORDS = {"en": "orrected: ", "zh": "更正：", "ja": "訂正："}
TAKEN_BACK = {"en": "Taken back: ", "zh": "撤回：", "ja": "取り消し："}
WIN = Win(0, 3, Tile("5s"), None, 10)


def hand(win: Win) -> list[Event]:
    """A hidden hand wins by the score that is called."""
    return [HandStart(), Discard(0, Tile("1z")), Discard(1, Tile("1z")), Discard(2, Tile("1z")),
            Discard(3, Tile("5s")), win, HandEnd()]  # fmt: skip


def game(*hands: Win) -> Game:
    return replay([GameStart("wsom"), *(event for win in hands for event in hand(win))])


class Told:
    """What is said after each line."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.news = News(lambda: self.game)

    def moment_now(self) -> Moment:
        return moment_of(self.game)

    def after(self, event: Event) -> list[dict[str, object]]:
        self.news.changes(Entry(event))
        self.game = self.game.with_lines(Entry(event))
        self.moment = moment_of(self.game, self.news.new())
        self.in_words = {lang: seen(self.moment, lang)["said"] for lang in WORDS}
        self.news.told()
        return [dict(row) for row in self.in_words["en"]]


def line_of(game: Game, win: Win) -> int:
    return next(played.event.number for played in game.played if played.event.entry.event == win)


def payouts(said: Sequence[Any]) -> list[Any]:
    return [row for row in said if row["kind"] == "payout"]


def test_what_a_page_has_missed_is_said_with_the_newest_moment_unless_it_is_taken_back() -> None:
    told = Told(game(WIN))
    line = line_of(told.game, WIN)
    moments = []
    for event in (
        Correct(line, (Entry(replace(WIN, claimed=20)),)),
        Correct(line, (Entry(replace(WIN, claimed=30)),)),
        GameEnd(),
    ):
        told.after(event)
        corrected = isinstance(event, Correct)
        moments.append(replace(told.moment, since=line if corrected else None))
    said = [[row["text"] for row in seen(moment)["said"]] for moment in moments]
    assert "Corrected: " in said[1][0]
    (last,) = newest(moments)
    view = seen(last)
    assert [row["text"] for row in view["said"]] == said[1] + said[2], (
        "the first is in force no more"
    )
    assert view["happened"] == seen(moments[-1])["happened"]
    assert last.since == line
    (again,) = newest(moments)
    assert again is last, "pages that have missed the same are shown the same"
    assert newest([moments[-1], moments[-1]]) == [moments[-1]], "what comes twice is said once"


def test_what_was_said_and_taken_back_and_said_again_is_told_a_late_page_once() -> None:
    told, moments = Told(game(WIN)), []
    line = line_of(told.game, WIN)
    for claimed in (20, 30, 20):
        told.after(Correct(line, (Entry(replace(WIN, claimed=claimed)),)))
        moments.append(replace(told.moment, since=line))
    (last,) = newest(moments)
    assert seen(last)["said"] == seen(moments[-1])["said"]


def test_what_is_read_otherwise_and_as_before_again_is_no_news_for_a_late_page() -> None:
    played = game(WIN)
    one, other, third = ((replace(WIN, claimed=points),) for points in (10, 20, 30))

    def also(*pairs: tuple[tuple[Win, ...], tuple[Win, ...]]) -> list[tuple[object, object]]:
        moments = [moment_of(played, new=New(reread=[pair])) for pair in pairs]
        (last,) = newest(moments)
        return [(row["was"], row["now"]) for row in seen(last)["also"]]

    assert also((one, other), (other, one)) == []
    assert also((one, other), (other, third)) == also((one, third))


def test_each_record_of_a_table_has_its_newest_moment() -> None:
    old, new = (moment_of(game(WIN), name="t", record=record) for record in ("a", "b"))
    assert [id(one) for one in newest([old, new])] == [id(old), id(new)]


def test_each_table_of_a_wall_has_its_newest_moment() -> None:
    played = game(WIN)
    first, other, second = (moment_of(played, name=name) for name in ("a", "b", "a"))
    assert [id(one) for one in newest([first, other, "row", second])] == [
        id(other), id("row"), id(second)
    ]  # fmt: skip


def test_each_change_of_a_win_is_said_once_and_as_a_correction() -> None:
    told = Told(game(WIN))
    line = line_of(told.game, WIN)
    twenty = Entry(replace(WIN, claimed=20))
    for events in ((twenty,), (Entry(replace(WIN, claimed=30)),), (Entry(WIN),)):
        (row,) = payouts(told.after(Correct(line, events)))
        assert row["corrected"] is True
        for lang, word in WORDS.items():
            (same,) = (one for one in told.in_words[lang] if one["kind"] == "payout")
            assert (word in same["text"], same["key"]) == (True, row["key"])
        assert str(row["text"]).startswith("Corrected: ")
        # What a page shows is the payout in force, and its key is that of what is said.
        listed = seen(told.moment)["announced"]
        assert [one["key"] for one in listed if one["kind"] == "payout"] == [row["key"]]
        again = seen(moment_of(replay(told.game.entries)))["announced"]
        assert [one["key"] for one in again] == [one["key"] for one in listed]


def test_a_first_payout_is_no_correction() -> None:
    told = Told(replay([GameStart("wsom"), *hand(WIN)[:-2]]))
    (row,) = payouts(told.after(WIN))
    assert "corrected" not in row


def test_a_payout_that_nothing_replaces_is_said_to_be_taken_back() -> None:
    told = Told(replay([GameStart("wsom"), *hand(WIN)[:-1]]))
    line = line_of(told.game, WIN)
    before = payouts(seen(told.moment_now())["announced"])
    (row,) = told.after(Correct(line, ()))
    assert (row["withdrawn"], row["kind"], "corrected" in row) == (True, "payout", False)
    assert row["key"] != before[0]["key"], "it is heard, though the payout was"
    for lang, word in TAKEN_BACK.items():
        (same,) = told.in_words[lang]
        assert same["text"].startswith(word)
    assert payouts(seen(told.moment)["announced"]) == []
    (again,) = payouts(told.after(Correct(line, (Entry(WIN),))))
    assert again["key"] == before[0]["key"]
    assert "withdrawn" not in again


def test_a_false_accusation_is_said_to_be_taken_back_and_a_misread_event_only_mended() -> None:
    told = Told(replay([GameStart("wsom"), HandStart(), Discard(0, Tile("1z"))]))
    line = len(told.game.entries)
    accused = [row for row in told.after(Foul(2, "false_set")) if row["kind"] == "problem"]
    assert [row["impossible"] for row in accused] == [False]
    (row,) = told.after(Correct(line, ()))
    assert str(row["text"]) == f"Taken back: {accused[0]['text']}"
    line = len(told.game.entries)
    (problem,) = told.after(Discard(3, Tile("2z")))
    assert problem["impossible"] is True, "it is not the turn of seat 3"
    assert told.after(Correct(line, (Entry(Discard(1, Tile("2z"))),))) == []


def test_who_is_ready_after_all_is_said_as_a_correction() -> None:
    told = Told(replay([GameStart("harbin-hlr"), HandStart()]))
    line = len(told.game.entries)
    told.after(Discard(0, Tile("1z"), ready=True))
    (row,) = told.after(Correct(line, (Entry(Discard(1, Tile("1z"), ready=True)),)))
    assert row["corrected"] is True
    assert str(row["text"]).startswith("Corrected: ")


def test_a_late_page_is_told_of_what_it_heard_alone_that_it_is_taken_back() -> None:
    told, moments = Told(game()), []
    for event in hand(WIN)[:-1]:
        told.after(event)
    line = line_of(told.game, WIN)
    for events in ((Entry(replace(WIN, claimed=20)),), ()):
        told.after(Correct(line, events))
        moments.append(replace(told.moment, since=line))
    (last,) = newest(moments)
    (row,) = seen(last)["said"]
    assert row["withdrawn"] is True
    assert "20" not in row["text"], "it never heard of 20"


def test_later_hands_are_not_paid_again_where_only_the_totals_change() -> None:
    told = Told(game(WIN, replace(WIN, seat=1)))
    (row,) = payouts(
        told.after(Correct(line_of(told.game, WIN), (Entry(replace(WIN, claimed=20)),)))
    )
    assert row["of"] == line_of(game(WIN), WIN)


def test_a_seat_hears_the_correction_as_everybody_does() -> None:
    told = Told(game(WIN))
    told.after(Correct(line_of(told.game, WIN), (Entry(replace(WIN, claimed=20)),)))
    own = payouts(table_view(told.moment, "en", Grant(Role.SEAT, 0), told.game)["said"])
    assert str(own[0]["text"]).startswith("Corrected: You win")


@pytest.mark.parametrize("name", ["taken_back", "paid_before"])
def test_a_payment_that_the_rules_change_is_a_correction_too(name: str) -> None:
    payout = Payout(0, (5, -5, 0, 0), (5, -5, 0, 0), (Item(name, 2, "points"),))
    for lang in LANGUAGES:
        assert WORDS.get(lang, WORDS["en"]) in sentence(payout, lang)
