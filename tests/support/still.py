"""A camera whose picture stays the same."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count

from vision.camera.frames import Frame, Frames
from vision.camera.pictures import Picture


@dataclass
class Still:
    """A camera whose picture stays what it is until it is given another one."""

    picture: Picture
    name: str = "camera"

    def frames(self, step_s: float = 0.0) -> Frames:
        for index in count():
            yield Frame(self.picture, 0.02 * index, index)
            time.sleep(0.02)
