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
FILM: Final = SAMPLES / "harbin.mp4"
