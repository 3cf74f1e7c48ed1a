"""Which photographs are kept out of all training."""

from __future__ import annotations

import zlib

HELD_OUT_SHARE = 0.1  # of the photos and of the photographed styles


def is_held_out(group: str, share: float) -> bool:
    return zlib.crc32(group.encode()) % 1000 < 1000 * share
