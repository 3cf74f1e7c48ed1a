"""Measure the speed of reading one picture, and of the engine beside the ``mahjong`` package.

    score.py speed picture FILM_OR_PICTURE
    score.py speed engine [RECORD...]

Times of a picture are medians by the clock, with the goals for two cores of a 2024 laptop. Those of
the engine are processor time, in which other programs do not count.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import cv2
import numpy as np
from mahjong.shanten import Shanten

from engine import hands
from engine.codec import BadRecord, read_record
from engine.events import Deal, Entry, Event, GameStart, HandStart, Indicator, Position, Win
from engine.game import Game, replay
from engine.hands import HandForm
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.state import State
from engine.tiles import KINDS, Tile
from vision.arrays import Floats
from vision.camera.pictures import Picture, SourceError, read_picture
from vision.camera.video_file import VideoFile
from vision.detect import Detector
from vision.draw import resized
from vision.tiles.classes import Side
from vision.tiles.finder import TILE_PX, WINDOW_PX
from vision.tiles.rectify import rectify

WIDTH_PX: Final = 3840
TILES: Final = 64
REPEATS: Final = 11
PICTURES: Final = (".jpg", ".jpeg", ".png", ".webp")
HANDS: Final = 10_000
LISTS: Final = 30
SCORED: Final = 1_000
WILD: Final = 3
WITH_PAIRS: Final = frozenset({HandForm.SETS, HandForm.PAIRS})
_ALL: Final = tuple(map(Tile, KINDS))

Hand = tuple[Tile, ...]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("picture", "engine"))
    parser.add_argument("sources", type=Path, nargs="*", help="a film or picture; records")


def run(given: argparse.Namespace) -> None:
    if given.what == "picture" and len(given.sources) != 1:
        raise SystemExit("give one film or picture")
    try:
        lines = (
            reading(_whole(*given.sources)) if given.what == "picture" else engine(given.sources)
        )
        for line in lines:
            print(line, flush=True)
    except (OSError, SourceError, BadRecord) as error:
        raise SystemExit(str(error)) from None


# --- one picture ---


def reading(image: Picture) -> Iterator[str]:
    """Yield the times of the parts of reading a picture, and the memory that it takes."""
    detector = Detector.load()
    tiles = detector.read(image)  # the first time, nets set themselves up
    size = f"{image.shape[1]}x{image.shape[0]}"
    tile_px = float(np.median([tile.width_px for tile in tiles])) if tiles else TILE_PX
    small = resized(image, TILE_PX / tile_px)
    window: Picture = np.full((WINDOW_PX, WINDOW_PX, 3), 114, np.uint8)
    top, left = (max(0, (side - WINDOW_PX) // 2) for side in small.shape[:2])
    part = small[top : top + WINDOW_PX, left : left + WINDOW_PX]
    window[: part.shape[0], : part.shape[1]] = part
    faces = [tile.corners_px for tile in tiles if tile.side is Side.FACE] or [_anywhere(image)]
    crops = np.stack([rectify(image, faces[place % len(faces)]) for place in range(TILES)])
    tasks: tuple[tuple[str, Callable[[], object], int, int], ...] = (
        ("finder, a working crop", lambda: detector.finder.find(window, TILE_PX), REPEATS, 20),
        (f"{TILES} tiles named", lambda: detector.recogniser.read_crops(crops), REPEATS, 15),
        (f"a whole picture of {size} from scratch", lambda: detector.read(image), 3, 700),
    )
    for name, work, repeats, goal_ms in tasks:
        work()
        spent_s = median(_seconds(work, time.perf_counter) for _ in range(repeats))
        yield f"{name}: {1e3 * spent_s:.1f} ms, goal {goal_ms} ms"
    peak = peak_megabytes(image)
    used = "not told by this system" if peak is None else f"{peak:.0f} MB"
    yield f"memory, {size} read: {used}, goal 600 MB"


def _whole(path: Path) -> Picture:
    """The given picture, or one from the middle of a film, as wide as that of a 4K camera."""
    if path.suffix.lower() in PICTURES:
        return read_picture(path)
    source = VideoFile(path)
    middle = next(iter(source.frames()))
    for frame in source.frames(5.0):
        middle = frame
        if frame.time_s >= source.duration_s / 2:
            break
    return resized(middle.image_bgr, WIDTH_PX / source.width_px)


def peak_megabytes(image: Picture) -> float | None:
    """Peak memory of a new process that reads the picture, loading included.

    None where the system does not tell it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        cv2.imwrite(str(path), image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        command = [sys.executable, "-c", _READS, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("VmHWM:")]
    return int(peak[0]) / 1024 if peak else None


_READS: Final = """
import sys
from pathlib import Path
from vision.camera.pictures import read_picture
from vision.detect import Detector
Detector.load().read(read_picture(Path(sys.argv[1])))
status = Path("/proc/self/status")  # getrusage would count the process that started this one
print(status.read_text() if status.exists() else "")
"""


def _anywhere(image: Picture) -> Floats:
    """A place for a tile in a picture without any: reading it costs the same."""
    corners = [[0, 0], [TILE_PX, 0], [TILE_PX, TILE_PX], [0, TILE_PX]]
    return np.array(corners, np.float32) + np.float32(min(image.shape[:2]) / 2)


# --- the engine ---


def engine(records: Sequence[Path]) -> Iterator[str]:
    """Yield the times of random hands, ranked discards and replays; only the tables are cached."""
    random = Random(1)
    wall = [tile for tile in _ALL for _ in range(4)]
    dealt = [tuple(random.sample(wall, 13)) for _ in range(HANDS)]
    others = [tuple(random.sample(wall, 13 - WILD)) for _ in range(HANDS)]
    near = [_one_away(random) for _ in range(HANDS)]
    hands.waits(dealt[0])  # unpacks the tables
    # The package alone, without the conversion to its own form.
    counted = [[hand.count(tile) for tile in _ALL] for hand in dealt]
    package_s = _seconds(lambda: [Shanten.calculate_shanten(counts) for counts in counted])
    for name, lots in (("", dealt), (" that lack one tile", near)):
        yield _line(f"waits of {HANDS:,} hands{name}", _waits_s(lots), package_s)
    for name, lots in (("", others), (" that lack one tile", [hand[WILD:] for hand in near])):
        spent_s = _waits_s(lots, WILD, WITH_PAIRS)
        yield _line(f"  {WILD} tiles wild, seven pairs too{name}", spent_s, package_s)
    spent_s = _seconds(lambda: [hands.distance(hand) for hand in dealt])
    yield _line(f"distance of {HANDS:,} hands", spent_s, package_s)
    for rules in RULE_SETS:
        games = [replay(map(Entry, _first_turn(rules, random))) for _ in range(LISTS)]
        spent_s = median(_seconds(partial(game.hint, 0)) for game in games)
        # Every discard, and every draw after it.
        yield _line(f"ranked discards, {rules}", spent_s, 14 * (1 + len(_ALL)) * package_s / HANDS)
    whole = [(*hand, *hands.waits(hand)[:1]) for hand in near[:SCORED]]
    logged = next(name for name, rules in RULE_SETS.items() if rules.page.exports)
    spent_s = _seconds(partial(_scored, logged, whole)) / SCORED
    yield f"a hand set up and scored, {logged}: {1e3 * spent_s:.2f} ms, {1 / spent_s:.0f} a second"
    for path in records:
        entries = read_record(path.read_text("utf-8"))
        spent_s = _seconds(partial(_replayed, entries))
        begun = sum(isinstance(entry.event, HandStart) for entry in entries)
        yield f"{path.name}: {1e3 * spent_s / max(begun, 1):.1f} ms to replay a hand, in the mean"
        # Four hands after each event.
        name = f"{path.name}: {len(entries)} events replayed"
        yield _line(name, spent_s, 4 * len(entries) * package_s / HANDS)
        tries = list(_tries(replay(entries)))
        spent_s = _seconds(partial(_tried, tries))
        yield f"{path.name}: {1e6 * spent_s / len(tries):.0f} us to try an event, in the mean"


def _waits_s(lots: Sequence[Hand], *how: Any) -> float:
    return _seconds(lambda: [hands.waits(hand, *how) for hand in lots])


def _scored(rules: str, lots: Sequence[Hand]) -> None:
    """Set up the situation of a win, and win, with each of these hands."""
    for hand in lots:
        game = Game()
        for event in (GameStart(rules), HandStart(), Position(turn=1, ready=(1,), wall_left=60)):
            game.submit(event)
        game.submit(Win(1, 1, hand[-1], hand[:-1]))


def _replayed(entries: Sequence[Entry]) -> None:
    replay(entries).announcements()


def _tried(tries: Sequence[tuple[RuleSet, State, Entry, int]]) -> None:
    for rules, state, entry, number in tries:
        rules.attempt(state, entry, number)


def _tries(game: Game) -> Iterator[tuple[RuleSet, State, Entry, int]]:
    """Every event of a game with the rules and the state that it came to."""
    before = State()
    for played in game.played:
        if played.rules is not None and not isinstance(played.event.entry.event, GameStart):
            yield played.rules, before, played.event.entry, played.event.number
        before = played.state


def _line(name: str, spent_s: float, package_s: float) -> str:
    times = package_s / spent_s
    return f"{name}: {1e3 * spent_s:.1f} ms, {times:.1f} times as fast as shanten of the package"


def _first_turn(rules: str, random: Random) -> Iterator[Event]:
    wall = [tile for tile, copies in RULE_SETS[rules].wall.items() for _ in range(copies)]
    random.shuffle(wall)
    yield from (GameStart(rules), HandStart(), Deal(0, tuple(wall[:14])))
    layout = RULE_SETS[rules].layout
    if layout.indicator_stack_out:
        yield Indicator(wall[14], layout.indicator_kinds[0])


def _one_away(random: Random) -> Hand:
    """Sets and a pair, without one tile."""
    while True:
        tiles = [random.choice(_ALL)] * 2
        for _ in range(4):
            low = random.choice(_ALL)
            chow = low.suit != "z" and low.rank <= 7 and random.random() < 0.7
            tiles += [Tile(f"{low.rank + step}{low.suit}") if chow else low for step in range(3)]
        if max(map(tiles.count, tiles)) <= 4:
            random.shuffle(tiles)
            return tuple(tiles[1:])


def _seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    begun_s = clock()
    work()
    return clock() - begun_s
