"""The recogniser's net has the shape of the weights that it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from recogniser.net import STAGES, RecogniserNet, Stage  # noqa: E402
from train_recogniser import begun  # noqa: E402

from vision.tiles.rectify import CROP_PX  # noqa: E402

SHAPES = [
    STAGES,
    (Stage(24, 0), Stage(48, 1), Stage(96, 1), Stage(160, 0)),
    (Stage(8, 2), Stage(12, 0), Stage(16, 3), Stage(20, 1)),
]


@pytest.mark.parametrize("stages", SHAPES)
def test_weights_tell_the_shape_of_their_net(stages: tuple[Stage, ...]) -> None:
    net = RecogniserNet(stages).eval()
    other = RecogniserNet.of(net.state_dict()).eval()
    assert other.stages == stages
    assert "-".join(str(stage.channels) for stage in stages) in other.architecture
    crops = torch.rand(2, 3, CROP_PX[1], CROP_PX[0])
    with torch.no_grad():
        torch.testing.assert_close(other(crops), net(crops))


def test_training_goes_on_with_the_shape_that_it_began_with(tmp_path: Path) -> None:
    start, last = tmp_path / "start.pt", tmp_path / "last.pt"
    torch.save({"ema": RecogniserNet(SHAPES[1]).state_dict()}, start)
    assert begun(last, start).stages == SHAPES[1]
    torch.save({"ema": RecogniserNet(SHAPES[2]).state_dict()}, last)
    assert begun(last, start).stages == SHAPES[2]
    assert begun(tmp_path / "none", None).stages == STAGES
