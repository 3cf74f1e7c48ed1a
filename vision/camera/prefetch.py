"""Decode the frames of a recording ahead, in a thread."""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import Final

from vision.camera.frames import Frame, Frames

AHEAD: Final = 3
"""Frames that are kept ready; large ones take 12 MB each."""
OFTEN_S: Final = 0.2
"""How often the thread checks whether frames are still wanted."""


def ahead(frames: Frames, most: int = AHEAD) -> Frames:
    """The same frames in the same order, taken by a thread of its own."""
    ready: queue.Queue[Frame | Exception | None] = queue.Queue(most)
    unwanted = threading.Event()
    thread = threading.Thread(target=_fill, args=(ready, frames, unwanted), daemon=True)
    thread.start()
    try:
        while (frame := ready.get()) is not None:
            if isinstance(frame, Exception):
                raise frame
            yield frame
    finally:
        unwanted.set()
        thread.join()


def _fill(
    ready: queue.Queue[Frame | Exception | None], frames: Frames, unwanted: threading.Event
) -> None:
    def put(item: Frame | Exception | None) -> None:
        while not unwanted.is_set():
            with contextlib.suppress(queue.Full):
                ready.put(item, timeout=OFTEN_S)
                return

    try:
        with contextlib.closing(frames):
            for frame in frames:
                put(frame)
                if unwanted.is_set():
                    return
    except Exception as error:  # the consumer would wait forever for a frame
        put(error)
    else:
        put(None)
