"""What a reader knows, as bytes: another process goes on from it as if it had never stopped."""

from __future__ import annotations

import io
import pickle
from typing import Any, Final

from engine.rules import RULE_SETS

NUMPY: Final = frozenset(
    f"numpy.{core}.{name}"
    for core in ("_core", "core")
    for name in ("multiarray.scalar", "multiarray._reconstruct", "numeric._frombuffer")
)
PLAIN: Final = NUMPY | {
    "collections.deque",
    "numpy.dtype",
    "numpy.ndarray",
    "vision.camera.frames.Place",
    "vision.camera.stream.StreamWatch",
    "vision.decode.Decoder",
    "vision.detect.Detection",
    "vision.notice.Notice",
    "vision.reading.classes.Side",
    "vision.session.Session",
}
"""What bytes may be made of, beside the classes of the packages below."""
PACKAGES: Final = tuple(
    f"{package}."
    for package in (
        "engine",
        "vision.dice",
        "vision.looking",
        "vision.second",
        "vision.table",
        "vision.telling",
        "vision.tracking",
    )
)


class NotKept(ValueError):
    """These bytes were not made by ``packed``."""


def packed(kept: object) -> bytes:
    """Data of a reader as bytes; what is one object in it is one object again."""
    out = io.BytesIO()
    _Packer(out, protocol=5).dump(kept)
    return out.getvalue()


def unpacked(data: bytes, *also: type) -> Any:
    """What ``packed`` was given; raises ``NotKept``.

    Nothing but plain data comes out of it, whoever wrote the bytes: no class is made that opens
    a file, a camera or a connection. ``also`` names further classes that may be among it.
    """
    try:
        return _Unpacker(data, also).load()
    except Exception as error:  # damaged bytes may break off in any way
        raise NotKept("this was not kept by a reader of this program") from error


class _Packer(pickle.Pickler):
    def persistent_id(self, obj: object) -> str | None:
        """Rule sets hold functions, and are the same in every process."""
        return next((name for name, rules in RULE_SETS.items() if obj is rules), None)


class _Unpacker(pickle.Unpickler):
    def __init__(self, data: bytes, also: tuple[type, ...]) -> None:
        super().__init__(io.BytesIO(data))
        self._also = {f"{one.__module__}.{one.__qualname__}" for one in also}

    def persistent_load(self, pid: Any) -> object:
        return RULE_SETS[pid]

    def find_class(self, module_name: str, global_name: str) -> Any:
        name = f"{module_name}.{global_name}"
        found = super().find_class(module_name, global_name) if self._known(name) else None
        if found is None or (name not in NUMPY and not _is_of(found, module_name)):
            raise NotKept(f"{name} is not kept")
        return found

    def _known(self, name: str) -> bool:
        return name in PLAIN or name in self._also or name.startswith(PACKAGES)


def _is_of(found: object, module_name: str) -> bool:
    """A class of that very module, not one that it only uses."""
    return isinstance(found, type) and found.__module__ == module_name
