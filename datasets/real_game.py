"""Turn the film of a real game and its truth into an entry of the benchmark.

    python datasets/real_game.py game.mp4 --table table.toml --record first.jsonl \\
        --second second.jsonl --number 1 --about about.toml --out real/1
    python models/score.py benchmark --real real/1 real/2 --out runs/benchmark

``--record`` and ``--second`` are records of the same game that two people wrote down on their own.
Where they differ nothing is made, and the differences are listed. What is farther than ``--rim``
from the table is blurred beyond recognition in every frame, and so are the ``--cover`` rectangles:
heads over the table, a phone, a letter. The sound is left out, and so are the names of players and
of those who ruled. docs/film-a-game.md tells how such a game is filmed and written down.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.announce import Problem
from engine.codec import BadRecord, event_to_json, read_record, write_record
from engine.events import Correct, Entry, Event, GameStart
from engine.game import replay
from engine.log import in_force
from studio.files import complete, video
from studio.play.truth import seen_entries
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, SourceError
from vision.camera.video_file import VideoFile
from vision.compare import compare
from vision.table.view import TableView

RIM_MM: Final = 100.0
"""Hands and standing tiles reach this far over the edge of the field."""
ABOUT: Final = ("date", "place", "camera", "tiles", "permission", "licence")
"""What ``about.toml`` tells; ``permission`` says who agreed, and how."""
BLURRED_TO: Final = 24
"""Width in pixels of the picture that a blurred part is made of: a head is one or two of them."""
CRF: Final = 20


class RefusedGameError(ValueError):
    """The game cannot become an entry; the message has a line for each reason."""


@dataclass(frozen=True)
class Cover:
    """A rectangle that is blurred for a while."""

    from_s: float
    until_s: float
    box_px: tuple[int, int, int, int]
    """Left, top, right, bottom."""

    @classmethod
    def read(cls, text: str) -> Cover:
        """From ``FROM,UNTIL,LEFT,TOP,RIGHT,BOTTOM``; raises ``ValueError``."""
        from_s, until_s, left, top, right, bottom = map(float, text.split(","))
        if from_s >= until_s or left >= right or top >= bottom:
            raise ValueError(text)
        return cls(from_s, until_s, (int(left), int(top), int(right), int(bottom)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("film", type=Path)
    parser.add_argument("--table", type=Path, required=True, help="of tilesight check --save")
    parser.add_argument("--record", type=Path, required=True, help="what happened")
    parser.add_argument("--second", type=Path, required=True, help="the same by somebody else")
    parser.add_argument("--number", type=int, required=True, help="of this game among real ones")
    parser.add_argument("--about", type=Path, required=True, help=f"TOML: {', '.join(ABOUT)}")
    parser.add_argument("--out", type=Path, required=True, help="a folder, created if missing")
    parser.add_argument("--rim", type=float, default=RIM_MM, help="mm around the table kept sharp")
    parser.add_argument(
        "--cover", type=Cover.read, action="append", default=[],
        help="FROM,UNTIL,LEFT,TOP,RIGHT,BOTTOM in seconds and pixels; repeatable",
    )  # fmt: skip
    given = parser.parse_args(arguments)
    try:
        about = read_about(given.about)
        truth = agreed(read_truth(given.record), read_truth(given.second))
        view = TableView.load(given.table)
        film = VideoFile(given.film)
    except (RefusedGameError, SourceError) as error:
        print(error, file=sys.stderr)
        return 2
    given.out.mkdir(parents=True, exist_ok=True)
    blur_film(film, view, given.rim, given.cover, given.out / "video.mp4")
    start = truth[0].event
    assert isinstance(start, GameStart)
    seen = seen_entries(truth, (), start.rules)
    for name, entries in (("record", truth), ("seen", seen)):
        with complete(given.out / f"{name}.jsonl") as part:
            part.write_text(write_record(entries), encoding="utf-8")
    shutil.copyfile(given.table, given.out / "table.toml")
    digest = hashlib.sha256((given.out / "video.mp4").read_bytes()).hexdigest()
    told = about | {"number": given.number, "rules": start.rules, "video_sha256": digest}
    with complete(given.out / "meta.json") as part:
        part.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{given.out}: {len(truth)} events, {film.duration_s:.0f} s. Watch video.mp4 to its end")
    return 0


def read_about(path: Path) -> dict[str, str]:
    """Return what is known of the game; raises ``RefusedGameError`` where a field is missing."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RefusedGameError(f"{path} cannot be read: {error}") from error
    missing = [name for name in ABOUT if not str(told.get(name, "")).strip()]
    if missing:
        raise RefusedGameError(f"{path} does not tell {', '.join(missing)}")
    return {name: str(told[name]) for name in ABOUT}


def read_truth(path: Path) -> list[Entry]:
    """Return the events that stand, without names; raises ``RefusedGameError``."""
    try:
        lines = read_record(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, BadRecord) as error:
        raise RefusedGameError(f"{path} cannot be read: {error}") from error
    entries = [
        Entry(_nameless(event.entry.event), t=event.entry.t)
        for event in in_force(lines)
        if not isinstance(event.entry.event, Correct)
    ]
    if not entries or not isinstance(entries[0].event, GameStart):
        raise RefusedGameError(f"{path} does not begin with game_start")
    impossible = [
        f"{path}: event {problem.of} is impossible: {problem.code}"
        for problem in replay(entries).announcements()
        if isinstance(problem, Problem) and problem.impossible
    ]
    if impossible:
        raise RefusedGameError("\n".join(impossible))
    return entries


def _nameless(event: Event) -> Event:
    return replace(event, players=None) if isinstance(event, GameStart) else event


def agreed(first: list[Entry], second: list[Entry]) -> list[Entry]:
    """Return the first of two records that tell the same; raises ``RefusedGameError``."""
    beside = compare(first, second)
    lines = [
        f"only {which} record has {json.dumps(event_to_json(event), ensure_ascii=False)}"
        for which, events in (("the first", beside.missing), ("the second", beside.extra))
        for event in events
    ]
    lines += [
        f"hand {hand.number + 1} paid {hand.true} by the first record, {hand.read} by the second"
        for hand in beside.hands
        if not hand.right
    ]
    if lines:
        raise RefusedGameError("\n".join([*lines, "look at the film there, and put both right"]))
    return first


def blur_film(
    film: VideoFile, view: TableView, rim_mm: float, covers: Sequence[Cover], out: Path
) -> None:
    """Write the film with everything blurred but the table, at an even rate, without sound."""
    size_px = film.width_px // 2 * 2, film.height_px // 2 * 2
    sharp = table_mask(view, size_px, rim_mm)
    with video(out, size_px, film.fps, CRF) as write:
        for frame in evenly(film.frames(), film.fps):
            image = np.asarray(frame.image_bgr[: size_px[1], : size_px[0]], np.uint8)
            write(
                blurred(image, sharp, [c for c in covers if c.from_s <= frame.time_s < c.until_s])
            )


def evenly(frames: Iterable[Frame], fps: float) -> Iterator[Frame]:
    """Yield the frame that shows at each tick of an even rate: phones film unevenly."""
    tick, last = 0, None
    for frame in frames:
        while last is not None and tick / fps < frame.time_s - 0.5 / fps:
            yield replace(last, time_s=tick / fps)
            tick += 1
        last = frame
    if last is not None:
        yield replace(last, time_s=tick / fps)


def table_mask(view: TableView, size_px: tuple[int, int], rim_mm: float) -> NDArray[np.bool_]:
    """Return (height, width): whether a pixel shows the table or its rim."""
    (wide, high), (width, height) = view.size_mm, size_px
    field = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    corners = np.array(view.corners_px, np.float32) * np.divide(size_px, view.picture_px)
    to_px = cv2.getPerspectiveTransform(field, corners.astype(np.float32))
    grown = field + rim_mm * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    there = cv2.perspectiveTransform(grown[None], to_px)[0]
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(there).astype(np.int32), 1)
    return mask.astype(bool)


def blurred(image: Picture, sharp: NDArray[np.bool_], covers: Sequence[Cover]) -> Picture:
    """Return the picture with all but ``sharp`` made of a few large patches of colour."""
    height, width = image.shape[:2]
    few = max(2, round(BLURRED_TO * height / width))
    small = cv2.resize(image, (BLURRED_TO, few), interpolation=cv2.INTER_AREA)
    coarse = np.asarray(cv2.resize(small, (width, height)), np.uint8)
    kept = sharp.copy()
    for cover in covers:
        left, top, right, bottom = cover.box_px
        kept[max(0, top) : bottom, max(0, left) : right] = False
    return np.where(kept[..., None], image, coarse)


if __name__ == "__main__":
    sys.exit(main())
