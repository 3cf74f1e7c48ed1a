"""A net of the OpenVINO runtime that several threads may use."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from pathlib import Path
from typing import Any, Final, cast

from vision.arrays import Floats

_ONE_AT_A_TIME: Final = threading.Lock()


def runtime() -> Any:
    """A new ``openvino.Core``; OpenVINO is imported nowhere else.

    Its ``openvino_telemetry`` stores an id in the user's home and connects to an analytics service
    on import. Without that module OpenVINO uses an empty one.
    """
    cast(dict[str, object], sys.modules)["openvino_telemetry"] = None
    try:
        import openvino
    except ImportError as error:
        if _interrupted(error):  # Ctrl-C during the import
            raise KeyboardInterrupt from None
        raise

    core = openvino.Core()
    # Where the folder cannot be made, nets are compiled each time.
    with contextlib.suppress(OSError, RuntimeError):
        folder = _cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        core.set_property({"CACHE_DIR": str(folder)})
    return core


def _cache_folder() -> Path:
    """The user's own folder for compiled nets, which load in half the time."""
    if sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "tilesight" / "nets"


def _interrupted(error: BaseException | None) -> bool:
    """Whether an error was caused by a ``KeyboardInterrupt``."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


class SharedNet:
    """A net with one inference request per thread, because a request holds one result."""

    def __init__(self, compiled: Any) -> None:
        """``compiled``: an ``openvino.CompiledModel``."""
        self._compiled = compiled
        self._own = threading.local()

    def __call__(self, tensor: Floats) -> Any:
        """The outputs, by their indices."""
        if not hasattr(self._own, "request"):
            self._own.request = self._compiled.create_infer_request()
        return self._own.request.infer(tensor, share_inputs=True)


def compile_net(core: Any, model: Any, chosen: dict[str, object]) -> SharedNet:
    """Compile a model for the processor; one at a time in a process.

    While it compiles, OpenVINO sets the locale of the whole process to C, and then restores what it
    found. A second compilation that began meanwhile would find C, and leave it so. Under C, text
    files without a named encoding are ASCII: name it wherever one is opened.
    """
    with _ONE_AT_A_TIME:
        return SharedNet(core.compile_model(model, "CPU", chosen))


def settings(threads: int | None, readers: int, precise: bool = False) -> dict[str, object]:
    """Compile settings for a short delay, or for ``readers`` threads that share the processor.

    ``precise``: compute in 32-bit floats where the processor would use shorter ones.
    """
    chosen: dict[str, object] = {"PERFORMANCE_HINT": "LATENCY"}
    if readers:
        # The video decoder and the event decoder run beside the readers: a second thread for each
        # net would wait for them most of the time.
        chosen = {"NUM_STREAMS": readers, "INFERENCE_NUM_THREADS": readers}
        chosen["ENABLE_CPU_PINNING"] = False
    if threads is not None:
        chosen["INFERENCE_NUM_THREADS"] = threads
    if precise:
        chosen["INFERENCE_PRECISION_HINT"] = "f32"
    return chosen
