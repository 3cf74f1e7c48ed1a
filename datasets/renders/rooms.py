"""Pictures of whole rooms: a table in play among chairs, people and other tables.

    render.py rooms --count 200 --seed 5200 --held-out 0.25 --out build/rooms

A picture also has ``tile_px`` (the width of a tile in the
middle) and ``scales`` (the sizes of other sets in it, relative to the first). Picture N has
the seed SEED * 1000003 + N; an interrupted run continues where it stopped. Seeds 5100 to 5199 are
for experiments, 5200 to 5299 for measuring (never used for training or for any choice), and 5300 to
5399 for training.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from renders.labelled import (
    FaceSource,
    add_sources,
    label_line,
    rendered,
    save,
    size_px,
    sources,
)

from engine.rules import BUILT_IN
from studio.camera.sensor import expose
from studio.camera.viewpoint import tile_width_px
from studio.faces import HELD_OUT
from studio.film.cameras import look_of
from studio.film.game_film import Settings, plan
from studio.materials.appearance import TableLook, random_look
from studio.materials.floors import random_floor
from studio.materials.swatches import Swatches
from studio.random_table.arrangements import random_scene
from studio.random_table.room import REACH_MM, RoomContents, furnished, room_camera
from studio.render.renderer import Faces
from studio.scene import Prop, TableScene

SIZES_PX = {
    (1920, 1080): 0.6, (1280, 720): 0.2, (1080, 1920): 0.12, (1440, 1920): 0.04,
    (3840, 2160): 0.04,
}  # fmt: skip
IN_PLAY = 0.75  # share of the tables on which a game is played; the others hold random arrangements
SETS_TWICE = 2  # pictures that share one set of faces: drawing a set costs as much as a picture


@dataclass(frozen=True)
class Shares:
    """Shares of the pictures that show something special."""

    held_out: float = 0.0
    two_sizes: float = 0.0
    empty: float = 0.0


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", type=int, required=True, help="pictures")
    parser.add_argument("--size", type=size_px, help="such as 1920x1080; default: a mix")
    parser.add_argument("--held-out", type=_share, default=0.0, help=f"share with {HELD_OUT} faces")
    parser.add_argument("--two-sizes", type=_share, default=0.08, help="share with two sets")
    parser.add_argument("--empty", type=_share, default=0.0, help="share without any tile")
    parser.add_argument("--samples", type=int, default=4, help="per pixel; 0 is twice as fast")
    add_sources(parser)


def run(given: argparse.Namespace) -> None:
    source, swatches = sources(given)
    shares = Shares(given.held_out, given.two_sizes, given.empty)
    work = Work(given.seed, given.size, source, swatches, shares, given.samples)
    make(given.out, given.count, work)


def _share(text: str) -> float:
    if not 0 <= (share := float(text)) <= 1:
        raise argparse.ArgumentTypeError(f"expected a share from 0 to 1, got {text}")
    return share


@dataclass(frozen=True)
class Work:
    """Everything that the pictures are made from."""

    seed: int
    size_px: tuple[int, int] | None
    source: FaceSource
    swatches: Swatches | None
    shares: Shares
    samples: int


def make(out: Path, count: int, work: Work) -> None:
    """Write the pictures and, line by line, their labels; continue an interrupted run."""
    labels, sets = out / "labels.jsonl", dict[bool, tuple[str, Faces]]()
    done = labels.read_text().splitlines(keepends=True) if labels.exists() else []
    first = len(done) // SETS_TWICE * SETS_TWICE
    labels.write_text("".join(done[:first]))
    with labels.open("a") as lines:
        for number in range(first, count):
            seed = work.seed * 1_000_003 + number
            rng = np.random.default_rng(seed)
            held = bool(rng.random() < work.shares.held_out)
            if number % SETS_TWICE == 0:
                sets.clear()
            if held not in sets:
                ours = work.source
                only = replace(ours, given_share=0.0, families=(HELD_OUT,)) if held else ours
                sets[held] = only.draw(rng)[:2]
            name, faces = sets[held]
            head: dict[str, object] = {"file": f"{number:05d}.jpg", "seed": seed, "faces": name}
            picture, line = _picture(rng, work, faces, head)
            save(out / f"{number:05d}.jpg", picture)
            lines.write(line)
            lines.flush()


def _any_size(rng: np.random.Generator) -> tuple[int, int]:
    return list(SIZES_PX)[int(rng.choice(len(SIZES_PX), p=list(SIZES_PX.values())))]


def _picture(
    rng: np.random.Generator, work: Work, faces: Faces, head: dict[str, object]
) -> tuple[NDArray[np.uint8], str]:
    shares, size = work.shares, work.size_px or _any_size(rng)
    wants = RoomContents(bool(rng.random() < shares.two_sizes), bool(rng.random() < shares.empty))
    look, scene = _table(rng, sorted(faces), work.swatches)
    camera = room_camera(rng, look, *size)
    scene = furnished(rng, scene, look, camera, sorted(faces), wants)
    shot = rendered(look, camera, faces, scene, work.samples, REACH_MM)
    tile_px = tile_width_px(camera, look)
    scales = sorted({round(tile.scale, 2) for tile in scene.tiles if tile.scale != 1.0})
    line = label_line(head, size, shot.labels, tile_px=round(tile_px, 1), scales=scales)
    return expose(shot.image_bgr, rng, tile_px), line


def _table(
    rng: np.random.Generator, codes: Sequence[str], swatches: Swatches | None
) -> tuple[TableLook, TableScene]:
    """Draw a table and what lies on it: a game at some moment, or anything."""
    if rng.random() < IN_PLAY:
        rules = sorted(rule_set.id for rule_set in BUILT_IN)[int(rng.integers(len(BUILT_IN)))]
        planned = plan(Settings(rules, int(rng.integers(1 << 31)), Path()))
        dice = random.Random(int(rng.integers(1 << 31)))
        scene = planned.scene_at(dice.uniform(0, planned.director.now))
        look = look_of(planned.place.table, planned.place.camera, rng)
    else:
        look = random_look(rng, swatches)
        scene = random_scene(rng, look, codes)
    if look.console_mm and rng.random() < 0.65:  # a console with displays and dice
        red, green, blue = look.console
        size = look.console_mm / 190.0
        middle = Prop(
            "console", 0, 0, 0, (blue, green, red), (size, size, 1.0), int(rng.integers(1 << 31))
        )
        look, scene = replace(look, console_mm=0.0), replace(scene, props=(*scene.props, middle))
    floor, sheet = random_floor(rng)
    look = replace(look, floor=floor, sheets=(*look.sheets[:2], sheet))
    return look, replace(scene, sight=TableScene().sight)
