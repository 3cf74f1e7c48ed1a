"""The layer trained for a set gains where copies teach something, and changes nothing elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.paths import ROOT
from vision.tile_set.augment import TO_LEARN, CopyPlan
from vision.tile_set.profile import PATCH_PX, Profile
from vision.tile_set.seen_copies import SeenCopies
from vision.tile_set.set_corrector import corrector_of
from vision.tile_set.set_head import STEPS, SetHead
from vision.tiles.classes import FACES
from vision.tiles.recogniser import Recogniser

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
