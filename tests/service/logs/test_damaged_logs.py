"""A log in which something was changed is read, or refused in words: nothing else ever happens."""

from __future__ import annotations

import json
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import replay
from service.logs.formats import READERS
from service.logs.mjai import write_mjai
from service.logs.record_writer import BadLog
from service.logs.tenhou6_write import write_tenhou6
from tests.support.mjlog_of import mjlog_of
from tests.support.riichi_sample import ENTRIES

HANDS = 2
ENDS = [place for place, entry in enumerate(ENTRIES) if type(entry.event).__name__ == "HandEnd"]
SHORT = ENTRIES[: ENDS[HANDS - 1] + 1]
LOGS = {"mjai": write_mjai(SHORT), "mjlog": mjlog_of(SHORT), "tenhou6": write_tenhou6(SHORT)}
WORD = re.compile(r'-?[0-9]+|"[^"]*"|<[A-Z]+|true|false')
OTHERS = ("0", "-1", "7", "60", "135", "99999999999", "null", '"5m"', '"r35"', '"c171618"', "[]")


@pytest.mark.parametrize("form", sorted(LOGS))
@settings(max_examples=25)
@given(data=st.data())
def test_a_changed_word(form: str, data: st.DataObject) -> None:
    log = LOGS[form]
    words = list(WORD.finditer(log))
    word = data.draw(st.sampled_from(words))
    other = data.draw(st.sampled_from((*OTHERS, data.draw(st.sampled_from(words))[0])))
    with suppress(BadLog):
        replay(READERS[form](log[: word.start()] + other + log[word.end() :]).entries)


@settings(max_examples=25)
@given(data=st.data())
def test_lines_of_mjai_in_any_order(data: st.DataObject) -> None:
    lines = LOGS["mjai"].splitlines()
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
    game = json.loads(LOGS["tenhou6"])
    hand = game["log"][data.draw(st.integers(0, HANDS - 1))]
    one, other = data.draw(st.tuples(st.integers(0, 16), st.integers(0, 16)))
    hand[one], hand[other] = hand[other], hand[one]
    with suppress(BadLog):
        replay(READERS["tenhou6"](json.dumps(game)).entries)
