"""Which photographs are kept out of all training."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

HELD_OUT_SHARE = 0.1  # of the photos and of the photographed styles
HELD_OUT_WITHOUT_TILES = 0.5  # of the photos that show no face


def group_of(row: Mapping[str, Any]) -> str:
    """Return what stays on one side of every split: a row's table or session, else its photo."""
    return str(row.get("group", row["photo"]) if row["tiles"] else row["photo"])


def is_kept_out(row: Mapping[str, Any]) -> bool:
    """Return whether a picture of a label file is kept out of all training."""
    share = HELD_OUT_SHARE if row["tiles"] else HELD_OUT_WITHOUT_TILES
    return is_held_out(group_of(row), share)


def is_held_out(group: str, share: float) -> bool:
    return zlib.crc32(group.encode()) % 1000 < 1000 * share
