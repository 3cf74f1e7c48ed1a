"""Measure how well a seat's camera reads its standing hand, and how many doubts it settles.

score.py seats build/game7 build/game8
score.py seats --games harbin-hlr:7101 riichi:7102 --errors hard
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
from games.seats import ERRORS, NONE, read_both
from games.simulated_detector import Labels, label_frames
from numpy.typing import NDArray

from vision.camera.video_file import VideoFile
from vision.detect import Detector
from vision.seat_camera.row_reader import RowReader, StandingRow, drawn
from vision.seat_camera.standing_hand import HandWatch
from vision.tiles.classes import FACES

LOOK_S = 0.4
NEAR = 0.5  # distance, in tile widths, within which a detection belongs to a true tile
VISIBLE = 0.7
SURE = 0.9
STILL_PX = 2.0


@dataclass
class HandTally:
    """Counts of looks at still hands, and of hands at rest."""

    tiles: int = 0
    found: int = 0
    right: int = 0
    wrong_sure: int = 0
    phantoms: int = 0
    looks: int = 0
    hands: int = 0
    hands_right: int = 0
    stood_tiles: int = 0
    stood_right: int = 0

    def add(self, other: HandTally) -> None:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def __str__(self) -> str:
        return (
            f"{self.looks} looks, {self.tiles} tiles: {self.found / max(1, self.tiles):.1%} found, "
            f"{self.right / max(1, self.found):.1%} of them named right, {self.wrong_sure} wrong "
            f"and sure, {self.phantoms} that are none; {self.hands} hands that stood: "
            f"{self.hands_right} wholly right, "
            f"{self.stood_right / max(1, self.stood_tiles):.2%} of {self.stood_tiles} tiles"
        )


def measure(film: Path, labels: Path, detector: Detector, shown: Path | None) -> HandTally:
    """Read one seat's film and compare every look at a still hand with the truth."""
    tally, reader, hands = HandTally(), RowReader(detector), HandWatch()
    truth = list(label_frames(labels))
    times = np.array([time_s for time_s, _ in truth])
    spent_s = 0.0
    for frame in VideoFile(film).frames(LOOK_S):
        begun_s = time.process_time()
        row = reader.read(frame.image_bgr)
        hands.look(frame.time_s, row)
        spent_s += time.process_time() - begun_s
        at = int(np.abs(times - frame.time_s).argmin())
        if _still(truth[max(0, at - 1)][1], truth[at][1]):
            missed = _compare(row, truth[at][1], tally)
            if shown is not None and missed and row is not None:
                names = [_name(shares) for shares in row.probabilities]
                path = shown / f"{film.stem}-{frame.index}.jpg"
                cv2.imwrite(str(path), drawn(frame.image_bgr, row, names))
    for stood in hands.stood:
        middle_s = (stood.from_s + stood.to_s) / 2
        true = truth[int(np.abs(times - middle_s).argmin())][1]
        held = Counter(tile["tile"] for tile in true)
        if not held:
            continue
        read = Counter(map(str, stood.tiles))
        tally.hands += 1
        tally.hands_right += held == read
        tally.stood_tiles += held.total()
        tally.stood_right += (held & read).total()
    print(f"{film}: {spent_s / max(1, len(truth)):.2f} CPU s a frame", flush=True)
    return tally


def _compare(row: StandingRow | None, true: Labels, tally: HandTally) -> bool:
    """Count one look; return whether anything was wrong."""
    seen = [tile for tile in true if tile["visible"] >= VISIBLE]
    if not seen:
        return False
    before = (tally.tiles - tally.right, tally.phantoms)
    tally.looks += 1
    tally.tiles += len(seen)
    if row is None:
        return True
    middles = row.corners_px.mean(axis=1)
    every = np.array([np.mean(tile["corners"], axis=0) for tile in true])
    for tile in seen:
        corners = np.array(tile["corners"], float)
        wide = float(np.linalg.norm(corners[1] - corners[0]))
        far = np.linalg.norm(middles - corners.mean(axis=0), axis=1)
        if far.min() < NEAR * wide:
            faces = row.probabilities[int(far.argmin())]
            right = FACES[int(faces.argmax())] == tile["tile"]
            tally.found += 1
            tally.right += right
            tally.wrong_sure += not right and bool(faces.max() > SURE)
    wide = float(np.linalg.norm(row.corners_px[:, 1] - row.corners_px[:, 0], axis=1).mean())
    away = np.linalg.norm(middles[:, None] - every[None], axis=2).min(axis=1)
    tally.phantoms += int((away > NEAR * wide).sum())
    return (tally.tiles - tally.right, tally.phantoms) != before


def _games(names: Sequence[str], errors: str, shift_s: float | None) -> None:
    """Read games from labels without and with four cameras, and print both results."""
    before, after = NONE, NONE
    for name in names:
        rules, _, seed = name.partition(":")
        without, having = read_both(rules, int(seed), errors, (0, 1, 2, 3), shift_s)
        print(f"{name}\n  without: {without}\n  with:    {having}, clocks {having.shifts}")
        sys.stdout.flush()
        before, after = before.plus(without), after.plus(having)
    print(f"all\n  without: {before}\n  with:    {after}")


def _still(one: Labels, other: Labels) -> bool:
    if [tile["id"] for tile in one] != [tile["id"] for tile in other]:
        return False
    moved: NDArray[np.float64] = np.array(
        [np.subtract(a["corners"], b["corners"]) for a, b in zip(one, other, strict=True)]
    )
    return not len(moved) or float(np.abs(moved).max()) < STILL_PX


def _name(shares: NDArray[np.float64]) -> str:
    return FACES[int(shares.argmax())] + ("" if shares.max() > SURE else "?")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("films", nargs="*", type=Path, help="folders of datasets/simulate.py")
    parser.add_argument("--games", nargs="*", default=[], help="RULES:SEED, read from labels")
    parser.add_argument("--errors", choices=sorted(ERRORS), default="hard")
    parser.add_argument("--find-shift", action="store_true", help="the clocks are 4.3 s apart")
    parser.add_argument("--shown", type=Path, help="a folder for pictures of the errors")


def run(given: argparse.Namespace) -> None:
    if given.games:
        _games(given.games, given.errors, None if given.find_shift else 0.0)
    if not given.films:
        return
    detector, total = Detector.load(), HandTally()
    if given.shown is not None:
        given.shown.mkdir(parents=True, exist_ok=True)
    for folder in given.films:
        for film in sorted(folder.glob("seat-?.mp4")):
            tally = measure(film, film.with_suffix(".jsonl"), detector, given.shown)
            print(f"{folder.name} {film.stem}: {tally}", flush=True)
            total.add(tally)
    print(f"all: {total}")
