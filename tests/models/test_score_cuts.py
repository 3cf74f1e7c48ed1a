"""False cuts: films that nobody edited are passed over nowhere, and a real cut would be counted."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
from score_cuts import pieces, watched

from vision.camera.video_file import VideoFile

SAMPLES = Path(__file__).parents[2] / "samples"


def test_troubled_pieces_of_a_film_are_wholly_the_table() -> None:
    done = list(pieces([SAMPLES / "harbin.mp4"], 3, seed=5))
    assert len({piece.trouble for piece in done}) == 3
    assert all(piece.kept for piece in done), done
    assert all(piece.shown["table"] >= 10 for piece in done)


def test_another_scene_is_counted() -> None:
    table = list(islice(VideoFile(SAMPLES / "harbin.mp4").frames(), 10))
    noise = np.random.default_rng(3).integers(0, 255, (9, 16, 3)).astype(np.uint8)
    other = np.ascontiguousarray(noise.repeat(80, axis=0).repeat(80, axis=1))
    away = [replace(frame, pixels=other) for frame in table[6:]]
    assert watched([*table[:6], *away])["elsewhere"] > 0
