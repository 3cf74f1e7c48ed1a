"""Count what the watch for edits passes over in films that nobody edited.

score.py cuts samples/harbin.mp4 samples/open-hands.mp4 --pieces 200

Every piece of a film is spoilt by a camera with another trouble of any strength, as
``datasets/simulate.py --trouble`` would have filmed it. All that is passed over is a false cut.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Final

from studio.camera.troubles import KINDS, STRENGTHS, TroubledCamera, trouble_of
from vision.attention.schedule import RECORDED
from vision.camera.frames import Frame
from vision.camera.video_file import VideoFile
from vision.shots.watch import SceneKind, ShotWatch
from vision.table.calibrate import NoTable, find_table
from vision.table.swing import SwingWatch

PIECE_S: Final = 10.0
NAMES: Final = tuple(f"{kind}:{strength}" for strength in STRENGTHS for kind in KINDS)


@dataclass(frozen=True)
class Piece:
    """What the watch made of a piece of a film."""

    film: str
    from_s: float
    trouble: str
    shown: Counter[SceneKind]
    """How many frames showed what."""

    @property
    def kept(self) -> bool:
        return set(self.shown) == {"table"}


def watched(frames: Iterable[Frame]) -> Counter[SceneKind]:
    """What each frame is taken for, from the first in which a table is found."""
    watch, swing, shown = ShotWatch(), None, Counter[SceneKind]()
    for frame in frames:
        if swing is None:
            try:
                swing = SwingWatch(find_table(frame.image_bgr), frame)
            except NoTable:
                continue
        held = swing.held(frame, unrest=1.0)
        shown[watch.update(held, swing.view)] += 1
    return shown


def spoilt_piece(frames: Sequence[Frame], trouble: str, seed: int) -> Iterator[Frame]:
    """The frames as a poor camera sends them; a knock or a lamp comes in their middle."""
    middle_s = (frames[-1].time_s - frames[0].time_s) / 2
    camera = TroubledCamera(replace(trouble_of(trouble), at_s=middle_s), seed)
    for frame in frames:
        sent = camera.send(frame.time_s, frame.image_bgr)
        if sent is not None:
            yield replace(frame, pixels=sent)


def pieces(films: Sequence[Path], count: int, seed: int = 0) -> Iterator[Piece]:
    """One piece after the other; every kind in a strength comes once before any comes again."""
    rng = random.Random(seed)
    troubles: list[str] = []
    number = 0
    for path in cycle(films):
        frames: list[Frame] = []
        first_s = rng.uniform(0.0, PIECE_S)
        for frame in VideoFile(path).frames(RECORDED.step_s):
            if frame.time_s < first_s:
                continue
            if frames and frame.time_s - frames[0].time_s >= PIECE_S:
                troubles = troubles or rng.sample(NAMES, len(NAMES))
                trouble = troubles.pop()
                shown = watched(spoilt_piece(frames, trouble, number))
                yield Piece(path.name, frames[0].time_s, trouble, shown)
                frames, number = [], number + 1
                if number >= count:
                    return
            frames.append(frame)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("films", type=Path, nargs="+", help="films that nobody edited")
    parser.add_argument("--pieces", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)


def run(given: argparse.Namespace) -> None:
    wrong = 0
    for piece in pieces(given.films, given.pieces, given.seed):
        if not piece.kept:
            wrong += 1
            found = ", ".join(f"{count} {kind}" for kind, count in sorted(piece.shown.items()))
            print(f"{piece.film} from {piece.from_s:.1f} s, {piece.trouble}: {found}", flush=True)
    print(f"{wrong} of {given.pieces} pieces were not wholly taken for the table")
