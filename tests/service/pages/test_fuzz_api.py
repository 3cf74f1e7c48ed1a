"""The server answers what its description allows, and most that it forbids, without a 5xx.

One request of a kind: `just fuzz-api` makes sixty and more.
"""

from __future__ import annotations

from pathlib import Path

from engine.codec import read_record
from tests.support.fuzz_api import KEYS, ask, fuzz, table_app
from tests.support.halls import hall_at


def test_no_request_makes_the_server_fail(tmp_path: Path) -> None:
    with table_app(tmp_path) as app:
        described = sum(len(methods) for methods in app.openapi()["paths"].values())
        done = fuzz(app, 1, KEYS.control)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    assert f"Selected: {described}/{described}" in done.stdout
    read_record((tmp_path / "game.jsonl").read_text())


def test_no_request_makes_a_hall_fail(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        hall.add("north")
        done = ask(hall.server.url, 1)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
