"""Loading the shipped weights without the runtime's own remarks on damaged files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from vision.detect import Detector


def load_detector() -> Detector:
    """The shipped detector; raises ``WeightsError``, and that is all a person sees."""
    with _native_stderr_dropped():
        return Detector.load()


@contextmanager
def _native_stderr_dropped() -> Iterator[None]:
    # The runtime's parser writes to the file descriptor, past Python's ``sys.stderr``.
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
