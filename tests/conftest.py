"""What holds for the whole suite: examples of property tests, the longest tests first, and cycles
looked for as seldom as in the program.

``--hypothesis-profile=long`` takes many examples.
"""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings

from vision.cycles import collect_seldom

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("short", CALM, max_examples=25, derandomize=True)
settings.register_profile("long", CALM, max_examples=2100)
settings.load_profile("short")


def pytest_collection_finish() -> None:
    collect_seldom()
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests: at the end, no worker is left alone with one of them."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
