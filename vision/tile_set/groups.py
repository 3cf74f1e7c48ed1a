"""Cluster the tiles of a game into groups that show the same face.

Tiles are similar if their pictures are, and different if the recogniser surely names them
differently. A group never exceeds the copies of a kind that can lie on the table together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.tiles import COPIES
from vision.arrays import Bytes, Doubles, Floats, Ints
from vision.tile_set.gather import Gathered
from vision.tile_set.profile import upright_crop
from vision.tracking.track import FLOOR, MOST_EVIDENCE

ALIKE: Final = 0.55
"""Similarity at which two tiles are as likely of one kind as of two.

Measured on a film of a drawn set: of pairs of different kinds 99 % are below 0.44 and none is above
0.63; of pairs of one kind half are above 0.88 and 90 % above 0.54.
"""
STEEP: Final = 12.0
"""Log-likelihood per unit of similarity."""
LEAST_AGREEMENT: Final = 0.02
"""Least agreement, so that similar pictures may outweigh different names."""
MOST_PATCHES: Final = 6
"""Most pictures of a group."""
_FLOOR: Final = FLOOR**MOST_EVIDENCE


@dataclass(frozen=True, eq=False)
class TileGroups:
    """Groups of tiles with one face, the largest first."""

    patches_bgr: Bytes
    """(n, 96, 72, 3) as a profile keeps them."""
    group: Ints
    """(n,) the group of each picture; a group's most typical pictures first."""
    log_faces: Floats
    """(g, 38) mean log-probability per look."""
    sizes: Ints
    """(g,) tiles in each group; a tile that moved counts again."""
    together: Ints
    """(m, g) tiles of each group on the table at each moment."""

    def __len__(self) -> int:
        return len(self.sizes)


def grouped(gathered: Gathered, embed: Callable[[Bytes], Floats]) -> TileGroups:
    """Cluster tiles that look alike; ``embed`` maps crops (k, 64, 48, 3) to unit vectors."""
    tiles = gathered.tiles
    owner = np.repeat(np.arange(len(tiles)), [len(tile.patches_bgr) for tile in tiles])
    patches = np.concatenate([tile.patches_bgr for tile in tiles])
    upright = embed(np.stack([upright_crop(patch) for patch in patches]))
    turned = embed(np.stack([upright_crop(patch, turn=2) for patch in patches]))
    middles, around = (_means(seen, owner, len(tiles)) for seen in (upright, turned))
    # Orientation may be misread, and some faces have none.
    similar = np.maximum(middles @ middles.T, middles @ around.T)
    similar = np.maximum(similar, similar.T)
    # The tracker sharpens repeated readings; the evidence of one look is fairer.
    faces = np.stack([tile.probabilities for tile in tiles]).astype(np.float64)
    log = np.log(faces + _FLOOR) / MOST_EVIDENCE
    log -= np.log(np.exp(log).sum(axis=1, keepdims=True))
    agree = np.log(np.maximum(np.exp(log) @ np.exp(log).T, LEAST_AGREEMENT))
    links = STEEP * (similar - ALIKE) + agree
    members = _joined(links, gathered.together.astype(np.int64))
    members.sort(key=lambda group: (-len(group), group))
    kept, group = [], []
    for number, group_tiles in enumerate(members):
        rows = np.flatnonzero(np.isin(owner, group_tiles))
        usual = _usual(similar[np.ix_(group_tiles, group_tiles)], group_tiles, owner[rows])
        kept += list(rows[usual][:MOST_PATCHES])
        group += [number] * min(len(rows), MOST_PATCHES)
    return TileGroups(
        patches[kept],
        np.array(group, np.int64),
        np.stack([log[group].mean(axis=0) for group in members]).astype(np.float32),
        np.array([len(group) for group in members], np.int64),
        np.stack([gathered.together[:, group].sum(axis=1) for group in members], axis=1),
    )


def _means(embeddings: Floats, owner: Ints, count: int) -> Floats:
    sums = np.zeros((count, embeddings.shape[1]), np.float32)
    np.add.at(sums, owner, embeddings)
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.maximum(length, 1e-9), np.float32)


def _joined(links: Doubles, together: Ints, copies: int = COPIES) -> list[list[int]]:
    """Average-linkage clustering (UPGMA) while the mean link is above zero."""
    count = len(links)
    members = [[tile] for tile in range(count)]
    mean = links.astype(np.float64).copy()
    np.fill_diagonal(mean, -np.inf)
    at_once = together.copy()
    while count > 1:
        first, second = (int(place) for place in np.unravel_index(mean.argmax(), mean.shape))
        if mean[first, second] <= 0:
            break
        if (at_once[:, first] + at_once[:, second]).max(initial=0) > copies:
            mean[first, second] = mean[second, first] = -np.inf
            continue
        a, b = len(members[first]), len(members[second])
        row = (a * mean[first] + b * mean[second]) / (a + b)
        mean[first], mean[:, first] = row, row
        mean[first, first] = -np.inf
        mean[second], mean[:, second] = -np.inf, -np.inf
        at_once[:, first] += at_once[:, second]
        members[first] += members[second]
        members[second] = []
    return [sorted(group) for group in members if group]


def _usual(similar: Floats, tiles: list[int], owner: Ints) -> Ints:
    """Order of pictures: each tile's best first, and those of the most typical tiles first."""
    rank = {tile: place for place, tile in enumerate(np.array(tiles)[np.argsort(-similar.mean(1))])}
    seen: dict[int, int] = {}
    keys = []
    for tile in owner:
        seen[int(tile)] = seen.get(int(tile), -1) + 1
        keys.append((seen[int(tile)], rank[int(tile)]))
    return np.array(sorted(range(len(owner)), key=lambda row: keys[row]), np.int64)
