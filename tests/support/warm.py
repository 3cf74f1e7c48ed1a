"""Programs of tests, each in a process of its own that may be killed, started from one that waits.

To start Python and to load the program takes 1.5 s of processor. One process of a worker does so
once; each program that is asked for is a copy of it, made in 0.02 s, with its own table.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Concatenate, Final, ParamSpec

from tests.support.patience import PATIENCE_S

P = ParamSpec("P")

LOADED: Final = ["pytest", "tests.support.table_program", "tests.support.score_program"]
"""By the process that waits: what tests start from it, and what began the test."""
_WAITING: Final = multiprocessing.get_context("forkserver")
_WAITING.set_forkserver_preload(LOADED)


@dataclass(frozen=True)
class Warm:
    """A program while it runs."""

    process: BaseProcess
    line: Connection
    """To and from it."""

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def told(self) -> Any:
        """The next thing that it says; ``EOFError`` once it is at its end."""
        assert self.line.poll(PATIENCE_S), "it says nothing"
        return self.line.recv()

    def ended(self) -> int:
        """Wait until it is at its end; its status."""
        self.process.join(PATIENCE_S)
        assert self.process.exitcode is not None, "it does not end"
        return self.process.exitcode


@contextmanager
def warm(
    program: Callable[Concatenate[Connection, P], object], *given: P.args, **named: P.kwargs
) -> Iterator[Warm]:
    """Run a function in a process until the end of the block; then it is killed with what it is
    doing. It is given its end of a line, and the rest."""
    line, its = multiprocessing.Pipe()
    process = _WAITING.Process(target=program, args=(its, *given), kwargs=named)
    process.start()
    its.close()
    try:
        yield Warm(process, line)
    finally:
        process.kill()
        process.join()
        process.close()
        line.close()
