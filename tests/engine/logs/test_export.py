"""What is exported stands as it was paid, comes back, or is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.announce import Payout
from engine.codec import read_record
from engine.events import Event, GameStart, Win
from engine.game import replay
from engine.logs.logged_games import YAKU_NAMES
from engine.logs.mjai import read_mjai, write_mjai
from engine.logs.mjlog import read_mjlog
from engine.logs.tenhou6 import read_tenhou6
from engine.logs.tenhou6_write import write_tenhou6
from engine.rules.riichi.tables import YAKU, YAKUMAN
from engine.rules.riichi.win_facts import DORA
from service.main import run
from tests.support.golden import golden
from tests.support.harbin_game import RECORD as HARBIN
from tests.support.mjlog_of import mjlog_of
from tests.support.riichi_sample import ENTRIES, told

NAMED = {*YAKU, *YAKUMAN, *DORA}
GAME = '{"type":"game_start","rules":"riichi-tenhou","players":["A","B","C","D"]}\n'
DEAL = """\
{"type":"hand_start"}
{"type":"deal","seat":0,"tiles":"123m456p789s1122z"}
{"type":"deal","seat":1,"tiles":"123m456p789s3344z"}
{"type":"deal","seat":2,"tiles":"19m19p19s1234567z"}
{"type":"deal","seat":3,"tiles":"2345678m345678p"}
{"type":"indicator","tile":"9s","kind":"dora"}
"""
WON = """\
{"type":"draw","seat":0,"tile":"5z"}
{"type":"discard","seat":0,"tile":"5z","ready":true,"drawn":true}
{"type":"draw","seat":1,"tile":"2z"}
{"type":"discard","seat":1,"tile":"2z","drawn":true}
{"type":"indicator","tile":"9p","kind":"ura_dora"}
{"type":"win","seat":0,"from":1,"tile":"2z"}
{"type":"hand_end"}
"""


ACROSS = """\
{"type":"draw","seat":0,"tile":"9m"}
{"type":"discard","seat":0,"tile":"9m","drawn":true}
{"type":"chow","seat":3,"from":0,"tile":"9m","own":["7m","8m"]}
{"type":"discard","seat":3,"tile":"2m"}
{"type":"drawn_hand","reason":"exhausted"}
{"type":"hand_end"}
"""


def mjai(record: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in write_mjai(read_record(record)).splitlines()]


def tenhou6(record: str) -> Any:
    return json.loads(write_tenhou6(read_record(record)))


def test_a_win_carries_what_it_is_worth() -> None:
    won = mjai(GAME + DEAL + WON)[-2]
    assert won["type"] == "hora"
    assert won["yakus"] == [["double_reach", 2], ["ippatsu", 1]]
    assert (won["fan"], won["fu"], won["hora_points"]) == (3, 40, 7700)
    assert won["deltas"] == [8700, -7700, 0, 0]
    assert won["ura_markers"] == ["9p"]


def test_a_win_carries_its_words() -> None:
    how, deltas, told = tenhou6(GAME + DEAL + WON)["log"][0][16]
    assert how == "和了"
    assert deltas == [8700, -7700, 0, 0]
    assert told == [0, 1, 0, "40符3飜7700点", "両立直(2飜)", "一発(1飜)"]


def test_every_yaku_has_a_name() -> None:
    assert set(YAKU_NAMES) == NAMED
    assert all(name for names in YAKU_NAMES.values() for name in names)


def test_a_deposit_is_accepted_once_nobody_wins_on_it() -> None:
    kinds = [line["type"] for line in mjai(GAME + DEAL + WON)]
    assert kinds.count("reach") == kinds.count("reach_accepted") == 1
    assert kinds.index("reach_accepted") == kinds.index("reach") + 2


def test_thirteen_orphans_on_a_closed_kong_are_kept_both_ways() -> None:
    robbed = """\
{"type":"hand_start"}
{"type":"deal","seat":0,"tiles":"111z123456m1234p"}
{"type":"deal","seat":1,"tiles":"19m19p19s2234567z"}
{"type":"deal","seat":2,"tiles":"2345678m345678s"}
{"type":"deal","seat":3,"tiles":"2345678p345678s"}
{"type":"indicator","tile":"9s","kind":"dora"}
{"type":"draw","seat":0,"tile":"1z"}
{"type":"kong","seat":0,"kind":"closed","tile":"1z"}
{"type":"win","seat":1,"from":0,"tile":"1z","hand":"19m19p19s2234567z"}
{"type":"hand_end"}
"""
    game = GAME.replace("riichi-tenhou", "riichi-mahjong-soul")
    entries = read_record(game + robbed)
    for read, write in ((read_mjai, write_mjai), (read_tenhou6, write_tenhou6)):
        again = read(write(entries)).entries
        (win,) = [entry.event for entry in again if isinstance(entry.event, Win)]
        assert (win.seat, win.from_seat, win.tile) == (1, 0, "1z")
        assert write(again) == write(entries)
    assert mjai(game + robbed)[-2]["yakus"] == [["kokushimuso", 13]]


def test_draws_that_nobody_saw_are_told() -> None:
    unseen = DEAL + '{"type":"discard","seat":0,"tile":"1z"}\n'
    assert mjai(GAME + unseen)[-2:] == [
        {"type": "tsumo", "actor": 0, "pai": "?"},
        {"type": "dahai", "actor": 0, "pai": "E", "tsumogiri": False},
    ]


def test_a_dealer_of_fourteen_tiles_has_drawn_one() -> None:
    fourteen = DEAL.replace("1122z", "11225z") + '{"type":"discard","seat":0,"tile":"5z"}\n'
    lines = mjai(GAME + fourteen)
    assert [len(hand) for hand in lines[1]["tehais"]] == [13] * 4
    assert lines[2]["type"] == "tsumo"
    assert lines[3] == {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": False}


def test_claims_that_were_outranked_and_what_cannot_have_been_are_left_out() -> None:
    claims = """\
{"type":"draw","seat":0,"tile":"4z"}
{"type":"discard","seat":0,"tile":"4z","drawn":true}
{"type":"discard","seat":0,"tile":"9m"}
{"type":"pung","seat":1,"from":0,"tile":"4z","own":["4z","4z"]}
{"type":"discard","seat":1,"tile":"3m"}
{"type":"chow","seat":2,"from":1,"tile":"3m","own":["1m","2m"]}
"""
    kinds = [line["type"] for line in mjai(GAME + DEAL + claims)]
    assert kinds == ["start_game", "start_kyoku", "tsumo", "dahai", "pon", "dahai"]


def test_a_correction_is_exported_as_it_stands() -> None:
    mended = GAME + DEAL + WON + '{"type":"correct","of":11,"events":[]}\n'
    assert mjai(mended)[-2]["ura_markers"] == []


def test_a_chombo_is_kept_both_ways() -> None:
    foul = GAME.replace("-tenhou", "") + DEAL + '{"type":"draw","seat":0,"tile":"5z"}\n'
    foul += '{"type":"foul","seat":2,"offence":"chombo"}\n{"type":"hand_end"}\n'
    ended = mjai(foul)[-2]
    assert (ended["reason"], ended["actor"]) == ("chombo", 2)
    assert ended["deltas"] == [4000, 2000, -8000, 2000]
    assert tenhou6(foul)["log"][0][16] == ["チョンボ", [4000, 2000, -8000, 2000], [2]]
    for read, written in (
        (read_mjai, write_mjai(read_record(foul))),
        (read_tenhou6, write_tenhou6(read_record(foul))),
    ):
        kinds = [type(entry.event).__name__ for entry in read(written).entries]
        assert kinds[-2:] == ["Foul", "HandEnd"]


def test_three_winners_are_kept_both_ways() -> None:
    three = """\
{"type":"hand_start"}
{"type":"deal","seat":0,"tiles":"19m19p19s1234567z"}
{"type":"deal","seat":1,"tiles":"234678m23422p46s"}
{"type":"deal","seat":2,"tiles":"345m345678p33p46s"}
{"type":"deal","seat":3,"tiles":"567678m56788p46s"}
{"type":"indicator","tile":"9s","kind":"dora"}
{"type":"draw","seat":0,"tile":"5s"}
{"type":"discard","seat":0,"tile":"5s","drawn":true}
{"type":"win","seat":1,"from":0,"tile":"5s"}
{"type":"win","seat":2,"from":0,"tile":"5s"}
{"type":"win","seat":3,"from":0,"tile":"5s"}
{"type":"hand_end"}
"""
    entries = read_record(GAME + three)
    assert mjai(GAME + three)[-2]["reason"] == "sanchaho"
    assert tenhou6(GAME + three)["log"][0][16] == ["三家和了"]
    for read, write in ((read_mjai, write_mjai), (read_tenhou6, write_tenhou6)):
        events = [entry.event for entry in read(write(entries)).entries]
        wins = [event for event in events if isinstance(event, Win)]
        assert [win.seat for win in wins] == [1, 2, 3]


def test_two_winners_are_paid_apart() -> None:
    two = """\
{"type":"hand_start","honba":1,"deposits":2}
{"type":"deal","seat":0,"tiles":"19m19p19s1234567z"}
{"type":"deal","seat":1,"tiles":"234678m23422p46s"}
{"type":"deal","seat":2,"tiles":"345m345678p33p46s"}
{"type":"deal","seat":3,"tiles":"19m19p19s1234567z"}
{"type":"indicator","tile":"9s","kind":"dora"}
{"type":"draw","seat":0,"tile":"5s"}
{"type":"discard","seat":0,"tile":"5s","drawn":true}
{"type":"win","seat":2,"from":0,"tile":"5s"}
{"type":"win","seat":1,"from":0,"tile":"5s"}
{"type":"hand_end"}
"""
    wins = [line for line in mjai(GAME + two) if line["type"] == "hora"]
    paid = {line["actor"]: (line["hora_points"], line["deltas"]) for line in wins}
    # The nearest after the discarder takes counters and deposits (004, 3.4.4; tenhou).
    assert paid[1][1] == [-paid[1][0] - 300, paid[1][0] + 2300, 0, 0]
    assert paid[2][1] == [-paid[2][0], 0, paid[2][0], 0]
    to_each = [line for line in mjai(GAME.replace("-tenhou", "") + two) if line["type"] == "hora"]
    moved = {line["actor"]: line["deltas"] for line in to_each}
    points = {line["actor"]: line["hora_points"] for line in to_each}
    # Where all winners are paid, each is paid the counters.
    assert moved[1] == [-points[1] - 300, points[1] + 2300, 0, 0]
    assert moved[2] == [-points[2] - 300, 0, points[2] + 300, 0]


@pytest.mark.parametrize(
    ("record", "form", "says"),
    [
        (HARBIN, "mjai", "only riichi games can be exported in this format; this one is by harbin"),
        (HARBIN, "tenhou6", "only riichi games"),
        (GAME, "mjai", "holds no hand"),
        (GAME + '{"type":"hand_start"}\n', "mjai", "no dora indicator"),
        (GAME + '{"type":"hand_start"}\n{"type":"position"}\n', "mjai", "begins in the middle"),
        (GAME + DEAL, "tenhou6", "no hand of the record has ended"),
        (GAME + DEAL.replace("11", "?1") + WON, "tenhou6", "tiles that nobody saw"),
        (GAME + DEAL + ACROSS, "tenhou6", "a chow from a seat that is not on the left"),
        (GAME + DEAL + WON + GAME.replace('"A"', '"E"') + DEAL + WON, "tenhou6", "different"),
        ('{"type":"hand_start"}\n', "mjai", "holds no hand"),
    ],
)
def test_what_a_form_cannot_tell_is_refused_in_one_line(
    record: str, form: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(record)
    assert run(["export", str(path), "--format", form]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert err.count("\n") == 1


def test_a_game_with_irregular_events_comes_back_from_mjai_as_it_went() -> None:
    entries = golden("riichi-tenhou")
    log = write_mjai(entries)
    again = write_mjai(read_mjai(log).entries)
    assert played(again) == played(log)


def played(log: str) -> list[str]:
    """Lines of play and their results in points, without what only a shown hand tells."""
    lines = []
    for line in map(json.loads, log.splitlines()):
        for name in ("tehais", "tenpais", "hora_tehais"):
            line.pop(name, None)
        lines.append(json.dumps(line))
    return lines


def test_mjai_and_back() -> None:
    assert told(read_mjai(write_mjai(ENTRIES)).entries) == told(ENTRIES)


def test_tenhou6_and_back() -> None:
    assert told(read_tenhou6(write_tenhou6(ENTRIES)).entries) == told(ENTRIES)


def test_mjlog_and_back() -> None:
    assert told(read_mjlog(mjlog_of(ENTRIES)).entries) == told(ENTRIES)


def test_a_game_that_another_seat_dealt_first_is_written_from_that_seat_on() -> None:
    first = 3
    turned = [replace(entry, event=seated_on(entry.event, first)) for entry in ENTRIES]
    paid = [said.deltas for said in replay(ENTRIES).announcements() if isinstance(said, Payout)]
    moved = [said.deltas for said in replay(turned).announcements() if isinstance(said, Payout)]
    assert moved == [(*deltas[-first:], *deltas[:-first]) for deltas in paid]
    for write, read in ((write_mjai, read_mjai), (write_tenhou6, read_tenhou6)):
        assert write(turned) == write(ENTRIES)
        assert told(read(write(turned)).entries) == told(ENTRIES)


def seated_on(event: Event, by: int) -> Event:
    """The event with every seat so much farther on, and seat ``by`` as the first dealer."""
    if isinstance(event, GameStart):
        assert event.players is not None
        names, points = event.players, event.points
        return replace(
            event,
            players=(*names[-by:], *names[:-by]),
            points=None if points is None else (*points[-by:], *points[:-by]),
            first_dealer=by,
        )
    seats = [name for name in ("seat", "from_seat", "dealer") if hasattr(event, name)]
    known = {name: getattr(event, name) for name in seats}
    farther = {name: (at + by) % 4 for name, at in known.items() if at is not None}
    changed: dict[str, Any] = farther
    return replace(event, **changed)


def test_a_log_may_call_another_seat_than_the_first_the_first_dealer() -> None:
    lines = [json.loads(line) for line in write_mjai(ENTRIES).splitlines()]
    hand = next(line for line in lines if line["type"] == "start_kyoku")
    hand["kyoku"] = 3
    (start, *_) = read_mjai("\n".join(map(json.dumps, lines))).entries
    assert isinstance(start.event, GameStart)
    assert start.event.first_dealer == (hand["oya"] - 2) % 4
    xml = mjlog_of(ENTRIES).replace('seed="0,', 'seed="1,', 1)
    (start, *_) = read_mjlog(xml).entries
    assert isinstance(start.event, GameStart)
    assert start.event.first_dealer == 3


def test_the_sample_has_every_kind_of_set() -> None:
    kinds = {getattr(entry.event, "kind", type(entry.event).__name__) for entry in ENTRIES}
    assert {"Chow", "Pung", "open", "closed", "added", "kan_dora", "ura_dora"} <= kinds
