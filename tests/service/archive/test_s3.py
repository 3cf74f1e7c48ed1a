"""Films and results in a bucket, on a real server of S3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from service.archive.films import ReadingSettings, StorageError, films_at, storage_at
from service.archive.leases import DONE, QUARANTINED, RUNNING, Lease
from service.archive.ledger import Ledger
from service.archive.worker import FileOf, Worker
from service.commands.score import run
from service.hall.database import open_database
from service.table.options import Options
from service.table.reader_maker import MakeReader
from tests.support.archive_films import copies
from tests.support.archive_worker import read_all
from tests.support.evening import ByColour
from tests.support.folders import files
from tests.support.score_program import LIES, RULES, film_at, made

pytest.importorskip("s3fs")
moto = pytest.importorskip("moto.server")

OUT = "s3://club/results"


class Stopped(BaseException):
    """The machine is switched off."""


class SwitchedOff(Ledger):
    """Of a machine that is switched off once it has kept a hand."""

    def keep(self, lease: Lease, checkpoint: int) -> None:
        super().keep(lease, checkpoint)
        raise Stopped


@pytest.fixture
def films(tmp_path: Path) -> Path:
    film = film_at(tmp_path / "friday.mp4")
    return copies(film, tmp_path / "films", 2)


@pytest.fixture
def bucket(films: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The client of a server whose bucket holds the films."""
    boto3 = pytest.importorskip("boto3")
    fsspec = pytest.importorskip("fsspec")
    server = moto.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in (
        ("AWS_ENDPOINT_URL", f"http://{host}:{port}"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    client = boto3.client("s3")
    client.create_bucket(Bucket="club")
    for film in films.iterdir():
        client.upload_file(str(film), "club", f"films/{film.name}")
    yield client
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    server.stop()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path}/archive.sqlite3")
    yield engine
    engine.dispose()


@pytest.fixture
def ledger(engine: Engine) -> Ledger:
    return Ledger(engine)


def reader_of(settings: ReadingSettings, file: FileOf) -> MakeReader:
    return made(ByColour(LIES))


def fetched(address: str, folder: Path) -> dict[str, bytes]:
    """The files below an address."""
    storage = storage_at(address)
    found = {}
    for name in storage.names():
        with storage.open(name) as file:
            found[name] = file.read()
    return found


def test_a_bucket_holds_films_and_results_and_another_machine_goes_on(
    bucket: Any, films: Path, engine: Engine, ledger: Ledger, tmp_path: Path
) -> None:
    assert (
        run([films / "table-0.mp4"], Options(RULES), tmp_path / "whole", made(ByColour(LIES))) == 0
    )
    settings = ReadingSettings(RULES, OUT)
    assert [ledger.add(film, settings) for film in films_at("s3://club/films")] == [True, True]
    assert [ledger.add(film, settings) for film in films_at("s3://club/films/*.mp4")] == [False] * 2
    first = Worker(SwitchedOff(engine), tmp_path / "first", reader_of=reader_of)
    with pytest.raises(Stopped):
        read_all(first, "first")
    assert [reading.state for reading in ledger.readings()].count(RUNNING) == 1
    ledger.lost("first", "its machine was switched off", fault=False)
    unfinished = storage_at(OUT).names()
    assert any(name.startswith("unfinished.1/") for name in unfinished)
    read_all(Worker(ledger, tmp_path / "second", reader_of=reader_of), "second")
    whole = files(tmp_path / "whole")
    for read in ledger.readings():
        assert read.state == DONE
        assert read.result is not None
        mine = fetched(read.result, tmp_path)
        assert mine.keys() == whole.keys()
        assert mine["record.jsonl"] == whole["record.jsonl"]
    assert not any(name.startswith("unfinished") for name in storage_at(OUT).names())


def test_what_no_bucket_holds_is_one_line_and_the_others_go_on(
    bucket: Any, films: Path, ledger: Ledger, tmp_path: Path
) -> None:
    with pytest.raises(StorageError, match=r"^s3://nowhere/films[^\n]*$"):
        list(films_at("s3://nowhere/films"))
    good = ReadingSettings(RULES, OUT)
    first, second = films_at("s3://club/films")
    ledger.add(first, replace(good, out="s3://nowhere/results"))
    ledger.add(second, good)
    read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
    lost, read = ledger.readings()
    assert (lost.state, read.state) == (QUARANTINED, DONE)
    assert lost.error is not None
    assert "s3://nowhere/results" in lost.error
    assert "\n" not in lost.error
