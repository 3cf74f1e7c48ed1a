"""A test that hangs is told from one that waits for a busy machine."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from tests.support import hang
from tests.support.hang import Hangs, Usage, Watch
from tests.support.patience import PATIENCE_S

BEGUN = Usage(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("idle_s", "own_s", "hung"),
    [
        (100.0, 0.1, True),  # the other processor was busy, or not
        (40.0, 0.1, True),
        (5.0, 0.1, False),  # others take all of the machine
        (60.0, 30.0, False),  # it works, on one processor
        (60.0, 6.0, False),  # it asks again and again
    ],
)
def test_who_could_do_something_and_does_nothing_hangs(
    idle_s: float, own_s: float, hung: bool
) -> None:
    assert BEGUN.hung(Usage(60.0, idle_s, own_s)) is hung


def test_what_processes_do_is_counted() -> None:
    before = hang.usage()
    sum(range(10_000_000))
    after = hang.usage()
    assert after.at_s > before.at_s
    assert after.own_s > before.own_s
    assert after.idle_s >= before.idle_s


def test_a_test_that_hangs_fails_where_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = iter(range(10**6))
    monkeypatch.setattr(hang, "usage", lambda: Usage(at := float(next(looked)), at, 0.0))
    with closing(Watch(seen_s=3.0, look_s=0.01)) as watch:
        watch.begin()
        with pytest.raises(Hangs):
            threading.Event().wait(PATIENCE_S)
        watch.end()


def test_nothing_is_watched_between_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    enough = threading.Event()
    looked = iter(range(10**6))

    def look() -> Usage:
        at = float(next(looked))
        if at > 20:
            enough.set()
        return Usage(at, at, 0.0)

    monkeypatch.setattr(hang, "usage", look)
    with closing(Watch(seen_s=3.0, look_s=0.001)) as watch:
        watch.begin()
        watch.end()
        assert enough.wait(PATIENCE_S)
