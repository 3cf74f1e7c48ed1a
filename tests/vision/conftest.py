"""Nets are tested in both precisions in which processors compute them."""

from __future__ import annotations

from typing import cast

import pytest

from vision.tiles.shared_net import runtime


@pytest.fixture(scope="module", params=[False, True], ids=["as the processor does", "f32"])
def precise(request: pytest.FixtureRequest) -> bool:
    """Whether nets compute in 32-bit floats where the processor would use shorter ones."""
    in_f32 = cast(bool, request.param)
    if in_f32 and runtime().get_property("CPU", "INFERENCE_PRECISION_HINT").to_string() == "f32":
        pytest.skip("this processor always computes in 32-bit floats")
    return in_f32
