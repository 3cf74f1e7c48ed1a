"""The nets for tests: compiled once in a process, and asked the same once in a run.

A net answers the same pixels with the same numbers, so no test sees a difference. Programs that
tests start compile and ask for themselves.
"""

from __future__ import annotations

import atexit
import os
import pickle
import shutil
import tempfile
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np

from vision.arrays import Floats
from vision.tiles import finder, recogniser, shared_net

FOLDER: Final = "TILESIGHT_TEST_NETS"
"""Environment variable: where answers lie that all workers of a run share. Its random name is part
of what answers are kept under, so none of another run is taken."""
WORKER: Final = "PYTEST_XDIST_WORKER"
"""Environment variable that a worker of a run has."""
MOST_BYTES: Final = 200_000_000
"""Of the answers that one process keeps; the oldest go first."""

_ONE_AT_A_TIME: Final = threading.RLock()
_read: dict[tuple[str, tuple[int, ...]], Any] = {}
_compiled: dict[str, shared_net.SharedNet] = {}
_written: Final = deque[tuple[Path, int]]()
"""The files of this process, the oldest first, each with how many bytes were written up to it."""


def begin_run() -> None:
    """Make a folder for this run's answers, unless this is a worker of a run that has one."""
    if WORKER in os.environ and FOLDER in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="tilesight-nets-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[FOLDER] = folder


@cache
def _core() -> Any:
    return shared_net.runtime()


@cache
def _version() -> str:
    import openvino  # found already, without its telemetry, by the core

    return str(openvino.get_version())


class Model:
    """Stands in for a model of the runtime; raises what the runtime raises for odd files."""

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._shape: tuple[int, ...] = ()
        self.mark = blake2b(weights.read_bytes()).hexdigest() if weights.is_file() else ""
        if (self.mark, ()) not in _read:
            _read[self.mark, ()] = _core().read_model(weights)

    def reshape(self, shape: Sequence[int]) -> None:
        self._shape = tuple(shape)
        with _ONE_AT_A_TIME:
            if (self.mark, self._shape) not in _read:
                model = _core().read_model(self._weights)
                model.reshape(list(shape))
                _read[self.mark, self._shape] = model

    @property
    def key(self) -> str:
        return f"{self.mark} {self._shape}"

    @property
    def real(self) -> Any:
        return _read[self.mark, self._shape]

    @property
    def outputs(self) -> Any:
        return self.real.outputs


class Runtime:
    """Stands in for an ``openvino.Core``."""

    def read_model(self, weights: Path) -> Model:
        return Model(Path(weights))


def compile_net(_: object, model: Model, chosen: dict[str, object]) -> RememberedNet:
    key = f"{_version()} {model.key} {sorted(chosen.items())}"
    with _ONE_AT_A_TIME:
        if key not in _compiled:
            _compiled[key] = shared_net.compile_net(_core(), model.real, chosen)
    return RememberedNet(key, _compiled[key])


class RememberedNet:
    """Asks a net what nobody has asked before."""

    def __init__(self, key: str, net: shared_net.SharedNet) -> None:
        self._key, self._net = key, net
        self._ports = net._compiled.outputs

    def __call__(self, tensor: Floats) -> Any:
        """The outputs as the net gives them: by their indices and ports, new arrays each time."""
        folder = Path(os.environ[FOLDER])
        # The same bytes in another shape are another question, which the net may refuse.
        about = (folder.name, self._key, tensor.dtype.str, tensor.shape)
        asked = blake2b(repr(about).encode(), digest_size=20)
        asked.update(np.ascontiguousarray(tensor).data)
        path = folder / asked.hexdigest()
        with suppress(FileNotFoundError):
            return self._told(pickle.loads(path.read_bytes()))
        told = self._net(tensor)
        _keep(path, [told[at] for at in range(len(told))])
        return told

    def _told(self, answers: list[Floats]) -> Any:
        from openvino.utils.data_helpers import OVDict

        return OVDict(dict(zip(self._ports, answers, strict=True)))


def _keep(path: Path, answers: list[Floats]) -> None:
    data = pickle.dumps(answers, pickle.HIGHEST_PROTOCOL)
    part = path.with_name(f"{path.name}-{os.getpid()}-{threading.get_ident()}")
    part.write_bytes(data)
    os.replace(part, path)  # another worker may read it at any moment
    with _ONE_AT_A_TIME:
        _written.append((path, len(data) + (_written[-1][1] if _written else 0)))
        while _written[-1][1] - _written[0][1] > MOST_BYTES:
            _written.popleft()[0].unlink(missing_ok=True)


@contextmanager
def in_use(runtime: Any = Runtime, compile_net: Any = compile_net) -> Iterator[None]:
    """Detectors that are loaded in this process use these; with none given, remembered ones."""
    with ExitStack() as replaced:
        for module in (finder, recogniser):
            replaced.enter_context(patch.object(module, "runtime", runtime))
            replaced.enter_context(patch.object(module, "compile_net", compile_net))
        yield
