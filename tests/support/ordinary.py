"""Lets nets compute as on an ordinary laptop, which has AVX2 and neither AVX-512 nor bf16."""

from __future__ import annotations

import os
from functools import wraps
from typing import Any

from vision.tiles.shared_net import runtime


def as_on_avx2() -> None:
    """For the nets that this process compiles from now on; call it before the first.

    OpenCV and NumPy keep the instructions that they find. A net that was compiled for them all is
    not taken from the user's cache.
    """
    os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"
    core = type(runtime())
    compile_model = core.compile_model

    @wraps(compile_model)
    def compiled(self: Any, model: Any, device: str, chosen: dict[str, object]) -> Any:
        plain = {"INFERENCE_PRECISION_HINT": "f32", "CACHE_DIR": ""}
        return compile_model(self, model, device, chosen | plain)

    core.compile_model = compiled
