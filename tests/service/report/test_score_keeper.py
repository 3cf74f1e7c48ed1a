"""A score keeper's sheet beside the hands of a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.events import GameStart
from engine.stories import GameStory
from service.machine.records import load_record, tell
from service.report.score_keeper import (
    compare,
    hands_read,
    moved_text,
    players_of,
    refuse_totals,
    rows_written,
)
from service.report.sheet import to_csv
from tests.support.paths import GAMES


@pytest.fixture(scope="module")
def games() -> Sequence[GameStory]:
    """Five hands, of which some moved nothing."""
    return tell(load_record(str(GAMES / "wsom.jsonl")))


def sheet(games: Sequence[GameStory], names: Sequence[str] = ("Ana", "Bo", "Chen", "Dai")) -> str:
    """What somebody writes who keeps the score of hands that moved something."""
    rows = [hand.moved for hand in hands_read(games) if hand.moved]
    lines = [",".join(names)]
    lines += [",".join(str(row.get(name.casefold(), 0)) for name in names) for row in rows]
    return "\n".join(lines)


def differences(games: Sequence[GameStory], text: str) -> list[tuple[int | None, int | None]]:
    """Number of the hand and line of the sheet, of each difference."""
    return [
        (one.read.number if one.read else None, one.written.line if one.written else None)
        for one in compare(hands_read(games), rows_written(text, games))
        if not one.agree
    ]


def test_hands_that_moved_nothing_need_no_row(games: Sequence[GameStory]) -> None:
    compared = compare(hands_read(games), rows_written(sheet(games), games))
    assert [one.read.number for one in compared if one.read] == [1, 2, 3, 4, 5]
    assert all(one.agree for one in compared)
    assert any(one.written is None for one in compared)


def test_the_own_sheet_agrees(games: Sequence[GameStory]) -> None:
    assert differences(games, to_csv(games)) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace(",", ";"),
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace("-", "−"),
        lambda text: text.replace("\n", "\r\n") + "\r\n,,,\r\n\r\n",
        lambda text: text.replace("Ana", " ANA ").replace("Chen", "Ｃｈｅｎ"),
        lambda text: text.replace("135", "+135"),
        lambda text: text.replace("Ana", "note,Ana").replace("\n", "\nwell played,"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "sep=;\r\n" + text.replace(",", ";").replace("\n", "\r\n"),
        lambda text: text.replace("-", "▲"),
        lambda text: text.replace(",", ".0,").replace("Ana.0,Bo.0,Chen.0", "Ana,Bo,Chen"),
        lambda text: text.replace("Ana", "hand,Ana").replace("\n", "\neast,"),
        lambda text: text.replace(",", ";").replace("Ana", '"a,b,c,d,e";Ana').replace("\n", "\n;"),
        lambda text: text.replace("Ana", "note,Ana").replace("\n", '\n"two\r\nlines",'),
    ],
    ids=[
        *("mark", "semicolons", "tabs", "minus", "blank", "spelling", "plus", "note"),
        *("old", "told", "triangles", "fractions", "hand", "quoted", "lines"),
    ],
)
def test_sheets_of_other_programs(games: Sequence[GameStory], change: object) -> None:
    assert callable(change)
    assert differences(games, change(sheet(games))) == []


def test_columns_in_another_order(games: Sequence[GameStory]) -> None:
    assert differences(games, sheet(games, ("Dai", "Ana", "Chen", "Bo"))) == []


def test_each_difference_is_named(games: Sequence[GameStory]) -> None:
    heading, *rows = sheet(games).splitlines()
    first, *others = (hand.number for hand in hands_read(games) if hand.moved)
    assert others, "more than one hand moved something"
    other = "1,2,3,-6"
    assert differences(games, "\n".join([heading, other, *rows[1:]])) == [(first, 2)]
    assert differences(games, "\n".join([heading, *rows[1:]])) == [(first, None)]
    last = len(rows) + 2
    assert differences(games, "\n".join([heading, *rows, other])) == [(None, last)]
    twice = "\n".join([heading, rows[0], *rows])
    assert [line for hand, line in differences(games, twice) if hand is None] in ([2], [3])
    assert differences(games, heading) == [(number, None) for number in (first, *others)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the score sheet is empty; it needs a heading with the players' names"),
        (
            "Ana,Bo,Chen\n1,2,3",
            "the score sheet has no column for dai; its heading is Ana, Bo, Chen",
        ),
        ("Ana,Bo,Chen,Dai,ana", "the score sheet has two columns ana"),
        (
            "Ana,Bo,Chen,Dai\n1,-1,0,0\n1.5,0,0,0",
            "line 3 of the score sheet has '1.5' for Ana; write whole points such as 8 or -8",
        ),
        (
            'Ana,Bo,Chen,Dai\n"1,0,0,0',
            "line 2 of the score sheet cannot be read: unexpected end of data",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(games: Sequence[GameStory], text: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        rows_written(text, games)
    assert str(refused.value) == said


def test_thousands(games: Sequence[GameStory]) -> None:
    for written in ("12 000", "12'000", '"12,000"', "12.000", "12000", "１２０００"):
        (row,) = rows_written(f"Ana,Bo,Chen,Dai\n{written},-12000,,", games)
        assert row.moved == {"ana": 12000, "bo": -12000}


def test_running_totals_are_told(games: Sequence[GameStory]) -> None:
    heading, *rows = sheet(games).splitlines()
    moved = [[int(cell) for cell in row.split(",")] for row in rows]
    for start in (0, 25_000):
        totals = [[start] * 4] if start else []
        for row in moved:
            before = totals[-1] if totals else [0] * 4
            totals.append([own + points for own, points in zip(before, row, strict=True)])
        text = "\n".join([heading, *(",".join(map(str, row)) for row in totals)])
        with pytest.raises(Refused, match="holds running totals; write what each hand moved"):
            refuse_totals(hands_read(games), rows_written(text, games))
    refuse_totals(hands_read(games), rows_written(sheet(games), games))
    refuse_totals(hands_read(games), rows_written(heading, games))


def test_players_change_seats_between_games(games: Sequence[GameStory]) -> None:
    """A column of our own sheet is a seat, and in each game somebody else may sit there."""
    entries = load_record(str(GAMES / "wsom.jsonl"))
    start = entries[0].event
    assert isinstance(start, GameStart)
    turned = replace(entries[0], event=replace(start, players=("Bo", "Chen", "Dai", "Ana")))
    both = tell([*entries, turned, *entries[1:]])
    assert len(both) == 2
    assert differences(both, to_csv(both)) == []
    names = ("Ana", "Bo", "Chen", "Dai")
    assert differences(both, sheet(both, names)) == []
    with pytest.raises(Refused, match="line 2 of the score sheet has '3' for game; the record has"):
        rows_written(to_csv(both).replace("\n1,", "\n3,", 1), both)


def test_names_that_are_spelled_alike_stay_two_players() -> None:
    entries = load_record(str(GAMES / "wsom.jsonl"))
    start = entries[0].event
    assert isinstance(start, GameStart)
    for players in (("Ana", "Ａna", "Chen", "Dai"), ("1", "", "Chen", "Dai"), ("", "", "", "")):
        alike = replace(entries[0], event=replace(start, players=players))
        both = tell([alike, *entries[1:]])
        moved = [dict(one.moved) for one in hands_read(both)]
        assert [sum(one.values()) for one in moved] == [0] * 5, players
        assert differences(both, to_csv(both)) == []


def test_two_hands_of_one_number_are_judged_apart() -> None:
    compared = compare(hands_read(tell(load_record(str(GAMES / "hong-kong.jsonl")))), [])
    numbers = [one.read.number for one in compared if one.read]
    assert len(set(numbers)) < len(numbers)
    assert len({one.name for one in compared}) == len(compared)


def test_a_record_without_a_game(games: Sequence[GameStory]) -> None:
    with pytest.raises(Refused, match="the record holds no game"):
        rows_written(sheet(games), [])


def test_players_are_told_as_the_record_spells_them(games: Sequence[GameStory]) -> None:
    players = players_of(games, "en")
    assert moved_text({"chen": 8, "ana": -8}, players, "en") == "Ana −8, Chen +8"
    assert moved_text({}, players, "en") == "nothing"
