"""A small part of the data, to try every stage in minutes."""

from __future__ import annotations

import json
from pathlib import Path

from recogniser.data import HELD_OUT_SHARE, is_held_out

PHOTOS = {"train": 12, "evaluate": 4}


def tiny_data(data: Path, out: Path) -> Path:
    """Return a folder like ``data`` with a few of its photos, all linked."""
    for part in ("faces", "art", "textures"):
        _link(out / part, data / part)
    for name, count in PHOTOS.items():
        rows = json.loads((data / "photos" / f"{name}.json").read_text())
        _link(out / "photos" / name, data / "photos" / name)
        # Keep some held-out photos: confidence is fitted on them.
        out_of_it = [row for row in rows if is_held_out(row["photo"], HELD_OUT_SHARE)]
        within = [row for row in rows if not is_held_out(row["photo"], HELD_OUT_SHARE)]
        some = within[:: len(within) // count][:count] + out_of_it[: count // 3]
        (out / "photos" / f"{name}.json").write_text(json.dumps(some))
    return out


def _link(place: Path, there: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.is_symlink():
        place.symlink_to(there)
