"""A net of the runtime that several threads may ask at once."""

from __future__ import annotations

import sys
import threading
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


def runtime() -> Any:
    """A new ``openvino.Core``; import OpenVINO nowhere else.

    Its ``openvino_telemetry`` keeps an id in the user's home and connects to an analytics service
    on import. Where that module is missing, OpenVINO takes an empty one of its own.
    """
    cast(dict[str, object], sys.modules)["openvino_telemetry"] = None
    try:
        import openvino
    except ImportError as error:
        if _interrupted(error):  # Ctrl-C in the middle of it
            raise KeyboardInterrupt from None
        raise

    return openvino.Core()


def _interrupted(error: BaseException | None) -> bool:
    """Whether an error comes of a ``KeyboardInterrupt``."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


class SharedNet:
    """A net; every thread has a request of its own, for one holds one answer."""

    def __init__(self, compiled: Any) -> None:
        """``compiled``: an ``openvino.CompiledModel``."""
        self._compiled = compiled
        self._own = threading.local()

    def __call__(self, tensor: NDArray[np.float32]) -> Any:
        """The outputs, by their places."""
        if not hasattr(self._own, "request"):
            self._own.request = self._compiled.create_infer_request()
        return self._own.request.infer(tensor, share_inputs=True)


def settings(threads: int | None, readers: int) -> dict[str, object]:
    """For one answer as soon as may be, or for threads that ask while others have work as well."""
    chosen: dict[str, object] = {"PERFORMANCE_HINT": "LATENCY"}
    if readers:
        # Decoding goes on beside them: nothing is to be bound to one core.
        chosen = {"NUM_STREAMS": readers, "ENABLE_CPU_PINNING": False}
    if threads is not None:
        chosen["INFERENCE_NUM_THREADS"] = threads
    return chosen
