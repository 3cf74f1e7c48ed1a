"""The score sheet says what the engine says, hand by hand, and cannot be turned into code."""

from __future__ import annotations

import csv
import io

from engine.codec import read_record
from service.sheet import COLUMNS, to_csv, to_html
from service.story import tell
from tests.service.harbin_game import RECORD

GAMES = tell(read_record(RECORD))


def sheet() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(GAMES))))


def test_every_hand_is_a_row_with_every_column() -> None:
    rows = sheet()
    assert [row["hand"] for row in rows] == ["1", "2"]
    assert all(tuple(row) == COLUMNS for row in rows)


def test_a_win_is_paid_as_the_rules_say() -> None:
    won, open_hand = sheet()
    assert [won[f"delta_{seat}"] for seat in range(4)] == ["-3", "-1", "5", "-1"]
    assert [won[f"points_{seat}"] for seat in range(4)] == ["-3", "-1", "5", "-1"]
    assert won["result"] == "'=1+1 wins from Anna"
    assert (won["dealer"], won["problems"]) == ("Anna", "")
    assert [open_hand[f"delta_{seat}"] for seat in range(4)] == ["0"] * 4
    assert open_hand["result"] == "not finished"


def test_problems_are_named_in_their_hand() -> None:
    assert "out_of_turn" in sheet()[1]["problems"]


def test_a_name_is_never_a_formula() -> None:
    assert sheet()[0]["player_2"] == "'=1+1"


def test_the_page_shows_names_as_they_are_and_runs_none_of_them() -> None:
    html = to_html(GAMES)
    assert "&lt;b&gt;D&lt;/b&gt;" in html
    assert "<b>D" not in html
    assert "+5" in html


def test_a_record_of_several_games_gives_a_sheet_of_all() -> None:
    twice = tell(read_record(RECORD + RECORD))
    rows = list(csv.DictReader(io.StringIO(to_csv(twice))))
    assert [(row["game"], row["hand"]) for row in rows] == [
        ("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")
    ]  # fmt: skip


def test_a_corrected_record_gives_the_sheet_of_what_stands() -> None:
    mended = RECORD + '{"type":"correct","of":5,"events":[]}\n'
    row = next(csv.DictReader(io.StringIO(to_csv(tell(read_record(mended))))))
    assert "out_of_turn" in row["problems"]
