"""Fit the recogniser's answer to whether it sees a tile at all; the rest of the net stays fixed.

Tiles are training patches, and what the finder outlines on tiles of training pictures. No tiles
are what it outlines elsewhere in them, and on pictures of keys, cards, captions and the like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from evaluation.labels import LabelledPicture
from evaluation.match import matched
from finder.data import littered
from numpy.typing import NDArray
from recogniser.bank import Sampler
from recogniser.data import NONSENSE, Image, Patches, cached
from recogniser.net import RecogniserNet
from torch import nn
from torch.nn import functional

from studio.camera.sensor import expose
from studio.held_out import HELD_OUT_SHARE
from vision.camera.pictures import read_picture
from vision.detect import Detection, TileReader
from vision.tiles.classes import Side
from vision.tiles.rectify import rectify

SCENES = 1200  # pictures of things that are no tiles, with about 19 outlines each
SCENE_PX = 512
SCENE_TILE_PX = (18.0, 50.0)
WINDOWS = 9000  # of the training patches
UNLIKE = ("faces_out", "unseen", "can", "drawn-out", "no_tiles")
"""Cached patches that are held out of training, or show no tiles."""
SURE = 0.8  # where a reading is as sure as this, taking it for a tile is worst
SURE_WEIGHT = 4.0
COMPONENTS = 320  # directions of the embedding that are used
EPOCHS, BATCH, RATE, DECAY = 12, 256, 4e-3, 0.01


@dataclass(frozen=True, eq=False)
class Crops:
    """What the net is shown, of one source."""

    images: Image
    """(n, 64, 48, 3), BGR."""
    tiles: bool
    """Whether they show tiles."""
    sure: NDArray[np.float32]
    """(n,) confidence of the reading."""
    share: float
    """Weight of the source."""


def windows(cache: Path, seed: int) -> Iterator[Crops]:
    """Yield windows of the training patches as an imperfect finder cuts them, and of no tiles."""
    rng = np.random.default_rng(seed)
    sources, shares = [], []
    for path in sorted(cache.glob("*.npz")):
        if path.stem not in UNLIKE:
            patches = cached(path, _missing)
            if real := path.stem == "photos":
                patches, _ = patches.split(HELD_OUT_SHARE)
            sources.append(patches.take(rng.permutation(len(patches))[:WINDOWS]))
            shares.append(3.0 if real else 1.0)
    yield _windows(sources, shares, WINDOWS, True, 0.4)
    if (cache / "no_tiles.npz").exists():
        things = [cached(cache / "no_tiles.npz", _missing)]
        yield _windows(things, [1.0], WINDOWS // 6, False, 0.1)


def _missing() -> Patches:
    raise FileNotFoundError


def _windows(
    sources: Sequence[Patches], shares: Sequence[float], count: int, tiles: bool, share: float
) -> Crops:
    batch = Sampler.of(list(zip(sources, shares, strict=True)), 1).batch(count, nonsense=0.0)
    shown = batch.images[(batch.faces != NONSENSE) == tiles]
    images = (shown * 255).round().byte().flip(1).permute(0, 2, 3, 1).numpy()
    return Crops(images, tiles, np.zeros(len(images), np.float32), share)


def outlined(
    detector: TileReader, pictures: Sequence[LabelledPicture], share: float
) -> Iterator[Crops]:
    """Yield what the finder outlines on the tiles of training pictures, and where no tile lies."""
    on: list[tuple[Image, float]] = []
    off: list[tuple[Image, float]] = []
    for picture in pictures:
        image = read_picture(picture.path)
        read = matched(picture, image, detector.read(image, tile_px=picture.tile_px))
        on += [
            _shown(image, found)
            for tile, found in read.tiles()
            if found is not None and tile.face is not None and tile.wanted
        ]
        if picture.complete or picture.no_face:
            there = [read.detections[place] for place, _ in read.extras]
            off += [_shown(image, found) for found in there if found.side is Side.FACE]
    if on:
        yield _crops(on, True, share)
    if off:
        yield _crops(off, False, 0.1)


def scenes(detector: TileReader, textures: Path, count: int, seed: int) -> Crops:
    """Return what the finder outlines on pictures of things that are no tiles."""
    rng = np.random.default_rng(seed)
    grounds = [
        cv2.resize(image, (2 * SCENE_PX, 2 * SCENE_PX))
        for path in sorted(textures.rglob("*"))
        if (image := cv2.imread(str(path))) is not None
    ]
    found: list[tuple[Image, float]] = []
    for _ in range(count):
        ground = grounds[int(rng.integers(len(grounds)))]
        x, y = rng.integers(0, SCENE_PX, 2)
        picture = np.asarray(ground[y : y + SCENE_PX, x : x + SCENE_PX], np.uint8)
        low, high = np.log(SCENE_TILE_PX)
        tile_px = float(np.exp(rng.uniform(low, high)))
        nowhere, trusted = np.zeros((0, 4, 2), np.float32), np.ones((64, 64), np.float32)
        for _ in range(2):
            picture = littered(picture, nowhere, trusted, tile_px, rng)
        picture = expose(picture, rng, tile_px)
        # The size that is searched for is seldom the right one.
        searched = tile_px * float(np.exp(rng.normal(0, 0.3)))
        for tile in detector.read(picture, tile_px=searched):
            if tile.side is Side.FACE:
                found.append(_shown(picture, tile))
    return _crops(found, False, 0.8)


def _shown(image: NDArray[np.uint8], found: Detection) -> tuple[Image, float]:
    return rectify(image, found.corners_px), found.confidence


def _crops(shown: Sequence[tuple[Image, float]], tiles: bool, share: float) -> Crops:
    sure = np.array([sure for _, sure in shown], np.float32)
    return Crops(np.stack([image for image, _ in shown]), tiles, sure, share)


def fit(net: RecogniserNet, sources: Sequence[Crops], seed: int = 1) -> None:
    """Fit ``net.tile``, and nothing else."""
    seen = np.concatenate([embedded(net, source.images) for source in sources])
    tile = np.concatenate([np.full(len(s.sure), s.tiles, np.float32) for s in sources])
    weight = np.concatenate([_weights(source) for source in sources])
    middle = seen.mean(axis=0)
    spread, ways = np.linalg.eigh(np.cov((seen - middle).T))
    scale = np.sqrt(spread[-COMPONENTS:] + 1e-3 * spread[-1])
    ways = torch.tensor(ways[:, -COMPONENTS:] / scale, dtype=torch.float32)
    inputs = (torch.from_numpy(seen) - torch.from_numpy(middle)) @ ways
    wide, last = net.tile[0], net.tile[2]
    torch.manual_seed(seed)
    # Both layers are new: what an earlier fit left in the net does not count.
    first, second = nn.Linear(COMPONENTS, wide.out_features), nn.Linear(wide.out_features, 1)
    small = nn.Sequential(nn.Dropout(0.1), first, nn.ReLU(), nn.Dropout(0.2), second)
    _train(small, inputs, torch.from_numpy(tile), torch.from_numpy(weight / weight.mean()))
    last.load_state_dict(second.state_dict())
    with torch.no_grad():
        wide.weight.copy_(first.weight @ ways.T)
        wide.bias.copy_(first.bias - wide.weight @ torch.from_numpy(middle))


def _weights(source: Crops) -> NDArray[np.float32]:
    most = 0.0 if source.tiles else SURE_WEIGHT - 1
    weight = 1 + most * np.minimum(1, source.sure / SURE)
    return np.asarray(weight / weight.sum() * source.share, np.float32)


def embedded(net: RecogniserNet, images: Image) -> NDArray[np.float32]:
    """Return the embeddings (n, d) of crops, the mean of both ways up."""
    parts = []
    net.eval()  # the export leaves it training
    with torch.no_grad():
        for start in range(0, len(images), BATCH):
            crops = images[start : start + BATCH, :, :, ::-1].transpose(0, 3, 1, 2)
            inputs = torch.from_numpy(np.ascontiguousarray(crops)) / 255 * 4 - 2
            parts.append(((net.body(inputs) + net.body(inputs.flip(2, 3))) / 2).numpy())
    return np.concatenate(parts)


def _train(net: nn.Module, inputs: torch.Tensor, tile: torch.Tensor, weight: torch.Tensor) -> None:
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    steps = len(inputs) // BATCH
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, EPOCHS * steps + 1)
    net.train()
    for _ in range(EPOCHS):
        order = torch.randperm(len(inputs))
        for rows in order[: steps * BATCH].reshape(steps, BATCH):
            told = net(inputs[rows])[:, 0]
            off = functional.binary_cross_entropy_with_logits(
                told, tile[rows] * 0.98 + 0.01, reduction="none"
            )
            optimiser.zero_grad()
            (off * weight[rows]).mean().backward()
            optimiser.step()
            rate.step()
    net.eval()
