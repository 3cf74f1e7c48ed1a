"""Several files of one game, as cameras split at 4 GB: one film, whose times go on."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from vision.camera.address import shown
from vision.camera.frames import FilmGap, Frame, FramePosition, Frames
from vision.camera.pictures import SourceError
from vision.camera.video_file import SAME_S, VideoFile

APART_S: Final = 2.0
"""Cameras note whole seconds: parts whose clocks differ by less follow each other."""


class FilmParts(VideoFile):
    """Files that are read one after the other, in the order that somebody typed."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Look at every part; raises ``SourceError`` unless some of each can be read."""
        self._parts = [VideoFile(path) for path in paths]
        first = self._parts[0]
        self.path, self.fps = first.path, first.fps
        self.name = ", ".join(part.name for part in self._parts)
        self.width_px, self.height_px = first.width_px, first.height_px
        self._begins_s = [0.0]
        """Seconds of the film at which each part begins."""
        for part in self._parts:
            self._begins_s.append(self._begins_s[-1] + part.duration_s)
        self.duration_s = self._begins_s.pop()
        self._apart_s = [_apart_s(one, other) for one, other in pairwise(self._parts)]
        """By the cameras' own clocks, how long after each part the next one begins."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Lines for the user about all parts, and about what lies between them."""
        told = [remark for part in self._parts for remark in part.remarks]
        for (one, other), apart_s in zip(pairwise(self._parts), self._apart_s, strict=True):
            if apart_s > APART_S:
                told.append(
                    f"{other.name} begins {apart_s:.0f} s after {one.name} ends: what was played "
                    "meanwhile is told as far as the table shows it"
                )
            elif apart_s < -APART_S:
                told.append(
                    f"{other.name} begins {-apart_s:.0f} s before {one.name} ends: they are read "
                    "in the order that was typed; is it the right one?"
                )
        return tuple(told)

    def glimpses(self) -> Frames:
        """A few readable frames of each part, in turn."""
        with contextlib.ExitStack() as opened:
            rows = [
                (begins_s, opened.enter_context(contextlib.closing(part.glimpses())))
                for part, begins_s in zip(self._parts, self._begins_s, strict=True)
            ]
            while rows:
                for row in tuple(rows):
                    begins_s, frames = row
                    if (frame := next(frames, None)) is None:
                        rows.remove(row)
                    else:
                        yield replace(frame, time_s=begins_s + frame.time_s)

    def frame_at(self, time_s: float) -> Frame | None:
        """The first frame at a time or after it; None where none can be read there."""
        for part, begins_s in self._from_part(time_s):
            found = part.frame_at(max(0.0, time_s - begins_s))
            if found is not None:
                return replace(found, time_s=begins_s + found.time_s)
        return None

    def _from_part(self, time_s: float) -> list[tuple[VideoFile, float]]:
        """The part that shows a time and those after it, with the times at which they begin."""
        rows = list(zip(self._parts, self._begins_s, strict=True))
        at = sum(begins_s <= time_s + SAME_S for begins_s in self._begins_s) - 1
        return rows[max(at, 0) :]

    def _from(self, since: FramePosition | None, step_s: float) -> Frames:
        rows = self._from_part(0.0 if since is None else since.time_s)
        last: Frame | None = None
        for part, begins_s in rows:
            here = None
            if since is not None and last is None:
                here = replace(since, time_s=since.time_s - begins_s)
            base = 0 if last is None else last.index + 1
            with contextlib.closing(part._from(here, step_s)) as frames:
                for frame in frames:
                    time_s = begins_s + frame.time_s
                    gap = frame.gap and replace(frame.gap, since_s=begins_s + frame.gap.since_s)
                    gap = gap or self._gap_before(part, frame, last)
                    last = replace(frame, time_s=time_s, index=base + frame.index, gap=gap)
                    yield last

    def _gap_before(self, part: VideoFile, frame: Frame, last: Frame | None) -> FilmGap | None:
        """What is missing before the first frame of a part."""
        at = self._parts.index(part)
        if frame.index or last is None or self._apart_s[at - 1] <= APART_S:
            return None
        return FilmGap(last.time_s, "missing")


def _apart_s(one: VideoFile, other: VideoFile) -> float:
    """How long after a part the next one begins; 0 where the files do not tell.

    Cameras without a clock, and those that note when the whole film began, give all parts one time.
    """
    if one.begun is None or other.begun is None or one.begun == other.begun:
        return 0.0
    if (one.begun.tzinfo is None) is not (other.begun.tzinfo is None):
        return 0.0  # one is local time
    return (other.begun - one.begun).total_seconds() - one.duration_s


def film_of(paths: Sequence[Path]) -> VideoFile:
    """One film, from one file or several; raises ``SourceError``."""
    for at, path in enumerate(paths):
        if path.absolute() in [before.absolute() for before in paths[:at]]:
            raise SourceError(f"{shown(path)} is given twice; give each part of the game once")
    return VideoFile(paths[0]) if len(paths) == 1 else FilmParts(paths)
