"""The programs connect to nobody but those they were told to, and leave nothing in the home."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.support.folders import files
from tests.support.paths import FILM, ROOT
from tests.support.patience import PATIENCE_S, until
from tests.support.program import PROGRAM, Running, started

pytestmark = pytest.mark.film

LISTENER = """
import os, sys

def note(event, arguments):
    if event in ("socket.connect", "socket.sendto"):
        asked = arguments[1]
    elif event == "socket.getaddrinfo":
        asked = arguments[:2]
    else:
        return
    with open(os.environ["CONNECTIONS"], "a") as file:
        file.write(f"{asked!r}\\n")

sys.addaudithook(note)
"""
"""Python runs a module of this name at its start, in every process of the program."""
LOOPBACK = re.compile(r"\('(127\.0\.0\.1|localhost|::1)'")


class Watched:
    """What a program connects to and writes in the home of its user."""

    def __init__(self, folder: Path, nets: Path) -> None:
        """``nets``: where compiled nets are kept, also for the next program."""
        self.home = folder / "home"
        self._noted = folder / "connections"
        caches = self.home / ".cache" / "tilesight"
        caches.mkdir(parents=True)
        (caches / "nets").symlink_to(nets)
        self._noted.touch()
        (folder / "sitecustomize.py").write_text(LISTENER)
        self.environment = os.environ | {
            "HOME": str(self.home),
            "CONNECTIONS": str(self._noted),
            "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        }

    def run(self, *words: str) -> AbstractContextManager[Running]:
        return started([*PROGRAM, *words], self.environment, self.home.parent)

    def strangers(self) -> list[str]:
        """Where it connected to, but for this machine itself."""
        noted = self._noted.read_text().splitlines()
        return [each for each in noted if not LOOPBACK.match(each)]

    def left(self) -> list[str]:
        """What it left in the home folder beside its compiled nets."""
        return [name for name in files(self.home) if not name.startswith(".cache/tilesight/nets/")]


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Empty at first: the first program that reads compiles them while it is watched."""
    return tmp_path_factory.mktemp("nets")


@pytest.fixture
def watched(tmp_path: Path, nets: Path) -> Watched:
    return Watched(tmp_path, nets)


def test_the_listener_hears_every_process(watched: Watched) -> None:
    calls = (
        "import socket; socket.socket(type=socket.SOCK_DGRAM).connect(('127.0.0.2', 9))",
        "import subprocess, sys, socket; subprocess.run([sys.executable, '-c', "
        "\"import socket; socket.getaddrinfo('127.0.0.3', 9)\"])",
    )
    for call in calls:
        subprocess.run([sys.executable, "-c", call], env=watched.environment, check=True)
    assert [re.findall(r"127.0.0.\d", stranger)[0] for stranger in watched.strangers()] == [
        "127.0.0.2",
        "127.0.0.3",
    ]


def test_detect_reports_to_nobody(watched: Watched) -> None:
    picture = ROOT / "tests" / "vision" / "seat_camera" / "standing_hand.jpg"
    with watched.run("dev", "detect", str(picture)) as program:
        told, complaints = program.process.communicate(timeout=PATIENCE_S)
    assert "standing" in told, complaints
    assert watched.strangers() == []
    assert watched.left() == []


@pytest.mark.parametrize(
    ("words", "path", "at_work"),
    [
        (["serve", str(FILM)], "/health", '"time_s":[0-9]'),
        (["serve"], "/api/setup", "sample"),
        (["hall"], "/api/v1/tables", "tables"),
    ],
)
def test_servers_report_to_nobody(
    watched: Watched, words: list[str], path: str, at_work: str
) -> None:
    with watched.run(*words, "--port", "0") as program:
        found = None
        while found is None:
            found = re.search(r"http://\S+?:\d+", program.line())

        def works() -> bool:
            with urllib.request.urlopen(found[0] + path, timeout=PATIENCE_S) as answer:
                return re.search(at_work, answer.read().decode()) is not None

        until(works)
        program.stop()
        program.process.wait(PATIENCE_S)
    assert watched.strangers() == []
    assert watched.left() == []
