"""Tells which frames of an edited film show the table as the game goes on."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, Literal

from vision.arrays import Bytes
from vision.camera.decoded import small_size
from vision.camera.frames import Frame
from vision.notice import Notice
from vision.shots.dissolve import FRAMES, dissolves
from vision.shots.replays import ReplayWatch
from vision.shots.small import share_kept, shows_anything, small_of
from vision.table.calibrate import NoTable, find_table
from vision.table.registration import ReferencePicture
from vision.table.view import TableView, differ

GONE: Final = 0.3
"""Another scene keeps less than this share of the picture: 0.16 at most; hands leave 0.54."""
BACK: Final = 0.45
"""Where this share is kept, the table is back."""
WITHIN_S: Final = 0.75
"""A scene may also come so slowly."""
SOON_S, LATER_S = 0.3, 1.0
"""Intervals between two closer comparisons, in the first seconds of a scene and later."""
SOON_UNTIL_S: Final = 3.0
LONGEST_DISSOLVE_S: Final = 3.0
LONG_S: Final = 20.0
"""A scene that lasts longer is told while it lasts."""
LEAST_S: Final = 0.5
"""A shorter interruption is not worth a notice."""

SceneKind = Literal["table", "dissolve", "replay", "elsewhere"]


@dataclass(eq=False)
class OtherScene:
    """What is shown in place of the table."""

    since_s: float
    shot_s: float
    """Since when one camera has shown it."""
    last: Bytes
    """The last small picture."""
    table: Bytes
    """The table's small picture before it."""
    reference: ReferencePicture
    checked_s: float


class ShotWatch:
    """Takes every frame in order. A table that is knocked, dimmed or covered is no other scene."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        """New notices; the caller clears the list."""
        self._recent: deque[tuple[float, Bytes]] = deque()
        """Times and small pictures of the last frames, all of the same scene."""
        self._grey: Bytes | None = None
        """The last picture of the table, 640 pixels wide."""
        self.scene: OtherScene | None = None
        """None while the table is shown."""
        self._replays = ReplayWatch()
        self._shown: SceneKind = "table"
        self._said = False
        self._since_s = 0.0
        """Since when this has been shown."""

    def update(self, frame: Frame, view: TableView) -> SceneKind:
        """Return what a frame shows; ``view`` is where the table lay before it."""
        grey = frame.held_grey(small_size(frame.size_px))
        small = small_of(grey)
        if self._grey is not None and self._grey.shape != grey.shape:
            self._recent.clear()
            self._grey = self.scene = None
            self._replays = ReplayWatch()
        shown = self._seen(frame, grey, small, view)
        # What comes after darkness is compared with what was before it.
        if shown != "elsewhere" and (shows_anything(small) or not self._recent):
            while self._recent and frame.time_s - self._recent[0][0] > WITHIN_S:
                self._recent.popleft()
            self._recent.append((frame.time_s, small))
            self._grey = grey if shown == "table" else self._grey
        self._tell(shown, frame.time_s)
        return shown

    def restart(self, frame: Frame) -> None:
        """Take this frame for the table, whatever it shows."""
        self._recent.clear()
        self._grey, self.scene = frame.held_grey(small_size(frame.size_px)), None
        self._tell("table", frame.time_s)

    def close(self, time_s: float) -> None:
        """Tell what lasts until the end of the film."""
        self._tell("table", time_s)

    def _seen(self, frame: Frame, grey: Bytes, small: Bytes, view: TableView) -> SceneKind:
        time_s = frame.time_s
        if self.scene is None and self._left(small):
            self._leave(frame, grey, view)
        if self.scene is not None:
            if not self._returned(self.scene, frame, grey, small, view):
                return "elsewhere"
            self.scene = None
            self._recent.clear()
        too_long = self._shown == "dissolve" and time_s - self._since_s > LONGEST_DISSOLVE_S
        before = [one for _, one in self._recent][1 - FRAMES :]
        if not too_long and len(before) == FRAMES - 1 and dissolves([*before, small]):
            return "dissolve"
        replayed = self._replays.update(small, time_s, frame.shift is not None)
        return "replay" if replayed else "table"

    def _left(self, small: Bytes) -> bool:
        """Whether another scene is seen, of which hardly anything was there a moment before.

        A picture that shows nothing is the table in the dark.
        """
        ends = (self._recent[0], self._recent[-1]) if self._recent else ()
        gone = any(share_kept(before, small) < GONE for _, before in ends)
        return gone and shows_anything(small)

    def _leave(self, frame: Frame, grey: Bytes, view: TableView) -> None:
        """Begin another scene, unless the camera was knocked or tiles are washed."""
        assert self._grey is not None, "the table was seen before"
        if frame.size_px == view.picture_px:
            height, width = grey.shape
            reference = ReferencePicture(self._grey, view.in_picture(width, height))
            stays = reference.shift_to(grey) is not None or _edge_stays(frame, view)
            if not stays and reference.turned_to(grey) is None:
                now_s, small = frame.time_s, small_of(grey)
                before = self._recent[0][1]
                self.scene = OtherScene(now_s, now_s, small, before, reference, now_s)
                return
        self._recent.clear()

    def _returned(
        self, scene: OtherScene, frame: Frame, grey: Bytes, small: Bytes, view: TableView
    ) -> bool:
        time_s = frame.time_s
        if share_kept(scene.last, small) < GONE:
            scene.shot_s = time_s
        scene.last = small
        if share_kept(scene.table, small) >= BACK:
            return True
        wait_s = SOON_S if time_s - scene.since_s < SOON_UNTIL_S else LATER_S
        if time_s - scene.checked_s < wait_s:
            return False
        scene.checked_s = time_s
        return scene.reference.shift_to(grey) is not None or _edge_stays(frame, view)

    def _tell(self, shown: SceneKind, time_s: float) -> None:
        lasted_s = time_s - self._since_s
        if shown == self._shown:
            if shown == "elsewhere" and lasted_s >= LONG_S and not self._said:
                self._said = True
                text = "the film shows something else than the table; nothing is read until it ends"
                self.notices.append(Notice("cut", time_s, text, lasts=True))
            return
        self._said = False
        if self._shown == "replay":
            text = f"a replay of {lasted_s:.0f} s was passed over"
            self.notices.append(Notice("replay", time_s, text, lasts=False))
        elif self._shown == "elsewhere" and lasted_s >= LEAST_S:
            text = (
                f"the film showed something else than the table for {lasted_s:.0f} s; events in "
                "between are told as far as the table shows them"
            )
            self.notices.append(Notice("cut", time_s, text, lasts=False, since_s=self._since_s))
        self._shown, self._since_s = shown, time_s


def _edge_stays(frame: Frame, view: TableView) -> bool:
    """Whether the table's edge is seen where it was."""
    try:
        return not differ(find_table(frame.image_bgr), view)
    except NoTable:
        return False
