"""Loads the shipped weights."""

from __future__ import annotations

from pathlib import Path

import cv2

from vision.attention.schedule import CAMERA
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
    if readers:
        # OpenCV's own threads spin while they wait: they take time from readers and decoder.
        cv2.setNumThreads(1)
    with native_stderr_dropped():
        detector = Detector.load(readers=readers)
    if profile is not None:
        fit(detector.recogniser, profile)
    return detector


def load_table_detector(own_set: Path | None = None) -> Detector:
    """Return the detector of a table that is watched; raises as ``load_detector`` does.

    It is tried out with the camera before the table opens, and then reads it in as many threads as
    the schedule of a camera says.
    """
    return load_detector(own_set, CAMERA.readers)
