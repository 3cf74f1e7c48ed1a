"""``tilesight enroll`` of a folder of ``--keep-tiles``: learns what people or rules confirmed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import typer

from service.commands.enroll_play import earlier_profile
from service.dataset.sources import DatasetTile, kept_pictures
from service.jpeg import decoded
from service.table.tile_keeper import LIST
from service.words.catalogue import terminal_words
from vision.arrays import Bytes
from vision.errors import ProfileError
from vision.tile_set.profile import Profile, patch_of
from vision.tiles.classes import FACE_INDEX

MOST_OF_A_FACE: Final = 12
"""Most pictures of one face; those that people vouch for come first, then the latest."""


def is_kept(source: str) -> bool:
    return (Path(source) / LIST).is_file()


def run(folders: Sequence[Path], out: Path, extend: bool) -> int:
    """Write the profile; raises ``ProfileError`` and ``Refused``, then it is as it was."""
    earlier = earlier_profile(out, extend)
    patches, faces = _confirmed(folders)
    count = len(faces)
    if not count:
        raise ProfileError(
            f"nobody confirmed a face in {', '.join(map(str, folders))}: answer questions or "
            "correct the record while tiles are kept"
        )
    if earlier is not None:
        patches = [*earlier.patches_bgr, *patches]
        faces = [*earlier.faces, *faces]
    Profile(np.stack(patches), np.array(faces, np.int64)).save(out)
    words = terminal_words()
    typer.echo(words["cli.enroll.kept"].format(out=out, count=count))
    typer.echo(words["cli.enroll.done"].format(out=out))
    return 0


def _confirmed(folders: Sequence[Path]) -> tuple[list[Bytes], list[int]]:
    found: dict[int, list[tuple[bool, Bytes]]] = {}
    for folder in folders:
        for _, data, tiles in kept_pictures(folder):
            image = decoded(data)
            for tile in _vouched(tiles):
                by_person, patch = tile.origin == "person", patch_of(image, tile.corners_px)
                found.setdefault(FACE_INDEX[tile.name], []).append((by_person, patch))
    patches: list[Bytes] = []
    faces: list[int] = []
    for face, seen in sorted(found.items()):
        # Sorting keeps the order of time among those that are vouched for alike.
        best = sorted(seen, key=lambda one: one[0])[-MOST_OF_A_FACE:]
        patches += [patch for _, patch in best]
        faces += [face] * len(best)
    return patches, faces


def _vouched(tiles: Sequence[DatasetTile]) -> Iterator[DatasetTile]:
    """The faces that somebody knows, if their outline is higher than wide."""
    for tile in tiles:
        if tile.origin in ("person", "rules") and tile.name in FACE_INDEX:
            width, height = (
                np.linalg.norm(tile.corners_px[end] - tile.corners_px[0]) for end in (1, 3)
            )
            if width < height:
                yield tile
