"""Killed at any moment: what was acknowledged is in the record, and the game goes on from there."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any

from engine.codec import entry_to_json, event_to_json, read_record
from engine.game import replay
from service.live.public import names_of, public_table
from tests.service.harbin_game import RECORD
from tests.service.served import Served

KILLS = 3
LONGEST_S = 0.4
ROOT = Path(__file__).parents[2]


@contextmanager
def program(record: Path) -> Iterator[Served]:
    """Serve until the end of the block; then the process is killed with what it is doing."""
    command = [sys.executable, "-m", "tests.service.table_program", str(record)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = process.stdout.readline().split()[0]
            client = Served(f"127.0.0.1:{port}")
            while client.json("/health")["status"] != "watching":
                time.sleep(0.01)
            yield client
        finally:
            process.kill()


class Poster(threading.Thread):
    """Posts one request after the other until nobody answers; keeps what was acknowledged."""

    def __init__(self, client: Served, rng: random.Random) -> None:
        super().__init__()
        self.acknowledged: dict[int, tuple[str, Any]] = {}
        self._client = client
        self._rng = rng

    def run(self) -> None:
        lines = self._client.json("/api/events")["lines"]
        while True:
            event = {"type": "dice", "values": [self._rng.randint(1, 6) for _ in range(2)]}
            path = self._rng.choice(("events", "events", "events", "undo", "redo"))
            try:
                answer = self._client.post(f"/api/{path}", {"event": event, "lines": lines})
            except (OSError, HTTPException):
                return
            if answer.status == 200:
                told = json.loads(answer.text)
                self.acknowledged[told["number"]] = (path, event)
                lines = told["lines"]
            else:
                assert answer.status == 404, answer.text  # nothing to undo or redo


def check(record: Path, client: Served, acknowledged: dict[int, tuple[str, Any]]) -> None:
    """The record holds what was acknowledged, and the game stands where the record says."""
    entries = read_record(record.read_text())
    for number, (path, event) in acknowledged.items():
        written = entries[number]
        assert written.source == "person"
        if path == "events":
            assert event_to_json(written.event) == event
        else:
            assert entry_to_json(written)["type"] == "correct"
    game = replay(entries)
    assert client.json("/api/events")["lines"] == len(entries)
    expected = public_table(game.state, names_of(game.state))
    assert client.json("/api/table") == json.loads(json.dumps(expected))
    with client.socket("/ws") as socket:
        keys = [said["key"] for said in json.loads(socket.recv(20))["announced"]]
    assert len(keys) == len(set(keys)), "nothing is announced twice"


def test_a_killed_program_loses_nothing_and_says_nothing_twice(tmp_path: Path) -> None:
    rng = random.Random(6)
    record = tmp_path / "game.jsonl"
    record.write_text(RECORD)
    acknowledged: dict[int, tuple[str, Any]] = {}
    before = 13
    for _ in range(KILLS):
        with program(record) as client:
            check(record, client, acknowledged)
            poster = Poster(client, rng)
            poster.start()
            while not poster.acknowledged:
                assert poster.is_alive()
                time.sleep(0.01)
            time.sleep(rng.uniform(0, LONGEST_S))
        poster.join(30)
        assert not poster.is_alive()
        acknowledged |= poster.acknowledged
        count = len([line for line in record.read_text().split("\n") if line])
        # A line may have been written that nobody could be told of any more.
        assert before + len(poster.acknowledged) <= count <= before + len(poster.acknowledged) + 1
        before = count
    with program(record) as client:
        check(record, client, acknowledged)
