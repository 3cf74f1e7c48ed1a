"""Asks the server everything that its description allows and forbids, and looks for a 5xx.

``python -m tests.support.fuzz_api --examples 200``. The tools make requests from
``/openapi.json``; the table has a game, pictures and a question, and every key is tried.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.types import ASGIApp

from service.app import create_app
from service.pages.settings import PageSettings
from service.table.dispute import Dispute
from service.table.live_table import LiveTable, TableSettings
from service.table.pictures import Pictures
from service.table.record_file import RecordFile
from service.web.keys import TableKeys
from tests.support.detectors import Blind
from tests.support.halls import hall_at
from tests.support.harbin_game import RECORD
from tests.support.live_table import frames
from tests.support.patience import PATIENCE_S
from tests.support.served import serving
from tests.support.told_reader import ToldReader

CHECKS: Final = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
KEYS: Final = TableKeys.new()
ROLES: Final = {"none": "", "seat": KEYS.seats[1], "admin": KEYS.control}


EDGES: Final = 50
Done = subprocess.CompletedProcess[str]


def fuzz(app: ASGIApp, examples: int, key: str = "", seed: int = 1) -> Done:
    """Serve an application, and ask; the exit status is 0 where no fault was found.

    ``examples`` are requests of each kind; with 50 and more, those at the edge of what is
    allowed come to them.
    """
    with serving(app) as server:
        return ask(server.url, examples, key, seed)


def ask(url: str, examples: int, key: str = "", seed: int = 1) -> Done:
    """The same of what is served already."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            command(url, examples, key, seed),
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )


@contextlib.contextmanager
def table_app(folder: Path) -> Iterator[FastAPI]:
    """A table in the middle of a game, with its record and pictures in ``folder``."""
    path = folder / "game.jsonl"
    path.write_text(RECORD)
    record = RecordFile(path)
    pictures = Pictures.kept_in(folder / "pictures")
    table = LiveTable(
        ToldReader([]),
        frames(),
        record,
        TableSettings("harbin-hlr", "game.mp4", before=record.entries, pictures=pictures),
    )
    try:
        yield create_app(
            table, PageSettings(keys=KEYS, dispute=Dispute(pictures, Blind), records=folder)
        )
    finally:
        record.close()


def command(url: str, examples: int, key: str, seed: int) -> Sequence[str]:
    phases = "examples,coverage,fuzzing" if examples >= EDGES else "examples,fuzzing"
    options = ["--checks", ",".join(CHECKS), "--max-examples", str(examples)]
    options += ["--phases", phases, "--seed", str(seed)]
    options += ["--no-color", "--warnings", "off", "--suppress-health-check", "all"]
    options += ["--generation-database", "none", "--continue-on-failure"]
    options += ["--request-timeout", str(PATIENCE_S)]
    if key:
        options += ["-H", f"Authorization: Bearer {key}"]
    program = "from schemathesis.cli import schemathesis; schemathesis()"
    return [sys.executable, "-c", program, "run", f"{url}/openapi.json", *options]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--examples", type=int, default=200, help="requests of a kind")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    status = 0
    for role, key in ROLES.items():
        with tempfile.TemporaryDirectory() as folder, table_app(Path(folder)) as app:
            done = fuzz(app, asked.examples, key, asked.seed)
        print(f"--- a table, key: {role}\n{done.stdout}{done.stderr}", flush=True)
        status = max(status, done.returncode)
    with tempfile.TemporaryDirectory() as folder, hall_at(f"{folder}/hall.sqlite3") as hall:
        hall.add("north")
        done = ask(hall.server.url, asked.examples, seed=asked.seed)
    print(f"--- a hall\n{done.stdout}{done.stderr}")
    return max(status, done.returncode)


if __name__ == "__main__":
    sys.exit(main())
