"""What light, lens and sensor, hands and neighbours do to a picture of a tile, in batches."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from vision.tiles.rectify import CROP_PX

WIDTH, HEIGHT = CROP_PX
COVERED_SHARE, BLURRED_SHARE, SHARP_SHARE = 0.2, 0.28, 0.35
WIDTHS_PX = (13, 15, 17, 19, 21, 24, 27, 30, 34, 38, 42, 45)
"""Widths of a window in the picture of those that are not as large as the net sees them."""
REACH_PX = 6
"""Of the blur."""
LUMA = (
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
)  # fmt: skip
CHROMA = (
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
    *(99,) * 32,
)  # fmt: skip
"""The tables of the JPEG standard, at a quality of 50."""


class Chances:
    """Random numbers on a device, in an order fixed by the seed."""

    def __init__(self, device: torch.device, seed: int) -> None:
        self.device = device
        self._source = torch.Generator(device)
        self._source.manual_seed(seed)

    def even(self, *size: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        return torch.rand(size, device=self.device, generator=self._source) * (high - low) + low

    def normal(self, *size: int) -> Tensor:
        return torch.randn(size, device=self.device, generator=self._source)

    def whole(self, below: int, *size: int) -> Tensor:
        return torch.randint(below, size, device=self.device, generator=self._source)

    def pick(self, shares: Sequence[float], count: int) -> Tensor:
        weights = torch.tensor(shares, device=self.device)
        return torch.multinomial(weights, count, replacement=True, generator=self._source)

    def order(self, count: int) -> Tensor:
        return torch.randperm(count, device=self.device, generator=self._source)

    def rows(self, count: int, share: float) -> Tensor:
        return torch.nonzero(self.even(count) < share)[:, 0]


class Wear:
    """Changes windows (n, 3, HEIGHT, WIDTH), RGB 0..255."""

    def __init__(self, draw: Chances) -> None:
        self._draw = draw
        rows, columns = torch.meshgrid(
            torch.arange(HEIGHT, device=draw.device).float(),
            torch.arange(WIDTH, device=draw.device).float(),
            indexing="ij",
        )
        self._pixels = torch.stack([columns, rows], -1)
        self._yx = torch.stack([rows, columns]) / HEIGHT - 0.5
        waves = torch.arange(8, device=draw.device).float()
        cosines = torch.cos((2 * waves[None] + 1) * waves[:, None] * math.pi / 16) / 2
        cosines[0] /= math.sqrt(2)
        self._cosines = cosines
        self._steps = torch.tensor([LUMA, CHROMA], device=draw.device).float().view(2, 8, 8)

    def worn(self, windows: Tensor) -> Tensor:
        """Add covers, blur, few pixels, light, colour, noise and compression."""
        draw, count = self._draw, len(windows)
        windows = windows.clone()
        rows = draw.rows(count, COVERED_SHARE)
        windows[rows] = self._covered(windows[rows])
        rows = draw.rows(count, BLURRED_SHARE)
        windows[rows] = self._blurred(windows[rows])
        out, order = torch.empty_like(windows), draw.order(count)
        sharp = round(SHARP_SHARE * count)
        out[order[:sharp]] = self._lit(windows[order[:sharp]])
        for rows, wide in zip(order[sharp:].tensor_split(len(WIDTHS_PX)), WIDTHS_PX, strict=True):
            size = (round(wide * HEIGHT / WIDTH), wide)
            small = functional.interpolate(windows[rows], size, mode="bilinear", antialias=True)
            large = functional.interpolate(self._lit(small), (HEIGHT, WIDTH), mode="bilinear")
            out[rows] = large.clamp(0, 255)
        return out

    def half_hidden(self, windows: Tensor) -> Tensor:
        """Hide so much that nobody could read the tile."""
        depth = self._draw.even(len(windows), low=0.5, high=0.65)
        return self._behind(windows, depth, self._cover_colour(windows))

    def _cover_colour(self, windows: Tensor) -> Tensor:
        """(n, 3): skin from pale to dark, the colour beside the tile, or any."""
        draw, count = self._draw, len(windows)
        skin = windows.new_tensor([225.0, 180.0, 150.0]) * draw.even(count, 1, low=0.25, high=1.05)
        skin = skin * draw.even(count, 3, low=0.85, high=1.1)
        beside = windows[
            torch.arange(count, device=windows.device), :, draw.whole(HEIGHT, count), 0
        ]
        luck = draw.even(count, 1)
        other = torch.where(luck < 0.65, beside, draw.even(count, 3, high=255))
        return torch.where(luck < 0.4, skin, other)

    def _behind(self, windows: Tensor, depth: Tensor, colour: Tensor) -> Tensor:
        """Hide the share ``depth`` (n,) at one short side behind a shaded edge that lies askew."""
        draw, count = self._draw, len(windows)
        askew = draw.normal(count, 1, 1) * 0.06 * (self._yx[1] * HEIGHT / WIDTH)
        edge = (depth[:, None, None] + askew) * HEIGHT
        rows = (self._yx[0] + 0.5) * HEIGHT
        over = (edge - rows).clamp(0, 1)[:, None]
        shade = 1 + draw.normal(count, 1, 1) * 0.25 * self._yx[0]
        shade = shade + draw.normal(count, 1, 1) * 0.25 * self._yx[1]
        cover = (colour[:, :, None, None] * shade[:, None]).clamp(0, 255)
        below = draw.even(count, 1, 1, 1) > 0.3
        turned = torch.where(below, windows.flip(2), windows)
        hidden = turned * (1 - over) + cover * over
        return torch.where(below, hidden.flip(2), hidden)

    def _covered(self, windows: Tensor) -> Tensor:
        """Cover an edge or a corner: a finger, a neighbour, a rail, a sleeve."""
        draw, count = self._draw, len(windows)
        colour = self._cover_colour(windows)
        rail = self._behind(windows, draw.even(count, low=0.22, high=0.42), colour)
        depth, turns = draw.even(count, 1, 1, low=0.04, high=0.22), draw.whole(4, count, 1, 1)
        y, x = self._yx[0] + 0.5, (self._yx[1] + 0.5) * HEIGHT / WIDTH
        sides = torch.stack([y, 1 - y, x, 1 - x])[turns[:, 0, 0]]
        flat = torch.where((sides < depth)[:, None], colour[:, :, None, None], windows)
        over = self._finger(count)
        finger = windows * (1 - over) + colour[:, :, None, None] * over
        luck = draw.even(count, 1, 1, 1)
        return torch.where(luck < 0.25, rail, torch.where(luck < 0.5, flat, finger))

    def _finger(self, count: int) -> Tensor:
        """(n, 1, HEIGHT, WIDTH): what a finger covers that reaches in by up to a quarter."""
        draw = self._draw
        angle = draw.even(count, high=2 * math.pi)
        ahead = torch.stack([angle.cos(), angle.sin()], 1)
        half = draw.even(count, low=0.15, high=0.45) * WIDTH / 2
        middle = ahead.new_tensor([WIDTH / 2, HEIGHT / 2])
        reach = (ahead.abs() @ middle) * draw.even(count, low=0.75, high=1.1)
        start = middle + ahead * (reach + half)[:, None]
        away = self._pixels - start[:, None, None]
        along = (away * ahead[:, None, None]).sum(-1)
        across = ahead.flip(1) * ahead.new_tensor([1.0, -1.0])
        apart = (away * across[:, None, None]).sum(-1).abs()
        far = torch.where(along >= 0, apart, away.norm(dim=-1))
        return (half[:, None, None] - far + 0.5).clamp(0, 1)[:, None]

    def _blurred(self, windows: Tensor) -> Tensor:
        """Blur by defocus (a bell or a disc) or motion."""
        draw, count = self._draw, len(windows)
        away = torch.arange(-REACH_PX, REACH_PX + 1, device=windows.device).float()
        y, x = away[:, None], away[None]
        far = x**2 + y**2
        bell = torch.exp(-far / (2 * draw.even(count, 1, 1, low=0.4, high=1.9) ** 2))
        disc = (draw.even(count, 1, 1, low=0.8, high=2.7) + 0.5 - far.sqrt()).clamp(0, 1)
        angle = draw.even(count, 1, 1, high=math.pi)
        half = (0.5 - 3 * torch.log(draw.even(count, 1, 1) + 1e-6)).clamp(max=float(REACH_PX))
        along = (x * angle.cos() + y * angle.sin()).abs()
        apart = (x * angle.sin() - y * angle.cos()).abs()
        motion = (1 - apart).clamp(0, 1) * (half + 0.5 - along).clamp(0, 1)
        luck = draw.even(count, 1, 1)
        kernels = torch.where(luck < 0.45, bell, torch.where(luck < 0.65, disc, motion)) + 1e-6
        kernels = kernels / kernels.sum((1, 2), keepdim=True)
        padded = functional.pad(windows, (REACH_PX,) * 4, mode="reflect")
        high, wide = padded.shape[2:]
        out = functional.conv2d(
            padded.reshape(1, count * 3, high, wide),
            kernels.repeat_interleave(3, 0)[:, None],
            groups=max(1, count * 3),
        )
        return out.view(count, 3, HEIGHT, WIDTH)

    def _lit(self, windows: Tensor) -> Tensor:
        """Add light, colour, glare, noise and compression at the size that the windows have."""
        draw, count = self._draw, len(windows)
        luck = draw.even(7, count, 1, 1, 1)

        def one(low: float, high: float) -> Tensor:
            return draw.even(count, 1, 1, 1, low=low, high=high)

        def bell(spread: float, parts: int = 1) -> Tensor:
            return draw.normal(count, parts, 1, 1) * spread

        lit = windows * torch.exp(bell(0.09, 3) + bell(0.25) - 0.05)
        mean = lit.mean((1, 2, 3), keepdim=True)
        contrast = (lit - mean) * torch.exp(bell(0.28) - 0.12) + mean + bell(12)
        lit = torch.where(luck[0] < 0.5, contrast, lit)
        veil = one(0.15, 0.7)  # a lamp's reflection on the whole face
        veiled = lit * (1 - veil) + veil * one(170, 255)
        burnt = lit.clamp(0, 255) * one(1.3, 2.0)  # the whites are blown out, and thin lines
        dim = lit * one(0.2, 0.6)
        poor = torch.where(luck[1] < 0.2, dim, torch.where(luck[1] < 0.27, burnt, lit))
        lit = torch.where(luck[1] < 0.12, veiled, poor)
        lit = torch.where(luck[2] < 0.35, self._uneven(lit, luck[3] < 0.35), lit)
        lit = torch.where(luck[6] < 0.03, lit.mean(1, keepdim=True).expand_as(lit), lit)
        noise = draw.normal(*lit.shape) * one(1, 14)
        lit = torch.where(luck[4] > 0.4, lit + noise, lit).clamp(0, 255)
        packed = self._jpeg(lit.round(), draw.even(count, low=15, high=92))
        return torch.where(luck[5] < 0.45, packed, lit).clamp(0, 255).round()

    def _uneven(self, windows: Tensor, with_glare: Tensor) -> Tensor:
        draw, count = self._draw, len(windows)
        yx = functional.interpolate(self._yx[None], windows.shape[2:], mode="bilinear")[0]
        slope = draw.normal(count, 2, 1, 1) * 0.35
        lit = windows * (1 + (slope * yx).sum(1, keepdim=True))
        far = ((yx - draw.even(count, 2, 1, 1, low=-0.5, high=0.5)) ** 2).sum(1, keepdim=True)
        wide = draw.even(count, 1, 1, 1, low=0.01, high=0.12)
        glare = torch.exp(-far / wide) * draw.even(count, 1, 1, 1, low=30, high=200)
        return torch.where(with_glare, lit + glare, lit)

    def _jpeg(self, windows: Tensor, quality: Tensor) -> Tensor:
        """Pack and unpack as JPEG, with ``quality`` (n,)."""
        high, wide = windows.shape[2:]
        padded = functional.pad(windows, (0, -wide % 16, 0, -high % 16), mode="replicate")
        red, green, blue = padded.unbind(1)
        luma = 0.299 * red + 0.587 * green + 0.114 * blue
        chroma = torch.stack([(blue - luma) * 0.564, (red - luma) * 0.713], 1)
        scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality) / 100
        steps = (self._steps * scale[:, None, None, None]).round().clamp(1, 255)
        luma = self._quantised((luma - 128)[:, None], steps[:, 0])[:, 0] + 128
        small = self._quantised(functional.avg_pool2d(chroma, 2), steps[:, 1])
        cb, cr = functional.interpolate(small, scale_factor=2, mode="bilinear").unbind(1)
        out = [luma + 1.403 * cr, luma - 0.344 * cb - 0.714 * cr, luma + 1.773 * cb]
        return torch.stack(out, 1)[:, :, :high, :wide]

    def _quantised(self, planes: Tensor, steps: Tensor) -> Tensor:
        """Planes (n, c, h, w) whose blocks of 8x8 have whole numbers of ``steps`` (n, 8, 8)."""
        count, parts, high, wide = planes.shape
        blocks = planes.view(count, parts, high // 8, 8, wide // 8, 8).permute(0, 1, 2, 4, 3, 5)
        step = steps[:, None, None, None]
        waves = (self._cosines @ blocks @ self._cosines.t() / step).round() * step
        back = self._cosines.t() @ waves @ self._cosines
        return back.permute(0, 1, 2, 4, 3, 5).reshape(count, parts, high, wide)
