"""Whether a tile is there at all is fitted alone, and the same whatever was fitted before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from vision.arrays import Floats

torch = pytest.importorskip("torch")

from checkpoints import minutes  # noqa: E402
from recogniser.net import RecogniserNet  # noqa: E402
from recogniser.tile_head import Crops, embedded, fit  # noqa: E402
from torch import nn  # noqa: E402


def small_net(last: float) -> RecogniserNet:
    """Sees the mean colours of a crop's parts, with the same head as the recogniser."""
    body = nn.Sequential(nn.AvgPool2d(4), nn.Flatten())
    tile = nn.Sequential(nn.Linear(3 * 16 * 12, 64), nn.ReLU(), nn.Linear(64, 1))
    nn.init.constant_(tile[2].weight, last)
    return cast(RecogniserNet, SimpleNamespace(body=body, tile=tile, eval=lambda: None))


def crops(tiles: bool, seed: int) -> Crops:
    """Crops with a bright middle, or dark all over, in noise."""
    rng = np.random.default_rng(seed)
    images = rng.integers(0, 120, (1500, 64, 48, 3)).astype(np.uint8)
    if tiles:
        images[:, 16:48, 12:36] += 110
    return Crops(images, tiles, np.zeros(len(images), np.float32), 0.5)


def told(last: float) -> tuple[Floats, Floats]:
    """The log odds of tiles and of no tiles that the fit did not see."""
    net = small_net(last)
    fit(net, [crops(True, 1), crops(False, 2)])
    with torch.no_grad():
        one, other = (
            net.tile(torch.from_numpy(embedded(net, part.images)))[:, 0].numpy()
            for part in (crops(True, 3), crops(False, 4))
        )
    return one, other


def test_what_is_no_tile_is_told_from_tiles() -> None:
    tiles, others = told(last=0.0)
    assert (tiles > 0).mean() > 0.95
    assert (others < 0).mean() > 0.95


def test_an_earlier_fit_leaves_no_trace() -> None:
    np.testing.assert_allclose(told(last=0.0)[0], told(last=3.0)[0], atol=1e-4)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"spent_s": 90.0, "recipe": {"minutes": "60"}}, 1.5),
        ({"recipe": {"minutes": "8.2"}}, 8.2),  # a start that was kept without its time
    ],
)
def test_how_long_a_checkpoint_was_trained(state: dict[str, object], expected: float) -> None:
    assert minutes(state) == expected
