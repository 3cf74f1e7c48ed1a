"""The sample that ships with the program: a film, and a record that tells its rules and players."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from engine.codec import read_record
from engine.events import GameStart
from service.errors import Refused
from service.report.public import Json

SAMPLE: Final = files("service") / "sample.mp4"
SAMPLE_RECORD: Final = files("service") / "sample.jsonl"


def sample_file() -> Path:
    """Return the film; raises ``Refused`` where it was not installed."""
    path = Path(str(SAMPLE))
    if not path.is_file():
        raise Refused("this installation has no sample; choose a camera or a recording")
    return path


def sample_start() -> GameStart:
    start = read_record(SAMPLE_RECORD.read_text("utf-8"))[0].event
    assert isinstance(start, GameStart), "a record begins with the game"
    return start


def offered_sample() -> Json | None:
    """Rules and names of the sample, for the set-up page."""
    try:
        sample_file()
    except Refused:
        return None
    start = sample_start()
    return {"rules": start.rules, "names": list(start.players or ())}
