"""A test that hangs fails where it waits, long before its own patience ends.

Only who has a free processor and does nothing with it hangs: on a busy machine nothing here counts.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

SEEN_S: Final = 60.0
"""How long a test must have done nothing. The longest pause of a sound one is 20 s: pages that
still listen when their server ends."""
IDLE_SHARE: Final = 0.5
"""Of one processor, that was free all the time."""
BUSY_SHARE: Final = 0.05
"""Of one processor, that who works takes at least: who asks a server every 0.5 s takes less."""
LOOK_S: Final = 5.0
SIGNAL: Final = signal.SIGUSR1
TICKS: Final = os.sysconf("SC_CLK_TCK")


class Hangs(Exception):
    """Nothing happens any more in a test."""


@dataclass(frozen=True)
class Usage:
    """Processor time in seconds."""

    at_s: float
    idle_s: float
    """Of all processors, since the machine started; waiting for a disk is not idle."""
    own_s: float
    """Of this process and of those that it started."""

    def hung(self, later: Usage) -> bool:
        """Whether nothing was done from here on though it could have been."""
        passed_s = later.at_s - self.at_s
        return (
            later.idle_s - self.idle_s > IDLE_SHARE * passed_s
            and later.own_s - self.own_s < BUSY_SHARE * passed_s
        )


def usage() -> Usage:
    idle = int(Path("/proc/stat").read_text().split(maxsplit=5)[4])
    return Usage(time.monotonic(), idle / TICKS, sum(_own(os.getpid())) / TICKS)


def _own(process: int) -> Iterator[int]:
    """Ticks of a process, with children that have ended, and of each that descends from it."""
    taken: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "stat").read_text().rpartition(") ")[2].split()
            except OSError:
                continue  # it has just ended
            taken[int(folder.name)] = sum(map(int, words[11:15]))
            children.setdefault(int(words[1]), []).append(int(folder.name))
    left = [process]
    while left:
        one = left.pop()
        yield taken.get(one, 0)
        left += children.get(one, [])


def _raise(_: int, __: FrameType | None) -> None:
    raise Hangs("a processor was free, and nothing was done with it")


class Watch:
    """Raises ``Hangs`` in the main thread, which makes it, once a test has done nothing for long.

    It watches from ``begin`` to ``end``.
    """

    def __init__(self, seen_s: float = SEEN_S, look_s: float = LOOK_S) -> None:
        self._seen_s, self._look_s = seen_s, look_s
        self._main = threading.get_ident()
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._looks: list[Usage] | None = None
        self._before = signal.signal(SIGNAL, _raise)
        self._thread = threading.Thread(target=self._watch, daemon=True, name="hangs")
        self._thread.start()

    def begin(self) -> None:
        with self._lock:
            self._looks = []

    def end(self) -> None:
        with self._lock:
            self._looks = None

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        signal.signal(SIGNAL, self._before)

    def _watch(self) -> None:
        while not self._over.wait(self._look_s):
            now = usage()
            with self._lock:
                if self._looks is None:
                    continue
                self._looks = [*(look for look in self._looks if look.hung(now)), now]
                if now.at_s - self._looks[0].at_s >= self._seen_s:
                    self._looks = []
                    signal.pthread_kill(self._main, SIGNAL)
