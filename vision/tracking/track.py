"""Which tile is which over time: identity by place, readings added up while the tile lies still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.table.placed_tile import PlacedTile
from vision.table.view import HEIGHT_SHARE, THICKNESS_SHARE, TableView
from vision.tiles.classes import FACES, Side
from vision.tiles.fives import PLAIN, RED, as_the_game_has, either_five
from vision.tracking.matching import pairs
from vision.tracking.observe import Look, Observation, Spots, spots
from vision.tracking.zones import TWICE

NEAR: Final = 0.45
"""Two looks show the same tile when it moved by less than this share of its width."""
ANOTHER_SIDE: Final = 0.4
"""A reading of another side speaks so much against a track, in shares of ``NEAR``, ..."""
CAME_BACK: Final = 0.5
"""... and that a tile which was gone is back."""
DEAREST: Final = 2.0
"""No pair costs more."""
SLID: Final = 1.6
"""A tile that was pushed is found again within this many widths."""
SLID_S: Final = 1.5
SEEN_S: Final = 0.27
"""A tile counts as first seen so long after the last movement in its place, ..."""
LATE_S: Final = 2.5
"""... unless that was longer ago."""
LOOKS_TO_BELIEVE: Final = 2
BELIEVE_S: Final = 0.13
"""A tile is believed after this many still looks, the first and last this far apart: no farther
than two looks may be, for two that agree end the reading of a place. With 0.15 s a camera of 30
pictures a second, whose looks may be four apart, lost a claimed discard in 2 of 10 runs."""
RESTS_LOOKS: Final = 3
RESTS_S: Final = 0.3
"""A tile is also believed after so many looks, this far apart, if one of them was still. A tile
that is claimed at once has hands moving beside it all the time."""
LOOKS_TO_MISS: Final = 2
MISS_S: Final = 0.25
"""It is given up when its place was seen without it in this many still looks."""
REMEMBER_S: Final = 25.0
"""How long a tile that was given up may come back: a hand lay over it."""
MOST_EVIDENCE: Final = 1.0
"""Looks that count towards a face. Looks at a tile that lies still share all but a fifth of their
errors, and one look is as sure as it is right: counting four, 14 of 756 faces of an unseen style
were wrong and surer than 0.9, counting one 5 are (0.14 and 0.09 nats a face)."""
DISAGREE: Final = 3
"""Sure readings of another face in a row, after which another tile lies here."""
LONG_UNSURE: Final = 8
"""A track with more looks than this and no sure face is a different thing from a sure face in its
place."""
LOOKS_TO_TURN: Final = 2
"""A track is turned by a quarter if so many looks say so and are surer on average. Noise makes
single outlines both sure and wrong."""
SIDE_KEPT: Final = 0.6
"""How much of what spoke for a side is left after the next look."""
SAME_FACE: Final = 0.6
"""Two distributions of a face with a cosine above this may be of one tile."""
SIZES_VARY: Final = 0.5
"""Outlines of tiles may be off by so much, as a sum of two logarithms: only half a tile is seen, or
it leans."""
FLOOR: Final = 1e-4
"""Probability that a reading leaves to every face."""


@dataclass(eq=False)
class _Track:
    id: int
    xy_mm: NDArray[np.float64]
    turn_deg: float
    first_s: float
    last_s: float
    log_faces: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(FACES)))
    evidence: float = 0.0
    in_colour: float = 0.0
    """The part of it that tells a red five from a plain one."""
    side: Side = Side.FACE
    """The likeliest side."""
    sides: dict[Side, float] = field(default_factory=dict)
    """The evidence for each side."""
    crosswise: list[float] = field(default_factory=list)
    """How sure the finder was in still looks that show it lying crosswise to what is believed."""
    looks: int = 0
    """Looks while nothing moved beside it."""
    seen: int = 0
    """All looks that found it."""
    scores: float = 0.0
    """Sum over still looks of how sure the finder was."""
    off_size: float = 0.0
    """Sum over still looks of how far the outline's size is from that of a tile."""
    believed: bool = False
    misses: int = 0
    missed_s: float = 0.0
    gone_s: float | None = None
    out_of_sight: bool = False
    """The camera moved, and its picture no longer holds the whole tile."""
    other: int = 0
    other_s: float = 0.0
    turned_s: float | None = None
    """Since when the other side is seen."""
    as_seen: PlacedTile | None = None
    """The tile as it was last told; None when a newer look has shown it."""

    @property
    def probabilities(self) -> NDArray[np.float64]:
        if self.as_seen is not None:
            return self.as_seen.probabilities
        if not self.evidence or self.side is not Side.FACE:
            return np.zeros(len(FACES))
        # The mean log-probability, sharpened by as many looks as are worth counting.
        log = self.log_faces * (min(self.evidence, MOST_EVIDENCE) / self.evidence)
        if self.in_colour < self.evidence:
            log = self._coloured(log)
        shares = np.exp(log - log.max())
        return np.asarray(shares / shares.sum(), np.float64)

    def _coloured(self, log: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same, with fives told apart by the looks in colour alone, however few they are."""
        apart = (self.log_faces[RED] - self.log_faces[PLAIN]) / 2
        apart *= min(self.in_colour, MOST_EVIDENCE) / max(self.in_colour, 1e-9)
        middle = (log[RED] + log[PLAIN]) / 2
        log = log.copy()
        log[RED], log[PLAIN] = middle + apart, middle - apart
        return log

    def placed(self) -> PlacedTile:
        if self.as_seen is None:
            self.as_seen = self._placed()
        return self.as_seen

    def _placed(self) -> PlacedTile:
        x, y = self.xy_mm
        return PlacedTile(
            self.id,
            self.side,
            self.probabilities,
            float(x),
            float(y),
            self.turn_deg,
            self.first_s,
            self.looks,
            self.scores / self.looks if self.looks else 1.0,
            max(0.0, self.off_size / self.looks - SIZES_VARY) if self.looks else 0.0,
        )


class Tracker:
    """Takes looks in order of time; ``update`` answers what is believed to lie on the table."""

    def __init__(self, view: TableView, in_play: NDArray[np.float64] | None = None) -> None:
        """``in_play`` (38,) is 1 for every face that the game has, else 0."""
        self.view = view
        self.in_play = np.ones(len(FACES)) if in_play is None else in_play
        self._tracks: list[_Track] = []
        self._next_id = 0

    def update(self, look: Look) -> Observation:
        if look.read:
            self._take(look)
        self._forget(look.time_s)
        placed = tuple(t.placed() for t in self._tracks if t.believed and t.gone_s is None)
        return Observation(
            look.time_s,
            placed,
            look.busy,
            look.unrest,
            look.sticks,
            look.rolled,
            look.held,
            look.frame,
        )

    def _take(self, look: Look) -> None:
        """Compare the readings of a look with what is known."""
        found = spots(look, self.view)
        faces = as_the_game_has(found.probabilities, self.in_play)
        found = replace(found, probabilities=faces)
        matched = self._matches(found, look.time_s)
        before = list(self._tracks)
        known = {track for track in before if track.believed}
        for row in range(len(found)):
            track = matched.get(row)
            if track is None:
                self._begin(found, row, look.time_s)
            else:
                self._add(track, found, row, look.time_s)
        seen = {id(track) for track in matched.values()}
        here = [track for track in self._tracks if track.last_s == look.time_s]
        self._miss([track for track in before if id(track) not in seen], here, look)
        self._join_slid([t for t in self._tracks if t.believed and t not in known])

    def moved(self, view: TableView) -> None:
        """Take a new view after the camera has moved; the tiles have not.

        What it showed whole before and shows no more did not go away.
        """
        whole = {track.id for track in self._tracks if track.out_of_sight or self._shows(track)}
        self.view = view
        for track in self._tracks:
            track.out_of_sight = track.id in whole and not self._shows(track)

    def _shows(self, track: _Track) -> bool:
        """Whether a tile lies wholly inside the picture."""
        view, turn = self.view, np.radians(track.turn_deg)
        standing = track.side is Side.STANDING
        long = THICKNESS_SHARE if standing else HEIGHT_SHARE
        across = np.array([np.cos(turn), np.sin(turn)]) * view.tile_mm / 2
        along = np.array([-np.sin(turn), np.cos(turn)]) * view.tile_mm * long / 2
        around = np.array([across + along, across - along, -across - along, along - across])
        px = view.to_image(track.xy_mm + around, view.standing_mm if standing else view.lying_mm)
        return bool(((px >= 0) & (px <= np.array(view.picture_px))).all())

    def forget_gone(self) -> None:
        """Forget what was cleared away: a tile in its place is one of the next hand.

        Another hand stands where one stood out of sight.
        """
        self._tracks = [
            track
            for track in self._tracks
            if track.gone_s is None and (not track.out_of_sight or track.side is Side.STANDING)
        ]

    # --- one look ---

    def _matches(self, found: Spots, time_s: float) -> dict[int, _Track]:
        """The track that each reading continues, by the reading's row."""
        tracks = [track for track in self._tracks if track.last_s < time_s]
        if not tracks or not len(found):
            return {}
        near = NEAR * self.view.tile_mm
        places = np.array([track.xy_mm for track in tracks])
        costs = np.linalg.norm(found.xy_mm[:, None] - places[None], axis=2) / near
        beyond = costs >= 1.0
        for row, column in np.argwhere(~beyond).tolist():
            track = tracks[column]
            same = found.sides[row] is track.side
            costs[row, column] += 0.0 if same else ANOTHER_SIDE
            if track.gone_s is not None:
                costs[row, column] += CAME_BACK
                beyond[row, column] = not same or self._agreement(track, found, row) < 0.05
        costs[beyond] = 2 * DEAREST
        return {row: tracks[column] for row, column in pairs(costs, DEAREST).items()}

    @staticmethod
    def _agreement(track: _Track, found: Spots, row: int) -> float:
        """How likely the track and the reading show the same face; 1 where neither says."""
        if track.side is not Side.FACE or found.sides[row] is not Side.FACE:
            return 1.0
        return float(track.probabilities @ found.probabilities[row])

    def _begin(self, found: Spots, row: int, time_s: float) -> _Track:
        since_s = float(found.since_s[row])
        first_s = min(time_s, since_s + SEEN_S) if since_s > time_s - LATE_S else time_s
        track = _Track(
            self._next_id, found.xy_mm[row].copy(), float(found.turn_deg[row]), first_s, time_s
        )
        self._next_id += 1
        self._tracks.append(track)
        self._add(track, found, row, time_s)
        return track

    def _add(self, track: _Track, found: Spots, row: int, time_s: float) -> None:
        clear = bool(found.clear[row])
        if self._shows_another(track, found, row, time_s) and clear:
            track.gone_s = track.other_s
            fresh = self._begin(found, row, time_s)
            fresh.first_s = track.other_s
            return
        track.as_seen = None
        track.last_s, track.misses, track.gone_s = time_s, 0, None
        track.out_of_sight = False
        track.seen += 1
        weight = 1.0 if clear else 0.15
        share = max(0.25, 1.0 / (track.looks + 1))
        track.xy_mm += share * weight * (found.xy_mm[row] - track.xy_mm)
        turn = (float(found.turn_deg[row]) - track.turn_deg + 180) % 360 - 180
        score = float(found.scores[row])
        side = found.sides[row]
        both_faces = side is Side.FACE and track.evidence > 0 and track.side is Side.FACE
        across = both_faces and 60 < abs(turn) < 120 and track.looks > 0
        # A face may be read upside down now and then; the first look that counts decides.
        if abs(turn) < 60:
            track.turn_deg = (track.turn_deg + share * weight * turn) % 360
        elif track.looks == 0:
            track.turn_deg = float(found.turn_deg[row])
        if across and clear:
            track.crosswise.append(score)
        if across and clear and self._lies_crosswise(track):
            # One of the two outlines is wrong, and with it what was read inside.
            track.turn_deg, across = float(found.turn_deg[row]), False
            track.crosswise.clear()
            track.other = 0
            track.log_faces, track.evidence, track.in_colour = np.zeros(len(FACES)), 0.0, 0.0
        self._turn_over(track, side, weight * score, time_s)
        if side is Side.FACE and (clear or not track.believed) and not across:
            shares = found.probabilities[row]
            grey = either_five(shares)
            log = np.log(shares * (1 - FLOOR) + FLOOR)
            track.log_faces += weight * log
            track.evidence += weight
            track.in_colour += 0.0 if grey else weight
        if clear:
            track.looks += 1
            track.scores += score
            track.off_size += float(found.off_size[row])
        if track.looks and not track.believed and self._believable(track, time_s):
            track.believed = True

    @staticmethod
    def _lies_crosswise(track: _Track) -> bool:
        enough = len(track.crosswise) >= min(LOOKS_TO_TURN, track.looks)
        return enough and float(np.mean(track.crosswise)) > track.scores / track.looks

    @staticmethod
    def _turn_over(track: _Track, side: Side, weight: float, time_s: float) -> None:
        """Count a reading of a side; a tile that was turned over begins anew in its place."""
        before = track.side if track.sides else side
        if side is before:
            track.turned_s = None
        elif track.turned_s is None:
            track.turned_s = time_s
        for other in track.sides:
            track.sides[other] *= SIDE_KEPT
        track.sides[side] = track.sides.get(side, 0.0) + weight
        track.side = max(track.sides, key=track.sides.__getitem__)
        if track.side is not before:
            track.first_s = time_s if track.turned_s is None else track.turned_s
            track.turned_s = None

    def _shows_another(self, track: _Track, found: Spots, row: int, time_s: float) -> bool:
        if not track.believed or found.sides[row] is not Side.FACE or track.side is not Side.FACE:
            return False
        # A sleeve over a tile may make it look like one that the game does not have.
        seen = (found.probabilities[row] * self.in_play).max()
        face_known = track.probabilities.max() > 0.5 or track.evidence > LONG_UNSURE
        if seen < 0.7 or not face_known or self._agreement(track, found, row) > 0.1:
            track.other = 0
            return False
        if track.other == 0:
            track.other_s = time_s
        track.other += 1
        return track.other >= DISAGREE

    def _believable(self, track: _Track, time_s: float) -> bool:
        age_s = time_s - track.first_s
        if track.looks >= LOOKS_TO_BELIEVE and age_s >= BELIEVE_S:
            return True
        rests = track.side is Side.FACE and track.seen >= RESTS_LOOKS and age_s >= RESTS_S
        return rests and not any(self._slid_to(other, track) for other in self._tracks)

    def _slid_to(self, other: _Track, track: _Track) -> bool:
        """Whether this track may be another face that was pushed here, although its old place does
        not look empty yet."""
        return (
            other is not track
            and other.believed
            and other.side is Side.FACE
            and float(np.hypot(*(other.xy_mm - track.xy_mm))) < SLID * self.view.tile_mm
            and _alike(other.probabilities, track.probabilities) > SAME_FACE
        )

    def _join_slid(self, believed: Sequence[_Track]) -> None:
        """If an equal face nearby was given up a moment ago, it was pushed here: continue the track
        of the nearest one."""
        pairs = [
            (float(np.hypot(*(other.xy_mm - track.xy_mm))), track, other)
            for track in believed
            for other in self._tracks
            if track.side is Side.FACE and self._slid_to(other, track)
        ]
        joined: set[_Track] = set()
        for _, track, other in sorted(pairs, key=lambda pair: pair[0]):
            left_s = other.gone_s if other.gone_s is not None else other.missed_s
            left = other.gone_s is not None or other.misses > 0
            if left and abs(left_s - track.first_s) < SLID_S and joined.isdisjoint((track, other)):
                track.id, track.first_s = other.id, other.first_s
                joined |= {track, other}
                self._tracks.remove(other)

    def _miss(self, tracks: list[_Track], here: list[_Track], look: Look) -> None:
        """Count that these tracks were not seen; ``here``: those that were."""
        if not tracks:
            return
        places = np.array([track.xy_mm for track in tracks])
        standing = np.array([track.side is Side.STANDING for track in tracks], bool)
        px = self.view.to_image(places, self.view.lying_mm)
        px[standing] = self.view.to_image(places[standing], self.view.standing_mm)
        for track, clear, since_s in zip(tracks, look.clear(px), look.since(px), strict=True):
            if not clear or track.gone_s is not None or track.out_of_sight:
                continue
            # A tile does not go away without any movement, so this look has missed it.
            if track.believed and since_s < track.last_s:
                continue
            if track.misses == 0:
                track.missed_s = look.time_s
            track.misses += 1
            if track.misses < LOOKS_TO_MISS:
                continue
            lasted = look.time_s - track.missed_s >= MISS_S
            if lasted or not track.believed or self._has_made_room(track, here):
                track.gone_s = track.missed_s

    def _has_made_room(self, track: _Track, here: list[_Track]) -> bool:
        """Whether another tile stands where this one stood: its row has been pushed along."""
        near_mm = TWICE * self.view.tile_mm
        return track.side is Side.STANDING and any(
            other.side is Side.STANDING and float(np.hypot(*(other.xy_mm - track.xy_mm))) < near_mm
            for other in here
        )

    def _forget(self, time_s: float) -> None:
        self._tracks = [
            track
            for track in self._tracks
            if (track.gone_s is None and (track.believed or time_s - track.last_s < 1.0))
            or (track.gone_s is not None and track.believed and time_s - track.gone_s < REMEMBER_S)
        ]


def _alike(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The cosine of two distributions: 1 where they say the same, however sure they are."""
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / length if length else 0.0
