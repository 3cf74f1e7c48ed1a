from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given, settings

from engine import events
from engine.codec import BadRecord, entry_from_json, entry_to_json, read_record, write_record
from engine.events import Entry
from engine.tiles import Tile, parse
from tests.support.events_of_all_kinds import records
from tests.support.tiny_rules import TINY

M = Tile("1m")

LINES: list[tuple[dict[str, object], events.Event]] = [
    (
        {"type": "game_start", "rules": "tiny", "options": {"stake": 2}, "points": [1, 2, 3, -6]},
        events.GameStart("tiny", {"stake": 2}, None, (1, 2, 3, -6)),
    ),
    (
        {"type": "game_start", "rules": "tiny", "first_dealer": 0},
        events.GameStart("tiny", first_dealer=0),
    ),
    (
        {"type": "hand_start", "dealer": 1, "round": "2z", "honba": 1, "dice": [3, 4]},
        events.HandStart(1, Tile("2z"), 1, dice=(3, 4)),
    ),
    ({"type": "deal", "seat": 2, "tiles": ["1m", "?"]}, events.Deal(2, parse("1m ?"))),
    ({"type": "indicator", "tile": "1m", "kind": "dora"}, events.Indicator(M, "dora")),
    ({"type": "draw", "seat": 0, "tile": "?", "from": "tail"}, events.Draw(0, Tile("?"), "tail")),
    (
        {"type": "discard", "seat": 0, "tile": "0p", "ready": True, "drawn": False},
        events.Discard(0, Tile("0p"), True, False),
    ),
    (
        {"type": "chow", "seat": 1, "from": 0, "tile": "1m", "own": ["2m", "3m"], "ready": True},
        events.Chow(1, 0, M, (Tile("2m"), Tile("3m")), True),
    ),
    (
        {"type": "pung", "seat": 3, "from": 0, "tile": "1m", "own": ["1m", "1m"]},
        events.Pung(3, 0, M, (M, M)),
    ),
    (
        {"type": "kong", "seat": 3, "kind": "open", "tile": "1m", "from": 0, "own": ["1m"] * 3},
        events.Kong(3, "open", M, 0, (M, M, M)),
    ),
    (
        {
            "type": "position",
            "hands": [["1m"], [], [], ["?", "?"]],
            "sets": [[{"type": "kong", "seat": 0, "kind": "closed", "tile": "1m"}], [], [], []],
            "rivers": [[], [{"type": "discard", "seat": 1, "tile": "1m"}], [], []],
            "wall_left": 40,
            "turn": 2,
            "ready": [1],
            "indicators": [{"type": "indicator", "tile": "1m", "kind": "dora"}],
        },
        events.Position(
            ((M,), (), (), parse("? ?")),
            ((events.Kong(0, "closed", M),), (), (), ()),
            ((), (events.Discard(1, M),), (), ()),
            40,
            2,
            (1,),
            (events.Indicator(M, "dora"),),
        ),
    ),
    (
        {"type": "flower", "seat": 0, "tile": "5f", "drawn": "1m"},
        events.Flower(0, Tile("5f"), M),
    ),
    (
        {"type": "win", "seat": 0, "from": 1, "tile": "1m", "hand": ["2m", "3m"]},
        events.Win(0, 1, M, parse("23m")),
    ),
    ({"type": "reveal", "seat": 0, "tiles": ["1m"]}, events.Reveal(0, (M,))),
    ({"type": "drawn_hand", "reason": "four_winds"}, events.DrawnHand("four_winds")),
    (
        {"type": "foul", "seat": 0, "offence": "chombo", "tiles": ["1m"]},
        events.Foul(0, "chombo", (M,)),
    ),
    ({"type": "dice", "values": [6, 1]}, events.Dice((6, 1))),
    ({"type": "hand_end"}, events.HandEnd()),
    ({"type": "game_end", "reason": "time"}, events.GameEnd("time")),
    (
        {
            "type": "correct",
            "of": 3,
            "events": [{"type": "correct", "of": 2, "events": [{"type": "hand_end", "t": 1.5}]}],
        },
        events.Correct(3, (Entry(events.Correct(2, (Entry(events.HandEnd(), t=1.5),))),)),
    ),
]


@pytest.mark.parametrize(("written", "event"), LINES, ids=[str(row[0]["type"]) for row in LINES])
def test_every_event_is_written_as_the_record_has_it(
    written: dict[str, object], event: events.Event
) -> None:
    assert entry_from_json(written) == Entry(event)
    assert entry_to_json(Entry(event)) == written


def test_the_table_above_has_every_event() -> None:
    assert {type(event) for _, event in LINES} == set(get_args(events.Event))


@given(records("tiny"))
@settings(max_examples=150, deadline=None)
def test_what_is_written_reads_back(record: list[Entry]) -> None:
    assert read_record(write_record(record), TINY) == record


def test_where_an_event_came_from_is_kept() -> None:
    around = {"t": 2.5, "confidence": 0.5, "evidence": "a.png", "source": "camera"}
    entry = entry_from_json({"type": "hand_end", **around})
    assert entry == Entry(events.HandEnd(), 2.5, 0.5, "a.png", "camera")
    assert entry_to_json(entry) == {"type": "hand_end", **around}
    assert entry_from_json({"type": "hand_end", "evidence": 12}).evidence == 12


def test_tiles_may_be_typed_in_groups() -> None:
    assert entry_from_json({"type": "deal", "seat": 0, "tiles": "123m 0p ?"}).event == events.Deal(
        0, parse("123m 0p ?")
    )
    chow = {"type": "chow", "seat": 1, "from": 0, "tile": "1m", "own": "23m"}
    assert entry_from_json(chow).event == events.Chow(1, 0, M, (Tile("2m"), Tile("3m")))
    position = entry_from_json({"type": "position", "hands": ["11m", "", "", "??"]}).event
    assert position == events.Position(hands=((M, M), (), (), parse("??")))


def test_null_stands_for_a_field_that_is_left_out() -> None:
    assert entry_from_json({"type": "draw", "seat": 0, "tile": "1m", "from": None, "t": None}) == (
        Entry(events.Draw(0, M))
    )


def test_lines_end_at_newlines_only_and_empty_ones_do_not_count() -> None:
    text = '{"type":"foul","seat":0,"offence":"a\u2028b"}\r\n\n{"type":"hand_end"}\n'
    assert [type(entry.event) for entry in read_record(text)] == [events.Foul, events.HandEnd]


def line(kind: str, **fields: object) -> str:
    return json.dumps({"type": kind, **fields})


UNREADABLE = [
    ("not JSON", "hello", "expected a JSON object, got Expecting value at column 1"),
    ("cut off", '{"type":"hand_end"', "expected a JSON object"),
    ("a list", "[]", "expected an object, got []"),
    ("no type", "{}", "expected an event with a type, got none"),
    ("a type that is no word", '{"type":1}', "got 1 in type"),
    ("an unknown type", line("jump"), 'hand_end, game_end, correct, got "jump" in type'),
    ("an unknown tile", line("draw", seat=0, tile="9x"), 'such as 5m, 0p, 7z or ?, got "9x"'),
    ("a tile that is no text", line("draw", seat=0, tile=5), "got 5 in tile"),
    ("no tile", line("draw", seat=0), "expected draw with tile, got no tile"),
    ("null for a tile", line("draw", seat=0, tile=None), "got null in tile"),
    ("a fifth seat", line("draw", seat=4, tile="1m"), "from 0 to 3, got 4 in seat"),
    ("a bool for a seat", line("draw", seat=True, tile="1m"), "got true in seat"),
    ("a broken seat", line("draw", seat=1.0, tile="1m"), "got 1.0 in seat"),
    ("an unknown field", line("hand_end", foo=1), 'fields of hand_end (none), got "foo"'),
    ("seat_from", line("win", seat=0, from_seat=0, tile="1m"), "fields of win (seat, from, tile"),
    ("a field twice", '{"type":"hand_end","t":1,"t":2}', 'each field once, got "t" twice'),
    ("a number for a truth", line("discard", seat=0, tile="1m", ready=1), "true or false, got 1"),
    ("three hands", line("position", hands=[[], [], []]), "a list of 4, got [[], [], []] in hands"),
    ("a bad tile deep inside", line("position", hands=["", "", "1m", ["?", "8z"]]), "hands[3][1]"),
    ("a win in a river", line("position", rivers=[[{"type": "win"}], [], [], []]), "rivers[0][0]"),
    ("one own tile", line("chow", seat=1, **{"from": 0}, tile="1m", own="2m"), "expected 2 tiles"),
    ("tiles that are none", line("reveal", seat=0, tiles="12x"), "such as 123m 0p 77z ?"),
    ("a round of dragons", line("hand_start", round="7z"), "one of 1z, 2z, 3z, 4z"),
    ("a die of seven", line("dice", values=[7]), "from 1 to 6, got 7 in values[0]"),
    ("three players", line("game_start", rules="tiny", players=["a", "b", "c"]), "a list of 4"),
    ("other rules", line("game_start", rules="chess"), "one of tiny, got 'chess' in rules"),
    (
        "an unknown option",
        line("game_start", rules="tiny", options={"x": 1}),
        "options of tiny (stake, loud, ends, uma), got 'x'",
    ),
    (
        "a value that is none of the option's",
        line("game_start", rules="tiny", options={"stake": 3}),
        "one of 1, 2, got 3 in options.stake",
    ),
    (
        "a truth for a number",
        line("game_start", rules="tiny", options={"stake": True}),
        "one of 1, 2, got true in options.stake",
    ),
    (
        "a number for a truth option",
        line("game_start", rules="tiny", options={"loud": 1}),
        "a value like False, got 1 in options.loud",
    ),
    (
        "a bad part of a list",
        line("game_start", rules="tiny", options={"ends": ["wall", "moon"]}),
        'one of wall, tail, got "moon" in options.ends[1]',
    ),
    (
        "a value for a list",
        line("game_start", rules="tiny", options={"ends": "wall"}),
        'expected a list, got "wall" in options.ends',
    ),
    (
        "words in a list of numbers",
        line("game_start", rules="tiny", options={"uma": ["a"]}),
        "in options.uma[0]",
    ),
    (
        "one number too many",
        line("game_start", rules="tiny", options={"uma": [9, 3, -3]}),
        "expected a list of 2, got [9, 3, -3] in options.uma",
    ),
    (
        "bonuses that make points",
        line("game_start", rules="tiny", options={"uma": [9, 3]}),
        "expected numbers that sum to 0, got [9, 3] in options.uma",
    ),
    ("a time that is no number", line("hand_end", t="1"), 'expected a number, got "1" in t'),
    ("a time without end", '{"type":"hand_end","t":1e999}', "got Infinity in t"),
    ("no number", '{"type":"hand_end","t":NaN}', "got NaN in t"),
    ("a huge time", '{"type":"hand_end","t":1' + "0" * 400 + "}", "expected a number"),
    ("a huger number", '{"type":"hand_end","t":1' + "0" * 5000 + "}", "too large to read"),
    ("too sure", line("hand_end", confidence=1.5), "from 0 to 1, got 1.5 in confidence"),
    ("another source", line("hand_end", source="ghost"), "camera, person, import"),
    ("evidence of two", line("hand_end", evidence=[1]), "in evidence"),
    ("half a letter", '{"type":"foul","seat":0,"offence":"\\ud800"}', "expected text"),
    ("a foul without a name", line("foul", seat=0, offence=""), "expected a name"),
    ("a correction of -1", line("correct", of=-1, events=[]), "of at least 0, got -1 in of"),
    ("bad inside", line("correct", of=0, events=[{"type": "draw", "seat": 9}]), "events[0].seat"),
    ("endless lists", "[" * 100_000, "too large to read"),
    (
        "endless corrections",
        '{"type":"correct","of":0,"events":[' * 400 + "]}" * 400,
        "at most 32 levels deep",
    ),
    (
        "lists in an option",
        '{"type":"game_start","rules":"tiny","options":{"uma":' + "[" * 40 + "]" * 40 + "}}",
        "at most 32 levels deep",
    ),
    ("a huge score", line("game_start", rules="tiny", points=[10**40, 0, 0, 0]), "at most 10000"),
    ("a huge option", line("game_start", rules="tiny", options={"uma": [10**40]}), "at most 10000"),
    ("huge evidence", line("hand_end", evidence=10**40), "at most 1000000000"),
]


@pytest.mark.parametrize(
    ("written", "expected"), [row[1:] for row in UNREADABLE], ids=[row[0] for row in UNREADABLE]
)
def test_an_unreadable_line_is_named_with_what_was_expected(written: str, expected: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read_record(f'{{"type":"hand_end"}}\n{written}\n', TINY)
    assert caught.value.line == 2
    message = str(caught.value)
    assert message.startswith("line 2: expected ")
    assert expected in message
    assert "\n" not in message


def test_a_mark_at_the_beginning_and_ends_of_lines_of_other_systems_change_nothing() -> None:
    plain = '{"type":"hand_end"}\n{"type":"game_end"}\n'
    other = "\ufeff" + plain.replace("\n", "\r\n") + "\r\n  \n"
    assert read_record(other, TINY) == read_record(plain, TINY)


def test_corrections_inside_one_another_can_be_read_compared_and_written() -> None:
    written = '{"type":"hand_end"}'
    for _ in range(15):
        written = json.dumps({"type": "correct", "of": 0, "events": [json.loads(written)]})
    (entry,) = read_record(written, TINY)
    assert read_record(write_record([entry]), TINY) == [entry]
    assert hash(entry) == hash(read_record(written, TINY)[0])
