"""The score sheet and its stories say what the engine says, and become no code."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from engine.announce import Item, Payout
from engine.codec import read_record
from engine.events import Entry, Foul, GameStart, HandEnd, HandStart
from engine.game import replay
from engine.texts.files import LANGUAGES
from service.machine.records import tell
from service.main import run
from service.report.downloads import DOWNLOAD_FORMATS
from service.report.sheet import COLUMNS, csv_file, csv_of, items_text, to_csv
from service.texts.catalogue import texts_of
from service.texts.stories import names_in
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.live_table import table_of_a_game
from tests.support.paths import ROOT
from tests.support.served import served

GOLDEN = ROOT.glob("tests/games/*.jsonl")
GAMES = tell(ENTRIES)


def saved(entries: Sequence[Entry]) -> str:
    return DOWNLOAD_FORMATS["html"].write(entries, "en", None)


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
    assert (won["dealer"], won["problems"], won["player_2"]) == ("Anna", "", "'=1+1")
    assert [open_hand[f"delta_{seat}"] for seat in range(4)] == ["0"] * 4
    assert open_hand["result"] == "not finished"
    assert "out_of_turn" in open_hand["problems"]


def test_the_page_shows_names_as_they_are_and_runs_none_of_them() -> None:
    html = saved(ENTRIES)
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


def told(path: str) -> list[dict[str, str]]:
    record = (ROOT / path).read_text("utf-8")
    return list(csv.DictReader(io.StringIO(to_csv(tell(read_record(record))))))


@pytest.mark.parametrize(
    ("path", "item"),
    [
        ("tests/games/hangzhou.jsonl", "wild eye x2"),
        ("tests/games/wsom.jsonl", "all sequences 5"),
        ("tests/games/harbin-treasure.jsonl", "treasure within treasure 12"),
        ("samples/riichi.jsonl", "riichi 1 han"),
        ("samples/riichi.jsonl", "dora 3 han"),
        ("samples/riichi.jsonl", "counters 1200"),
    ],
)
def test_items_are_named_with_their_units(path: str, item: str) -> None:
    assert any(item in row["items"].split(", ") for row in told(path))


@pytest.mark.parametrize(
    "path", ["samples/riichi.jsonl", *(f"tests/games/{game.name}" for game in sorted(GOLDEN))]
)
def test_the_figures_of_every_hand_lead_to_the_next_ones(path: str) -> None:
    rows = told(path)
    for before, row in pairwise(rows):
        if before["game"] != row["game"]:
            continue
        for seat in range(4):
            points = int(before[f"points_{seat}"]) + int(row[f"delta_{seat}"])
            assert points == int(row[f"points_{seat}"]), (row["hand"], seat)
    assert rows[-1]["hand"] == "final"


def test_items_that_are_said_again_are_counted() -> None:
    deposit = Item("riichi_deposit", 1000, "points")
    assert items_text((deposit, Item("riichi", 1, "han"), deposit)) == (
        "deposit for riichi 1000 (x2), riichi 1 han"
    )


def test_rounds_counters_and_places_are_told() -> None:
    rows = told("samples/riichi.jsonl")
    beginnings = [(row["round"], row["dealer"], row["staying"], row["honba"]) for row in rows]
    assert beginnings[4:6] == [("East", "Bo", "4", "3"), ("East", "Chie", "1", "4")]
    assert beginnings[8] == ("South", "Anna", "1", "0")
    assert rows[-1]["items"] == "1. Dan, 2. Bo, 3. Chie, 4. Anna"


JOINED = """\
{"type":"game_start","rules":"riichi","players":["A","B","C","D"]}
{"type":"hand_start","dealer":1,"round":"2z","honba":1,"deposits":2}
"""


def test_deposits_are_told_in_points() -> None:
    entries = read_record(JOINED)
    games = tell(entries)
    (row,) = csv.DictReader(io.StringIO(to_csv(games)))
    assert (row["honba"], row["deposits"]) == ("1", "2000")
    assert "South round, dealer B, 1 counter, deposits 2000" in saved(entries)


def test_the_page_tells_who_stayed_and_the_places() -> None:
    record = (ROOT / "samples/riichi.jsonl").read_text("utf-8")
    html = saved(read_record(record))
    assert "East round, dealer Bo, 3 counters" in html
    assert "4 in a row" in html
    assert "1. Dan, 2. Bo" in html


def test_a_refused_win_is_no_win() -> None:
    rows = told("tests/games/wsom.jsonl")
    assert rows[0]["result"] == "Chen wins from Dai"
    refused = told("tests/games/hangzhou.jsonl")[2]
    assert refused["result"] == "Lin calls a win from Zhao, which is refused"


def test_items_name_the_players() -> None:
    events = (
        GameStart("riichi", players=("Anna", "Bo", "Chen", "Dai")),
        HandStart(),
        Foul(2, "chombo"),
        HandEnd(),
    )
    assert "chombo by Chen" in to_csv(tell([Entry(event) for event in events]))


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "\u2212"])
@pytest.mark.parametrize("before", ["", " ", "\n", "\r\n", "\t", "\u3000", "\xa0", "\ufeff", "\0"])
def test_no_text_begins_like_a_formula(before: str, sign: str) -> None:
    ((cell,),) = csv.reader(io.StringIO(csv_of([[f"{before}{sign}1+1"]])))
    assert cell == f"'{sign}1+1"


def test_numbers_stay_numbers() -> None:
    assert csv_of([[-3, Decimal("-2.50"), 0]]) == "-3,-2.50,0\n"


def test_a_name_stays_in_its_cell_whatever_divides_the_cells() -> None:
    assert csv_of([["a;=1+1", 'b"c', "d\te"]]) == '"a;=1+1","b""c","d e"\n'


def test_a_name_in_two_lines_stays_in_one_row() -> None:
    assert csv_of([["Aki\n=1+1", 2]]) == '"Aki =1+1",2\n'


def test_nothing_is_lost_or_told_twice() -> None:
    (game,) = tell(ENTRIES)
    assert [event.number for event in game.happened] == list(range(len(ENTRIES)))
    said = [one for event in game.happened for one in event.said]
    assert said == list(replay(ENTRIES).announcements())


def test_events_keep_the_numbers_of_their_lines_after_a_correction() -> None:
    lines = RECORD + '{"type":"correct","of":2,"events":[]}\n'
    (game,) = tell(read_record(lines))
    assert 2 not in [event.number for event in game.happened]
    win = next(event for event in game.happened if event.number == 8)
    (payout,) = (one for one in win.said if isinstance(one, Payout))
    assert payout.of == 8


def test_names_fall_back_to_the_colours_of_the_seats() -> None:
    first, *others = RECORD.splitlines()
    nameless = '{"type":"game_start","rules":"harbin-hlr","players":["Anna","","",""]}'
    (game,) = tell(read_record("\n".join([nameless, *others])))
    assert names_in(game) == ("Anna", "Purple", "Teal", "Brown")
    assert "Anna" in first


def test_hands_know_their_dealer_and_how_they_ended() -> None:
    (game,) = tell(ENTRIES)
    first, second = game.hands
    assert (first.dealer, second.dealer) == (0, 1)
    assert [win.seat for win in first.wins] == [2]
    assert (second.wins, second.drawn) == ((), None)
    assert game.result is None


def test_a_file_of_comma_separated_values_is_known_as_utf_8() -> None:
    """Excel shows the names of Chinese players by the byte order mark alone."""
    written = DOWNLOAD_FORMATS["csv"].write(ENTRIES, "en", None)
    assert written == csv_file(to_csv(tell(ENTRIES)))
    assert written.encode().startswith(BOM_UTF8)
    assert not to_csv(tell(ENTRIES)).startswith("\ufeff")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_saved_page_is_in_the_language_that_is_asked_for(
    lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(RECORD, "utf-8")
    assert run(["export", str(record), "--format", "html", "--lang", lang]) == 0
    pages = [capsys.readouterr().out]
    with served(table_of_a_game()) as server:
        for path in ("/api/download/html", "/api/v1/download/html"):
            pages.append(server.get(f"{path}?lang={lang}").text)
            pages.append(server.get(path, headers={"Accept-Language": lang}).text)
    # No browser is set to English with native words.
    asked, browser = texts_of(lang), texts_of(lang.partition("-")[0])
    said = (asked, asked, browser, asked, browser)
    for html, texts in zip(pages, said, strict=True):
        assert f'<html lang="{texts["language.tag"]}"' in html
        assert texts["report.sheet"] in html
        assert texts["report.unfinished"] in html
