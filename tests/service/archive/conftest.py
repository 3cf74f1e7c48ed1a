"""A film as score reads it, and an archive with nothing in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.archive.films import ReadingSettings
from service.archive.ledger import Ledger
from service.film.film import FilmScoring, FilmToScore
from service.hall.database import open_database
from service.table.options import Options
from tests.support.evening import PENDING_S, ByColour
from tests.support.folders import files
from tests.support.score_program import LIES, RULES, film_at, made


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film_at(tmp_path_factory.mktemp("film") / "friday.mp4")


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One hand, for what is not about hands."""
    return film_at(tmp_path_factory.mktemp("film") / "friday.mp4", 1, PENDING_S)


@pytest.fixture(scope="session")
def whole(film: Path) -> dict[str, bytes]:
    """What ``tilesight score`` makes of the film, but for the command and the seal that its report
    names."""
    out = film.with_name("whole")
    scoring = FilmScoring(
        FilmToScore((film,), Options(RULES), made(ByColour(LIES)), told_seal=False), out
    )
    scoring.read(lambda _: None)
    scoring.finish()
    return files(out)


@pytest.fixture
def ledger(database: str) -> Iterator[Ledger]:
    engine = open_database(database)
    yield Ledger(engine)
    engine.dispose()


@pytest.fixture
def settings(tmp_path: Path) -> ReadingSettings:
    return ReadingSettings(RULES, str(tmp_path / "results"))
