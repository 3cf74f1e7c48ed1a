"""Pictures of a disputed event, read again or kept as clips where everybody agreed."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from typing_extensions import TypedDict

from engine.errors import NotThere, Refused
from engine.events import Entry, GameStart, Seat
from engine.game import Game, first_since
from engine.log import EventInForce
from engine.played import PlayedEvent
from engine.state import State
from engine.tiles import UNKNOWN, Tile
from service.machine.files import data_address, keep_private, write_whole
from service.table.evidence import clearest, event_tiles, outlined
from service.table.picture_files import clips_folder
from service.table.pictures import EARLIER_S, Pictures, TablePicture
from vision.camera.pictures import Picture
from vision.detect import Detection
from vision.draw import around, jpeg, resized, ring, ringed, with_rings
from vision.given_files import read_given
from vision.pipeline import TileReader
from vision.tiles.classes import FACES, face_class
from vision.tiles.fives import as_the_game_has

BEFORE_S, AFTER_S = 4.0, 4.0
"""Seconds of a clip around its event."""
TRIED: Final = 3
"""Pictures that are read until one shows all of an event's tiles: hands may be in the way."""
READINGS: Final = 3
CROP_PX: Final = 720
CLOSE_UP_MARGIN: Final = 2.5
"""What a close-up shows around its tiles, in tile widths."""
CLOSEST: Final = 4.0
CROPS_KEPT: Final = 64
ANIMATED_PX: Final = 640
LAST_MS: Final = 1500
"""Width of an animated clip, and how long its last picture stands."""
TILE_PX: Final = 240
"""Width of the picture of one tile with what lies around it."""


Look = tuple[TablePicture, Picture, Sequence[Detection]]
"""A picture and what is read in it now."""


@dataclass
class Dispute:
    """Reads pictures again, one at a time."""

    pictures: Pictures
    load: Callable[[], TileReader]
    """Loads a detector of its own: the table's is in use."""
    _reading: threading.Lock = field(default_factory=threading.Lock)
    _crops: dict[Entry, bytes | None] = field(default_factory=dict)
    """The newest ones: who corrects an event looks at it more than once."""

    def clip(self, entry: Entry) -> Sequence[TablePicture]:
        """Pictures around the time of an event."""
        if entry.t is None:
            return ()
        return self.pictures.between(entry.t - BEFORE_S, entry.t + AFTER_S)

    def reread(self, entry: Entry, faces: Collection[Tile]) -> ReadAgain:
        """Read the pictures of an event again; raises ``Refused`` without pictures.

        ``faces``: those that the game has; none other is read. It takes a second or two, so do not
        call it in the event loop.
        """
        (shot, image, tiles), marked = self._looked(entry)
        _, part = outlined(image, tiles, marked, CROP_PX)
        return {
            "picture": shot.number,
            "tiles": [_reading(image, tiles[place], faces) for place in marked],
            "part": data_address(jpeg(part)),
        }

    def crop(self, entry: Entry) -> bytes | None:
        """The tiles of an event, enlarged and ringed, as a JPEG file; None where none is seen.

        It takes a second or two where they must be read again, so do not call it in the event loop.
        """
        if not event_tiles(entry.event):
            return None
        if entry not in self._crops:
            try:
                drawn = self._as_read(entry) or self._read_anew(entry)
            except (Refused, NotThere):
                return None
            if len(self._crops) >= CROPS_KEPT:
                self._crops.pop(next(iter(self._crops)), None)
            self._crops[entry] = drawn
        return self._crops[entry]

    def _as_read(self, entry: Entry) -> bytes | None:
        """The close-up of a single tile that was read when the picture was taken.

        Sets are read again: while hands lay them, some outlines are those of a moment before.
        """
        found = self.pictures.showing(entry)
        if found is None or entry.t is None or len(event_tiles(entry.event)) > 1:
            return None
        shot, marked = found
        # A picture of later may show another tile with this face, and so may one before which
        # nobody knows what lay there, as after a restart.
        known = shot.time_s <= entry.t + AFTER_S and self.pictures.knows_before(entry)
        if len(marked) != 1 or not known:
            return None
        tiles = shot.tiles or ()
        try:
            image = self.pictures.image(shot.number)
        except NotThere:
            return None
        return _close_up(image, [tiles[at].corners_px for at in marked])

    def _read_anew(self, entry: Entry) -> bytes | None:
        (_, image, tiles), marked = self._looked(entry)
        return _close_up(image, [tiles[place].corners_px for place in marked])

    def animated(self, entry: Entry) -> bytes | None:
        """The moment of an event as an animated WebP, in its own time; None without pictures."""
        frames: list[tuple[float, Picture]] = []
        for shot in self.clip(entry):
            if entry.t is None or shot.time_s < entry.t - BEFORE_S:
                continue  # whoever sat there then was not asked
            with contextlib.suppress(NotThere):
                frames.append((shot.time_s, self.pictures.image(shot.number)))
        if not frames:
            return None
        small = [resized(image, ANIMATED_PX / image.shape[1]) for _, image in frames]
        first, *others = (Image.fromarray(image[..., ::-1]) for image in small)
        apart_s = [after - before for (before, _), (after, _) in pairwise(frames)]
        lasts_ms = [round(1000 * min(max(each, 0.08), 1.0)) for each in apart_s]
        written = BytesIO()
        first.save(
            written,
            "WEBP",
            save_all=True,
            append_images=others,
            duration=[*lasts_ms, LAST_MS],
            loop=0,
            quality=60,
        )
        return written.getvalue()

    def _looked(self, entry: Entry) -> tuple[Look, tuple[int, ...]]:
        """The picture that shows an event best, what is read in it, and which tiles are meant."""
        shots = self.clip(entry)
        after = [shot for shot in shots if entry.t is not None and shot.time_s >= entry.t - 0.05]
        if not after:
            raise Refused("no picture of this moment was kept")
        tried = after[:: -(-len(after) // TRIED)]
        with self._reading:
            earlier = [shot for shot in shots if shot.time_s <= after[0].time_s - EARLIER_S]
            before = next(self._read(reversed(earlier)), None)
            looks = self._read([*tried, *(shot for shot in after if shot not in tried)])
            first = next(looks, None)
            if first is None:
                raise Refused("the pictures of this moment are gone")
            enough = max(1, len(event_tiles(entry.event)))
            there = () if before is None else before[2]
            some = ((look, look[2]) for look in chain([first], islice(looks, len(tried) - 1)))
            return clearest(entry.event, there, some, enough)

    def _read(self, shots: Iterable[TablePicture]) -> Iterator[Look]:
        """What is read in each of these pictures, without those that are gone or damaged."""
        for shot in shots:
            with contextlib.suppress(NotThere):
                image = self.pictures.image(shot.number)
                yield shot, image, self.load().read(image)


class FaceShare(TypedDict):
    tile: str
    share: float


class RingView(TypedDict):
    """In shares of the picture's width, height and width."""

    x: float
    y: float
    radius: float


class TileRead(TypedDict):
    tile: str
    likely: list[FaceShare]
    ring: RingView
    part: str
    """The tile's part of the picture, as a ``data:`` address."""


class ReadAgain(TypedDict):
    picture: int
    tiles: list[TileRead]
    part: str


def _reading(image: Picture, tile: Detection, faces: Collection[Tile]) -> TileRead:
    """One tile: the likeliest faces among those of the game, and where it lies."""
    known = {face_class(face) for face in faces} - {None}
    in_play = np.array([face in known for face in FACES], float)
    tile = replace(tile, probabilities=as_the_game_has(tile.probabilities, in_play))
    shares = {
        face: float(share)
        for face, share in zip(FACES, tile.probabilities, strict=True)
        if face in known
    }
    every = sum(shares.values()) or 1.0
    likely = sorted(shares, key=lambda face: -shares[face])[:READINGS]
    read = face_class(tile.tile)
    x, y, radius = (round(float(each), 4) for each in ring(image, tile.corners_px))
    return {
        "tile": read if read is not None and read in known else str(UNKNOWN),
        "likely": [{"tile": face, "share": round(shares[face] / every, 3)} for face in likely],
        "ring": {"x": x, "y": y, "radius": radius},
        "part": data_address(jpeg(ringed(image, tile.corners_px, TILE_PX))),
    }


def _close_up(image: Picture, corners: Sequence[NDArray[np.float32]]) -> bytes | None:
    if not corners:
        return None
    side_px = max(float(np.linalg.norm(corner[1] - corner[0])) for corner in corners)
    middles = np.array([corner.mean(axis=0) for corner in corners])
    part = around(with_rings(image, middles, 0.95 * side_px), corners, CLOSE_UP_MARGIN * side_px)
    return jpeg(resized(part, min(CLOSEST, CROP_PX / part.shape[1])))


LARGEST: Final = 64 * 1024


Sign = str | tuple[int | None, Seat]
"""What a player is known by: the name, and the seat in a game, by the number of the game's first
line. Whoever has no name is known by the seat alone, too, with None in place of a game."""
_NO_NAME: Final = re.compile(r"Seat \d")
"""Stood for a player without a name in files of earlier versions."""


def signs_now(game: Game, seat: Seat | None = None) -> frozenset[Sign]:
    """Signs of those who sit at the table now, or of one of them."""
    begun = next((one.event for one in reversed(game.played) if _begins_game(one)), None)
    signs = _signs(game.state.names, begun)
    return frozenset().union(*signs) if seat is None else signs[seat]


def signs_at(game: Game, number: int, place: int) -> frozenset[Sign]:
    """Signs of those who sat there while the pictures of an event were taken, which is in force."""
    played = game.played
    at = first_since(played, number) + place
    time_s = played[at].event.entry.t
    names, begun = State().names, None
    found: set[Sign] = set()
    for index, one in enumerate(played):
        near = index == at or _within_clip(one.event.entry.t, time_s)
        if near and index:  # who got up before it is seen, too
            found.update(*_signs(names, begun))
        if _begins_game(one):
            begun = one.event
        names = one.state.names
        if near:
            found.update(*_signs(names, begun))
    return frozenset(found)


def same_people(game: Game, people: Collection[Sign]) -> frozenset[Sign]:
    """Also the seats that people of these names had in any game: a name may be put right after
    its player has said no."""
    begun = [one for one in game.played if _begins_game(one)]
    signs = [seat for one in begun for seat in _signs(one.state.names, one.event)]
    return frozenset(people).union(
        *(seat for seat in signs if any(isinstance(one, str) and one in people for one in seat))
    )


def _begins_game(played: PlayedEvent) -> bool:
    return isinstance(played.event.entry.event, GameStart)


def _within_clip(t: float | None, time_s: float | None) -> bool:
    return t is not None and time_s is not None and -BEFORE_S <= t - time_s <= AFTER_S


def _signs(names: Sequence[str], begun: EventInForce | None) -> list[frozenset[Sign]]:
    game = -1 if begun is None else begun.number
    return [frozenset({(game, seat), name or (None, seat)}) for seat, name in enumerate(names)]


class Agreed:
    """What people have agreed to; at first nothing. Clips are kept if everybody who sat at the
    table agreed, and nobody else takes back the no of a player."""

    def __init__(self, record: Path | None = None, before: Path | None = None) -> None:
        """Read what was agreed from a file beside the record; without one nothing is saved.

        ``before`` is the record before it, whose people may sit here, too: what they refused is
        still refused.
        """
        self._record = record
        self._yes: frozenset[Sign] = frozenset()
        self._no: frozenset[Sign] = frozenset()
        if record is not None and agreed_file(record).exists():
            keep_private(agreed_file(record))
            self._yes, self._no = _read_agreed(agreed_file(record))
        elif before is not None:
            _, refused = _read_agreed(agreed_file(before))
            self._no = frozenset(sign for sign in refused if isinstance(sign, str))
            with contextlib.suppress(OSError):
                if self._no:
                    self._keep()

    def refused(self, people: Collection[Sign]) -> bool:
        """Whether one of them said no."""
        return not self._no.isdisjoint(people)

    def to_clips(self, people: Collection[Sign], known_as: Collection[Sign] = ()) -> bool:
        """Whether all agreed that clips are kept; ``known_as`` are further signs of them."""
        refused = self.refused(people) or self.refused(known_as)
        return self._yes.issuperset(people) and not refused

    def change(self, people: Collection[Sign], clips: bool, own: bool = False) -> None:
        """Save what people say of clips; raises ``OSError`` or ``Refused``.

        ``own``: one player says so, whose no nobody else can take back. If somebody does not agree,
        all clips that were kept are deleted.
        """
        before = self._yes, self._no
        if own:
            self._no = self._no.difference(people) if clips else self._no.union(people)
        self._yes = self._yes.union(people) if clips else self._yes.difference(people)
        try:
            self._keep()
        except (OSError, Refused):  # the folder may be gone, too
            self._yes, self._no = before
            raise
        if not clips:
            self.delete_clips()

    @property
    def clips_at(self) -> Path | None:
        """The folder of the clips; None where nothing is kept."""
        return None if self._record is None else clips_folder(self._record)

    def delete_clips(self) -> None:
        if self._record is not None:
            shutil.rmtree(clips_folder(self._record), ignore_errors=True)

    def _keep(self) -> None:
        if self._record is not None:
            told = {"clips_of": sorted(self._yes, key=str), "not_of": sorted(self._no, key=str)}
            write_whole(agreed_file(self._record), json.dumps(told))

    def clip(self, name: str, make: Callable[[], bytes | None]) -> bytes | None:
        """A clip that is kept, or made now and kept."""
        kept = None if self._record is None else clips_folder(self._record) / name
        if kept is not None and kept.is_file():
            return kept.read_bytes()
        made = make()
        if kept is not None and made is not None:
            with contextlib.suppress(OSError, Refused):  # the disk is full: it is made again
                kept.parent.mkdir(0o700, exist_ok=True)
                write_whole(kept, made)
        return made


def _read_agreed(path: Path) -> tuple[frozenset[Sign], frozenset[Sign]]:
    """Who agreed and who refused; nobody where the file cannot be used."""
    with contextlib.suppress(FileNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        told = json.loads(read_given(path, LARGEST))
        yes = [one for one in told["clips_of"] if not _NO_NAME.fullmatch(str(one))]
        return _read_signs(yes), _read_signs(told.get("not_of", ()))
    return frozenset(), frozenset()


def _read_signs(told: Sequence[Any]) -> frozenset[Sign]:
    """Raises ``TypeError``, ``ValueError`` for what is no list of signs."""
    found: set[Sign] = set()
    for one in told:
        if isinstance(one, str):
            found.add(one)
        else:
            game, seat = one
            found.add((None if game is None else int(game), int(seat)))
    return frozenset(found)


def agreed_file(record: Path) -> Path:
    return record.with_name(f".{record.name}.agreed")
