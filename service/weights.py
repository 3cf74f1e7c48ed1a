"""Loading the shipped weights without the runtime's own remarks on damaged files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vision.detect import Detector
from vision.profile import Profile


def load_detector(own_set: Path | None = None) -> Detector:
    """The shipped detector, fitted to the set of tiles whose profile is given.

    Raises ``WeightsError`` and ``ProfileError``, and that is all a person sees.
    """
    profile = None if own_set is None else Profile.load(own_set)
    with _native_stderr_dropped():
        detector = Detector.load()
    if profile is not None:
        detector.recogniser.fit(profile)
    return detector


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
