"""Public logs, where the shared data is at hand: replayed, and written again as they were.

The whole of the games takes minutes: ``TILESIGHT_CORPUS=all`` asks for it.
"""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.announce import Problem
from engine.game import replay
from engine.logs.mjai import read_mjai, write_mjai
from engine.logs.mjlog import read_mjlog
from engine.logs.record_writer import BadLog, RecordWriter
from engine.logs.tenhou6 import read_tenhou6
from engine.logs.tenhou6_write import write_tenhou6
from tests.support import log_corpus as corpus
from tests.support.riichi_sample import told

SHARED = os.environ.get("TILESIGHT_SHARED")
EVERY = 1 if os.environ.get("TILESIGHT_CORPUS") == "all" else 80
CONTRADICTORY = "confusing_nakis_2.json"
"""A test of a converter: it holds four plain fives of bamboos, and says that one is red."""
UNPAID = "confusing_nakis_1.json"
"""A test of a converter too: its winner does not collect the deposit that was made."""

pytestmark = pytest.mark.skipif(SHARED is None, reason="TILESIGHT_SHARED names no folder of data")


def files(ending: str) -> Iterator[tuple[str, str]]:
    """Name and text of the logs in the other two forms."""
    path = Path(SHARED or "") / "data" / "riichi" / "logs" / "mjai_tenhou6.tar.gz"
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member) if member.name.endswith(ending) else None
            if file is not None:
                yield Path(member.name).name, file.read().decode("utf-8")


def problems(scribe: RecordWriter) -> list[Problem]:
    said = replay(scribe.entries).announcements()
    return [one for one in said if isinstance(one, Problem)]


@pytest.mark.film
def test_games_are_paid_as_they_were_paid() -> None:
    found = corpus.report(EVERY)
    assert found.hands > 40
    assert found.differences == []


def test_games_keep_everything_in_the_other_forms() -> None:
    games = [text for place, (_, text) in enumerate(corpus.logs()) if place % (3 * EVERY) == 0]
    assert games
    for text in games:
        entries = read_mjlog(text).entries
        assert told(read_mjai(write_mjai(entries)).entries) == told(entries)
        assert told(read_tenhou6(write_tenhou6(entries)).entries) == told(entries)


def test_tenhou6_logs_are_written_again_as_they_were() -> None:
    read = 0
    for name, text in files(".json"):
        if name == CONTRADICTORY:
            continue
        scribe = read_tenhou6(text)
        assert problems(scribe) == [], name
        before, after = json.loads(text)["log"], json.loads(write_tenhou6(scribe.entries))["log"]
        for hand, ours in zip(before, after, strict=True):
            for part in range(4, 16, 3):  # a hand may be written in any order
                assert sorted(ours[part]) == sorted(hand[part])
                ours[part] = hand[part]
            assert ours[:16] == hand[:16], name
            assert [*deltas(ours)] == [*deltas(hand)] or name == UNPAID
        read += 1
    assert read == 19


def deltas(hand: list[Any]) -> Iterator[Any]:
    """What the result says but for words: what was moved, who won, from whom."""
    result = hand[16]
    yield result[0]
    for part in result[1:]:
        yield [value for value in part if isinstance(value, int)]


def test_mjai_logs_are_written_again_as_they_were() -> None:
    whole = 0
    for name, text in (*files(".jsonl"), *files(".mjson")):
        try:
            scribe = read_mjai(text)
        except BadLog:
            assert "hello" in name
            continue
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
        ours = [json.loads(line) for line in write_mjai(scribe.entries).splitlines()]
        assert problems(scribe) == [], name
        assert len(ours) == len(lines), name
        for written, line in zip(ours, lines, strict=True):
            assert common(written, line) == common(line, written), name
        whole += len(lines) > 100
    assert whole == 3


def common(line: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Fields that both have: hands and yaku in one order, and only hands of tenpai players."""
    kept = {name: line[name] for name in line if name in other}
    if "hora_tehais" in kept:
        kept["hora_tehais"] = sorted(kept["hora_tehais"])
        kept["yakus"] = sorted(kept["yakus"])
    if "tenpais" in kept:
        shown = zip(kept["tehais"], kept["tenpais"], strict=True)
        kept["tehais"] = [sorted(hand) if tenpai else [] for hand, tenpai in shown]
    if line["type"] == "start_kyoku":
        kept["tehais"] = [sorted(hand) for hand in kept["tehais"]]
    return kept
