"""Halls for tests: over a file of SQLite and over a PostgreSQL server."""

from __future__ import annotations

import json
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from engine.codec import entry_from_json
from service.archive.archive_pages import add_archive
from service.archive.stored_names import StoredNames
from service.hall.app import create_hall
from service.hall.database import open_database
from service.hall.hall import Hall
from service.hall.webhooks import Webhooks, WebhookSettings
from service.machine.files import LineSink, to_stderr
from service.web.grants import Role
from tests.support.paths import GAMES
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Answer, Served, serving

on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""For what no database does otherwise, where both are tried by another test."""
SAMPLE = GAMES / "riichi-tenhou.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
"""A whole game of four people with names, by tenhou.net's rules: short enough for one post."""


@dataclass(frozen=True)
class HallClient:
    """Asks a hall over HTTP."""

    server: Served

    def ask(self, method: str, path: str, body: object = None, key: str = "") -> Answer:
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        data = None if body is None else json.dumps(body).encode()
        address = f"{self.server.url}/api/v1/{path}"
        request = urllib.request.Request(address, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
                return Answer(response.status, dict(response.headers), response.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, dict(error.headers), error.read().decode())

    def told(self, method: str, path: str, body: object = None, key: str = "") -> Any:
        answer = self.ask(method, path, body, key)
        assert answer.status == 200, answer.text
        return json.loads(answer.text)

    def add(self, name: str, **given: str) -> str:
        """The key of a new table."""
        return str(self.told("POST", "tables", {"name": name, **given})["key"])

    def post(
        self, table: str, lines: list[Any], first: int = 0, key: str = "", record: str = "a.jsonl"
    ) -> Answer:
        body = {"record": record, "from": first, "lines": lines}
        return self.ask("POST", f"tables/{table}/lines", body, key)


@dataclass(frozen=True)
class HallServed(HallClient):
    """A client of a hall that runs in this process."""

    hall: Hall
    app: FastAPI

    def post(
        self, table: str, lines: list[Any], first: int = 0, key: str = "", record: str = "a.jsonl"
    ) -> Answer:
        """Post, and wait for the results, which come after the answer."""
        answer = super().post(table, lines, first, key, record)
        until(lambda: not self.hall.is_deriving)
        return answer


@cache
def _new_hall() -> bytes:
    """The file of a hall in which nothing is: to make one takes ten times as long as to copy it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "hall.sqlite3"
        open_database(str(file)).dispose()
        return file.read_bytes()


@contextmanager
def hall_at(
    database: str,
    without_key: Role | None = Role.ADMIN,
    port: int = 0,
    webhooks: WebhookSettings | None = None,
    say: LineSink = to_stderr,
) -> Iterator[HallServed]:
    """Serve the hall that a database holds; a file that is missing is a new hall."""
    if "://" not in database and not Path(database).exists():
        Path(database).write_bytes(_new_hall())
    engine = open_database(database)
    try:
        posting = None if webhooks is None else Webhooks(engine, webhooks, say)
        hall = Hall(engine, webhooks=posting, jobs=[StoredNames(engine).job()])
        app = create_hall(hall, without_key=without_key, say=say)
        add_archive(app, engine)
        with serving(app, port=port) as server:
            yield HallServed(server, hall, app)
    finally:
        engine.dispose()


ENTRIES = [entry_from_json(line) for line in LINES]
