"""``tilesight enroll`` of a game: makes a profile of certain tiles, and asks about the others."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from reprlib import repr as short
from typing import Final

import cv2
import numpy as np
import typer

from engine.errors import Refused
from engine.tiles import KINDS, REDS, NotATile, Tile
from service.commands.progress import ProgressCallback, no_progress, progress
from service.machine.files import data_address, write_whole
from service.machine.weights import load_detector
from service.report.pages import page
from service.texts.catalogue import terminal_language, terminal_texts
from vision.attention.schedule import LIVE
from vision.camera.address import shown
from vision.camera.frames import Frame
from vision.camera.live import is_live, open_live
from vision.camera.pictures import SUFFIXES
from vision.camera.video_file import VideoFile
from vision.draw import jpeg
from vision.errors import ProfileError
from vision.given_files import read_given
from vision.pipeline import ReaderSettings, TableReader, TileReader
from vision.table.view import TableView
from vision.tile_set.gather import Gathered, Gatherer, TrackedTiles
from vision.tile_set.groups import grouped
from vision.tile_set.naming import LEFT_OUT
from vision.tile_set.played_set import PlayedSet
from vision.tile_set.profile import Profile
from vision.tiles.classes import ANY_FLOWER, FACE_INDEX, FACES, face_class

MOST_SHOWN: Final = 6
_LARGER: Final = 2
_ROWS: Final = (
    *(tuple(Tile(kind) for kind in KINDS if kind[1] == suit) for suit in "mpsz"),
    (*(Tile(red) for red in REDS), Tile(ANY_FLOWER)),
)
"""All possible answers, in rows."""


@dataclass(frozen=True)
class NamingQuestion:
    """One group of tiles."""

    number: int
    tiles: int
    pictures: tuple[str, ...]
    """``data:`` addresses."""
    likely: tuple[Tile, ...]
    """The first is the current name."""


def questions_page(played: PlayedSet, out: Path) -> str:
    """The page for the profile ``out``: questions first, certain names below them."""
    naming = played.naming
    return page(
        "enroll.html",
        lang=terminal_language(),
        say=terminal_texts(),
        title=out.stem,
        profile=out.name,
        mark=played.mark,
        none_of_them=NONE_OF_THEM,
        asked=[_question(played, row, MOST_SHOWN) for row in naming.asked],
        certain=[
            _question(played, row, 1)
            for row in sorted(naming.certain, key=lambda row: naming.faces[row])
        ],
        rows=_ROWS,
    )


def questions_json(played: PlayedSet) -> str:
    """The questions as JSON; answers are given by group, as ``{"set": ..., "answers": {"1":
    "5z"}}``."""
    naming = played.naming
    questions = [
        {
            "group": row + 1,
            "tiles": int(played.groups.sizes[row]),
            "likely": [FACES[face] for face in naming.likely[row]],
        }
        for row in naming.asked
    ]
    return json.dumps({"set": played.mark, "questions": questions}, indent=1) + "\n"


def _question(played: PlayedSet, row: int, most: int) -> NamingQuestion:
    mine = played.groups.patches_bgr[played.groups.group == row][:most]
    likely = tuple(Tile(FACES[face]) for face in played.naming.likely[row] if face != LEFT_OUT)
    pictures = tuple(_picture(patch) for patch in mine)
    return NamingQuestion(row + 1, int(played.groups.sizes[row]), pictures, likely)


def _picture(patch: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> str:
    large = cv2.resize(patch, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC)
    return data_address(jpeg(large.astype(np.uint8, copy=False), quality=90))


NONE_OF_THEM: Final = "-"
"""The answer that leaves a group's pictures out."""
_LARGEST: Final = 64 * 1024
_FORM: Final = 'expected {"set": "...", "answers": {"1": "5z", "2": "-"}}, as the page saves it'


def read_answers(path: Path, played: PlayedSet) -> Mapping[int, int]:
    """Return the place in ``FACES`` or ``LEFT_OUT`` by group; raises ``ProfileError``."""
    try:
        given = json.loads(read_given(path, _LARGEST))
    except FileNotFoundError:
        raise ProfileError(f"there is no file of answers {path}") from None
    except OSError as error:
        raise ProfileError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path} is no file of answers: {_FORM}") from error
    answers = given.get("answers") if isinstance(given, dict) else None
    if not isinstance(answers, dict):
        raise ProfileError(f"{path} is no file of answers: {_FORM}")
    if given.get("set") != played.mark:
        raise ProfileError(f"{path} answers the questions about another set or another recording")
    told: dict[int, int] = {}
    for number, name in answers.items():
        if not number.isdecimal() or not 1 <= int(number) <= len(played.groups):
            raise ProfileError(
                f"{path}: there is no group {short(number)}, they are 1 to {len(played.groups)}"
            )
        told[int(number) - 1] = _face(path, number, name)
    return told


def _face(path: Path, number: str, name: object) -> int:
    if name == NONE_OF_THEM:
        return LEFT_OUT
    try:
        face = face_class(Tile(name)) if isinstance(name, str) else None
    except NotATile as error:
        raise ProfileError(f"{path}: group {number}: {error}") from error
    if face is None:
        raise ProfileError(
            f'{path}: group {number}: {short(name)} names no tile; "-" leaves it out'
        )
    return FACE_INDEX[face]


LEAST_TILES: Final = 12
"""With fewer tiles face up, it was no game."""


def is_game(source: str) -> bool:
    """Whether a source is a video or a camera, not pictures."""
    path = Path(source)
    return is_live(source) or not (path.is_dir() or path.suffix.lower() in SUFFIXES)


def run(
    sources: Sequence[str],
    out: Path,
    extend: bool = False,
    view: TableView | None = None,
    minutes: float = 10.0,
    mirrored: bool | None = None,
) -> int:
    """Write the profile of the set played with in ``sources``, and the questions.

    ``mirrored`` is what a person says of the pictures.

    Cameras are watched for ``minutes``. Raises ``SourceError``, ``ProfileError``, ``Refused``:
    then everything is as it was.
    """
    if minutes <= 0:
        raise Refused(f"expected --minutes above 0, got {minutes:g}")
    texts = terminal_texts()
    earlier = earlier_profile(out, extend)
    videos = {name: VideoFile(Path(name)) for name in sources if not is_live(name)}
    detector = load_detector(out if earlier is not None else None)
    seen = Gathered.none()
    for name in sources:
        if name in videos:
            with progress(videos[name]) as advance:
                frames = videos[name].frames(LIVE.step_s)
                more = gather(frames, detector, view, advance, mirrored=mirrored)
        else:
            lasts = f"{minutes:g}"
            typer.echo(texts["cli.enroll.watching"].format(source=shown(name), minutes=lasts))
            watched = _live(name, minutes)
            more = gather(watched, detector, view, live=True, mirrored=mirrored)
        seen = seen.and_then(more)
    if len(seen.tiles) < LEAST_TILES:
        raise ProfileError(
            f"only {len(seen.tiles)} tiles lay still with their faces up: give a game of some "
            "minutes in which tiles are discarded"
        )
    played = PlayedSet(grouped(seen, detector.recogniser.embed), {}, earlier)
    typer.echo(texts["cli.enroll.lay"].format(count=len(seen.tiles)))
    _write(played, out)
    return 0


def answer(answers: Path, out: Path) -> int:
    """Add a person's answers to the profile; raises ``ProfileError``, which leaves it unchanged."""
    if not out.exists():
        raise ProfileError(f"there is no profile {out}; name the one that was asked about as --set")
    played = PlayedSet.load(out)
    if played is None:
        raise ProfileError(f"{out} was made from pictures of the set: there are no questions in it")
    _write(played.with_pinned(read_answers(answers, played)), out)
    return 0


def gather(
    frames: Iterator[Frame],
    detector: TileReader,
    view: TableView | None = None,
    advance_to: ProgressCallback = no_progress,
    live: bool = False,
    mirrored: bool | None = None,
) -> Gathered:
    """Collect the tiles that a recording shows face up, each physical tile apart.

    A person who watches ``live`` ends it with Ctrl-C, and keeps what was seen. Raises
    ``ProfileError`` as soon as it is seen that pictures are mirrored and nobody said so.
    """
    reader = TableReader(detector, TrackedTiles, ReaderSettings(view, mirrored=mirrored))
    gatherer = Gatherer()
    try:
        for reading in reader.read(frames):
            for notice in reading.notices:
                if notice.kind == "mirrored" and notice.lasts:
                    raise ProfileError(notice.text)
            if reader.view is not None and reader.observation is not None:
                image = reading.frame.image_bgr
                gatherer.see(image, reading.detections, reader.view, reader.observation)
            advance_to(reading.frame.time_s)
    except KeyboardInterrupt:
        if not live:
            raise
    return gatherer.gathered()


def earlier_profile(out: Path, extend: bool) -> Profile | None:
    """The profile to extend, or None; raises ``ProfileError`` where a file is in the way or not
    ready."""
    if not extend:
        if out.exists():
            raise ProfileError(
                f"{out} exists already; give another --set, or --extend to add to it"
            )
        return None
    if not out.exists():
        raise ProfileError(f"there is no profile {out} to extend; leave --extend out")
    played = PlayedSet.load(out)
    if played is not None and played.naming.asked:
        raise ProfileError(
            f"{out} still has questions: answer them first with --answers (tiles can be left out)"
        )
    return Profile.load(out)


def _write(played: PlayedSet, out: Path) -> None:
    page = out.with_name(f"{out.stem}-questions.html")
    written = questions_page(played, out)
    played.save(out)
    write_whole(out.with_name(f"{out.stem}-questions.json"), questions_json(played))
    write_whole(page, written)
    naming = played.naming
    kinds = {FACES[face] for face in played.profile.faces}
    left = len(played.groups) - len(naming.certain) - len(naming.asked)
    texts = terminal_texts()
    typer.echo(texts["cli.enroll.known"].format(out=out, count=len(kinds)))
    if naming.asked:
        count, answers = len(naming.asked), f"{out.stem}-answers.json"
        text = texts["cli.enroll.questions.one" if count == 1 else "cli.enroll.questions"]
        typer.echo(text.format(count=count, page=page, out=out, answers=answers))
    else:
        typer.echo(texts["cli.enroll.certain"].format(page=page))
    if left:
        text = texts["cli.enroll.left_out.one" if left == 1 else "cli.enroll.left_out"]
        typer.echo(text.format(count=left))
    missing = [kind for kind in KINDS if kind not in kinds]
    if missing:
        typer.echo(texts["cli.enroll.no_picture"].format(tiles=", ".join(missing)))


def _live(source: str, minutes: float) -> Iterator[Frame]:
    """The frames of a camera until the time is over."""
    with contextlib.closing(open_live(source).frames(LIVE.step_s)) as frames:
        yield from takewhile(lambda frame: frame.time_s < 60 * minutes, frames)
