"""What holds for the whole suite: examples of property tests, the longest tests first, and an end
to tests that hang.

``--hypothesis-profile=long`` takes many examples.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

from tests.support.hang import Watch

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("short", CALM, max_examples=25, derandomize=True)
settings.register_profile("long", CALM, max_examples=2100)
settings.load_profile("short")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests: at the end, no worker is left alone with one of them."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


WATCH: Final = pytest.StashKey[Watch]()


def pytest_configure(config: pytest.Config) -> None:
    """See tests that hang, where the system tells what processes do."""
    if sys.platform.startswith("linux"):
        config.stash[WATCH] = Watch()


def pytest_unconfigure(config: pytest.Config) -> None:
    if WATCH in config.stash:
        config.stash[WATCH].close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Fail where a test, or what it begins with, does nothing for long."""
    watch = item.config.stash.get(WATCH, None)
    if watch is not None:
        watch.begin()
    try:
        return (yield)
    finally:
        if watch is not None:
            watch.end()
