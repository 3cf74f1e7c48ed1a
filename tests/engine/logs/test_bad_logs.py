"""Whatever is wrong with a log, or was changed in it, is one line; never a traceback."""

from __future__ import annotations

import gzip
import json
import re
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import replay
from engine.logs.formats import READERS, form_of, unpacked
from engine.logs.mjai import read_mjai, write_mjai
from engine.logs.mjlog import read_mjlog
from engine.logs.record_writer import BadLog
from engine.logs.tenhou6 import read_tenhou6
from engine.logs.tenhou6_write import write_tenhou6
from tests.support.log_texts import DEALT, HAND, HANDS, INIT, LIVE, START, rounds, xml
from tests.support.mjlog_of import mjlog_of
from tests.support.riichi_sample import ENTRIES


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cut off"),
        ("<mjloggm>", "cut off"),
        (xml(INIT)[:-20], "cut off"),
        ("no xml", "syntax error"),
        ("<html></html>", "expected an mjlog file"),
        (xml(""), "holds no hand"),
        ('<!DOCTYPE a [<!ENTITY b "c">]>' + xml(INIT), "document type"),
        (xml(INIT + "<FLOWER/>"), "unknown tag FLOWER"),
        (xml(INIT + '<T5 x="1"/>'), "unknown tag T5"),
        (xml(INIT, game_type=25), "three players"),
        (xml(INIT.replace(HANDS.split()[3], 'hai3=""')), "three players"),
        (xml(INIT + '<T100/><N who="0" m="32"/>'), "three players"),
        (xml(INIT + INIT), "before the last one has ended"),
        (xml(INIT + "<T136/>"), "a tile from 0 to 135"),
        (xml(INIT + "<T100/><T101/>"), "seat 0 draws twice"),
        (xml(INIT + "<D5/>"), "out of turn"),
        (xml(INIT + "<T100/><D131/>"), "does not hold"),
        (xml(INIT + '<N who="1" m="58647"/>'), "has not discarded"),
        (xml(INIT + '<T100/><D100/><N who="1" m="58647"/>'), "but 8s was discarded"),
        (xml(INIT + '<T100/><D100/><N who="1" m="65532"/>'), "there is no chow"),
        (xml(INIT + '<N who="4" m="0"/>'), "a seat from 0 to 3"),
        (xml(INIT + '<N who="x" m="0"/>'), "1 whole number as who"),
        (xml(INIT + "<N/>"), "expected who, got none"),
        (xml(INIT + '<T100/><AGARI who="0" fromWho="0" hai="1,2" machi="4"/>'), "not in the hand"),
        (xml(INIT + '<AGARI who="0" fromWho="0" hai="1" machi="1"/>'), "no tile to win with"),
        (xml(INIT.replace("0,0,0,1,2,135", "0,0")), "6 whole numbers as seed"),
        (xml(INIT.replace("0,0,0,1,2,135", "99,0,0,1,2,135")), "a seed of round"),
        (xml(INIT.replace('hai0="0,', 'hai0="')), "13 tiles dealt to seat 0, got 12"),
    ],
)
def test_an_mjlog_that_cannot_be_read(text: str, says: str) -> None:
    with pytest.raises(BadLog, match=says):
        read_mjlog(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no hand"),
        (START, "holds no hand"),
        ("{", "line 1: expected JSON"),
        (LIVE + '{"type":"tsumo","act', "line 3: expected JSON; the text is cut off"),
        ("[]", "line 1: expected an object"),
        ("[" * 100_000, "line 1: expected JSON"),
        ('{"type":"tsumo"}', "expected start_game first"),
        (LIVE + '{"type":"dance"}', "line 3: unknown type 'dance'"),
        ('{"type":"start_game","names":["A","B","C"]}', "three players"),
        (START + HAND.replace(json.dumps(DEALT), json.dumps(DEALT[:3])), "three players"),
        (START + HAND.replace('"1m"', '"10m"', 1), "a tile such as"),
        (START + HAND.replace('"bakaze": "E"', '"bakaze": "X"'), "E, S, W, N"),
        (START + HAND.replace('"oya": 0', '"oya": 4'), "a whole number from 0 to 3"),
        (START + HAND.replace('"honba": 0', '"honba": -1'), "at least 0"),
        (START + HAND.replace('"honba": 0', '"honba": true'), "a whole number"),
        (START + HAND.replace("25000", "25000.5", 1), "a whole number as scores"),
        (LIVE + HAND, "line 3: a hand begins before the last one has ended"),
        (LIVE + '{"type":"end_kyoku"}', "without a result"),
        (LIVE + '{"type":"tsumo","actor":0,"pai":7}', "a tile such as"),
        (LIVE + '{"type":"dahai","actor":0,"pai":"1m","tsumogiri":1}', "true or false"),
        (LIVE + '{"type":"dahai","actor":0,"pai":"1m"}', "out of turn"),
        (LIVE + '{"type":"hora","actor":0,"target":0}', "no tile to win with"),
        (LIVE + '{"type":"ryukyoku","reason":7}', "expected text as reason"),
        (LIVE + '{"type":"ryukyoku","reason":"sanchaho"}', "nobody has discarded"),
        (LIVE + '{"type":"ankan","actor":0,"consumed":["1m"]}', "expected 4 equal tiles"),
    ],
)
def test_an_mjai_log_that_cannot_be_read(text: str, says: str) -> None:
    with pytest.raises(BadLog, match=says):
        read_mjai(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the text is cut off"),
        (rounds()[:-9], "the text is cut off"),
        ("[]", "a list of hands as log"),
        ('{"log":[]}', "holds no hand"),
        ('{"log":[[]]}', "hand 1: expected a hand of 17 parts, got 0 parts"),
        (rounds().replace("般南喰赤", "三般南喰赤"), "three players"),
        (rounds(last=[]), "three players"),
        (rounds(start=[0, 0]), "expected a list of 3"),
        (rounds(start=[16, 0, 0]), "round, counters and deposits"),
        (rounds(points=[25000] * 3), "expected a list of 4"),
        (rounds(dora=[]), "one to five indicators"),
        (rounds(dora=[47, 46]), "more kong indicators than kongs"),
        (rounds(dora=[48]), "a tile such as 15, 47 or 52, got 48"),
        (rounds(last=[11]), "13 tiles dealt to seat 3, got 1"),
        (rounds(takes=["c1112"]), "a set such as"),
        (rounds(takes=["11c1213"]), "a set such as"),
        (rounds(takes=["k11111111"]), "a claim such as"),
        (rounds(takes=[37, 37]), "no order of play fits"),
        (rounds(takes=["47p4747"]), "has not discarded"),
        (rounds(takes=[37] * 61), "a list of the tiles"),
        (rounds(takes=11), "a list of the tiles"),
        (rounds(gives=["r5"]), "a discard such as r35"),
        (rounds(gives=["p474747"]), "a kong such as"),
        (rounds(gives=[38]), "does not hold"),
        (rounds(gives=[True]), "a tile such as"),
        (rounds(result=[]), "a result such as"),
        (rounds(result=["和了", [0, 0, 0, 0], []]), "begins with its winner"),
        (rounds(result=["和了", [0, 0, 0, 0], [1, 0, 1]]), "no tile to win with"),
        (rounds(result=["流局", [1]]), "expected a list of 4"),
    ],
)
def test_a_tenhou6_log_that_cannot_be_read(text: str, says: str) -> None:
    with pytest.raises(BadLog, match=says):
        read_tenhou6(text)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (b"\xff\xfe", "line 1: expected text in UTF-8, got byte 0xff"),
        (b"\x1f\x8b\x08 nothing", "damaged"),
        (gzip.compress(b"x" * 1000)[:-9], "cut off"),
        (gzip.compress(b" " * (33 * 2**20)), "larger than 32 MiB"),
        (b" " * (33 * 2**20), "larger than 32 MiB"),
    ],
    ids=["bytes", "damaged", "cut", "bomb", "large"],
)
def test_a_file_that_is_no_text(written: bytes, says: str) -> None:
    with pytest.raises(BadLog, match=says):
        unpacked(written)


def test_a_packed_log_is_unpacked() -> None:
    assert unpacked(gzip.compress(LIVE.encode())) == LIVE


@pytest.mark.parametrize(
    ("text", "form"), [(xml(INIT), "mjlog"), (LIVE, "mjai"), ("\n" + rounds(), "tenhou6")]
)
def test_the_form_is_seen_from_the_file(text: str, form: str) -> None:
    assert form_of(text) == form
    assert READERS[form](text).entries


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"type":"game_start","rules":"riichi"}', "a tilesight record already"),
        ("hello", "any of the known formats"),
        ("", "any of the known formats"),
    ],
)
def test_other_texts_are_in_no_form(text: str, says: str) -> None:
    with pytest.raises(BadLog, match=says):
        form_of(text)


@pytest.mark.parametrize("form", sorted(READERS))
@given(
    text=st.one_of(
        st.text(),
        st.sampled_from([xml(INIT), LIVE, rounds()]).flatmap(
            lambda log: st.integers(0, len(log)).map(lambda end: log[:end])
        ),
    )
)
def test_no_text_makes_a_reader_fail_otherwise(form: str, text: str) -> None:
    with suppress(BadLog):
        READERS[form](text)


KEPT_HANDS = 2
ENDS = [place for place, entry in enumerate(ENTRIES) if type(entry.event).__name__ == "HandEnd"]
SHORT = ENTRIES[: ENDS[KEPT_HANDS - 1] + 1]
WORD = re.compile(r'-?[0-9]+|"[^"]*"|<[A-Z]+|true|false')
OTHERS = ("0", "-1", "7", "60", "135", "99999999999", "null", '"5m"', '"r35"', '"c171618"', "[]")


@cache
def short(form: str) -> str:
    """The first hands of a game; no other test waits until they are written."""
    written = {"mjai": write_mjai, "mjlog": mjlog_of, "tenhou6": write_tenhou6}
    return written[form](SHORT)


@pytest.mark.parametrize("form", sorted(READERS))
@settings(max_examples=25)
@given(data=st.data())
def test_a_changed_word(form: str, data: st.DataObject) -> None:
    log = short(form)
    words = list(WORD.finditer(log))
    word = data.draw(st.sampled_from(words))
    other = data.draw(st.sampled_from((*OTHERS, data.draw(st.sampled_from(words))[0])))
    with suppress(BadLog):
        replay(READERS[form](log[: word.start()] + other + log[word.end() :]).entries)


@settings(max_examples=25)
@given(data=st.data())
def test_lines_of_mjai_in_any_order(data: st.DataObject) -> None:
    lines = short("mjai").splitlines()
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start, len(lines)))
    moved = data.draw(st.permutations(lines[start : min(end, start + 6)]))
    ways = (
        [*lines[:start], *moved, *lines[min(end, start + 6) :]],
        lines[:start] + lines[end:],
        lines[:end] + lines[start:],
    )
    with suppress(BadLog):
        replay(READERS["mjai"]("\n".join(data.draw(st.sampled_from(ways)))).entries)


@settings(max_examples=25)
@given(data=st.data())
def test_parts_of_tenhou6_in_other_places(data: st.DataObject) -> None:
    game = json.loads(short("tenhou6"))
    hand = game["log"][data.draw(st.integers(0, KEPT_HANDS - 1))]
    one, other = data.draw(st.tuples(st.integers(0, 16), st.integers(0, 16)))
    hand[one], hand[other] = hand[other], hand[one]
    with suppress(BadLog):
        replay(READERS["tenhou6"](json.dumps(game)).entries)
