"""Actors of Ray read an archive as processes do."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import Refused
from service.archive.films import ReadingSettings, films_at
from service.archive.leases import DONE
from service.archive.ledger import Ledger
from service.archive.pool import LOCAL, Pool, WorkerSettings, ray_workers
from service.commands.score import run
from service.hall.database import open_database
from service.table.options import Options
from tests.support.archive_films import copies
from tests.support.archive_worker import reader_of
from tests.support.evening import HAND_S, ByColour
from tests.support.folders import files
from tests.support.score_program import LIES, RULES, film_at, made

FILMS = 2


@pytest.fixture
def given(tmp_path: Path) -> WorkerSettings:
    database = f"sqlite:///{tmp_path}/archive.sqlite3"
    return WorkerSettings(database, tmp_path / "work", 60.0, 1 << 30)


@pytest.fixture
def ledger(given: WorkerSettings) -> Iterator[Ledger]:
    engine = open_database(given.database)
    yield Ledger(engine)
    engine.dispose()


def actors() -> list[int]:
    """The processes of actors that read, by the titles that Ray gives them."""
    titles = Path("/proc").glob("[0-9]*/cmdline")
    return [int(title.parent.name) for title in titles if b"ray::FilmReader" in title.read_bytes()]


def test_actors_read_every_film_though_one_is_killed(
    ledger: Ledger, given: WorkerSettings, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    film = film_at(tmp_path / "friday.mp4")
    assert run([film], Options(RULES), tmp_path / "whole", made(ByColour(LIES))) == 0
    settings = ReadingSettings(RULES, str(tmp_path / "results"))
    for one in films_at(str(copies(film, tmp_path / "films", FILMS))):
        ledger.add(one, settings)
    killed: list[int] = []

    def kill() -> None:
        """The process of the actor, once it has read a hand."""
        if not killed and ledger.counts().seconds_read > HAND_S:
            killed.extend(actors())
            for process in killed:
                os.kill(process, signal.SIGKILL)

    with ray_workers(LOCAL, 1, given, reader_of) as start:
        Pool(ledger, 1, "here", start).run(kill)
    assert killed
    for read in ledger.readings():
        assert read.state == DONE
        assert read.result is not None
        mine, whole = files(Path(read.result)), files(tmp_path / "whole")
        assert mine.keys() == whole.keys()
        assert mine["record.jsonl"] == whole["record.jsonl"]


def test_a_cluster_that_does_not_answer_is_one_line(given: WorkerSettings) -> None:
    pytest.importorskip("ray")
    with pytest.raises(Refused, match=r"^--ray 127\.0\.0\.1:9: .*give an address"):
        ray_workers("127.0.0.1:9", 1, given).__enter__()
