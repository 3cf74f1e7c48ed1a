"""Logs of other sites: the rules that they name, and hands that they paid otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from engine.announce import Problem
from engine.codec import write_record
from engine.events import Discard, DrawnHand, GameStart, HandEnd
from engine.game import Game, replay
from engine.logs.formats import READERS
from engine.logs.log_rules import rules_named
from engine.logs.mjai import read_mjai, write_mjai
from engine.logs.mjlog import read_mjlog
from engine.logs.payments import remarks_on
from engine.logs.record_writer import BadLog, RecordWriter
from engine.logs.tenhou6 import read_tenhou6
from engine.logs.tenhou6_write import write_tenhou6
from service.main import run
from tests.support.log_texts import INIT, LIVE, rounds, xml
from tests.support.mjlog_of import mjlog_of
from tests.support.riichi_sample import ENTRIES

SOUL = {"disp": "Jade Room South", "aka53": 1, "aka52": 1, "aka51": 1}
TENHOU = {"disp": "鳳南喰赤", "aka": 1}
WORTH = ["40符1飜1300点", "役牌(1飜)"]
THREE_WINNERS = [
    *("和了", [-1300, 1300, 0, 0], [1, 0, 1, *WORTH]),
    *([-1300, 0, 1300, 0], [2, 0, 2, *WORTH], [-1300, 0, 0, 1300], [3, 0, 3, *WORTH]),
]


def three_winners(rule: Mapping[str, object]) -> str:
    """A log in which three players win on one discard."""
    hand = [
        *([0, 0, 0], [25000] * 4, [44], []),
        *([11, 12, 13, 15, 16, 17, 21, 22, 24, 25, 27, 29, 36], [18], [36]),
        *([12, 13, 14, 25, 26, 27, 46, 46, 46, 38, 38, 34, 35], [], []),
        *([22, 23, 24, 15, 16, 17, 47, 47, 47, 32, 32, 34, 35], [], []),
        *([32, 33, 34, 26, 27, 28, 45, 45, 45, 19, 19, 34, 35], [], []),
        THREE_WINNERS,
    ]
    return json.dumps({"log": [hand], "rule": rule, "name": ["A", "B", "C", "D"]})


def start_of(record: RecordWriter) -> tuple[str, Mapping[str, object]]:
    start = record.entries[0].event
    assert isinstance(start, GameStart)
    return start.rules, start.options


def problems(record: RecordWriter) -> list[str]:
    said = replay(record.entries).announcements()
    return [one.code for one in said if isinstance(one, Problem)]


# --- what was paid --------------------------------------------------------------------------------


def test_three_winners_of_mahjong_soul_are_paid() -> None:
    record = read_tenhou6(three_winners(SOUL))
    assert replay(record.entries).state.points == (21100, 26300, 26300, 26300)
    assert remarks_on(record) == []


def test_three_winners_of_a_site_that_calls_the_hand_off_are_told() -> None:
    assert remarks_on(read_tenhou6(three_winners(TENHOU))) == [
        "the log paid otherwise than riichi-tenhou in 1 of 1 hands: E with dealer 0, counters 0: "
        "paid -3900 +1300 +1300 +1300, due 0 0 0 0"
    ]


def with_payments(text: str) -> str:
    """An mjlog whose first result of each hand tells what that hand pays."""
    game, due = Game(), []
    for entry in read_mjlog(text).entries:
        game.submit(entry)
        if isinstance(entry.event, HandEnd):
            due.append([delta // 100 for delta in game.state.paid])
    head, *hands = text.split("<INIT")
    for at, paid in enumerate(due):
        moved = ",".join(f"250,{delta}" for delta in paid)
        hands[at] = re.sub("<(AGARI|RYUUKYOKU)", rf'<\1 sc="{moved}"', hands[at], count=1)
    return "<INIT".join([head, *hands])


@cache
def log_of(form: str) -> str:
    """A whole game that is paid as it should be; no other test waits until it is written."""
    match form:
        case "mjlog":
            return with_payments(mjlog_of(ENTRIES))
        case "mjai":
            return write_mjai(ENTRIES)
        case "tenhou6":
            return write_tenhou6(ENTRIES)
    raise ValueError(form)


def changed(form: str) -> str:
    """The log of a game with 100 points more or less in the first result that pays somebody."""
    text = log_of(form)
    if form == "mjlog":
        place = text.index('sc="') + 4
        end = text.index('"', place)
        moved = text[place:end].split(",")
        moved[1] = str(int(moved[1]) + 1)
        return text[:place] + ",".join(moved) + text[end:]
    if form == "mjai":
        lines = text.splitlines()
        at = next(at for at, line in enumerate(lines) if '"hora"' in line)
        win = json.loads(lines[at])
        win["deltas"][0] += 100
        return "\n".join([*lines[:at], json.dumps(win), *lines[at + 1 :]])
    game = json.loads(text)
    won = next(hand for hand in game["log"] if hand[16][0] == "和了")
    won[16][1][0] += 100
    return json.dumps(game)


@pytest.mark.parametrize("form", READERS)
def test_each_form_is_compared_with_what_it_paid(form: str) -> None:
    read, text = READERS[form], log_of(form)
    assert remarks_on(read(text)) == []
    (said,) = remarks_on(read(changed(form)))
    assert said.startswith("the log paid otherwise than riichi-tenhou in 1 of ")


def test_import_says_it_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "game.json"
    log.write_text(three_winners(TENHOU), "utf-8")
    assert run(["import", str(log)]) == 0
    out, err = capsys.readouterr()
    assert out == write_record(read_tenhou6(three_winners(TENHOU)).entries)
    assert err.startswith(f"tilesight: {log}: the log paid otherwise")
    assert err.count("\n") == 1


def test_many_hands_that_were_paid_otherwise_are_counted() -> None:
    log = json.loads(three_winners(TENHOU))
    log["log"] *= 5
    (said,) = remarks_on(read_tenhou6(json.dumps(log)))
    assert "in 5 of 5 hands" in said
    assert said.endswith("; and 2 more")


# --- the rules that a log names -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("般南喰赤", "riichi-tenhou"),
        ("鳳東喰赤速", "riichi-tenhou"),
        ("玉の間南喰赤", "riichi-mahjong-soul"),
        ("王座の間東喰赤", "riichi-mahjong-soul"),
        ("Throne Room South", "riichi-mahjong-soul"),
        ("友人戦南喰", "riichi-mahjong-soul"),
        ("Friendly East", "riichi-mahjong-soul"),
        ("Tounament South", "riichi-mahjong-soul"),
        ("玉之间 东南战", "riichi-mahjong-soul"),
        ("Mリーグルール", "riichi-m-league"),
        ("M.League", "riichi-m-league"),
        ("EMA 2025", "riichi-2025"),
        ("EMA", "riichi-2016"),
        ("WRC 2022", "riichi-wrc"),
        ("Gemach", "riichi-tenhou"),
        ("", "riichi-tenhou"),
    ],
)
def test_a_log_is_played_by_the_rules_that_it_names(words: str, rules: str) -> None:
    assert rules_named([words, None, 7]) == rules
    assert start_of(read_tenhou6(three_winners({"disp": words})))[0] == rules
    told = LIVE.replace('"names"', f'"rule":"{words}","names"', 1)
    assert start_of(read_mjai(told))[0] == rules


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        (SOUL, {}),
        (SOUL | {"aka52": 2}, {"red_fives": 4}),
        (
            {"disp": "Friendly East", "aka53": 0, "aka52": 0, "aka51": 0},
            {"red_fives": 0, "rounds": 1},
        ),
        ({"disp": "銀の間 東風戦", "aka": 1}, {"rounds": 1}),
        ({"disp": "玉之间 东南战", "aka": 1}, {}),
        ({"disp": "玉之间 东风战", "aka": 1}, {"rounds": 1}),
        ({"disp": "般東赤", "aka": 1}, {"open_tanyao": False, "rounds": 1}),
        ({"disp": "般南喰", "aka": 0}, {"red_fives": 0}),
        ({"disp": "EMA 2016", "aka": 0}, {}),
    ],
)
def test_options_that_differ_from_the_preset_are_told(
    rule: Mapping[str, object], options: Mapping[str, object]
) -> None:
    assert start_of(read_tenhou6(three_winners(rule)))[1] == options


def test_another_number_of_red_fives_is_told() -> None:
    record = read_tenhou6(three_winners(SOUL | {"aka53": 3}))
    assert record.remarks == ["the log tells of 5 red fives; 0, 3 and 4 are known"]


@pytest.mark.parametrize("rules", ["riichi-mahjong-soul", "riichi-2025", "riichi-m-league"])
@pytest.mark.parametrize("reds", [0, 3, 4])
def test_what_is_exported_is_read_by_the_same_rules_again(rules: str, reds: int) -> None:
    log = json.loads(three_winners(SOUL))
    log["rule"] = {"disp": "", "aka51": int(reds > 0), "aka52": (0, 1, 2)[(0, 3, 4).index(reds)]}
    log["rule"] |= {"aka53": int(reds > 0), "preset": rules}
    entries = read_tenhou6(json.dumps(log)).entries
    again = read_tenhou6(write_tenhou6(entries))
    assert start_of(again) == (rules, entries[0].event.options)  # type: ignore[union-attr]
    assert start_of(read_mjai(write_mjai(entries)))[0] == rules


# --- red fives that the tiles show ----------------------------------------------------------------


def mjai(tiles: Sequence[str], start: str = "") -> str:
    """A log of a hand that holds these tiles and is called off."""
    west, other = ["W"] * 13, ["?"] * 13
    hand = [*tiles, *west][:13]
    lines = [
        {"type": "start_game", "names": ["A", "B", "C", "D"]} | json.loads(start or "{}"),
        {
            "type": "start_kyoku",
            "bakaze": "E",
            "kyoku": 1,
            "honba": 0,
            "kyotaku": 0,
            "oya": 0,
            "dora_marker": "C",
            "tehais": [hand, other, other, other],
        },
        {"type": "ryukyoku"},
    ]
    return "\n".join(map(json.dumps, lines))


REST = ["1m", "2m", "3m", "4m", "6m", "7m", "8m", "9m", "E"]


@pytest.mark.parametrize(
    ("fives", "start", "options"),
    [
        (["5pr", "5pr"], "", {"red_fives": 4}),
        (["5pr", "5pr"], '{"aka_flag":true}', {"red_fives": 4}),
        (["5s"] * 4, "", {"red_fives": 0}),
        (["5s"] * 3 + ["5sr"], "", {}),
        (["5s"] * 4, '{"aka_flag":false}', {"red_fives": 0}),
    ],
)
def test_red_fives_follow_from_the_tiles_where_a_log_does_not_count_them(
    fives: Sequence[str], start: str, options: Mapping[str, object]
) -> None:
    record = read_mjai(mjai([*fives, *REST, "2p", "3p"], start))
    assert start_of(record)[1] == options
    assert "fifth_copy" not in problems(record)


# --- the dealer's first discard -------------------------------------------------------------------

FIRST = LIVE + '{"type":"tsumo","actor":0,"pai":"%s"}\n'
THROWN = '{"type":"dahai","actor":0,"pai":"%s","tsumogiri":%s}\n'


@pytest.mark.parametrize(
    ("drawn", "thrown", "flag", "told"),
    [
        ("S", "S", "false", None),  # Mahjong Soul: the dealer is dealt fourteen tiles
        ("S", "S", "true", True),
        ("S", "1m", "false", False),
        ("S", "1m", "true", None),
        ("1m", "1m", "false", False),
    ],
)
def test_the_dealer_s_first_discard_need_not_say_what_was_drawn(
    drawn: str, thrown: str, flag: str, told: bool | None
) -> None:
    record = read_mjai(FIRST % drawn + THROWN % (thrown, flag))
    (discard,) = [one.event for one in record.entries if isinstance(one.event, Discard)]
    assert discard.drawn is told
    assert "tile_not_held" not in problems(record)


def test_by_mahjong_soul_it_never_says_it() -> None:
    soul = (FIRST % "1m").replace('"names"', '"rule":"Jade Room","names"', 1)
    record = read_mjai(soul + THROWN % ("1m", "false"))
    (discard,) = [one.event for one in record.entries if isinstance(one.event, Discard)]
    assert discard.drawn is None


def test_a_first_discard_of_tenhou6_is_judged_alike() -> None:
    record = read_tenhou6(rounds(takes=[41], gives=[41], result=["流局"]))
    assert "tile_not_held" not in problems(record)


def test_later_discards_contradict_as_before() -> None:
    turns = FIRST % "S" + THROWN % ("S", "true") + '{"type":"tsumo","actor":1,"pai":"W"}\n'
    with pytest.raises(BadLog, match="having drawn 3z"):
        read_mjai(turns + '{"type":"dahai","actor":1,"pai":"1m","tsumogiri":true}')


# --- why nobody won -------------------------------------------------------------------------------


def reasons(record: RecordWriter) -> list[str]:
    return [one.event.reason for one in record.entries if isinstance(one.event, DrawnHand)]


@pytest.mark.parametrize(
    ("reason", "drawn"),
    [
        ("exhaustive_draw", "exhausted"),
        ("kyushu_kyuhai", "nine_terminals"),
        ("suukansansen", "four_kongs"),
        ("sufuurenta", "four_winds"),
        ("suucha_riichi", "four_ready"),
    ],
)
def test_the_reasons_of_riichienv_are_known(reason: str, drawn: str) -> None:
    record = read_mjai(LIVE + json.dumps({"type": "ryukyoku", "reason": reason}))
    assert [one.event.reason for one in record.entries if isinstance(one.event, DrawnHand)] == [
        drawn
    ]
    assert record.remarks == []


@pytest.mark.parametrize(
    "record",
    [
        read_mjai(FIRST % "S" + '{"type":"ryukyoku","reason":"rain"}'),
        read_mjlog(xml(INIT + '<T100/><RYUUKYOKU type="rain"/>')),
        read_tenhou6(rounds(result=["rain"])),
    ],
    ids=["mjai", "mjlog", "tenhou6"],
)
def test_of_a_reason_that_nobody_knows_the_play_tells(record: RecordWriter) -> None:
    assert reasons(record) == ["nine_terminals"]
    assert record.remarks == ["unknown reason of a drawn hand 'rain': the play tells why"]


def test_a_win_in_another_language_is_a_win() -> None:
    text = three_winners(SOUL).replace("\\u548c\\u4e86", "Hule")
    assert replay(read_tenhou6(text).entries).state.points == (21100, 26300, 26300, 26300)
