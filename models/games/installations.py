"""Simulated installations: a table, a set, a light and a camera, with what goes wrong there.

Each aspect is good, fair or poor by itself. The rates are chosen to lie on both sides of what a
shipped detector shows (``simulated_detector``); they are not measured on tables.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from games.labels import CameraFollower, planned_frames
from games.outcome import GameCase
from games.recorded import RecordedDecoder
from games.simulated_detector import CLEAN, DetectorErrors, SimulatedReader, looks

from engine.events import Entry
from engine.rules import GAMES
from engine.tiles import KINDS, Tile
from studio.film.game_film import PlannedGame, Settings, plan
from studio.film.grades import FilmGrade
from studio.film.scripted_director import ScriptedDirector
from studio.play.truth import seen_entries
from vision.table.quality import CLEAR_PX, READABLE_PX, QualityCheck, graded, smallest_tile_px

LEVELS: Final = ("good", "fair", "poor")
SHARES: Final = (0.7, 0.2, 0.1)
"""How often an aspect is so: a table that is good in all of them is not rare."""
ASPECTS: Final = ("set", "light", "camera", "troubles")
CONFUSED: Final[Mapping[str, tuple[int, float, float]]] = {
    "good": (0, 0.0, 0.0),
    "fair": (2, 0.1, 0.25),
    "poor": (6, 0.2, 0.5),
}
"""How many faces of a set look like another one, and how often: from, to."""
LIGHT: Final[Mapping[str, tuple[str, float, float, float]]] = {
    "good": ("ordinary", 1.0, 0.2, 1.0),
    "fair": ("ordinary", 3.0, 0.3, 1.3),
    "poor": ("hard", 7.0, 0.5, 1.7),
}
"""The bank of readings, by what the share of missed tiles is multiplied, the noise between looks,
and by what log probabilities are divided."""
CAMERA: Final[Mapping[str, tuple[tuple[int, int], float, tuple[float, float], float]]] = {
    "good": ((3840, 2160), 3.0, (0.0, 10.0), 0.01),
    "fair": ((1920, 1080), 2.5, (0.0, 20.0), 0.02),
    "poor": ((1280, 720), 2.0, (15.0, 35.0), 0.05),
}
"""Size of the picture, pictures a second, tilt, and how far a tile's middle shakes, in widths."""
TROUBLES: Final[Mapping[str, tuple[FilmGrade, float]]] = {
    "good": (FilmGrade(), 0.0),
    "fair": (FilmGrade(lingers=0.15, sloppy=1.5), 1.0),
    "poor": (FilmGrade(lingers=0.35, sloppy=2.5, knocks=0.06, bumps=(0, 1)), 2.0),
}
"""Arms that stay over the table, sloppy hands, knocks; and things that are taken for a tile."""
MOST_MISSED: Final = 0.5
WIDTHS: Final = (0.75, 1.35)
"""Tiles of the bank that are drawn, in widths of the tiles that the camera shows; ..."""
LARGE_PX: Final = 40.0
"""... tiles that are wider than this are all read as well as each other (models/README.md)."""


@dataclass(frozen=True)
class Installation:
    """One of them: its seed and its game decide all of it."""

    seed: int
    rules: str

    @classmethod
    def numbered(cls, seed: int) -> Installation:
        """Another game with each seed."""
        return cls(seed, GAMES[seed % len(GAMES)].id)

    @cached_property
    def levels(self) -> Mapping[str, str]:
        rng = random.Random(f"installation {self.seed}")
        return dict(zip(ASPECTS, rng.choices(LEVELS, SHARES, k=len(ASPECTS)), strict=True))

    @property
    def fps(self) -> float:
        return CAMERA[self.levels["camera"]][1]

    def planned(self, hands: int) -> PlannedGame:
        """What is acted at its table: so many hands, or its rehearsal where there are none."""
        (width_px, height_px), _, tilt, _ = CAMERA[self.levels["camera"]]
        settings = Settings(
            self.rules, self.seed, Path(), max(1, hands), width_px, height_px, self.fps, video=False
        )
        grade = replace(TROUBLES[self.levels["troubles"]][0], tilt_deg=tilt)
        return plan(replace(settings, rehearsal=not hands), grade)

    def errors(self, tile_px: float) -> DetectorErrors:
        """What its detector does wrong where tiles are so wide."""
        rng = random.Random(f"errors {self.seed}")
        bank, missed, noise, vague = LIGHT[self.levels["light"]]
        least_px, most_px = (share * tile_px for share in WIDTHS)
        count, least, most = CONFUSED[self.levels["set"]]
        faces = [kind for kind in KINDS if Tile(kind).suit != "z"]
        confused = {
            face: (rng.choice([one for one in faces if one[1] == face[1] and one != face]), share)
            for face in rng.sample(faces, count)
            for share in [rng.uniform(least, most)]
        }
        return replace(
            CLEAN,
            bank=bank,
            widths_px=CLEAN.widths_px if tile_px >= LARGE_PX else (least_px, most_px),
            missed={side: min(MOST_MISSED, missed * was) for side, was in CLEAN.missed.items()},
            noise=noise,
            vague=vague,
            shake=CAMERA[self.levels["camera"]][3],
            things=TROUBLES[self.levels["troubles"]][1],
            confused=confused,
        )


@dataclass(frozen=True)
class Watched:
    """One moment of a film that is read."""

    time_s: float
    lines: Sequence[Entry]
    """What was written then."""
    decoder: RecordedDecoder


class Film:
    """What happens at an installation, and how it is read."""

    def __init__(self, installation: Installation, hands: int = 0) -> None:
        """``hands``: how many are played; without any it is the rehearsal."""
        self.installation = installation
        self.planned = installation.planned(hands)
        self.length_s = 0.0

    @property
    def true(self) -> Sequence[Entry]:
        rules = self.installation.rules
        return tuple(seen_entries(self.planned.true_record(), (), rules))

    @property
    def cards(self) -> Sequence[tuple[str, float]]:
        """The cards of a rehearsal, each with the second from which it is done."""
        director = self.planned.director
        return director.cards if isinstance(director, ScriptedDirector) else ()

    def watched(self, until_s: float = math.inf) -> Iterator[Watched]:
        """Yield each look, and the end with what is written then."""
        inst, view = self.installation, self.planned.place.view
        follower = CameraFollower(self.planned, GameCase("any", inst.rules, inst.seed))
        frames = planned_frames(self.planned, inst.fps, until_s=until_s)
        for look in looks(
            frames, view, inst.errors(view.tile_px), inst.seed, follower.looks_everywhere
        ):
            self.length_s = look.time_s
            yield Watched(look.time_s, follower.take(look), follower.decoder)

    def faces(self, kinds: Sequence[Tile]) -> Mapping[Tile, bool]:
        """Whether each face is named right where the set is laid out."""
        inst, view = self.installation, self.planned.place.view
        rng = random.Random(f"oracle {inst.seed}")  # as ``looks`` does: the same set and light
        reader = SimulatedReader(inst.errors(view.tile_px), rng, view)
        return {kind: reader.alone(kind) == kind for kind in kinds}

    def findings(self) -> Sequence[QualityCheck]:
        """What is measured of its picture: there is none, so only how large tiles look."""
        size_px = smallest_tile_px(self.planned.place.view)
        return (graded("tile_px", size_px, CLEAR_PX, READABLE_PX),)
