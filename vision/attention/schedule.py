"""How frames are read: a camera's at once, a recording's with a look at what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.attention.motion import PATIENCE_S, STILL_S
from vision.camera.buffer import ahead
from vision.camera.frames import FramePosition, Frames
from vision.camera.video_file import VideoFile

LEAST_BEHIND: Final = 4
"""So many frames may be pending, however large they are."""
APART_S: Final = 0.17
"""Frames of a film that are looked at lie about so far apart at most, where it has as many.

Measured on 15 films, eight of them by troubled cameras: of five frames a second as many events are
told as of ten. With six, more replays are recognised: more of their pictures were seen before.
"""


@dataclass(frozen=True)
class Schedule:
    """How long looks are delayed, how many frames may be pending, and what these may show."""

    step_s: float
    """Frames that follow sooner are passed over."""
    patience_s: float
    """How long a still part waits for the motion beside it to end before it is read."""
    rest_s: float = STILL_S
    """How long a part and what is beside it must have been still before it is read."""
    behind: int = 0
    """How many frames may pass while the tiles of a look are still being read, ..."""
    behind_px: int = 0
    """... and how many pixels these frames may have together, because they are kept in memory."""
    readers: int = 0
    """Threads that read tiles; with 0, each look is read at once."""
    beside: bool = False
    """Whether a look is read while further frames come, and told as soon as it has been read. The
    next one begins after that: a slow computer reads fewer, and sees all that moves meanwhile."""
    edited: bool = False
    """Whether frames may be cut out, show other scenes, or repeat others: no camera's do."""

    def pending(self, picture_px: tuple[int, int]) -> int:
        """How many frames of this size may be pending."""
        fit = self.behind_px // (picture_px[0] * picture_px[1])
        return min(self.behind, max(LEAST_BEHIND, fit))

    def frames(self, film: VideoFile, since: FramePosition | None = None) -> Frames:
        """The frames of a film to look at, from one on; a thread decodes them ahead.

        It may be ahead by half of the frames that may be pending, which take as much memory each.
        """
        most = self.pending((film.width_px, film.height_px)) // 2 + 1
        every_nth = max(1, int(APART_S * film.fps))
        step_s = max(self.step_s, min(APART_S, (every_nth - 0.5) / film.fps))
        return ahead(film.frames(step_s, since), most)


LIVE: Final = Schedule(0.07, PATIENCE_S)
"""Settings for frames that wait until they have been read. Hands are not faster than these."""
CAMERA: Final = Schedule(0.07, PATIENCE_S, behind=16, behind_px=66_000_000, readers=1, beside=True)
"""Settings for a camera, which waits for nobody. Eight frames of 3840x2160 may be pending, some
100 MB."""
RECORDED: Final = Schedule(
    0.095, patience_s=1.5, rest_s=0.4, behind=16, behind_px=24_000_000, readers=1, edited=True
)
"""Settings for recordings. Nobody waits for what they show, so most parts are read when they rest,
not whenever they are still for a moment; one that rested and moves again is read as it was. Six
frames a second show that, and who moved.

The reader may be busy with one of the pending frames while others need nothing. At 1920x1080 there
are eleven; they last 1.8 s and take 34 MB.
"""
