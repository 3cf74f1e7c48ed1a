"""What holds for the whole suite: examples of property tests, the longest tests first, modules that
are compiled once, and cycles looked for as seldom as in the program.

``--hypothesis-profile=long`` takes many examples.
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support import remembered_nets
from vision.cycles import collect_seldom
from vision.tiles import shared_net

if sys.dont_write_bytecode and sys.pycache_prefix is None:
    # Nothing may be written beside the sources. Each of some hundred programs that tests start
    # would compile all modules; they share them here, in all worker processes.
    _compiled = tempfile.mkdtemp(prefix="tilesight-compiled-")
    atexit.register(shutil.rmtree, _compiled, ignore_errors=True)
    os.environ["PYTHONPYCACHEPREFIX"] = _compiled
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Worker processes share the cores: threads of a library that wait for each other's turn took three
# times the processor time. It holds for those processes, and for the programs that tests start.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENCV_FOR_THREADS_NUM"] = "1"

remembered_nets.begin_run()

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("short", CALM, max_examples=25, derandomize=True)
settings.register_profile("long", CALM, max_examples=2100)
settings.load_profile("short")


@pytest.fixture(scope="session", autouse=True)
def nets() -> Iterator[None]:
    """Are compiled once in a process, and asked the same once in a run."""
    with remembered_nets.in_use():
        yield


@pytest.fixture
def plain_nets() -> Iterator[None]:
    """Nets as the program compiles and asks them."""
    with remembered_nets.in_use(shared_net.runtime, shared_net.compile_net):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Make all tests without looking for cycles: to walk through what stays again and again took a
    quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    collect_seldom()
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests: at the end, no worker is left alone with one of them."""
    films = {item.path for item in items if item.get_closest_marker("film")}
    items.sort(key=lambda item: item.path not in films)
