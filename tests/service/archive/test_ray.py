"""Ray's tasks read an archive as processes do; run where the extra ``archive`` is installed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from sqlalchemy import select

from engine.errors import Refused
from service.archive.cluster import CORES, LOCAL, WANTS_TOKEN, RayCluster, ray_cluster
from service.archive.films import ReadingSettings, films_at
from service.archive.leases import DONE, MOST_FAILURES, QUARANTINED
from service.archive.ledger import Ledger
from service.archive.run import ArchiveRun, TaskLost
from service.archive.worker import WorkerSettings
from service.commands.score import run
from service.hall.database import open_database
from service.hall.database_schema import READINGS
from service.table.options import Options
from tests.support.archive_films import copies
from tests.support.archive_worker import reader_of
from tests.support.evening import HAND_S, ByColour
from tests.support.folders import files
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_S, until
from tests.support.program import PROGRAM
from tests.support.ray_head import GIVES_UP, RayHead, tasks_below
from tests.support.score_program import LIES, RULES, film_at, made

FILMS = 2
LEASE_S = 20.0
"""Of films whose task is lost: long enough for a busy machine to read the first picture."""
DRIVER = """
import sys
from pathlib import Path
from service.archive.cluster import ray_cluster
from service.archive.ledger import Ledger
from service.archive.run import ArchiveRun
from service.archive.worker import WorkerSettings
from service.hall.database import engine_of
from tests.support.archive_worker import reader_of
given = WorkerSettings(sys.argv[2], Path(sys.argv[3]), float(sys.argv[4]), 1 << 30)
with ray_cluster(sys.argv[1], 1, given, reader_of) as cluster:
    ledger = Ledger(engine_of(given.database))
    ArchiveRun(ledger, given, 1, sys.argv[5]).run(cluster, lambda: None)
"""
"""``tilesight archive run --ray`` with the reader of the tests."""


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray would write one into the home of whoever runs the tests, and use it ever after."""
    monkeypatch.setenv("RAY_AUTH_TOKEN", "0123456789abcdef" * 4)
    monkeypatch.setenv("RAY_AUTH_MODE", "token")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The film, and what ``tilesight score`` makes of it."""
    pytest.importorskip("ray")
    folder = tmp_path_factory.mktemp("film")
    film = film_at(folder / "friday.mp4")
    assert run([film], Options(RULES), folder / "whole", made(ByColour(LIES))) == 0
    return {"film": film.read_bytes(), **files(folder / "whole")}


@pytest.fixture
def given(tmp_path: Path) -> WorkerSettings:
    database = f"sqlite:///{tmp_path}/archive.sqlite3"
    return WorkerSettings(database, tmp_path / "work", 60.0, 1 << 30)


@pytest.fixture
def ledger(given: WorkerSettings, whole: dict[str, bytes], tmp_path: Path) -> Iterator[Ledger]:
    """Of an archive with films that wait."""
    engine = open_database(given.database)
    ledger = Ledger(engine)
    film = tmp_path / "friday.mp4"
    film.write_bytes(whole["film"])
    for one in films_at(str(copies(film, tmp_path / "films", FILMS))):
        ledger.add(one, ReadingSettings(RULES, str(tmp_path / "results")))
    yield ledger
    engine.dispose()


def all_read_once(ledger: Ledger, whole: dict[str, bytes], tmp_path: Path) -> None:
    readings = ledger.readings()
    assert [read.state for read in readings] == [DONE] * FILMS
    for read in readings:
        assert read.result is not None
        mine = files(Path(read.result))
        assert mine.keys() == whole.keys() - {"film"}
        assert mine["record.jsonl"] == whole["record.jsonl"]
    kept = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert kept == sorted(Path(str(read.result)).name for read in readings)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_every_film_is_read_once_though_a_task_is_lost(
    ledger: Ledger,
    given: WorkerSettings,
    whole: dict[str, bytes],
    tmp_path: Path,
    how: signal.Signals,
) -> None:
    lease_s = 60.0 if how is signal.SIGKILL else LEASE_S
    to_each = WorkerSettings(given.database, given.work, lease_s, given.cache_bytes)
    lost: list[int] = []

    def lose() -> None:
        """The process of a task, once it has read a hand."""
        if not lost and ledger.counts().seconds_read > HAND_S:
            lost.extend(tasks_below(os.getpid()))
            for process in lost:
                os.kill(process, how)

    with ray_cluster(LOCAL, 1, to_each, reader_of) as cluster:
        ArchiveRun(ledger, to_each, 1, "here").run(cluster, lose)
    assert lost
    all_read_once(ledger, whole, tmp_path)


def test_a_film_that_crashes_the_program_is_set_aside_after_three_tries(
    given: WorkerSettings, whole: dict[str, bytes], tmp_path: Path
) -> None:
    engine = open_database(given.database)
    ledger, film = Ledger(engine), tmp_path / "friday.mp4"
    film.write_bytes(whole["film"])
    (found,) = films_at(str(film))
    ledger.add(found, ReadingSettings(RULES, str(tmp_path / "results"), seat0="left"))
    with ray_cluster(LOCAL, 1, given, reader_of) as cluster:
        ArchiveRun(ledger, given, 1, "here").run(cluster, lambda: None)
    with engine.connect() as connection:
        row = connection.execute(select(READINGS)).one()
    engine.dispose()
    assert (row.state, row.token, row.losses) == (QUARANTINED, MOST_FAILURES, 0)
    assert row.error.startswith("the worker ended: The worker died unexpectedly")


@pytest.mark.parametrize(
    ("name", "asked", "crashed"),
    [
        ("WorkerCrashedError", (), True),
        ("LocalRayletDiedError", (), False),
        ("NodeDiedError", ("the node died",), False),
        ("OutOfMemoryError", ("the node runs out of memory",), False),
    ],
)
def test_a_film_is_blamed_for_a_crash_and_not_for_its_machine(
    given: WorkerSettings, name: str, asked: tuple[str, ...], crashed: bool
) -> None:
    ray = pytest.importorskip("ray")
    cluster = mock.Mock(exceptions=ray.exceptions)
    cluster.wait.side_effect = lambda running, **_: (running, [])
    cluster.get.side_effect = getattr(ray.exceptions, name)(*asked)
    tasks = RayCluster(cluster, given, reader_of)
    tasks.start("here:0")
    end = tasks.ended(0.0)["here:0"]
    assert isinstance(end, TaskLost)
    assert end.crashed is crashed


def driver(head: RayHead, given: WorkerSettings, name: str) -> subprocess.Popen[bytes]:
    words = [head.address, given.database, str(given.work), str(LEASE_S), name]
    environment = {**os.environ, **GIVES_UP}
    return subprocess.Popen([sys.executable, "-c", DRIVER, *words], cwd=ROOT, env=environment)


@pytest.mark.parametrize("mode", [None, "token", "disabled"])
def test_a_lost_head_loses_no_film(
    ledger: Ledger,
    given: WorkerSettings,
    whole: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    mode: str | None,
) -> None:
    """Without a mode, the head uses the token that it finds, and the run has to as well."""
    if mode is None:
        monkeypatch.delenv("RAY_AUTH_MODE")
    else:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    head = RayHead(CORES)
    first = driver(head, given, "first")
    try:
        until(lambda: first.poll() is not None or ledger.counts().seconds_read > HAND_S)
        assert first.poll() is None, "it reads"
        head.kill()
        assert first.wait(PATIENCE_S) != 0, "a run without its head ends"
        head = RayHead(CORES)
        assert driver(head, given, "second").wait(PATIENCE_S) == 0
    finally:
        first.kill()
        head.kill()
    all_read_once(ledger, whole, tmp_path)


def asked(
    address: str, given: WorkerSettings, home: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """The command to an address, in an environment with these settings of Ray."""
    open_database(given.database).dispose()
    words = ["archive", "run", "--ray", address, "--database", given.database]
    ours = {name: word for name, word in os.environ.items() if not name.startswith("RAY_AUTH")}
    return subprocess.run(
        [*PROGRAM, *words],
        cwd=ROOT,
        env=ours | {"HOME": str(home)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def refused(
    address: str, given: WorkerSettings, tmp_path: Path, environment: dict[str, str]
) -> str:
    """The one line that it says."""
    done = asked(address, given, tmp_path, environment)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_token_that_is_missing_is_one_line(given: WorkerSettings, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    if not hasattr(ray.exceptions, "AuthenticationError"):
        pytest.skip("this version of Ray has no tokens")
    with socket.create_server(("127.0.0.1", 0)) as head:  # asked for a token, nobody gets so far
        address = f"127.0.0.1:{head.getsockname()[1]}"
        said = refused(address, given, tmp_path, {"RAY_AUTH_MODE": "token"})
    assert said == f"tilesight: --ray {address}: {WANTS_TOKEN}\n"


def test_a_token_of_another_cluster_is_one_line(given: WorkerSettings, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    if not hasattr(ray.exceptions, "AuthenticationError"):
        pytest.skip("this version of Ray has no tokens")
    head = RayHead(CORES)
    try:
        for environment in ({}, {"RAY_AUTH_TOKEN": "f" * 64}):
            said = refused(head.address, given, tmp_path, environment)
            assert said == f"tilesight: --ray {head.address}: {WANTS_TOKEN}\n"
    finally:
        head.kill()


@pytest.mark.parametrize("mode", ["token", "disabled"])
def test_a_token_in_the_home_of_the_user_is_enough(
    given: WorkerSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """Ray itself takes none from there for an address; a head without one does not mind it."""
    ray = pytest.importorskip("ray")
    if not hasattr(ray.exceptions, "AuthenticationError"):
        pytest.skip("this version of Ray has no tokens")
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text(os.environ["RAY_AUTH_TOKEN"])
    monkeypatch.setenv("RAY_AUTH_MODE", mode)
    head = RayHead(CORES)
    try:
        done = asked(head.address, given, tmp_path, {})
    finally:
        head.kill()
    assert done.returncode == 0, done.stderr


def test_a_cluster_that_does_not_answer_is_one_line(given: WorkerSettings) -> None:
    pytest.importorskip("ray")
    with pytest.raises(Refused, match=r"^--ray 127\.0\.0\.1:9: .*give an address"):
        ray_cluster("127.0.0.1:9", 1, given).__enter__()
