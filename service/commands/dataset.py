"""``tilesight dev dataset``: writes kept tiles and enrolled sets as a data set for training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, get_args

import typer

from engine.errors import Refused
from service.commands.options import DatasetFormat, WordedGroup, add_to
from service.film.tile_sources import FORMATS, Origin, read_pictures
from service.machine.files import refuse_taken, whole_folder
from service.machine.weights import load_detector
from service.texts.catalogue import terminal_texts


def run(sources: Sequence[Path], form: str, out: Path) -> int:
    """Write a new folder; raises ``Refused``, ``ProfileError`` with nothing written."""
    refuse_taken(out)
    load = cache(load_detector)
    pictures = [picture for source in sources for picture in read_pictures(source, load)]
    if not pictures:
        raise Refused("no tile was kept there yet")
    repeated = [
        name for name, count in Counter(picture.name for picture in pictures).items() if count > 1
    ]
    if repeated:
        raise Refused(
            f"two sources hold a picture {repeated[0]}; rename a profile, or leave it out"
        )
    with whole_folder(out) as filling:
        FORMATS[form](filling, pictures)
    origins = Counter(tile.origin for picture in pictures for tile in picture.tiles)
    told = {origin: origins[origin] for origin in get_args(Origin)}
    text = terminal_texts()["cli.dataset.written"]
    typer.echo(text.format(folder=out, pictures=len(pictures), tiles=origins.total(), **told))
    return 0


app = typer.Typer(name="dataset", cls=WordedGroup, help="command.dataset", add_completion=False)


@add_to(app, "export", "command.dataset.export")
def export_command(
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCE...", help="help.dataset.sources")
    ],
    form: Annotated[DatasetFormat, typer.Option("--format", help="help.dataset.format")],
    out: Annotated[Path, typer.Option(help="help.dataset.out")],
) -> int:
    return run(sources, form, out)
