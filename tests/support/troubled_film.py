"""A laid table as a camera with some trouble films it."""

from __future__ import annotations

from collections.abc import Iterator

from studio.camera.troubles import Trouble, spoilt
from tests.support.felt_film import small_table
from vision.camera.frames import Frame


def troubled(trouble: Trouble, lasts_s: float, seed: int = 0) -> Iterator[Frame]:
    """A small laid table as a camera with this trouble films it, ten frames a second."""
    table = small_table()
    timed = ((index / 10, table) for index in range(round(10 * lasts_s)))
    for index, (time_s, picture) in enumerate(spoilt(trouble, timed, seed=seed)):
        yield Frame(picture, time_s, index)
