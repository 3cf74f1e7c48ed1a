"""A reader continued from a checkpoint tells what the first reader would have told."""

from __future__ import annotations

import contextlib
import pickle
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.events import HandEnd
from engine.rules import GAMES, RULE_SETS
from studio.camera.troubles import Trouble, spoilt
from studio.play.settled_tables import observations, planned
from tests.support.evening import HAND_S, PENDING_S, ByColour, evening, write
from tests.support.felt_film import small_table
from tests.support.rows import watched
from tests.support.tables import SMALL_VIEW, VIEW
from vision import checkpoint as keeping
from vision.attention.schedule import RECORDED
from vision.camera.frames import Frame, FramePosition
from vision.camera.video_file import VideoFile
from vision.checkpoint import CheckpointError, packed, unpacked
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.detect import Detection
from vision.pipeline import ReaderSettings, TableReader
from vision.seat_camera.witness import SeatWitness, Witness

pytestmark = pytest.mark.film

HANDS = 2
MOMENTS = 3


class Counting(ByColour):
    """Counts how often it is asked."""

    reads = 0

    def read(self, *given: Any) -> list[Detection]:
        self.reads += 1
        return super().read(*given)


def test_a_reader_that_goes_on_reads_and_tells_what_the_first_would_have(tmp_path: Path) -> None:
    lies = evening(HANDS)
    source = VideoFile(write(tmp_path / "film.mp4", lies, HANDS * HAND_S + PENDING_S))
    settings = ReaderSettings(SMALL_VIEW, schedule=RECORDED)
    detector = Counting(lies)
    reader = TableReader(detector, "harbin-hlr", settings)
    told: list[Decoding] = []
    kept: list[tuple[int, int, FramePosition, bytes]] = []
    for reading in reader.read(source.frames(RECORDED.step_s)):
        told += [] if reading.decoding is None else [reading.decoding]
        if reader.rests:
            place = FramePosition.of(reading.frame)
            kept.append((len(told), detector.reads, place, reader.keep()))
    assert sum(isinstance(one.event, HandEnd) for one in told[-1].told) == HANDS
    assert len(kept) == HANDS
    for count, reads, place, known in kept:
        going_on = Counting(lies)
        other = TableReader(going_on, "harbin-hlr", settings)
        other.go_on(known)
        readings = other.read(source.frames(RECORDED.step_s, place))
        assert [reading.decoding for reading in readings if reading.decoding] == told[count:]
        assert going_on.reads == detector.reads - reads


def test_a_reader_that_goes_on_knows_how_noisy_the_pictures_are() -> None:
    settings = ReaderSettings(VIEW.in_picture(480, 270), schedule=RECORDED)
    reader = TableReader(ByColour([]), "harbin-hlr", settings)
    table = small_table((480, 270))  # with nothing on it, the camera would be looked for
    taken = spoilt(Trouble(noise_grey=30), ((index / 10, table) for index in range(60)))
    frames = [Frame(seen, time_s, at) for at, (time_s, seen) in enumerate(taken)]

    def said(reading: TableReader, until: int) -> list[str]:
        return [notice.kind for result in reading.read(frames[:until]) for notice in result.notices]

    assert said(reader, 30) == ["noise"]
    other = TableReader(ByColour([]), "harbin-hlr", settings)
    other.go_on(reader.keep())
    assert said(other, 60) == []


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
    with pytest.raises(CheckpointError):
        unpacked(code)
    assert list(tmp_path.iterdir()) == []


class Made:
    """Pickles as a call, with a state to fill the result with."""

    def __init__(self, *made: Any) -> None:
        self._made = made

    def __reduce__(self) -> Any:
        return self._made


HIDDEN = Made(
    np.dtype, ("V8", False, True), (3, "|", None, ("a",), {"a": (np.dtype("O"), 0)}, 8, 1, 0)
)
"""Numbers that NumPy would follow as addresses of objects."""


@pytest.mark.parametrize("kind", [HIDDEN, np.dtype("O"), np.dtype("f8")])
def test_numbers_that_are_kept_are_no_addresses(kind: object) -> None:
    numbers = Made(np.zeros(1).__reduce_ex__(5)[0], (b"AAAAAAAA", kind, (1,), "C"))
    with pytest.raises(CheckpointError):
        unpacked(pickle.dumps(numbers, 5))
    with pytest.raises(CheckpointError):
        unpacked(pickle.dumps(Made(keeping._array, ("|O", (1,), b"AAAAAAAA", "C")), 5))


def made_by_call(module: str, name: str, *numbers: int, protocol_0: bool = False) -> bytes:
    """Bytes that call a class with numbers."""
    said = b"".join(b"J" + number.to_bytes(4, "little") for number in numbers)
    if protocol_0:
        return f"(i{module}\n{name}\n.".encode().replace(b"(", b"(" + said)
    return b"\x80\x04c" + f"{module}\n{name}\n".encode() + b"(" + said + b"tR."


CLAIMS = 1 << 30


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x05\x96" + CLAIMS.to_bytes(8, "little") + b"ABCDE.",
        made_by_call("vision.checkpoint", "_array", CLAIMS),
        made_by_call(__name__, "Roomy", 1 << 28),
        made_by_call(__name__, "Roomy", 1 << 28, protocol_0=True),
    ],
    ids=["bytes", "array", "call", "old call"],
)
def test_bytes_take_no_more_room_than_they_have(data: bytes) -> None:
    tracemalloc.start()
    with contextlib.suppress(CheckpointError):
        unpacked(data, Roomy)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20


class Roomy:
    """Takes as much room as it is given as a number."""

    def __init__(self, size: int) -> None:
        self.room = bytearray(size)


def test_arrays_come_back_as_they_were() -> None:
    first = np.arange(6, dtype=np.float32).reshape(2, 3)
    arrays = [first, np.asfortranarray(first), first[:, ::2], first > 2, np.array(3), first[:0]]
    for one, again in zip(arrays, unpacked(packed(arrays)), strict=True):
        np.testing.assert_array_equal(one, again, strict=True)
        assert again.flags.f_contiguous == one.flags.f_contiguous
        again[...] = 1
    number = unpacked(packed(np.float32(0.1)))
    assert (number, type(number)) == (np.float32(0.1), np.float32)


def test_bytes_change_no_class_and_no_rule_set() -> None:
    name = sorted(RULE_SETS)[0]
    attribute = b"\x8c\x06forged"
    rules = b"\x80\x04\x8c" + bytes([len(name)]) + name.encode() + b"Q}" + attribute + b"K\x01sb."
    code = b"\x80\x04cvision.decoder.decoder\nDecoder\nN}" + attribute + b"K\x01s\x86b."
    for data in (rules, code):
        with pytest.raises(CheckpointError):
            unpacked(data)
    assert not hasattr(RULE_SETS[name], "forged")
    assert not hasattr(Decoder, "forged")


@pytest.mark.parametrize("data", [b"", b"no", packed({"a": 1})[:-1], pickle.dumps(Path())])
def test_bytes_that_are_damaged_are_refused(data: bytes) -> None:
    with pytest.raises(CheckpointError):
        unpacked(data)


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
def test_a_decoder_of_any_rules_goes_on_from_its_bytes_at_any_moment(rules: str) -> None:
    game = planned(rules, seed=26)
    kept = straight = Decoder(rules, game.place.view)
    seen = list(observations(game))
    seen = seen[: len(seen) // 5]
    for at, one in enumerate(seen):
        if at % (len(seen) // MOMENTS + 1) == 0:
            kept = unpacked(packed(kept if at else Decoder(rules, game.place.view)))
        assert kept.observe(one) == straight.observe(one)
    assert kept.close() == straight.close()


def test_what_cameras_of_single_seats_have_seen_is_kept_with_their_clocks() -> None:
    hands = watched((0.0, 2.0, "1m 2m 3m"))
    seen = SeatWitness(hands, 1.25, given=False)
    again = unpacked(packed(Witness({2: seen}))).seats[2]
    assert [one.tiles for one in again.hands.stood] == [one.tiles for one in hands.stood] != []
    assert (again.shift_s, again.given) == (1.25, False)
