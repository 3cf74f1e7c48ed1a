"""Training windows are cut where they say, whatever the device, and worn as pictures are."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Floats
from vision.tiles.rectify import CROP_PX, MARGIN

torch = pytest.importorskip("torch")

from recogniser.bank import Bank, Sampler  # noqa: E402
from recogniser.data import (  # noqa: E402
    EDGE_X,
    EDGE_Y,
    NONSENSE,
    PATCH_H,
    PATCH_W,
    TILE_H,
    TILE_W,
    Patches,
)
from recogniser.wear import Chances, Wear  # noqa: E402
from recogniser.windows import WindowMaker, homography, view  # noqa: E402

CPU = torch.device("cpu")


def marked(count: int) -> Patches:
    """Dark tiles on black, the quarter at each tile's own top left bright red."""
    images = np.zeros((count, PATCH_H, PATCH_W, 3), np.uint8)
    images[:, EDGE_Y : EDGE_Y + TILE_H, EDGE_X : EDGE_X + TILE_W] = 60
    images[:, EDGE_Y : EDGE_Y + TILE_H // 2, EDGE_X : EDGE_X + TILE_W // 2, 2] = 250
    faces = np.arange(count) % 38
    return Patches(images, faces, np.ones(count, bool), np.full(count, "set"))


class Unworn(WindowMaker):
    def __init__(self) -> None:
        super().__init__(CPU, 3)
        self._wear.worn = lambda windows: windows  # type: ignore[method-assign]


def test_a_window_tells_which_corner_is_the_tile_s_own_and_where_its_outline_is() -> None:
    made = Unworn().make(torch.from_numpy(marked(64).images), nonsense=0.0)
    wide, high = CROP_PX
    assert len(set(made.first.tolist())) > 1
    for image, first, outline in zip(made.images, made.first, made.outlines, strict=True):
        perfect = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + MARGIN) / (1 + 2 * MARGIN)
        corners = (perfect + outline.numpy().reshape(4, 2)) * (wide, high)
        middle = corners.mean(0)
        red = []
        for corner in corners:  # a point inside the tile, near each corner
            x, y = np.round(corner * 0.4 + middle * 0.6 - 0.5).astype(int)
            red.append(float(image[0, y, x]) - float(image[2, y, x]))
        assert int(np.argmax(red)) == int(first)
        assert sorted(red)[-1] > 0.4 > 0.2 > sorted(red)[-2]


def test_the_middle_is_cut_as_the_reader_cuts_it() -> None:
    image = np.random.default_rng(1).integers(0, 255, (PATCH_H, PATCH_W, 3)).astype(np.uint8)
    maker = Unworn()
    quads = maker._middle(torch.full((1, 2), 1 + 2 * MARGIN))
    there = maker._unit * maker._crop
    back = torch.linalg.inv(homography(quads, there))
    cut = maker._cut(torch.from_numpy(image[None]), back)[0].permute(1, 2, 0).numpy()
    np.testing.assert_allclose(cut, view(image), atol=3)


def test_the_seed_fixes_the_batches_and_nonsense_has_no_face() -> None:
    def batch(seed: int) -> tuple[Floats, list[int]]:
        made = Sampler.of([(marked(80), 1.0), (marked(40), 0.5)], seed).batch(96, nonsense=0.5)
        assert bool((made.first[made.faces == NONSENSE] == -1).all())
        assert 24 < int((made.faces == NONSENSE).sum()) < 72
        assert bool((made.images >= 0).all())
        assert bool((made.images <= 1).all())
        return made.images.numpy(), made.faces.tolist()

    (once, faces), (again, same) = batch(5), batch(5)
    np.testing.assert_array_equal(once, again)
    assert faces == same
    assert (batch(6)[0] != once).any()


def test_a_packed_picture_stays_like_itself_and_loses_more_at_a_lower_quality() -> None:
    wear = Wear(Chances(CPU, 1))
    ramp = torch.linspace(20, 230, 48).expand(2, 3, 64, 48).clone()
    ramp += torch.randn(2, 1, 64, 48, generator=torch.Generator().manual_seed(1)) * 12
    packed = wear._jpeg(ramp, torch.tensor([90.0, 20.0]))
    off = (packed - ramp).abs().mean((1, 2, 3))
    assert 0.3 < float(off[0]) < 4 < float(off[1]) < 16


def test_new_tiles_take_the_place_of_the_oldest() -> None:
    bank = Bank(10, CPU)
    bank.add(marked(8))
    assert len(bank) == 8
    bank.add(marked(4))
    assert len(bank) == 10
    _, faces, upright = bank.draw(200, Chances(CPU, 2))
    assert set(faces.tolist()) == {0, 1, 2, 3, 4, 5, 6, 7}
    assert bool(upright.all())


def test_a_source_that_is_still_filling_is_drawn_from_less() -> None:
    full, new = Bank(40, CPU), Bank(40, CPU, enough=80)
    full.add(marked(38))
    grown = marked(20)
    new.add(Patches(grown.images, np.full(20, NONSENSE), grown.upright, grown.groups))
    made = Sampler({"full": (full, 1.0), "new": (new, 1.0)}, 1, CPU).batch(100, nonsense=0.0)
    assert int((made.faces == NONSENSE).sum()) == 20
