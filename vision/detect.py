"""Detect tiles in a picture: the finder locates them, the recogniser names their faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from engine.tiles import UNKNOWN, Tile
from vision.arrays import Bytes, Doubles, Floats
from vision.camera.pictures import Region
from vision.tiles.belief import FaceBelief, believed
from vision.tiles.boxes import Boxes, corners_of
from vision.tiles.classes import FACE_INDEX, FACES, SIDES, DetectedTile, Side
from vision.tiles.company import in_company
from vision.tiles.confidence import FEATURES
from vision.tiles.doubles import ONE, shared, singles
from vision.tiles.finder import Finder
from vision.tiles.handedness import handedness_of
from vision.tiles.neighbours import (
    HALF,
    HALVES,
    MANY,
    SURELY,
    TWO,
    cut,
    has_part,
    more_alike,
    parted,
    usual,
)
from vision.tiles.neighbours import beside as areas_beside
from vision.tiles.own_colours import misjudged, of_no_back
from vision.tiles.parts import PART, areas, extended, usual_areas
from vision.tiles.proportion import SHAPES, scaled, squeezed
from vision.tiles.recogniser import Recogniser
from vision.tiles.scale import DOUBTFUL, find_any_size
from vision.tiles.second_look import ENLARGED, regions

SHIPPED: Final = Path(__file__).parent / "weights"
BLANK: Final = Tile("5z")
"""A white dragon may have no print, so it tells no ground of faces from a back."""
LEAST_WORTH: Final = 4.0
"""So many sure faces show that tiles lie in a picture, so that it is worth a second look. Without
this, in nine pictures of keys and dice 10 things were named in place of 5."""
MUCH_SURER: Final = 1.05
"""By this factor more must be surely read in other proportions."""
MANY_DOUBTFUL: Final = 0.05
"""Share of the faces that are doubtful where a square picture is tried in other proportions."""
LIKELY_BLANK: Final = 0.9
"""Least probability of a white dragon in an enrolled set that the set's own colours confirm."""
BLANK_TRUST: Final = 7 / 8
"""Confidence of such a white dragon: of six that were named for it all were right, which tells no
more than this (Laplace)."""
EACH: Final = 4
"""Tiles of one kind in a set. Where more look blank, they are slips, spare tiles or pale backs."""
NO_TILE: Final = FEATURES.index("no_tile")
NO_FACE: Final = 0.075
"""Value of that feature from which a back with the colour of faces stays a back. On rendered tables
21 of 27 such faces lie below, and 7 of 27 such backs."""


@dataclass(frozen=True, eq=False)
class Detection:
    """One tile in one picture."""

    side: Side
    corners_px: Floats
    """(4, 2) float32: the upper side, clockwise from the tile's own top left."""
    score: float
    """The finder's confidence that a tile lies here, 0..1."""
    probabilities: Floats
    """(38,) float32 over ``FACES``; zeros unless the face is up."""
    threshold: float
    """Least confidence at which the face is accepted."""
    trust: float | None = None
    """Measured share of right readings among readings like this one; None if not measured."""
    features: Doubles | None = None
    """(10,) what ``trust`` is computed from; None if no face was read."""
    in_company: float | None = None
    """The threshold among sure faces, if it is another one."""

    @property
    def confidence(self) -> float:
        """Confidence in the face if it is up, else in the side, 0..1."""
        if self.side is not Side.FACE:
            return self.score
        return float(self.probabilities.max()) if self.trust is None else self.trust

    @property
    def width_px(self) -> float:
        """Length of the tile's top edge."""
        return float(np.linalg.norm(self.corners_px[1] - self.corners_px[0]))

    @property
    def tile(self) -> Tile:
        """The face; ``?`` where it is hidden or doubtful."""
        if self.side is not Side.FACE or self.confidence < self.threshold:
            return UNKNOWN
        return Tile(FACES[int(self.probabilities.argmax())])


class TileReader(Protocol):
    """A detector, or a stand-in for one."""

    def read(
        self,
        image_bgr: Bytes,
        region: Region | None = None,
        tile_px: float | None = None,
        beside: Sequence[Detection] = (),
    ) -> list[Detection]: ...


class OutlineReader(TileReader, Protocol):
    """A reader that can also be told where tiles lie."""

    def read_at(self, image_bgr: Bytes, corners_px: Floats, scores: Floats) -> list[Detection]: ...


class Detector:
    """Detects the tiles of a picture at full resolution; safe to use from any thread."""

    def __init__(self, finder: Finder, recogniser: Recogniser) -> None:
        self.finder = finder
        self.recogniser = recogniser

    @classmethod
    def load(
        cls,
        folder: Path | None = None,
        threads: int | None = None,
        precise: bool = False,
        readers: int = 0,
    ) -> Detector:
        """Load ``finder.onnx`` and ``recogniser.onnx``; raises ``WeightsError``.

        ``precise``: compute in 32-bit floats where the processor would use shorter ones.
        ``readers``: threads that read at once, as recordings are; 0 optimises for the delay of a
        single picture.
        """
        folder = folder or SHIPPED
        return cls(
            Finder(folder / "finder.onnx", threads, precise, readers),
            Recogniser(folder / "recogniser.onnx", threads, precise, readers),
        )

    def read(
        self,
        image_bgr: Bytes,
        region: Region | None = None,
        tile_px: float | None = None,
        beside: Sequence[Detection] = (),
    ) -> list[Detection]:
        """Return the tiles of a picture, with corners in its pixels.

        ``region`` (x0, y0, x1, y1) limits the search. ``tile_px`` is the short side of a tile if
        known; otherwise the size is found from the faces that are sure. ``beside`` are tiles that
        lie outside the region: they, too, tell how large an outline must be.
        """
        left, top = 0, 0
        part = image_bgr
        if region is not None:
            height, width = image_bgr.shape[:2]
            left, top = max(0, region[0]), max(0, region[1])
            right, bottom = min(width, region[2]), min(height, region[3])
            if right - left < 8 or bottom - top < 8:
                return []
            part = np.asarray(image_bgr[top:bottom, left:right], np.uint8)
        boxes = self._find(part) if tile_px is None else self.finder.find(part, tile_px)
        if tile_px is None and region is None:
            scales = squeezed(image_bgr, self._find, boxes)
            if scales != (1.0, 1.0):
                return self._read_squeezed(image_bgr, scales)
            tiles = self._of_true_shape(image_bgr, self._named(image_bgr, boxes))
            return self._looked_again(image_bgr, tiles)
        return self._named(image_bgr, boxes.moved(1.0, (left, top)), beside)

    def read_at(self, image_bgr: Bytes, corners_px: Floats, scores: Floats) -> list[Detection]:
        """Return the faces at outlines (n, 4, 2), a short side first, with finder scores (n,)."""
        sides = [Side.FACE] * len(corners_px)
        return self._faces(image_bgr, sides, corners_px.copy(), scores)

    def _find(self, image_bgr: Bytes) -> Boxes:
        """The boxes of a picture whose tiles may have any size."""
        return find_any_size(
            max(image_bgr.shape[:2]),
            lambda scale: self.finder.look(image_bgr, scale),
            lambda boxes: self._trust(image_bgr, boxes),
        )

    def _trust(self, image_bgr: Bytes, boxes: Boxes) -> Floats:
        """(n,) confidence in each face as it is outlined; 0 where no face is up."""
        named = self._faces(image_bgr, _sides(boxes), corners_of(boxes.xywhr), boxes.scores)
        return np.array(
            [tile.confidence if tile.side is Side.FACE else 0.0 for tile in named], np.float32
        )

    def handed(self, image_bgr: Bytes, tiles: Sequence[DetectedTile]) -> Mapping[str, float]:
        """For each face in the picture, how much it speaks against a mirrored picture."""
        return handedness_of(self.recogniser, image_bgr, tiles)

    def _read_squeezed(self, image_bgr: Bytes, scales: tuple[float, float]) -> list[Detection]:
        """The tiles of a picture after its proportions are corrected."""
        picture = scaled(image_bgr, scales)
        return _back(self._named(picture, self._find(picture)), image_bgr, picture)

    def _of_true_shape(self, image_bgr: Bytes, tiles: list[Detection]) -> list[Detection]:
        """The tiles of a picture that may have been stretched to a square, read in the proportions
        in which most faces are sure."""
        height, width = image_bgr.shape[:2]
        doubtful = sum(map(_doubtful, tiles))
        faces = sum(tile.side is Side.FACE for tile in tiles)
        if height != width or doubtful <= MANY_DOUBTFUL * faces:
            return tiles
        short_px = _short_px(tiles)
        best, most = tiles, max(_worth(tiles) * MUCH_SURER, LEAST_WORTH)
        for scales in SHAPES:
            picture = scaled(image_bgr, scales)
            boxes = self.finder.find(picture, short_px * float(np.sqrt(np.prod(scales))))
            read = self._named(picture, boxes)
            if (worth := _worth(read)) > most:
                best, most = _back(read, image_bgr, picture), worth
        return best

    def _looked_again(self, image_bgr: Bytes, tiles: list[Detection]) -> list[Detection]:
        """The tiles; those that are doubtful as they are seen at other scales, if surer."""
        if _worth(tiles) < LEAST_WORTH:
            return tiles
        for enlarged in ENLARGED:
            doubtful = [tile for tile in tiles if _doubtful(tile)]
            if not doubtful:
                break
            outlines = np.stack([tile.corners_px for tile in doubtful])
            for part in regions(outlines, (image_bgr.shape[1], image_bgr.shape[0])):
                tiles = self._part_again(image_bgr, tiles, part, enlarged)
        return tiles

    def _part_again(
        self, image_bgr: Bytes, tiles: list[Detection], part: Region, enlarged: float
    ) -> list[Detection]:
        """The tiles, after a look at a part of the picture at another scale."""
        x0, y0, x1, y1 = part
        middles = np.stack([tile.corners_px.mean(axis=0) for tile in tiles])
        within = ((middles > (x0, y0)) & (middles < (x1, y1))).all(axis=1)
        asked = within & np.array([_doubtful(tile) for tile in tiles])
        if not asked.any():  # an earlier part answered for them
            return tiles
        kept = [tile for tile, has in zip(tiles, asked, strict=True) if not has]
        size_px = _short_px([tile for tile, has in zip(tiles, asked, strict=True) if has])
        seen = np.asarray(image_bgr[y0:y1, x0:x1], np.uint8)
        boxes = self.finder.find(seen, size_px / enlarged).moved(1.0, (x0, y0))
        if kept:
            held = np.stack([tile.corners_px for tile in kept])
            apart = np.asarray((shared(corners_of(boxes.xywhr), held) < ONE).all(axis=1), np.bool_)
            boxes = boxes.take(apart)
        read = self._named(image_bgr, boxes, kept)
        return _each_once([*tiles, *(tile for tile in read if tile.tile != UNKNOWN)])

    def _named(
        self, image_bgr: Bytes, boxes: Boxes, beside: Sequence[Detection] = ()
    ) -> list[Detection]:
        tiles = self._faces(image_bgr, _sides(boxes), corners_of(boxes.xywhr), boxes.scores)
        whole = self._one_each(image_bgr, self._whole(image_bgr, tiles, beside), beside)
        told = self._by_colour(image_bgr, self._among_others(whole, beside), beside)
        return _without_other_things(image_bgr, told, beside)

    def _among_others(self, found: list[Detection], beside: Sequence[Detection]) -> list[Detection]:
        """The tiles, those near sure faces with the threshold for tiles in company."""
        if all(tile.in_company is None for tile in found):
            return found
        tiles = [*found, *beside]
        sure = [tile.confidence if tile.side is Side.FACE else 0.0 for tile in tiles]
        near = in_company(np.stack([tile.corners_px for tile in tiles]), np.array(sure, np.float32))
        return [
            replace(tile, threshold=tile.in_company)
            if has and tile.in_company is not None
            else tile
            for tile, has in zip(found, near, strict=False)
        ]

    def _by_colour(
        self, image_bgr: Bytes, found: list[Detection], beside: Sequence[Detection]
    ) -> list[Detection]:
        """The tiles with sides corrected by colour: a face taken for a back is read, and the other
        way round."""
        if not found:
            return found
        tiles = [*found, *beside]
        sure = np.array([tile.tile not in (UNKNOWN, BLANK) for tile in tiles])
        backs = np.array([tile.side is Side.BACK for tile in tiles])
        lying = np.array([tile.side is not Side.STANDING for tile in tiles])
        asked = lying & np.array([tile.tile == UNKNOWN for tile in tiles])
        asked[len(found) :] = False
        if not asked.any():
            return found
        corners = np.stack([tile.corners_px for tile in tiles])
        wrong = misjudged(image_bgr, corners, sure, backs, asked)
        for at in wrong.as_faces:
            none = np.zeros_like(found[at].probabilities)
            found[at] = Detection(
                Side.BACK, corners[at], found[at].score, none, found[at].threshold
            )
        blank = {at: found[at] for at in wrong.bare}
        for at in wrong.as_backs:
            scores = np.array([found[at].score], np.float32)
            (read,) = self.read_at(image_bgr, corners[at : at + 1], scores)
            blank[at] = read
            if read.features is not None and read.features[NO_TILE] < NO_FACE:
                found[at] = read
        for at, read in self._white_dragons(blank, tiles).items():
            found[at] = read
        return found

    def _white_dragons(
        self, blank: Mapping[int, Detection], tiles: Sequence[Detection]
    ) -> dict[int, Detection]:
        """Those of some tiles without print that are white dragons of an enrolled set.

        ``blank`` are readings of ``tiles`` by their place. A slip of paper or a pale back looks the
        same, so a white dragon lies among sure faces, and a set has no more than ``EACH``.
        """
        white = FACE_INDEX[str(BLANK)]
        alike = {at: it for at, it in blank.items() if it.probabilities[white] >= LIKELY_BLANK}
        if not alike or len(alike) + sum(tile.tile == BLANK for tile in tiles) > EACH:
            return {}
        lower = self.recogniser.plain_in_company
        if lower is None or white not in self.recogniser.enrolled:
            return {}
        printed = [tile.tile not in (UNKNOWN, BLANK) for tile in tiles]
        sure = np.array([tile.confidence for tile in tiles], np.float32) * np.array(printed)
        near = in_company(np.stack([tile.corners_px for tile in tiles]), sure)
        return {
            at: replace(tile, trust=BLANK_TRUST, threshold=lower)
            for at, tile in alike.items()
            if near[at]
        }

    def _whole(
        self, image_bgr: Bytes, found: list[Detection], beside: Sequence[Detection]
    ) -> list[Detection]:
        """The tiles; where only a part of a face was outlined, all of it is read instead."""
        lying = [place for place, tile in enumerate(found) if tile.side is not Side.STANDING]
        asked = [row for row, place in enumerate(lying) if found[place].side is Side.FACE]
        if not asked:
            return found
        measures = [found[place] for place in lying]
        measures += [tile for tile in beside if tile.side is not Side.STANDING]
        corners = np.stack([tile.corners_px for tile in measures])
        sure = np.array([tile.confidence for tile in measures], np.float32)
        usual = usual_areas(corners, sure, asked)
        for row, area in zip(asked, usual, strict=True):
            tile = found[lying[row]]
            if areas(corners[row : row + 1])[0] < PART * area:
                scores = np.full(3, tile.score, np.float32)
                ways = self.read_at(image_bgr, extended(corners[row], float(area)), scores)
                found[lying[row]] = max(ways, key=lambda way: way.confidence)
        return found

    def _one_each(
        self, image_bgr: Bytes, found: list[Detection], beside: Sequence[Detection]
    ) -> list[Detection]:
        """The tiles, each outlined once: halves of one made whole, two in one outline parted, one
        with a part of another cut."""
        faces = [place for place, tile in enumerate(found) if tile.side is Side.FACE]
        tiles = [found[place] for place in faces]
        tiles += [tile for tile in beside if tile.side is Side.FACE]
        if not faces:
            return found
        corners = np.stack([tile.corners_px for tile in tiles])
        sure = np.array([tile.confidence for tile in tiles], np.float32)
        shares = areas_beside(corners, sure)
        wholes = usual(shares)
        halves = wholes > 1 / HALF
        for at, (place, row, half) in enumerate(zip(faces, shares, halves, strict=False)):
            tile = tiles[at]
            least = tile.threshold if tile.in_company is None else tile.in_company
            doubtful = tile.confidence < least
            if half and (doubtful or _first(tile) in HALVES):
                found[place] = self._of_half(image_bgr, tile, wholes[at], corners[~halves])
            elif row.any() and (share := float(np.median(row[row > 0]))) < 1 / TWO:
                if doubtful:
                    found[place], *second = self._parted(image_bgr, tile, np.delete(corners, at, 0))
                    found += second
                elif np.count_nonzero(row) >= MANY:
                    found[place] = self._of_more(image_bgr, tile, share, corners[row > 0])
        return _each_once(found)

    def _of_half(
        self, image_bgr: Bytes, tile: Detection, larger: float, whole: Floats
    ) -> Detection:
        """The whole tile of which one was outlined, where that is surely another face; else the
        tile. Outlines that are ``whole`` are of other tiles."""
        area = float(areas(tile.corners_px[None])[0]) * larger
        scores = np.full(3, tile.score, np.float32)
        ways = self.read_at(image_bgr, extended(tile.corners_px, area), scores)
        others = [
            way
            for way in ways
            if _surely(way)
            and (_first(way) != _first(tile) or not tile.tile.known)
            and not (shared(way.corners_px[None], whole) >= ONE).any()
        ]
        return max(others, key=lambda way: way.confidence, default=tile)

    def _parted(self, image_bgr: Bytes, tile: Detection, others: Floats) -> list[Detection]:
        """The two tiles in an outline, where both are sure and none of the ``others``; else the
        tile."""
        for two in parted(tile.corners_px):
            read = self.read_at(image_bgr, two, np.full(2, tile.score, np.float32))
            halves = _first(read[0]) == _first(read[1]) and _first(read[0]) in HALVES
            known = any((shared(one.corners_px[None], others) >= ONE).any() for one in read)
            if all(map(_surely, read)) and not halves and not known:
                return read
        return [tile]

    def _of_more(self, image_bgr: Bytes, tile: Detection, share: float, near: Floats) -> Detection:
        """The tile that has this share of an outline, where that is more surely a face that the
        named one has as a part, with more of the shape of the outlines ``near`` it; else the
        tile."""
        outlines = more_alike(cut(tile.corners_px, share), tile.corners_px, near)
        if not len(outlines):
            return tile
        scores = np.full(len(outlines), tile.score, np.float32)
        ways = self.read_at(image_bgr, outlines, scores)
        best = max(ways, key=lambda way: way.confidence)
        surer = _surely(best) and best.confidence > tile.confidence
        return best if surer and has_part(_first(tile), _first(best)) else tile

    def _faces(
        self,
        image_bgr: Bytes,
        sides: Sequence[Side],
        corners: Floats,
        scores: Floats,
    ) -> list[Detection]:
        rows = np.flatnonzero([side is Side.FACE for side in sides])
        probabilities = np.zeros((len(sides), len(FACES)), np.float32)
        beliefs = [FaceBelief(self.recogniser.threshold)] * len(sides)
        if len(rows):
            named = self.recogniser.read(image_bgr, corners[rows])
            probabilities[rows] = named.probabilities
            for row, turn, better in zip(rows, named.first, named.corners_px, strict=True):
                corners[row] = np.roll(better, -turn, axis=0)
            widths = np.linalg.norm(corners[rows, 1] - corners[rows, 0], axis=1)
            for row, belief in zip(
                rows, believed(self.recogniser, named, widths, scores[rows]), strict=True
            ):
                beliefs[row] = belief
        return [
            Detection(
                side,
                corners[i],
                float(scores[i]),
                probabilities[i],
                belief.threshold,
                belief.trust,
                belief.features,
                belief.in_company,
            )
            for i, (side, belief) in enumerate(zip(sides, beliefs, strict=True))
        ]


def _first(tile: Detection) -> int:
    """The likeliest face."""
    return int(tile.probabilities.argmax())


def _doubtful(tile: Detection) -> bool:
    """Whether a second look at a tile is worth its time."""
    return tile.side is Side.FACE and tile.tile == UNKNOWN


def _each_once(tiles: list[Detection]) -> list[Detection]:
    """The tiles; of faces that are outlined on one tile the surest, one that is named first."""
    faces = [place for place, tile in enumerate(tiles) if tile.side is Side.FACE]
    if len(faces) < 2:
        return tiles
    worth = [tiles[place].confidence + (tiles[place].tile != UNKNOWN) for place in faces]
    stay = singles(
        np.stack([tiles[place].corners_px for place in faces]), np.array(worth, np.float32)
    )
    gone = {place for place, stays in zip(faces, stay, strict=True) if not stays}
    return [tile for place, tile in enumerate(tiles) if place not in gone]


def _surely(tile: Detection) -> bool:
    """Whether a face may take the place of what was outlined."""
    return tile.tile.known and tile.confidence >= SURELY


def _without_other_things(
    image_bgr: Bytes, found: list[Detection], beside: Sequence[Detection]
) -> list[Detection]:
    """The tiles but for backs that have not the colour of the others."""
    backs = [tile for tile in (*found, *beside) if tile.side is Side.BACK]
    if not backs:
        return found
    scores = np.array([tile.score for tile in backs], np.float32)
    gone = of_no_back(image_bgr, np.stack([tile.corners_px for tile in backs]), scores)
    other = {id(tile) for tile, goes in zip(backs, gone, strict=True) if goes}
    return [tile for tile in found if id(tile) not in other]


def _short_px(tiles: Sequence[Detection]) -> float:
    """The usual short side of some tiles."""
    return float(np.median([tile.width_px for tile in tiles]))


def _worth(tiles: Sequence[Detection]) -> float:
    """How much is surely read in a picture, in faces."""
    faces = [tile.confidence for tile in tiles if tile.side is Side.FACE]
    return float((np.array(faces) ** DOUBTFUL).sum())


def _back(tiles: Sequence[Detection], image_bgr: Bytes, picture: Bytes) -> list[Detection]:
    """The tiles of a scaled picture, in the pixels of the picture itself."""
    by = np.array(image_bgr.shape[1::-1]) / np.array(picture.shape[1::-1])
    return [
        replace(tile, corners_px=np.asarray(tile.corners_px * by, np.float32)) for tile in tiles
    ]


def _sides(boxes: Boxes) -> list[Side]:
    return [SIDES[index] for index in boxes.classes]
