"""Loads the shipped weights."""

from __future__ import annotations

from pathlib import Path

from vision.camera.native_stderr import native_stderr_dropped
from vision.detect import Detector
from vision.tile_set.profile import Profile
from vision.tile_set.set_corrector import fit


def load_detector(own_set: Path | None = None, readers: int = 0) -> Detector:
    """Return the shipped detector, fitted to the tile set of a profile.

    ``readers``: threads that read at once; with none, one answer is to come soon.
    Raises ``WeightsError`` and ``ProfileError``, and that is all a person sees.
    """
    profile = None if own_set is None else Profile.load(own_set)
    with native_stderr_dropped():
        detector = Detector.load(readers=readers)
    if profile is not None:
        fit(detector.recogniser, profile)
    return detector
