"""Training windows of tile patches, a whole batch at once, on the processor or a graphics card."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from recogniser.data import PATCH_H, PATCH_W, TILE_H, TILE_W, Image
from recogniser.wear import Chances, Wear
from torch import Tensor
from torch.nn import functional

from vision.tiles.rectify import CROP_PX, MARGIN

INPUT_W, INPUT_H = CROP_PX
LOOSENESS = (1.0, 2.0, 2.5)  # how badly windows are placed: as usual, in rows, in hands on film
LOOSENESS_SHARES = (0.64, 0.28, 0.08)
TURNED_SHARES = (0.44, 0.07, 0.42, 0.07)  # by quarters
NONSENSE_SHARE = 0.08
"""Share of the windows that show no single tile."""
_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, eq=False)
class Windows:
    """n windows, as the net is shown them."""

    images: Tensor
    """(n, 3, INPUT_H, INPUT_W) RGB, floats 0..1."""
    first: Tensor
    """(n,) the corner of the window at the corner of the patch's tile that comes first, 0..3."""
    outlines: Tensor
    """(n, 8) the tile's corners, as in RecogniserNet."""
    nothing: Tensor
    """(n,) whether no single tile is shown."""


class WindowMaker:
    """Cuts windows as an imperfect finder does, and wears them as real pictures are worn.

    The seed fixes what comes of a sequence of calls, on one kind of device.
    """

    def __init__(self, device: torch.device, seed: int) -> None:
        self._draw = Chances(device, seed)
        self._wear = Wear(self._draw)
        self._unit = torch.from_numpy(_CORNERS).to(device)
        rows, columns = torch.meshgrid(
            torch.arange(INPUT_H, device=device),
            torch.arange(INPUT_W, device=device),
            indexing="ij",
        )
        self._pixels = torch.stack([columns, rows], -1).float().view(1, -1, 2)
        self._tile = torch.tensor([TILE_W, TILE_H], device=device).float()
        self._crop = torch.tensor([INPUT_W, INPUT_H], device=device).float()

    def make(self, patches_bgr: Tensor, nonsense: float = NONSENSE_SHARE) -> Windows:
        """Return a window of each patch (n, PATCH_H, PATCH_W, 3); ``nonsense`` show no tile."""
        draw, count = self._draw, len(patches_bgr)
        first = draw.pick(TURNED_SHARES, count)
        nothing, luck = draw.even(count) < nonsense, draw.even(count)
        hidden = nothing & (luck < 0.2)  # such a window is placed well, and half of it covered
        first = torch.where(nothing, draw.whole(4, count), first)
        quads = self._loose(count)
        quads = torch.where(_each(nothing, quads), self._no_single_tile(luck), quads)
        perfect = self._middle(torch.full((count, 2), 1 + 2 * MARGIN, device=quads.device))
        quads = torch.where(_each(hidden, quads), perfect, quads)
        there = homography(_rolled(quads, first), self._unit * self._crop)
        images = self._cut(patches_bgr, torch.linalg.inv(there))
        images = torch.where(_each(hidden, images), self._wear.half_hidden(images), images)
        tile = _rolled(self._middle(torch.ones((count, 2), device=quads.device)), first)
        expected = (self._unit + MARGIN) / (1 + 2 * MARGIN)
        outlines = (moved(tile, there) / self._crop - expected).reshape(count, 8)
        return Windows(self._wear.worn(images) / 255, first, outlines, nothing)

    def _middle(self, sides: Tensor) -> Tensor:
        """(n, 4, 2): outlines about the middle of a patch, with ``sides`` (n, 2) in tiles."""
        centre = self._tile.new_tensor([PATCH_W / 2, PATCH_H / 2])
        return (self._unit - 0.5) * (self._tile * sides)[:, None] + centre

    def _loose(self, count: int) -> Tensor:
        """(n, 4, 2): outlines of an imperfect finder."""
        # Nine of ten of the finder's outlines are off by 5 % of a tile; the rest may be far off.
        draw = self._draw
        loose = self._tile.new_tensor(LOOSENESS)[draw.pick(LOOSENESS_SHARES, count)][:, None]
        scale = torch.exp(loose * (draw.normal(count, 2) * 0.06).clamp(-0.13, 0.13))
        quads = self._middle((1 + 2 * MARGIN) * scale)
        angle = loose[:, 0] * draw.normal(count) * math.radians(3.5)
        cos, sin = angle.cos(), angle.sin()
        turn = torch.stack([torch.stack([cos, sin], 1), torch.stack([-sin, cos], 1)], 1)
        centre = quads.mean(1, keepdim=True)
        away = loose * (draw.normal(count, 2) * 0.03).clamp(-0.08, 0.08) * self._tile
        quads = (quads - centre) @ turn + centre + away[:, None]
        bent = loose[..., None] * draw.normal(count, 4, 2) * 0.02 * self._tile
        return quads + bent * (draw.even(count, 1, 1) < 0.5)

    def _no_single_tile(self, luck: Tensor) -> Tensor:
        """(n, 4, 2): half a tile with half of what is beside it, a part, or a detail."""
        draw, count = self._draw, len(luck)
        angle = draw.even(count, high=2 * math.pi)
        far = torch.stack([angle.cos(), angle.sin()], 1)
        far = far / far.abs().amax(1, keepdim=True) * draw.even(count, 1, low=0.48, high=0.7)
        whole = torch.ones_like(far)
        half = self._middle(whole) + (far * self._tile)[:, None]
        # Half of a 4p must not be a sure 2p.
        hidden = 1 - draw.even(count, 1, low=0.45, high=0.72)
        along = draw.even(count, 1) < 0.5
        across = torch.cat([along, ~along], 1).float()
        side = (draw.even(count, 1) < 0.5).float() - 0.5
        part = self._middle(1 - hidden * across)
        part = part + (side * hidden * across * self._tile)[:, None]
        detail = self._middle(draw.even(count, 2, low=0.2, high=0.4))
        detail = detail + (draw.even(count, 2, low=-0.5, high=0.5) * self._tile)[:, None]
        rest = torch.where(_each(luck < 0.74, part), part, detail)
        return torch.where(_each(luck < 0.45, half), half, rest)

    def _cut(self, patches_bgr: Tensor, back: Tensor) -> Tensor:
        """(n, 3, INPUT_H, INPUT_W) RGB 0..255; ``back`` (n, 3, 3) leads from window to patch."""
        count = len(patches_bgr)
        at = moved(self._pixels.expand(count, -1, -1), back)
        at = at / at.new_tensor([PATCH_W - 1, PATCH_H - 1]) * 2 - 1
        return functional.grid_sample(
            patches_bgr.flip(3).permute(0, 3, 1, 2).float(),
            at.view(count, INPUT_H, INPUT_W, 2),
            mode="bilinear",
            padding_mode="reflection",
            align_corners=True,
        )


def view(image: Image, first: int = 0) -> Image:
    """Return the input (RGB) that the reader would cut from a perfect outline."""
    size = np.array([TILE_W, TILE_H]) * (1 + 2 * MARGIN)
    quad = np.asarray((_CORNERS - 0.5) * size + (PATCH_W / 2, PATCH_H / 2), np.float32)
    out = _CORNERS * np.array(CROP_PX, np.float32)
    # Rolled by ``first``, the tile's own top left is at that corner of the crop.
    warp = cv2.getPerspectiveTransform(np.roll(quad, first, axis=0), out)
    cut = cv2.warpPerspective(image, warp, CROP_PX, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(cut[:, :, ::-1], np.uint8)


def views(images: Image, first: NDArray[np.int64] | None = None) -> Image:
    """Return the inputs (n, INPUT_H, INPUT_W, 3) of patches, each turned by its ``first``."""
    turns = np.zeros(len(images), np.int64) if first is None else first
    return np.stack([view(image, int(turn)) for image, turn in zip(images, turns, strict=True)])


def homography(source: Tensor, target: Tensor) -> Tensor:
    """(n, 3, 3): the perspective that takes corners (n, 4, 2) to others."""
    target = target.expand_as(source)
    x, y = source.unbind(-1)
    u, v = target.unbind(-1)
    one, none = torch.ones_like(x), torch.zeros_like(x)
    across = torch.stack([x, y, one, none, none, none, -u * x, -u * y], -1)
    down = torch.stack([none, none, none, x, y, one, -v * x, -v * y], -1)
    found = torch.linalg.solve(torch.cat([across, down], 1), torch.cat([u, v], 1)[..., None])
    return torch.cat([found[..., 0], one[:, :1]], 1).view(-1, 3, 3)


def moved(points: Tensor, by: Tensor) -> Tensor:
    """(n, m, 2): points after a perspective (n, 3, 3)."""
    there = torch.cat([points, torch.ones_like(points[..., :1])], -1) @ by.transpose(1, 2)
    return there[..., :2] / there[..., 2:]


def _rolled(quads: Tensor, first: Tensor) -> Tensor:
    """(n, 4, 2): outlines whose first corner comes at the place ``first`` (n,)."""
    at = (torch.arange(4, device=quads.device)[None] - first[:, None]) % 4
    return quads.gather(1, at[..., None].expand(-1, -1, 2))


def _each(rows: Tensor, like: Tensor) -> Tensor:
    """Return ``rows`` (n,) with the number of dimensions of ``like`` (n, ...)."""
    return rows.view(-1, *[1] * (like.ndim - 1))
