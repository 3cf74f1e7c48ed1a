"""The finder: a YOLO nano that finds faces, backs and standing tiles as oriented boxes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.arrays import Bools, Bytes, Floats
from vision.errors import WeightsError
from vision.tiles.boxes import Boxes, decode, join, without_doubles
from vision.tiles.shared_net import compile_net, runtime, settings

Net = Callable[[Floats], Any]
"""Maps (1, 3, h, w) RGB from 0 to 1 to outputs, of which the first holds the boxes."""

WINDOW_PX = 640
"""Side of the square window that the net sees."""
SIDES_PX = (256, 320, 448, WINDOW_PX)
"""Input sizes, at a fifth to the full cost of a window.

The smaller ones are used only when the size of a tile is known: on small pictures without grey
around them, a wrong size can look best.
"""
TILE_PX = 30.0
"""Short side of a tile at which the net works best; it was trained on 16 to 60."""
OVERLAP_PX = 96
"""Overlap of two windows: more than the long side of a tile at the working scale."""
OF_WINDOW_PX = 120**2
"""What a window costs whatever its size, in pixels of its area."""
EDGE_PX = 3
PAD_GREY = 114
LEAST_SCORE = 0.2


class Finder:
    """Finds the tiles of one picture; safe to use from any thread."""

    def __init__(
        self, weights: Path, threads: int | None = None, precise: bool = False, readers: int = 0
    ) -> None:
        """``precise``: as ``settings`` takes it. ``readers``: threads that call it at once; 0
        optimises for the delay of one picture."""
        self._splits = readers > 0
        """Whether a part is covered by several smaller windows if these cost less."""
        core = runtime()
        one_at_a_time = threading.Lock()
        nets: dict[int, Net] = {}
        self._tensors = threading.local()

        def net_of(side_px: int) -> Net:
            if side_px in nets:  # nobody waits for another net that is being compiled
                return nets[side_px]
            with one_at_a_time:
                if side_px not in nets:
                    model = core.read_model(weights)
                    model.reshape([1, 3, side_px, side_px])
                    nets[side_px] = compile_net(core, model, settings(threads, readers, precise))
                return nets[side_px]

        self.net_of: Callable[[int], Net] = net_of
        """The net for a square input of that side; it takes a quarter of a second to load."""
        try:
            self.net_of(WINDOW_PX)
        except Exception as error:  # the runtime raises RuntimeError, or others for odd files
            raise WeightsError(weights, error) from error
        if readers:  # the table is searched for meanwhile, by the largest net alone
            threading.Thread(target=self._load_others, name="loads nets").start()

    def _load_others(self) -> None:
        with contextlib.suppress(Exception):  # whoever needs that net meets the error, too
            for side_px in SIDES_PX:
                self.net_of(side_px)

    def find(self, image_bgr: Bytes, tile_px: float, least: float = LEAST_SCORE) -> Boxes:
        """Boxes in the picture's pixels; ``tile_px`` is the short side of a tile."""
        return self._find_at(image_bgr, TILE_PX / tile_px, least, SIDES_PX)

    def look(self, image_bgr: Bytes, scale: float) -> Boxes:
        """Boxes in the picture's own pixels, as seen at this scale."""
        return self._find_at(image_bgr, scale, LEAST_SCORE, (WINDOW_PX,))

    def _find_at(
        self, image_bgr: Bytes, scale: float, least: float, sides_px: tuple[int, ...]
    ) -> Boxes:
        height, width = image_bgr.shape[:2]
        size = (max(32, round(width * scale)), max(32, round(height * scale)))
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        picture = (
            image_bgr if size == (width, height) else cv2.resize(image_bgr, size, interpolation=how)
        )
        ways = [_windows(size, side) for side in sides_px]
        if not self._splits:
            ways = [way for way in ways if len(way[1]) == 1] or ways[-1:]
        side, starts = min(ways, key=_cost)
        parts = []
        for left, top in starts:
            window = np.asarray(picture[top : top + side, left : left + side], np.uint8)
            output = self.net_of(side)(self._tensor_of(window, side))[0]
            boxes = decode(np.asarray(output[0], np.float32), least)
            boxes = boxes.take(_whole(boxes, left, top, side, size))
            parts.append(boxes.moved(1.0, (left, top)))
        return without_doubles(join(parts)).moved(1 / scale, (0.0, 0.0))

    def _tensor_of(self, window: Bytes, side: int) -> Floats:
        """The net's input, in memory that each thread keeps, because new memory is slow."""
        if not hasattr(self._tensors, "of_side"):
            self._tensors.of_side = {}
        kept: dict[int, Floats] = self._tensors.of_side
        if side not in kept:
            kept[side] = np.empty((1, 3, side, side), np.float32)
        tensor = kept[side]
        height, width = window.shape[:2]
        rgb = window[:, :, ::-1].transpose(2, 0, 1)
        np.divide(rgb, np.float32(255), out=tensor[0, :, :height, :width])
        tensor[..., height:, :] = tensor[..., :height, width:] = PAD_GREY / 255
        return tensor


def reduction(tile_px: float) -> int:
    """How many times smaller a picture may be before the finder enlarges its tiles."""
    return max(1, int(tile_px / TILE_PX))


def _windows(size_px: tuple[int, int], side_px: int) -> tuple[int, list[tuple[int, int]]]:
    """Square windows of this side that cover a picture, as the side and each left and top edge."""
    lefts, tops = (_starts(length_px, side_px) for length_px in size_px)
    return side_px, list(product(lefts, tops))


def _cost(windows: tuple[int, list[tuple[int, int]]]) -> int:
    side_px, starts = windows
    return len(starts) * (side_px**2 + OF_WINDOW_PX)


def _starts(length_px: int, side_px: int) -> list[int]:
    """First pixels of windows that cover a length and share ``OVERLAP_PX``."""
    if length_px <= side_px:
        return [0]
    count = -(-(length_px - OVERLAP_PX) // (side_px - OVERLAP_PX))
    return [round(i * (length_px - side_px) / (count - 1)) for i in range(count)]


def _whole(boxes: Boxes, left: int, top: int, side: int, size: tuple[int, int]) -> Bools:
    """(n,): not cut by an edge of the window, unless the picture ends there too."""
    w, h, r = boxes.xywhr[:, 2:].T
    half_x = np.abs(w * np.cos(r)) + np.abs(h * np.sin(r))
    half_y = np.abs(w * np.sin(r)) + np.abs(h * np.cos(r))
    half = np.stack([half_x, half_y], axis=1) / 2 - EDGE_PX
    corner = np.array([left, top])
    cut = (corner > 0) & (boxes.xywhr[:, :2] - half <= 0)
    cut |= (corner + side < np.array(size)) & (boxes.xywhr[:, :2] + half >= side)
    return np.asarray(~cut.any(axis=1))
