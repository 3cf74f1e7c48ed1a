"""How a process of the program begins and ends."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from typing import Final, NoReturn

from service.machine.files import keep_new_files_private
from service.machine.memory import give_back_large_blocks
from vision.cycles import collect_seldom

TERMINATED: Final = 128 + signal.SIGTERM


def run_process(work: Callable[[], int]) -> NoReturn:
    """Do the work of a whole process, and end with the status that it returns.

    Ended from outside, the process still tidies up what it was writing.
    """
    status = [1]
    atexit.register(_leave, status)  # registered first, it is called last
    signal.signal(signal.SIGTERM, _end)
    keep_new_files_private()
    give_back_large_blocks()
    collect_seldom()
    try:
        status[0] = work()
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
        status[0] = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    sys.exit(status[0])


def _end(*_: object) -> NoReturn:
    # What is tidied up now must not be cut short by a second one.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(TERMINATED)


def _leave(status: list[int]) -> None:
    """End without taking the interpreter down.

    Threads that load a net or read a film are inside libraries of C++ then, and would be ended in
    the middle of a call: the library aborts, with lines of its own.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status[0])
