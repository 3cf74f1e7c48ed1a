"""A separate process that decodes untrusted videos and pictures, so that a crash stays there.

``python -m vision.camera.decoder_process video FILE FORMAT STEP_S`` writes the frames of a video to
standard output. ``... pictures`` reads JPEG files from standard input and writes a picture for
each.
"""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path
from typing import BinaryIO, Final, get_args

import cv2
import numpy as np

from vision.camera.frames import Frame, GapReason
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile

if sys.platform != "win32":
    import resource

FRAME, REFUSED = 1, 2
"""What follows a header: pixels, or one line of text that says what is wrong."""
HEAD: Final = struct.Struct("<BdQIIQ?Bd")
"""Kind of content, time in seconds, index, height, width, size in bytes, whether the frame is
whole, what is missing before it (0: nothing, else a place in ``GAPS`` from 1 on) and since when."""
GAPS: Final = get_args(GapReason)
SIZE: Final = struct.Struct("<Q")
MOST_BYTES: Final = 3 * 1024**3
"""Memory limit of this process: frames of 36 million pixels and what their codecs keep."""
MOST_FILES: Final = 64


def limit() -> None:
    """Limit memory and files, and forbid core dumps."""
    if sys.platform != "win32":
        limits = (
            (resource.RLIMIT_DATA, MOST_BYTES),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_NOFILE, MOST_FILES),
            (resource.RLIMIT_CORE, 0),
        )
        for what, most in limits:
            _, before = resource.getrlimit(what)
            own = most if before == resource.RLIM_INFINITY else min(most, before)
            resource.setrlimit(what, (own, own))


def video(path: Path, form: str, step_s: float, out: BinaryIO) -> None:
    """Write every frame, then the reason if the video ends early."""
    try:
        source = VideoFile(path, form)
        if source.cut_off:
            raise SourceError(source.cut_off)
        for frame in source.frames(step_s):
            _write(out, frame)
    except (SourceError, MemoryError) as error:
        _refuse(out, str(error) or "too much memory is needed")


def pictures(given: BinaryIO, out: BinaryIO) -> None:
    """Answer each file with a picture or an error, until standard input ends."""
    index = 0
    while head := given.read(SIZE.size):
        data = given.read(*SIZE.unpack(head))
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
        if image is None:
            _refuse(out, "this is no picture")
        else:
            _write(out, Frame(np.asarray(image, np.uint8), 0.0, index))
        out.flush()
        index += 1


def _write(out: BinaryIO, frame: Frame) -> None:
    image = np.ascontiguousarray(frame.image_bgr)
    height, width = image.shape[:2]
    missing = (0, 0.0)
    if frame.gap is not None:
        missing = GAPS.index(frame.gap.why) + 1, frame.gap.since_s
    size = (height, width, image.nbytes)
    out.write(HEAD.pack(FRAME, frame.time_s, frame.index, *size, frame.whole, *missing))
    out.write(image.data)


def _refuse(out: BinaryIO, why: str) -> None:
    told = why.encode(errors="replace")
    out.write(HEAD.pack(REFUSED, 0.0, 0, 0, 0, len(told), True, 0, 0.0))
    out.write(told)


def main() -> None:
    limit()
    # Output of libraries must not get between the frames.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with out:
        match sys.argv[1:]:
            case ["video", path, form, step_s]:
                video(Path(path), form, float(step_s), out)
            case ["pictures"]:
                pictures(sys.stdin.buffer, out)


if __name__ == "__main__":
    main()
