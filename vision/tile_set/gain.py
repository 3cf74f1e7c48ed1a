"""Measure what a profile gains, on copies of pictures that nothing was learnt from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Bools, Floats
from vision.tile_set.augment import CopyPlan
from vision.tile_set.profile import Profile
from vision.tile_set.seen_copies import SeenCopies
from vision.tile_set.set_corrector import corrector_of
from vision.tiles.belief import believed
from vision.tiles.classes import FACES
from vision.tiles.confidence import TYPICAL_PX
from vision.tiles.recogniser import Recogniser, Recognition

TO_MEASURE: Final = CopyPlan(of_a_face=24, wear=2.0, seed=3)
USUAL_SCORE: Final = 0.9
"""Score that the finder gives a tile that is well seen."""
USUAL_AXIS: Final = 8.0
"""Nats by which the direction of a tile is known that is well seen."""
USUAL_TILE: Final = 5.0
"""Log odds that it is a tile at all."""
MOST_CONFUSIONS: Final = 10


@dataclass(frozen=True)
class ReadShares:
    """How copies are read, as shares of them."""

    right: float
    """The likeliest face is the true one."""
    unknown: float
    """Reported as ``?``."""
    wrong: float
    """Named wrongly, without ``?``."""


@dataclass(frozen=True)
class ProfileGain:
    """Readings of one set without and with its profile."""

    kinds: int
    tiles: int
    """Pictures of tiles in the profile."""
    copies: int
    """Copies that were read to measure it."""
    from_other_pictures: bool
    """Whether they were made from pictures left out of the learning. Otherwise they differ from
    what was learnt only by light, outline and wear, and flatter the profile."""
    uses_profile: bool
    """Whether the profile is used: it is not where it reads worse than the plain net."""
    before: ReadShares
    after: ReadShares
    confusions: tuple[tuple[str, str, int], ...]
    """The most frequent errors that are left: true face, read face, copies."""


def gain_of(
    recogniser: Recogniser,
    profile: Profile,
    advance: Callable[[float], None] = lambda share: None,
) -> ProfileGain:
    """Compare the plain ``recogniser`` with one corrected by the profile; it stays corrected."""
    last = _last_of_many(profile)
    others = bool(last.any())
    learnt = _part(profile, ~last) if others else profile
    asked = SeenCopies.of(_part(profile, last) if others else profile, TO_MEASURE, recogniser)
    before = shares_of(recogniser, asked, asked.probabilities)
    corrector = corrector_of(recogniser, learnt, advance)
    read = asked.probabilities
    if corrector is not None:
        read = corrector.fuse(read, asked.embeddings)
        recogniser.corrected(corrector, learnt.faces)
    seen = read.argmax(axis=1)
    wrong = Counter(
        (FACES[true], FACES[face])
        for true, face in zip(asked.faces, seen, strict=True)
        if true != face
    )
    return ProfileGain(
        len(np.unique(profile.faces)),
        len(profile.faces),
        len(asked.faces),
        others,
        corrector is not None,
        before,
        shares_of(recogniser, asked, read),
        tuple((true, face, count) for (true, face), count in wrong.most_common(MOST_CONFUSIONS)),
    )


def _last_of_many(profile: Profile) -> Bools:
    """(n,) the last picture of each face that has several."""
    last = np.zeros(len(profile.faces), bool)
    for face in np.unique(profile.faces):
        rows = np.flatnonzero(profile.faces == face)
        if len(rows) > 1:
            last[rows[-1]] = True
    return last


def _part(profile: Profile, rows: Bools) -> Profile:
    return Profile(profile.patches_bgr[rows], profile.faces[rows])


def shares_of(recogniser: Recogniser, asked: SeenCopies, probabilities: Floats) -> ReadShares:
    """The shares of copies that are seen well, each as if it lay alone."""
    count = len(probabilities)
    usual = (TYPICAL_PX, USUAL_SCORE, USUAL_AXIS, USUAL_TILE)
    widths_px, scores, axes, tiles = (np.full(count, value, np.float32) for value in usual)
    seen = Recognition(
        probabilities,
        np.zeros(count, np.int64),
        np.zeros((count, 4, 2), np.float32),
        axes,
        tiles,
    )
    beliefs = believed(recogniser, seen, widths_px, scores)
    named = np.array(
        [
            (best if belief.trust is None else belief.trust) >= belief.threshold
            for best, belief in zip(probabilities.max(axis=1), beliefs, strict=True)
        ]
    )
    right = probabilities.argmax(axis=1) == asked.faces
    return ReadShares(*(round(float(rows.mean()), 4) for rows in (right, ~named, named & ~right)))
