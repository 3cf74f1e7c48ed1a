"""Killed at any moment: what was acknowledged is in the record, and the game goes on from there."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from engine.codec import event_to_json, read_record
from engine.events import Correct
from engine.game import replay
from service.report.public import names_of, public_announcements, public_table, worded
from service.table.view import REMEMBERED
from tests.support.harbin_game import RECORD
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Served
from tests.support.table_program import ANSWERED, TOLD, serve_table
from tests.support.warm import warm

KILLS = 2
BEGUN = 10
"""Lines before the second hand: these stay, so that fouls are those of a hand."""
MOST = 40
"""Lines that are acknowledged, more or less, before it is killed."""
LONGEST_S = 0.05


@contextmanager
def program(record: Path) -> Iterator[Served]:
    """Serve until the end of the block; then the process is killed with what it is doing."""
    told = count(record) + len(TOLD)
    with warm(serve_table, record) as process:
        client = Served(f"127.0.0.1:{process.told()}")
        until(lambda: client.json("/health")["events"] >= told)  # the camera's lines
        yield client


def count(record: Path) -> int:
    """Lines that were written; those that the camera tells anew with every start among them."""
    return len([line for line in record.read_text().split("\n") if line])


class Poster(threading.Thread):
    """Posts and answers, one after the other, until nobody listens; keeps what was acknowledged."""

    def __init__(self, client: Served, rng: random.Random) -> None:
        super().__init__()
        self.acknowledged: dict[int, tuple[str, Any]] = {}
        self._client = client
        self._rng = rng

    def run(self) -> None:
        lines = self._client.json("/api/events")["lines"]
        asked = [one["id"] for one in self._client.json("/api/questions")["questions"]]
        left = list(zip(asked, map(event_to_json, ANSWERED), strict=True))
        told = range(lines - len(left), lines)
        while True:
            event = self._event()
            path = self._rng.choice(("events",) * 4 + ("corrections", "undo", "redo", "answers"))
            if path == "answers" and not left:
                continue
            body = {"event": event, "events": [event], "do": "replace", "lines": lines}
            if path == "answers":
                name, event = left.pop(0)
                body = {"id": name, "choice": 1}
            if path == "corrections":
                others = [of for of in range(BEGUN, lines) if of not in told]
                if not others:
                    continue
                body["of"] = self._rng.choice(others)
            try:
                answer = self._client.post(f"/api/{path}", body)
            except (OSError, HTTPException):
                return
            if answer.status == 200:
                lines = json.loads(answer.text)["lines"]
                self.acknowledged[lines - 1] = (path, event)
            else:
                assert answer.status == 404, answer.text  # nothing to mend, undo or redo

    def _event(self) -> dict[str, Any]:
        if self._rng.random() < 0.3:  # this is announced: it costs something
            return {"type": "foul", "seat": self._rng.randrange(4), "offence": "exposed_tile"}
        return {"type": "dice", "values": [self._rng.randint(1, 6) for _ in range(2)]}


def check(record: Path, client: Served, acknowledged: dict[int, tuple[str, Any]]) -> None:
    """The record holds what was acknowledged, and the game stands where the record says."""
    entries = read_record(record.read_text())
    for number, (path, event) in acknowledged.items():
        written = entries[number]
        assert written.source == "person"
        if path == "events":
            assert event_to_json(written.event) == event
        else:
            assert isinstance(written.event, Correct)
            if path in ("corrections", "answers"):
                assert [event_to_json(one.event) for one in written.event.events] == [event]
    game = replay(entries)
    assert client.json("/api/events")["lines"] == len(entries)
    expected = public_table(game.state, names_of(game.state))
    assert client.json("/api/table") == json.loads(json.dumps(expected))
    with client.socket("/ws") as socket:
        keys = [said["key"] for said in json.loads(socket.recv(PATIENCE_S))["announced"]]
        # Pages know by these what they have said before; what is old comes in no other way.
        state = game.state
        public = public_announcements(game.announcements())
        told = worded(public, "en", state.names, rules=state.rules)
        assert keys == [said["key"] for said in told][-REMEMBERED:]
        assert len(keys) == len(set(keys)), "nothing is announced twice"
        with pytest.raises(TimeoutError):
            socket.recv(0.2)


def enough(poster: Poster, wanted: int, answered: int) -> bool:
    """Whether so much was acknowledged, an answer among it, now or in an earlier round."""
    told = tuple(poster.acknowledged.values())
    assert poster.is_alive()
    return len(told) >= wanted and (answered > 0 or any(path == "answers" for path, _ in told))


def test_a_killed_program_loses_nothing_and_says_nothing_twice(tmp_path: Path) -> None:
    rng = random.Random(6)
    record = tmp_path / "game.jsonl"
    record.write_text(RECORD)
    acknowledged: dict[int, tuple[str, Any]] = {}
    answered = 0
    for _ in range(KILLS):
        with program(record) as client:
            check(record, client, acknowledged)
            before = count(record)
            poster = Poster(client, rng)
            poster.start()
            until(partial(enough, poster, rng.randint(1, MOST), answered))
            time.sleep(rng.uniform(0, LONGEST_S))  # anywhere in what it does next
        poster.join(PATIENCE_S)
        assert not poster.is_alive()
        acknowledged |= poster.acknowledged
        answered += sum(path == "answers" for path, _ in poster.acknowledged.values())
        # A line may have been written that nobody could be told of any more.
        written = count(record) - before - len(poster.acknowledged)
        assert written in (0, 1)
    assert answered > 0, "answers were among it"
    with program(record) as client:
        check(record, client, acknowledged)
