"""``tilesight enroll`` of a game: makes a profile of certain tiles, and asks about the others."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

import typer

from engine.tiles import KINDS
from service.commands.enroll_page import questions_json, questions_page, read_answers
from service.commands.progress import ProgressCallback, no_progress, progress
from service.errors import Refused
from service.files import write_whole
from service.weights import load_detector
from service.words.catalogue import terminal_words
from vision.camera.address import shown
from vision.camera.frames import Frame
from vision.camera.live import open_live
from vision.camera.pictures import SUFFIXES
from vision.camera.video_file import VideoFile
from vision.errors import ProfileError
from vision.pipeline import STEP_S, ReaderSettings, TableReader, TileReader
from vision.table.view import TableView
from vision.tile_set.gather import Gathered, Gatherer, TrackedTiles
from vision.tile_set.groups import grouped
from vision.tile_set.played_set import PlayedSet
from vision.tile_set.profile import Profile
from vision.tiles.classes import FACES

LEAST_TILES: Final = 12
"""With fewer tiles face up, it was no game."""


def is_game(source: str) -> bool:
    """Whether a source is a video or a camera, not pictures."""
    path = Path(source)
    return _is_live(source) or not (path.is_dir() or path.suffix.lower() in SUFFIXES)


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
    words = terminal_words()
    earlier = earlier_profile(out, extend)
    videos = {name: VideoFile(Path(name)) for name in sources if not _is_live(name)}
    detector = load_detector(out if earlier is not None else None)
    seen = Gathered.none()
    for name in sources:
        if name in videos:
            with progress(videos[name]) as advance:
                frames = videos[name].frames(STEP_S)
                more = gather(frames, detector, view, advance, mirrored=mirrored)
        else:
            lasts = f"{minutes:g}"
            typer.echo(words["cli.enroll.watching"].format(source=shown(name), minutes=lasts))
            watched = _live(name, minutes)
            more = gather(watched, detector, view, live=True, mirrored=mirrored)
        seen = seen.and_then(more)
    if len(seen.tiles) < LEAST_TILES:
        raise ProfileError(
            f"only {len(seen.tiles)} tiles lay still with their faces up: give a game of some "
            "minutes in which tiles are discarded"
        )
    played = PlayedSet(grouped(seen, detector.recogniser.embed), {}, earlier)
    typer.echo(words["cli.enroll.lay"].format(count=len(seen.tiles)))
    _write(played, out)
    return 0


def answer(answers: Path, out: Path) -> int:
    """Add a person's answers to the profile; raises ``ProfileError``, which leaves it unchanged."""
    if not out.exists():
        raise ProfileError(f"there is no profile {out}; name the one that was asked about as --set")
    played = PlayedSet.load(out)
    if played is None:
        raise ProfileError(f"{out} was made from pictures of the set: there are no questions in it")
    _write(played.with_told(read_answers(answers, played)), out)
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
    words = terminal_words()
    typer.echo(words["cli.enroll.known"].format(out=out, count=len(kinds)))
    if naming.asked:
        count, answers = len(naming.asked), f"{out.stem}-answers.json"
        text = words["cli.enroll.questions.one" if count == 1 else "cli.enroll.questions"]
        typer.echo(text.format(count=count, page=page, out=out, answers=answers))
    else:
        typer.echo(words["cli.enroll.certain"].format(page=page))
    if left:
        text = words["cli.enroll.left_out.one" if left == 1 else "cli.enroll.left_out"]
        typer.echo(text.format(count=left))
    missing = [kind for kind in KINDS if kind not in kinds]
    if missing:
        typer.echo(words["cli.enroll.no_picture"].format(tiles=", ".join(missing)))


def _is_live(source: str) -> bool:
    return source.isdecimal() or "://" in source


def _live(source: str, minutes: float) -> Iterator[Frame]:
    """The frames of a camera until the time is over."""
    with contextlib.closing(open_live(source).frames(STEP_S)) as frames:
        yield from takewhile(lambda frame: frame.time_s < 60 * minutes, frames)
