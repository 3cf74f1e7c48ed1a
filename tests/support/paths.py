"""Where the files lie that tests read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SAMPLES: Final = ROOT / "samples"
GAMES: Final = ROOT / "tests" / "games"
"""One whole game for each rule set."""
CASES: Final = ROOT / "tests" / "cases"
STATIC: Final = ROOT / "service" / "static"
OF_CLUB: Final = tuple(ROOT / "service" / name / "static" for name in ("hall", "archive"))


def static_files(ending: str) -> dict[str, Path]:
    """Files of all slices by their address below ``/static/``."""
    found = {str(path.relative_to(STATIC)): path for path in STATIC.rglob(f"*{ending}")}
    for folder in OF_CLUB:
        found |= {f"{folder.parent.name}/{path.name}": path for path in folder.glob(f"*{ending}")}
    return {address: found[address] for address in sorted(found) if found[address].is_file()}


FILM: Final = SAMPLES / "harbin.mp4"
