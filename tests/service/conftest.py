"""What several tests of the program share, for it takes seconds to make."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.support.paths import ROOT

sys.path.append(str(ROOT / "datasets"))

from render import main as render

from service.archive import archive_pages
from service.hall import access, posting, webhooks
from service.seat import private_pages
from service.web import outgoing
from studio.camera.pinhole import PinholeCamera
from studio.materials.appearance import random_look
from studio.render.renderer import NoOpenGL, Renderer
from tests.support.browsing import chromium
from tests.support.keys import KEYS
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Postgres, running

ANSWERED_WITHIN: Final = (
    (access, "ANSWER_S"),
    (posting, "ANSWER_S"),
    (webhooks, "ANSWER_S"),
    (outgoing, "CONNECT_S"),
    (archive_pages, "FETCH_S"),
    (private_pages, "KEY_WAIT_S"),
)
"""How long the program waits for another one, or for a data base, before it goes on without."""


CODES: Final = KEYS.seats


@pytest.fixture(autouse=True)
def shared_keys() -> None:
    """The tables of the tests share their keys, and end the codes of seats that change hands: each
    test begins with the same ones."""
    KEYS.seats, KEYS.people, KEYS.taken = CODES, (), {}


@pytest.fixture(autouse=True)
def patient_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is asked may take as long as a busy machine needs; tests of the limits set their own."""
    for module, name in ANSWERED_WITHIN:
        monkeypatch.setattr(module, name, PATIENCE_S)


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """One for all modules of a process, and the loop that drives it, which is set aside: else the
    test's own thread could run no other one from then on."""
    with chromium() as browser:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def browser(
    shared_browser: tuple[Browser, asyncio.AbstractEventLoop],
) -> Iterator[Browser]:
    """Nothing of another module is open in it. Within the module that asks for it, the test's own
    thread can run no event loop."""
    browser, loop = shared_browser
    asyncio._set_running_loop(loop)
    yield browser
    for context in browser.contexts:
        context.close()
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def own_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of a whole set laid out, and two of tables on which it is played with.

    On the first, dark and noisy, nobody can read a tile.
    """
    out = tmp_path_factory.mktemp("sets")
    given = {"sets": 1, "seed": 5, "styles": "japanese", "laid": 1, "tables": 2, "out": out}
    try:
        camera = PinholeCamera(64, 64, 100.0, (0.0, 0.0, 900.0))
        Renderer(random_look(np.random.default_rng(1)), camera, {}, samples=0).release()
    except NoOpenGL:
        pytest.skip("this machine has no OpenGL without a screen")
    options = (word for name, value in given.items() for word in (f"--{name}", str(value)))
    assert render(["sets", *options]) == 0
    return out / "0"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, once for all tests."""
    with running() as server:
        if server is None:
            pytest.skip("no PostgreSQL server is installed: pip install -e '.[test]' brings one")
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with nothing in it, of each kind that a hall can use."""
    if request.param == "sqlite":
        return str(tmp_path / "hall.sqlite3")
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()
