"""``tilesight enroll --report``: what a profile gains, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from service.atomic_files import write_whole
from service.weights import load_detector
from service.words.terminal import terminal_words
from vision.errors import ProfileError
from vision.tile_set.gain import gain_of
from vision.tile_set.profile import Profile

STANDARD_OUTPUT: Final = "-"


def write_report(profile: Path, file_or_dash: str) -> int:
    """Measure a profile and write the figures; raises ``ProfileError``."""
    if not profile.exists():
        raise ProfileError(f"there is no profile {profile}; name one as --set")
    known = Profile.load(profile)
    words = terminal_words()
    columns = TextColumn("{task.description}"), BarColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(words["cli.enroll.learning"], total=1.0)
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
    typer.echo(words["cli.enroll.gain"].format(out=profile, **shares))
    return 0
