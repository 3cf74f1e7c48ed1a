"""``tilesight enroll``: makes a profile of the owner's tiles, laid out or played with."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from engine.errors import Refused
from engine.tiles import KINDS, NotATile, Tile
from service.commands import enroll_play
from service.commands.enroll_play import earlier_profile
from service.commands.options import Mirrored, TableFile, add_to
from service.film.tile_sources import DatasetTile, kept_pictures
from service.machine.files import write_whole
from service.machine.jpeg import decoded
from service.machine.weights import load_detector
from service.table.picture_files import TILES_LIST
from service.table.reader_maker import view_of
from service.texts.catalogue import terminal_texts
from vision.arrays import Bytes
from vision.attention.mirror_watch import wrong_way
from vision.camera.decoded import mirror_image
from vision.camera.pictures import find_pictures, read_picture
from vision.draw import jpeg, numbered, with_crops
from vision.errors import ProfileError
from vision.tile_set.agreement import agreeing
from vision.tile_set.enroll import LaidOutSet, laid_out, names_of, profile_of
from vision.tile_set.gain import gain_of
from vision.tile_set.profile import Profile, patch_of, upright_crop
from vision.tiles.classes import FACE_INDEX
from vision.tiles.handedness import Handedness

MOST_OF_A_FACE: Final = 12
"""Most pictures of one face; those that people vouch for come first, then the latest."""


def is_kept(source: str) -> bool:
    return (Path(source) / TILES_LIST).is_file()


def learn_kept(folders: Sequence[Path], out: Path, extend: bool) -> int:
    """Write the profile; raises ``ProfileError`` and ``Refused``, then it is as it was."""
    earlier = earlier_profile(out, extend)
    patches, faces = _confirmed(folders)
    count = len(faces)
    if not count:
        raise ProfileError(
            f"nobody confirmed a face in {', '.join(map(str, folders))}: answer questions or "
            "correct the record while tiles are kept"
        )
    if earlier is not None:
        patches = [*earlier.patches_bgr, *patches]
        faces = [*earlier.faces, *faces]
    Profile(np.stack(patches), np.array(faces, np.int64)).save(out)
    texts = terminal_texts()
    typer.echo(texts["cli.enroll.kept"].format(out=out, count=count))
    typer.echo(texts["cli.enroll.done"].format(out=out))
    return 0


def _confirmed(folders: Sequence[Path]) -> tuple[list[Bytes], list[int]]:
    found: dict[int, list[tuple[bool, Bytes]]] = {}
    for folder in folders:
        for _, data, tiles in kept_pictures(folder):
            image = decoded(data)
            for tile in _vouched(tiles):
                by_person, patch = tile.origin == "person", patch_of(image, tile.corners_px)
                found.setdefault(FACE_INDEX[tile.name], []).append((by_person, patch))
    patches: list[Bytes] = []
    faces: list[int] = []
    for face, seen in sorted(found.items()):
        # Sorting keeps the order of time among those that are vouched for alike.
        best = sorted(seen, key=lambda one: one[0])[-MOST_OF_A_FACE:]
        patches += [patch for _, patch in best]
        faces += [face] * len(best)
    return patches, faces


def _vouched(tiles: Sequence[DatasetTile]) -> Iterator[DatasetTile]:
    """The faces that somebody knows, if their outline is higher than wide."""
    for tile in tiles:
        if tile.origin in ("person", "rules") and tile.name in FACE_INDEX:
            width, height = (
                np.linalg.norm(tile.corners_px[end] - tile.corners_px[0]) for end in (1, 3)
            )
            if width < height:
                yield tile


def enroll(
    sources: Sequence[str],
    told: Sequence[str],
    out: Path,
    answers: Path | None,
    extend: bool,
    table: Path | None,
    minutes: float,
    mirrored: bool | None = None,
) -> int:
    """Enroll from pictures or a game; raises ``Refused`` for options that do not go together."""
    if answers is not None:
        if sources or extend or told:
            raise Refused("--answers goes with --set alone: the game was read already")
        return enroll_play.answer(answers, out)
    if not sources:
        raise Refused("give pictures of the set laid out, or a video or camera of a game")
    kept = [source for source in sources if is_kept(source)]
    if kept and (len(kept) < len(sources) or told):
        raise Refused("folders of --keep-tiles go alone; run twice, with --extend")
    if kept:
        return learn_kept([Path(source) for source in kept], out, extend)
    games = [source for source in sources if enroll_play.is_game(source)]
    if games and (len(games) < len(sources) or told):
        raise Refused("pictures (with --is) and a game do not mix; run twice, with --extend")
    if games:
        view, mirrored = view_of(table, None, mirrored)
        return enroll_play.run(games, out, extend, view, minutes, mirrored)
    if extend:
        raise Refused("--extend adds what a game shows; give a video or a camera")
    return learn_pictures([Path(source) for source in sources], told, out, mirrored)


def learn_pictures(
    sources: Sequence[Path], told: Sequence[str], out: Path, mirrored: bool | None = None
) -> int:
    """Write the profile, and pictures that show the names beside it; raises ``ProfileError``.

    ``mirrored`` pictures are put right first, and shown so.
    """
    if out.exists():
        raise ProfileError(f"{out} exists already; give another --set or remove it")
    paths = find_pictures(sources)
    named = told_tiles(told, len(paths))
    images = [read_picture(path) for path in paths]
    if mirrored:
        images = [mirror_image(image) for image in images]
    detector = load_detector()
    pictures = []
    handed = Handedness()
    for number, (path, image) in enumerate(zip(paths, images, strict=True), 1):
        try:
            laid = laid_out(detector, image, named.get(number))
        except ProfileError as error:
            raise ProfileError(f"{path}: {error}") from error
        pictures.append((image, laid))
        handed.add(detector.handed(image, laid.tiles))
    if wrong := wrong_way(mirrored, handed.mirrored):
        raise ProfileError(wrong)
    told_places = [
        {place - 1 for place in named.get(number + 1, {})} for number in range(len(paths))
    ]
    pictures = agreeing(pictures, lambda crops: detector.recogniser.plainly(crops)[1], told_places)
    profile_of(pictures).save(out)
    texts = terminal_texts()
    for number, (path, (image, laid)) in enumerate(zip(paths, pictures, strict=True), 1):
        shown = out.with_name(f"{out.stem}-{number}.jpg")
        shown.write_bytes(jpeg(_drawn(image, laid)))
        typer.echo(_described(number, path, laid, shown))
    shown_kinds = {name for _, laid in pictures for name in names_of(laid.faces)}
    missing = [kind for kind in KINDS if kind not in shown_kinds]
    if missing:
        typer.echo(texts["cli.enroll.missing"].format(tiles=", ".join(missing)))
    typer.echo(texts["cli.enroll.done"].format(out=out))
    return 0


_TOLD = re.compile(r"(?:(\d+):)?(\d+)=(\S+)")


def told_tiles(told: Sequence[str], pictures: int) -> Mapping[int, Mapping[int, Tile]]:
    """Parse names that a person gave: by picture, then by number of the tile, both from 1."""
    named: dict[int, dict[int, Tile]] = defaultdict(dict)
    for text in told:
        match = _TOLD.fullmatch(text)
        if match is None:
            raise ProfileError(f"expected --is NUMBER=TILE or PICTURE:NUMBER=TILE, got {text!r}")
        picture, number = int(match[1] or 1), int(match[2])
        if picture not in range(1, pictures + 1):
            raise ProfileError(f"--is {text}: there are pictures 1 to {pictures}")
        try:
            named[picture][number] = Tile(match[3])
        except NotATile as error:
            raise ProfileError(f"--is {text}: {error}") from error
    return named


def _described(number: int, path: Path, laid: LaidOutSet, shown: Path) -> str:
    texts = terminal_texts()
    said = texts["cli.enroll.picture"].format(path=path, count=len(laid.tiles), shown=shown)
    names = names_of(laid.faces)
    if laid.doubtful:
        doubts = ", ".join(f"{number}:{place + 1}={names[place]}" for place in laid.doubtful)
        said += texts["cli.enroll.doubts"].format(doubts=doubts)
    if laid.odd:
        odd = ", ".join(f"{number}:{place + 1}" for place in laid.odd)
        said += texts["cli.enroll.odd"].format(odd=odd)
    return said


def _drawn(image_bgr: Bytes, laid: LaidOutSet) -> Bytes:
    """The picture with the names, and below it each tile as the profile keeps it."""
    corners = [tile.corners_px for tile in laid.tiles]
    names = names_of(laid.faces)
    asked = (*laid.doubtful, *laid.odd)
    captions = [f"{place + 1} {name}" for place, name in enumerate(names)]
    crops = [upright_crop(patch_of(image_bgr, outline)) for outline in corners]
    return with_crops(numbered(image_bgr, corners, names, asked), crops, captions, asked)


STANDARD_OUTPUT: Final = "-"


def write_report(profile: Path, file_or_dash: str) -> int:
    """Measure a profile and write the figures; raises ``ProfileError``."""
    if not profile.exists():
        raise ProfileError(f"there is no profile {profile}; name one as --set")
    known = Profile.load(profile)
    texts = terminal_texts()
    columns = TextColumn("{task.description}"), BarColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(texts["cli.enroll.learning"], total=1.0)
        gain = gain_of(
            load_detector().recogniser, known, lambda share: bar.update(task, completed=share)
        )
        bar.update(task, completed=1.0)
    text = json.dumps(asdict(gain), indent=1) + "\n"
    if file_or_dash == STANDARD_OUTPUT:
        typer.echo(text, nl=False)
        return 0
    write_whole(Path(file_or_dash), text)
    shares = {"right": f"{gain.after.right:.1%}", "before": f"{gain.before.right:.1%}"}
    typer.echo(texts["cli.enroll.gain"].format(out=profile, **shares))
    return 0


app = typer.Typer(add_completion=False)


@add_to(app, "enroll")
def command(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE...]", help="help.enroll.sources")
    ] = None,
    told: Annotated[list[str] | None, typer.Option("--is", help="help.enroll.told")] = None,
    out: Annotated[Path, typer.Option("--set", "--out", help="help.enroll.out")] = Path(
        "my-set.tiles"
    ),
    answers: Annotated[Path | None, typer.Option(help="help.enroll.answers")] = None,
    extend: Annotated[bool, typer.Option("--extend", help="help.enroll.extend")] = False,
    table: TableFile = None,
    minutes: Annotated[float, typer.Option(help="help.enroll.minutes")] = 10,
    mirrored: Mirrored = None,
    report: Annotated[str | None, typer.Option(metavar="FILE|-", help="help.enroll.report")] = None,
) -> int:
    if report is not None and not (sources or told or answers or extend):
        return write_report(out, report)
    code = enroll(sources or (), told or (), out, answers, extend, table, minutes, mirrored)
    return code if report is None or code else write_report(out, report)
