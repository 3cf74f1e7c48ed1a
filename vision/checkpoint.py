"""Store what a reader knows as bytes, so that another process can continue from it."""

from __future__ import annotations

import io
import pickle
from collections import deque
from enum import Enum
from typing import Any, ClassVar, Final, Literal

import numpy as np

from engine.rules import RULE_SETS
from engine.rules.base import RuleSet

PLAIN: Final = {
    "collections.deque",
    "vision.camera.frames.FramePosition",
    "vision.camera.noise.NoiseWatch",
    "vision.camera.stream.StreamWatch",
    "vision.detect.Detection",
    "vision.notice.Notice",
    "vision.tiles.classes.Side",
    "vision.session.Session",
}
"""Classes that the bytes may name, besides those of the packages below."""
PACKAGES: Final = tuple(
    f"{package}."
    for package in (
        "engine",
        "vision.dice",
        "vision.attention",
        "vision.seat_camera",
        "vision.shots",
        "vision.table",
        "vision.decoder",
        "vision.tracking",
    )
)
Order = Literal["C", "F"]
"""Memory order of an array: by rows or by columns."""
ARRAYS: Final = "biufc"
"""Kinds of numbers that an array may hold; others could be addresses."""


class CheckpointError(ValueError):
    """These bytes were not made by ``packed``."""


def packed(kept: object) -> bytes:
    """Serialise a reader's data; shared objects stay shared."""
    out = io.BytesIO()
    _Packer(out, protocol=5).dump(kept)
    return out.getvalue()


def unpacked(data: bytes, *also: type) -> Any:
    """Restore what ``packed`` was given; raises ``CheckpointError``.

    Safe for untrusted bytes: only plain data comes out, of a size that grows with the bytes.
    Nothing opens a file, camera or connection, no class makes an object by its own rules, and none
    is changed. ``also``: further classes that may occur.
    """
    try:
        return _Unpacker(data, also).load()
    except Exception as error:  # damaged bytes may fail in any way
        raise CheckpointError("this was not kept by a reader of this program") from error


def restored(own: bytes) -> Any:
    """Restore what this very process has packed, ten times as fast: nobody else can reach it."""
    return _OwnUnpacker(io.BytesIO(own)).load()


class _Packer(pickle.Pickler):
    def persistent_id(self, obj: object) -> str | None:
        """Rule sets hold functions, and are the same in every process."""
        return RULE_SETS.id_of(obj) if isinstance(obj, RuleSet) else None

    def reducer_override(self, obj: Any) -> Any:
        """Store arrays as numbers and a shape; NumPy's own format can hold addresses."""
        if isinstance(obj, np.ndarray):
            order: Order = "F" if obj.flags.fnc else "C"
            return _array, (obj.dtype.str, obj.shape, obj.tobytes(order), order)
        if isinstance(obj, np.generic):
            return _number, (obj.dtype.str, obj.tobytes())
        return NotImplemented


def _array(kind: str, shape: tuple[int, ...], data: bytes, order: Order) -> Any:
    dtype = np.dtype(kind)
    if dtype.kind not in ARRAYS:
        raise CheckpointError(f"no array of {kind} is kept")
    return np.frombuffer(data, dtype).reshape(shape, order=order).copy(order)


def _number(kind: str, data: bytes) -> Any:
    return _array(kind, (), data, "C")[()]


class _OwnUnpacker(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> object:
        return RULE_SETS[pid]


class _Unpacker(pickle._Unpickler):
    """Python's implementation, because the C one does not let a subclass refuse to fill objects."""

    def __init__(self, data: bytes, also: tuple[type, ...]) -> None:
        super().__init__(io.BytesIO(data))
        self._also = {f"{one.__module__}.{one.__qualname__}" for one in also}

    def persistent_load(self, pid: Any) -> object:
        return RULE_SETS[pid]

    def find_class(self, module_name: str, global_name: str) -> Any:
        name = f"{module_name}.{global_name}"
        if name in OWN:
            return OWN[name]
        found = super().find_class(module_name, global_name) if self._known(name) else None
        if found is None or not _is_of(found, module_name):
            raise CheckpointError(f"{name} is not kept")
        return found

    def _instantiate(self, *_: object) -> None:
        raise CheckpointError("objects are filled, not made by calls")

    def _reduce(self: Any) -> None:
        """Call what ``packed`` calls; another constructor may take memory by a number."""
        made = self.stack[-2]
        is_enum = isinstance(made, type) and issubclass(made, Enum)
        if not is_enum and made is not deque and made not in OWN.values():
            raise CheckpointError(f"{made} is not called")
        self.load_reduce()

    def _byte_array(self: Any) -> None:
        """Take only bytes that are there: Python makes room for as many as are claimed."""
        size = int.from_bytes(self.read(8), "little")
        self.append(bytearray(self.read(size)))

    def _build(self: Any) -> None:
        """Fill an object, unless it is a class or a rule set."""
        filled = self.stack[-2]
        if isinstance(filled, type) or RULE_SETS.id_of(filled) is not None:
            raise CheckpointError("what belongs to the program is not changed")
        self.load_build()

    dispatch: ClassVar[dict[int, Any]] = {
        **pickle._Unpickler.dispatch,
        pickle.BUILD[0]: _build,
        pickle.REDUCE[0]: _reduce,
        pickle.BYTEARRAY8[0]: _byte_array,
    }

    def _known(self, name: str) -> bool:
        return name in PLAIN or name in self._also or name.startswith(PACKAGES)


OWN: Final = {f"{one.__module__}.{one.__qualname__}": one for one in (_array, _number)}


def _is_of(found: object, module_name: str) -> bool:
    """Whether it is a class defined in that module, not one that the module imports."""
    return isinstance(found, type) and found.__module__ == module_name
