"""A reader that is kept between two hands and goes on in another one tells what the first would."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from engine.events import Entry, HandEnd
from tests.evening import HAND_S, SMALL_VIEW, ByColour, evening, write
from vision.camera.frames import Place, VideoFile
from vision.keeping import NotKept, packed, unpacked
from vision.looking.pace import RECORDED
from vision.pipeline import STEP_S, TableReader

HANDS = 3


def test_a_reader_that_goes_on_tells_what_the_first_would_have(tmp_path: Path) -> None:
    lies = evening(HANDS)
    source = VideoFile(write(tmp_path / "film.mp4", lies, HANDS * HAND_S))
    reader = TableReader(ByColour(lies), "harbin-hlr", SMALL_VIEW, pace=RECORDED)
    told: list[Entry] = []
    kept: list[tuple[int, Place, bytes]] = []
    for reading in reader.read(source.frames(STEP_S)):
        told += reading.entries
        if reader.rests:
            kept.append((len(told), Place.of(reading.frame), reader.keep()))
    assert sum(isinstance(entry.event, HandEnd) for entry in told) == HANDS
    assert len(kept) == HANDS
    for count, place, known in kept:
        other = TableReader(ByColour(lies), "harbin-hlr", SMALL_VIEW, pace=RECORDED)
        other.go_on(known)
        readings = other.read(source.frames(STEP_S, place))
        assert [entry for reading in readings for entry in reading.entries] == told[count:]
        assert other.questions == reader.questions


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("os", "system"),
        ("vision.table.view", "Path"),
        ("vision.table.view", "Path.touch"),
        ("vision.camera.frames", "Camera"),
    ],
)
def test_bytes_that_were_not_kept_call_nothing(module: str, name: str, tmp_path: Path) -> None:
    called = str(tmp_path / "called")
    code = b"\x80\x04\x8c" + bytes([len(module)]) + module.encode()
    code += b"\x8c" + bytes([len(name)]) + name.encode() + b"\x93"
    argument = f"touch {called}".encode()
    code += b"\x8c" + bytes([len(argument)]) + argument + b"\x85R."
    with pytest.raises(NotKept):
        unpacked(code)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"no", packed({"a": 1})[:-1], pickle.dumps(Path())])
def test_bytes_that_are_damaged_are_refused(data: bytes) -> None:
    with pytest.raises(NotKept):
        unpacked(data)
