"""The certificate of a table: what it says, when it lapses, and what is asked below its grade."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from engine.codec import read_record
from engine.events import Correct, Discard, Entry, Event, Foul, GameStart, HandStart, Win
from engine.rehearsal import BRONZE, GOLD, SILVER, Grade, Share
from engine.tiles import Tile
from service.machine.files import fingerprint
from service.table.certificate import (
    LASTS,
    REHEARSALS,
    Conditions,
    Lapse,
    NoCertificate,
    Standing,
    TableCertificate,
)
from service.table.live_table import LiveTable, TableSettings
from service.table.options import DEFAULTS
from service.table.reader_maker import made_by
from service.table.rehearsal import conditions_of
from service.table.trusted import certificate_view, seen_with, standing_of
from tests.support.live_table import KeptLines, frames, in_loop, seen
from tests.support.rehearsal_game import CHANGE, CORNERS, HOLDS, TODAY, WAS, told
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame
from vision.decoder.question import AnswerChoice, EventPlace, Question
from vision.table.quality import judge
from vision.table.view import TableView


def graded(grade: Grade) -> Standing:
    return Standing(replace(HOLDS, grade=grade))


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    HOLDS.write(tmp_path / "it.json")
    assert TableCertificate.read(tmp_path / "it.json") == HOLDS
    told = json.loads((tmp_path / "it.json").read_text("utf-8"))
    assert (told["version"], told["grade"], told["events"]["at_least"]) == (1, "silver", 0.8098)


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (WAS, ()),
        (Conditions(), ()),  # what is not known yet is not compared
        (replace(WAS, camera="camera 1"), ("camera",)),
        (replace(WAS, own_set="0123"), ("set",)),
        (replace(WAS, weights="0123"), ("weights",)),
        (replace(WAS, corners=((0.21, 0.1), *CORNERS[1:])), ()),
        (replace(WAS, corners=((0.23, 0.1), *CORNERS[1:])), ("table",)),
        (replace(WAS, light=130.0), ()),
        (replace(WAS, light=100.0), ("light",)),
        (replace(WAS, light=0.0), ("light",)),
        (replace(WAS, blur=0.1), ()),
        (replace(WAS, blur=0.4), ("sharpness",)),
        (replace(WAS, tile_px=17.0), ()),
        (replace(WAS, tile_px=60.0), ()),  # a larger picture is no worse
        (replace(WAS, tile_px=10.0), ("size",)),  # the same place in a picture of half the size
        (replace(WAS, rules="harbin-treasure"), ()),
        (replace(WAS, rules="sichuan"), ()),  # it asks for less
        (replace(WAS, rules="riichi"), ("game",)),  # more kinds
        (replace(WAS, rules="none"), ("game",)),
        (replace(WAS, camera="phone", light=10.0), ("camera", "light")),
    ],
)
def test_it_lapses_when_what_it_names_changes(now: Conditions, why: tuple[Lapse, ...]) -> None:
    assert HOLDS.lapses(now, TODAY) == why


def test_it_lapses_after_ninety_days() -> None:
    assert HOLDS.lapses(WAS, HOLDS.until) == ()
    assert HOLDS.lapses(WAS, HOLDS.until + timedelta(days=1)) == ("age",)
    assert timedelta(days=90) == LASTS
    assert HOLDS.lapses(WAS, TODAY + timedelta(days=89)) == ()


def test_a_clock_that_went_back_proves_nothing() -> None:
    assert HOLDS.lapses(WAS, TODAY - timedelta(days=1)) == ()  # another time zone
    assert HOLDS.lapses(WAS, TODAY - timedelta(days=2)) == ("clock",)
    last = replace(HOLDS, made=date.max)
    view = certificate_view(Standing(last, last.lapses(WAS, TODAY)), "en")
    assert "is the clock right?" in view["text"]


def test_what_a_certificate_does_not_know_it_does_not_hold_for() -> None:
    known = replace(HOLDS, conditions=Conditions())
    assert known.lapses(WAS, TODAY) == (
        "camera", "set", "weights", "game", "table", "size", "light", "sharpness",
    )  # fmt: skip
    dark = replace(HOLDS, conditions=replace(WAS, light=0.0))
    assert dark.lapses(WAS, TODAY) == ("light",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2}',
        '{"version": 1, "made": "yesterday"}',
        "[" * 100_000,
    ],
)
def test_a_file_that_is_no_certificate_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "it.json").write_text(text, "utf-8")
    with pytest.raises(NoCertificate) as refused:
        TableCertificate.read(tmp_path / "it.json")
    assert "it.json" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_claims_no_more_than_its_counts_carry(tmp_path: Path) -> None:
    path = tmp_path / "it.json"
    HOLDS.write(path)
    told = json.loads(path.read_text("utf-8"))
    told["events"]["at_least"] = 0.9999
    path.write_text(json.dumps(told), "utf-8")
    assert TableCertificate.read(path).events.at_least == pytest.approx(0.8098, abs=1e-4)
    told["events"]["right"] = 24
    path.write_text(json.dumps(told), "utf-8")
    with pytest.raises(NoCertificate):
        TableCertificate.read(path)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("conditions.blur", "NaN"),
        ("conditions.blur", "1e9"),
        ("conditions.blur", "-0.1"),
        ("conditions.light", "Infinity"),
        ("conditions.tile_px", "-20"),
        ("conditions.light", "1" + "0" * 400),
        ("conditions.corners", "[[NaN, 0], [1, 0], [1, 1], [0, 1]]"),
        ("conditions.corners", "[[true, 0], [1, 0], [1, 1], [0, 1]]"),
        ("conditions.camera", "0"),
        ("delay_s", "NaN"),
        ("delay_s", "-1"),
        ("delay_s", "null"),  # no grade without anything that was told
        ("delay_s", "16.0"),  # too slow for silver
        ("grade", '"gold"'),  # silver by its counts
        ("grade", '"platinum"'),
        ("events", '{"right": 0, "of": 0}'),
        ("events", '{"right": -1, "of": 23}'),
        ("events", '{"right": 1e9, "of": 1e9}'),
        ("events", '{"right": 100000000, "of": 100000000}'),
        ("events", '{"right": true, "of": true}'),
        ("faces", '{"right": 10, "of": 34}'),
        ("made", '"20261301"'),
        ("lapsed", '["weather"]'),
    ],
)
def test_an_edited_certificate_is_none(tmp_path: Path, place: str, value: str) -> None:
    path = tmp_path / "it.json"
    HOLDS.write(path)
    told = json.loads(path.read_text("utf-8"))
    *outer, name = place.split(".")
    inner = told[outer[0]] if outer else told
    inner[name] = "@"
    path.write_text(json.dumps(told).replace('"@"', value), "utf-8")
    with pytest.raises(NoCertificate) as refused:
        TableCertificate.read(path)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("kinds", [34, 42])
def test_many_counts_are_bounded_in_no_time(tmp_path: Path, kinds: int) -> None:
    path = tmp_path / "it.json"
    many = replace(HOLDS, events=Share(19_000, 20_000), faces=Share(kinds, kinds))
    many.write(path)
    assert int(100 * TableCertificate.read(path).events.at_least) == 94


def beside(games: Path, name: str, made: TableCertificate) -> None:
    folder = games / REHEARSALS
    folder.mkdir(exist_ok=True)
    made.write(folder / f"rehearsal-{name}-certificate.json")


def found(games: Path, camera: str = "camera 0") -> Standing | None:
    return standing_of(games, camera, "harbin-hlr", DEFAULTS, TODAY)


HERE = replace(HOLDS, conditions=replace(WAS, weights=made_by()["weights"]))


def test_a_rehearsal_without_a_grade_ends_what_an_earlier_one_proved(tmp_path: Path) -> None:
    worse = replace(HERE, grade=None, events=Share(3, 23), delay_s=None)
    beside(tmp_path, "20261129-200000", HERE)
    beside(tmp_path, "20261129-210000", worse)
    standing = found(tmp_path)
    assert standing == Standing(worse)
    assert standing.asks(False, 1.0)
    view = certificate_view(standing, "en")
    assert (view["grade"], view["text"][:34]) == (None, "The last rehearsal gave no grade. ")
    beside(tmp_path, "20261129-210000-1", HERE)  # another of the same second came later
    beside(tmp_path, "20261129-210000-2", worse)
    beside(tmp_path, "20261129-210000-10", HERE)
    assert found(tmp_path) == Standing(HERE)


def test_a_second_table_in_the_folder_has_its_own_certificate(tmp_path: Path) -> None:
    other = replace(HERE, conditions=replace(HERE.conditions, camera="camera 1"))
    beside(tmp_path, "20261129-200000", HERE)
    beside(tmp_path, "20261129-210000", other)
    assert found(tmp_path) == Standing(HERE)
    assert found(tmp_path, "camera 1") == Standing(other)
    assert found(tmp_path, "camera 2") == Standing(other, ("camera",))


def test_a_film_that_was_compared_proves_nothing_of_a_camera(tmp_path: Path) -> None:
    film = replace(HERE, film=True, conditions=replace(HERE.conditions, camera="film.mp4"))
    beside(tmp_path, "20261129-200000", film)
    assert found(tmp_path) is None


def test_a_table_finds_the_last_certificate_of_its_folder(tmp_path: Path) -> None:
    assert standing_of(tmp_path, "camera 0", "harbin-hlr", DEFAULTS, TODAY) is None
    here = tmp_path / REHEARSALS
    here.mkdir()
    weights = made_by()["weights"]
    first = replace(HOLDS, conditions=replace(WAS, weights=weights))
    first.write(here / "rehearsal-20261129-200000-certificate.json")
    assert standing_of(tmp_path, "camera 0", "harbin-hlr", DEFAULTS, TODAY) == Standing(first)
    profile = tmp_path / "set.tiles"
    profile.write_bytes(b"a set")
    other_set = standing_of(
        tmp_path, "camera 0", "harbin-hlr", replace(DEFAULTS, own_set=profile), TODAY
    )
    assert other_set == Standing(first, ("set",))
    own = replace(first, conditions=replace(first.conditions, own_set=fingerprint([profile])))
    own.write(here / "rehearsal-20261130-200000-certificate.json")
    again = standing_of(
        tmp_path, "camera 0", "harbin-hlr", replace(DEFAULTS, own_set=profile), TODAY
    )
    assert again == Standing(own)
    (here / "rehearsal-20261201-200000-certificate.json").write_text("{", "utf-8")


def test_what_cannot_be_read_proves_nothing_and_ends_what_was_proved(tmp_path: Path) -> None:
    here = tmp_path / REHEARSALS
    here.mkdir()
    HOLDS.write(here / "rehearsal-20261129-200000-certificate.json")
    newest = here / "rehearsal-20261201-200000-certificate.json"
    HOLDS.write(newest)
    better = newest.read_text("utf-8").replace('"silver"', '"gold"')
    for text in ("{", better):
        newest.write_text(text, "utf-8")
        said: list[str] = []
        found = standing_of(tmp_path, "camera 0", "harbin-hlr", DEFAULTS, TODAY, said.append)
        assert found is not None
        assert (found.grade, found.lapsed, len(said)) == (None, ("unreadable",), 1)
        assert found.asks(questions_open=False, confidence=1.0)
        picture = np.zeros((360, 640, 3), np.uint8)
        assert seen_with(found, Frame(picture, 0.0, 0), VIEW, TODAY) == found
        view = certificate_view(found, "en")
        assert view["grade"] is None
        assert "its file cannot be read" in view["text"]
        # What held for a game is kept beside its record, and is read again.
        found.write(beside := tmp_path / "game-certificate.json")
        assert Standing.read(beside) == found


VIEW = TableView(
    ((128.0, 36.0), (512.0, 36.0), (512.0, 324.0), (128.0, 324.0)), (800, 800), (640, 360)
)


def test_the_same_camera_at_another_size_lapses_where_tiles_get_smaller() -> None:
    rng = np.random.default_rng(1)
    large = rng.integers(0, 240, (360, 640, 3), np.uint8)
    small = np.ascontiguousarray(large[::2, ::2])
    for was, now, lapsed in ((large, small, True), (small, large, False)):
        view = VIEW.in_picture(was.shape[1], was.shape[0])
        there = conditions_of(view, judge(was, view))
        standing = Standing(replace(HOLDS, conditions=there))
        seen_now = seen_with(standing, Frame(now, 0.0, 0), VIEW, TODAY)
        assert ("size" in seen_now.lapsed) is lapsed
        assert "table" not in seen_now.lapsed


def test_the_dealt_table_is_compared_with_it() -> None:
    rng = np.random.default_rng(1)
    bright = rng.integers(0, 240, (360, 640, 3), np.uint8)
    first = seen_with(Standing(HOLDS), Frame(bright, 0.0, 0), VIEW, TODAY)
    assert "table" not in first.lapsed
    dark = seen_with(Standing(HOLDS), Frame(bright // 8, 0.0, 0), VIEW, TODAY)
    assert "light" in dark.lapsed
    corners = tuple((x + 20, y) for x, y in VIEW.corners_px)
    moved = replace(VIEW, corners_px=corners)
    assert "table" in seen_with(Standing(HOLDS), Frame(bright, 0.0, 0), moved, TODAY).lapsed


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_it_is_said_in_one_line(lang: str) -> None:
    whole = certificate_view(Standing(HOLDS), lang)
    assert "80" in whole["text"]
    lapses: tuple[Lapse, ...] = (
        "camera", "set", "weights", "table", "light", "sharpness", "age",
    )  # fmt: skip
    lapsed = certificate_view(Standing(HOLDS, lapses), lang)
    assert (whole["grade"], lapsed["grade"]) == ("silver", None)
    assert "{" not in whole["text"] + lapsed["text"]


# --- payouts below the grade ---


def table_with(standing: Standing | None, confidence: float = 0.99) -> LiveTable:
    entries = read_record("\n".join(told(confidence)))
    settings = TableSettings("harbin-hlr", "game.mp4", standing=standing)
    return LiveTable(ToldReader(entries), frames(), KeptLines(), settings)


@pytest.mark.parametrize(
    ("standing", "confidence", "asked"),
    [
        (None, 0.5, False),  # without a rehearsal everything is as it was
        (graded(GOLD), 0.99, False),
        (graded(GOLD), 0.5, True),
        (graded(SILVER), 0.99, False),
        (graded(BRONZE), 0.99, True),
        (Standing(HOLDS, ("light",)), 0.99, True),
    ],
)
@in_loop
async def test_below_its_grade_a_payout_is_asked(
    standing: Standing | None, confidence: float, asked: bool
) -> None:
    table = table_with(standing, confidence)
    await table.run()
    assert [one.place.happening.id for one in table.asked()] == ([CHANGE] if asked else [])
    shown = seen(table.moment)
    payouts = [one for one in shown["announced"] if one["kind"] == "payout"]
    assert payouts
    assert all(one.get("unsure", False) is asked for one in payouts)
    assert all(one["text"].startswith("Please look") is asked for one in payouts)
    assert len(shown["questions"]) == asked


@in_loop
async def test_a_look_makes_it_certain() -> None:
    table = table_with(graded(BRONZE))
    await table.run()
    (asked,) = table.asked()
    await table.answer(asked.id, 0)
    assert table.asked() == []
    shown = seen(table.moment)
    payouts = [one for one in shown["announced"] if one["kind"] == "payout"]
    assert payouts
    assert not any("unsure" in one for one in payouts)
    last = table.game.entries[-1].event
    assert isinstance(last, Correct)
    assert [one.source for one in last.events] == ["person"]


@in_loop
async def test_a_win_that_was_none_goes_with_its_payout() -> None:
    table = table_with(graded(BRONZE))
    await table.run()
    (asked,) = table.asked()
    await table.answer(asked.id, 1)
    assert table.asked() == []
    assert table.game.state.winners == ()
    assert not [one for one in seen(table.moment)["announced"] if one["kind"] == "payout"]


@in_loop
async def test_a_correction_by_hand_settles_it_too() -> None:
    table = table_with(graded(BRONZE))
    await table.run()
    number = next(n for n, one in enumerate(table.game.entries) if isinstance(one.event, Win))
    by_hand = replace(table.game.entries[number], source="person")
    async with table.writing:
        await table.submit(Entry(Correct(number, (by_hand,)), source="person"))
    assert table.asked() == []
    assert table.unsure == frozenset()


@in_loop
async def test_what_nobody_was_sure_of_at_all_is_shown_so() -> None:
    table = table_with(graded(BRONZE), 0.0)
    await table.run()
    (asked,) = table.asked()
    assert [one.share for one in asked.choices] == [0.0, 1.0]


@in_loop
async def test_what_held_lies_beside_the_record(tmp_path: Path) -> None:
    beside = tmp_path / "game-certificate.json"
    reader = ToldReader(read_record("\n".join(told(0.99))), view=VIEW)
    settings = TableSettings("harbin-hlr", "game.mp4", standing=Standing(HOLDS), certificate=beside)
    table = LiveTable(reader, frames(), KeptLines(), settings)
    await table.run()
    kept = Standing.read(beside)
    assert kept == table.standing == table.proved()
    assert "light" in kept.lapsed
    again = LiveTable(ToldReader([]), frames(), KeptLines(), replace(settings, standing=None))
    assert again.proved() == kept
    assert again.standing is None  # a record that is opened later asks nothing


@in_loop
async def test_silver_asks_while_a_question_of_the_hand_is_open() -> None:
    win = next(one.event for one in read_record("\n".join(told(0.9))) if isinstance(one.event, Win))
    choices = (AnswerChoice((win,), 0.6), AnswerChoice((), 0.4))
    question = Question(EventPlace("put", 0.6, 10, 20), choices, 7)
    reader = ToldReader(read_record("\n".join(told(0.99))), questions=[question])
    settings = TableSettings("harbin-hlr", "game.mp4", standing=graded(SILVER))
    table = LiveTable(reader, frames(), KeptLines(), settings)
    await table.run()
    assert [one.place.what for one in table.asked()] == ["put", "opened"]
    payouts = [one for one in seen(table.moment)["announced"] if one["kind"] == "payout"]
    assert payouts
    assert all(one["text"].startswith("Please look") for one in payouts)
    assert all(one["unsure"] for one in payouts)


@in_loop
async def test_a_table_that_is_darker_than_it_was_says_so_once_it_is_dealt() -> None:
    standing = Standing(replace(HOLDS, grade=GOLD))
    reader = ToldReader(read_record("\n".join(told(0.99))), view=replace(VIEW, picture_px=(64, 36),
        corners_px=tuple((x / 10, y / 10) for x, y in VIEW.corners_px)))  # fmt: skip
    settings = TableSettings("harbin-hlr", "game.mp4", standing=standing)
    table = LiveTable(reader, frames(), KeptLines(), settings)
    assert seen(table.moment)["certificate"]["lapsed"] == []
    await table.run()
    told_now = seen(table.moment)["certificate"]
    assert "light" in told_now["lapsed"]  # these frames are nearly black
    assert "other light" in told_now["text"]


# --- fouls that are not certain ---


def table_of_a_foul(standing: Standing | None, confidence: float, weak: int = 0) -> LiveTable:
    """Eight discards, so many of which were hardly seen, and then one out of turn."""
    sure = [0.5] * weak + [1.0] * (8 - weak)
    events: list[Event] = [GameStart("wsom"), HandStart(0)]
    events += [Discard(at % 4, Tile(f"{1 + at // 4}m")) for at in range(8)]
    known = [1.0, 1.0, *sure, confidence]
    lines = [
        Entry(event, 0.1 * at, known[at], source="camera", change=f"put@{0.1 * at:.1f}@10,20")
        for at, event in enumerate((*events, Foul(2, "two_discards", (Tile("9s"),))))
    ]
    settings = TableSettings("wsom", "game.mp4", standing=standing)
    return LiveTable(ToldReader(lines), frames(), KeptLines(), settings)


@pytest.mark.parametrize(
    ("standing", "confidence", "weak", "certain"),
    [
        (None, 0.99, 0, True),  # a table that was never rehearsed, and is read well
        (None, 0.2, 0, False),
        (None, 0.99, 3, False),
        (graded(GOLD), 0.99, 0, True),
        (graded(SILVER), 0.99, 0, True),
        (graded(GOLD), 0.99, 3, False),
        (graded(BRONZE), 0.99, 0, False),
        (Standing(HOLDS, ("light",)), 0.99, 0, False),
    ],
)
@in_loop
async def test_a_foul_that_is_not_certain_waits_and_interrupts_nobody(
    standing: Standing | None, confidence: float, weak: int, certain: bool
) -> None:
    table = table_of_a_foul(standing, confidence, weak)
    said: list[str] = []
    with table.subscribed() as page:
        await table.run()
        while not page.messages.empty():
            said += [one["kind"] for one in seen(page.messages.get_nowait())["said"]]
    assert ("problem" in said) is certain
    view = seen(table.moment)
    (foul,) = (one for one in view["announced"] if one["kind"] == "problem")
    assert foul.get("unsure", False) is not certain
    asked = [one.place.happening.id for one in table.asked()]
    assert asked == ([] if certain else ["put@1.0@10,20"])
    assert not any(one["opens"] for one in view["questions"])


@pytest.mark.parametrize(("choice", "left"), [(0, 1), (1, 0)])
@in_loop
async def test_a_look_makes_a_foul_certain_or_takes_it_away(choice: int, left: int) -> None:
    table = table_of_a_foul(graded(GOLD), 0.2)
    await table.run()
    (asked,) = table.asked()
    await table.answer(asked.id, choice)
    assert table.asked() == []
    fouls = [one for one in seen(table.moment)["announced"] if one["kind"] == "problem"]
    assert len(fouls) == left
    assert not any("unsure" in one for one in fouls)
