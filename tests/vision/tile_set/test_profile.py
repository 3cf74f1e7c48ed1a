"""A profile is read whole or refused, and what is trained for it is kept where it helps."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.support.paths import ROOT
from vision.errors import ProfileError
from vision.tile_set.arrays import MOST_BYTES
from vision.tile_set.augment import TO_LEARN, CopyPlan
from vision.tile_set.gain import shares_of
from vision.tile_set.nearest_copies import NearestCopies
from vision.tile_set.profile import PATCH_PX, Profile
from vision.tile_set.seen_copies import SeenCopies
from vision.tile_set.set_corrector import corrector_of
from vision.tile_set.set_head import STEPS, SetHead
from vision.tiles.classes import FACES
from vision.tiles.confidence import features
from vision.tiles.recogniser import Recogniser

PATCHES = np.random.default_rng(1).integers(0, 255, (2, PATCH_PX[1], PATCH_PX[0], 3), np.uint8)


def packed(patches: object, faces: object) -> bytes:
    file = io.BytesIO()
    np.savez(file, patches=np.asarray(patches), faces=np.asarray(faces))
    return file.getvalue()


def unrelated() -> bytes:
    file = io.BytesIO()
    np.savez(file, other=PATCHES)
    return file.getvalue()


def lone_array() -> bytes:
    file = io.BytesIO()
    np.save(file, PATCHES)
    return file.getvalue()


def lone_claim() -> bytes:
    array = lone_array()
    return array.replace(b"(2, 96, 72, 3), ", b"(2000000000,), }")


def damaged() -> bytes:
    """A profile in whose pictures some bytes were lost on the way."""
    file = io.BytesIO()
    np.savez_compressed(file, patches=PATCHES, faces=np.array(["1m", "2m"]))
    content = bytearray(file.getvalue())
    content[2000:2100] = bytes(100)
    return bytes(content)


def claiming(shape: str, dtype: str = "|u1", name: str = "patches") -> bytes:
    """A file of a few hundred bytes whose header claims much more."""
    head = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}}}"
    array = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{name}.npy", array)
        archive.writestr("patches.npy" if name == "faces" else "faces.npy", array)
    return file.getvalue()


def packed_otherwise() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("patches.npy", b"")
    return file.getvalue()


NO_PROFILES: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "junk": lambda: b"junk",
    "array": lone_array,
    "damaged": damaged,
    "unrelated": unrelated,
    "scalars": lambda: packed(0, "1m"),
    "names": lambda: packed(PATCHES, ["1m", "no tile"]),
    "count": lambda: packed(PATCHES, ["1m"]),
    "size": lambda: packed(PATCHES[:, ::2], ["1m", "2m"]),
    "claims many": lambda: claiming("(1000000000000, 96, 72, 3)"),
    "claims nothing": lambda: claiming("(1000000000000,)", "|S0", "faces"),
    "claims long names": lambda: claiming("(2,)", "<U1000000000", "faces"),
    "negative": lambda: claiming("(-1, 96, 72, 3)"),
    "deep": lambda: claiming("(" * 500 + ")" * 500),
    "torn": lambda: claiming("(2"),
    "array that claims": lone_claim,
    "packing": packed_otherwise,
}


@pytest.mark.parametrize("name", NO_PROFILES)
def test_what_is_no_profile_or_claims_too_much_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    path.write_bytes(NO_PROFILES[name]())
    with pytest.raises(ProfileError, match="is not a profile of a set of tiles"):
        Profile.load(path)


def blank_pictures(path: Path) -> None:
    blank = np.zeros((MOST_BYTES // PATCHES[0].nbytes + 1, *PATCHES.shape[1:]), np.uint8)
    with path.open("wb") as file:
        np.savez_compressed(file, patches=blank, faces=np.array(["1m"] * len(blank)))


def long_header(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        size = MOST_BYTES // 4
        head = b"\x93NUMPY\x02\x00" + size.to_bytes(4, "little")
        archive.writestr("patches.npy", head + b" " * size)


@pytest.mark.parametrize("write", [blank_pictures, long_header])
def test_a_small_file_takes_little_memory(write: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    write(path)
    assert path.stat().st_size < 2_000_000
    tracemalloc.start()
    with pytest.raises(ProfileError):
        Profile.load(path)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_more_pictures_than_can_be_read_again_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    many = np.broadcast_to(PATCHES[:1], (20_000, *PATCHES.shape[1:]))
    with pytest.raises(ProfileError, match="begin another profile"):
        Profile(many, np.zeros(20_000, np.int64)).save(path)
    assert not list(tmp_path.iterdir())


def test_a_profile_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    Profile(PATCHES, np.array([0, 37])).save(path)
    again = Profile.load(path)
    assert (again.patches_bgr == PATCHES).all()
    assert again.faces.tolist() == [0, 37]


# --- the layer trained for a set ---


DIMENSIONS, KNOWN = 24, 6
AXES = np.eye(DIMENSIONS, dtype=np.float32)
CENTRES = np.random.default_rng(5).normal(0, 1, (KNOWN, DIMENSIONS))


def copies(seed: int, shuffled: bool = False, right: bool = False, count: int = 240) -> SeenCopies:
    """Copies whose embeddings tell the face; the plain net confuses pairs of them, or is right."""
    rng = np.random.default_rng(seed)
    faces = rng.integers(0, KNOWN, count)
    embeddings = CENTRES[faces] + rng.normal(0, 0.4, (count, DIMENSIONS))
    probabilities = np.full((count, len(FACES)), 0.3 / len(FACES))
    probabilities[np.arange(count), faces if right else faces // 2 * 2] += 0.7
    told = rng.permutation(faces) if shuffled else faces
    return SeenCopies(probabilities.astype(np.float32), embeddings.astype(np.float32), told)


def test_what_the_plain_net_confuses_is_told_apart_after_training() -> None:
    fresh = copies(3)
    assert (fresh.probabilities.argmax(axis=1) == fresh.faces).mean() < 0.6
    done: list[float] = []
    head = SetHead.trained(copies(1), copies(2), AXES, done.append)
    read = head.fuse(fresh.probabilities, fresh.embeddings)
    assert (read.argmax(axis=1) == fresh.faces).mean() > 0.98
    assert done == sorted(done)
    assert not head.weights[:, KNOWN:].any(), "faces without a picture keep their weights"


def test_training_that_helps_no_held_back_copy_ends_early_and_changes_nothing() -> None:
    done: list[float] = []
    head = SetHead.trained(copies(1, True, True), copies(2, right=True), AXES, done.append)
    assert not head.weights.any()
    assert len(done) < STEPS // 10


@pytest.mark.parametrize("wrong", [False, True])
def test_what_was_learnt_is_kept_only_if_it_reads_held_back_copies_better(
    wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen(_: Profile, plan: CopyPlan, __: Recogniser) -> SeenCopies:
        return copies(plan.seed, shuffled=wrong and plan is TO_LEARN, right=wrong)

    monkeypatch.setattr(SeenCopies, "of", seen)
    recogniser = Recogniser(ROOT / "vision" / "weights" / "recogniser.onnx", threads=1)
    blank = Profile(np.zeros((1, PATCH_PX[1], PATCH_PX[0], 3), np.uint8), np.zeros(1, np.int64))
    assert (corrector_of(recogniser, blank) is None) == wrong


@pytest.mark.parametrize(
    ("count", "numbers", "why"),
    [
        (2000, 1500, "more copies than numbers, of a whole set"),
        (90, 400, "fewer copies than numbers"),
        (400, 90, "few of both"),
    ],
)
def test_the_strongest_directions_are_those_of_all_eigenvectors(
    count: int, numbers: int, why: str
) -> None:
    rng = np.random.default_rng(4)
    strength = 0.985 ** np.arange(numbers)
    seen = (rng.normal(0, 1, (count, numbers)) * strength).astype(np.float32)
    some = SeenCopies(np.zeros((count, len(FACES)), np.float32), seen, np.zeros(count, np.int64))
    found = some.directions(60)
    _, true = np.linalg.eigh((seen.T @ seen).astype(np.float64))
    agree = np.linalg.svd(true[:, -60:].T @ found, compute_uv=False)
    assert agree.min() > 0.999, why
    np.testing.assert_allclose(found.T @ found, np.eye(60), atol=1e-4)
    strengths = np.linalg.norm(seen @ found, axis=0)
    assert (np.diff(strengths) > -1e-3 * strengths[-1]).all(), "the strongest last"


def test_a_profile_gains_what_the_program_names_with_it() -> None:
    """Copies are named from the same confidence on as the set's tiles in a picture."""
    recogniser = Recogniser(ROOT / "vision" / "weights" / "recogniser.onnx", threads=1)
    recogniser.corrected(NearestCopies.of(copies(1), AXES))
    best = np.linspace(0.3, 0.999, 60)
    read = np.repeat(((1 - best) / (len(FACES) - 1))[:, None], len(FACES), axis=1)
    read[:, 7] = best
    told = np.asarray(read, np.float32)
    usual = [np.full(60, value, np.float32) for value in (30.0, 0.9, 8.0, 5.0)]
    assert recogniser.confidence is not None
    sure = recogniser.confidence.of(features(told, *usual))
    unknown = float((sure < recogniser.threshold).mean())
    assert 0 < unknown < 1
    asked = SeenCopies(told, np.zeros((60, DIMENSIONS), np.float32), np.full(60, 7))
    assert shares_of(recogniser, asked, told).unknown == pytest.approx(unknown, abs=1e-4)
