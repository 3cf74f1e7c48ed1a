"""Remarks of native libraries, which go past Python's ``sys.stderr``, kept from people."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def native_stderr_dropped() -> Iterator[None]:
    """Nothing that the process writes to standard error meanwhile is seen, other threads' too."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
