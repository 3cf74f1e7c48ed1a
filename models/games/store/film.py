"""A film in the store: what was looked at, without the pictures, and what is true of it."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from games.store.plain_looks import Plain, look_of, plain_look, plain_view, view_of

from engine.codec import read_record, write_record
from engine.events import Entry
from vision.table.view import TableView
from vision.tracking.observe import Look

SUFFIX: Final = ".film"
FORMAT: Final = 1

Step = Look | TableView | Literal["blinded"]
"""What a decoder is given: a look, a new view after the camera has moved, or that pictures were
frozen or passed over."""


@dataclass(frozen=True, eq=False)
class StoredFilm:
    """Everything that a decoder needs to tell one film, and what it should tell."""

    name: str
    """GROUP/NAME, which is also its place in the folder."""
    grade: str
    rules: str
    true: tuple[Entry, ...]
    """The record that a perfect reader writes."""
    view: TableView
    steps: Sequence[Step]
    """In order of time."""
    length_s: float
    ends_s: float | None = None
    """What is told at the end gets no later time than this; None where that may be."""

    @property
    def group(self) -> str:
        return self.name.split("/")[0]


def save(film: StoredFilm, folder: Path) -> Path:
    """Write the film into the folder, whole or not at all."""
    kept = {
        "format": FORMAT,
        "name": film.name,
        "grade": film.grade,
        "rules": film.rules,
        "true": write_record(film.true),
        "view": plain_view(film.view),
        "steps": [_plain_step(step) for step in film.steps],
        "length_s": film.length_s,
        "ends_s": film.ends_s,
    }
    path = place_of(film.name, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(gzip.compress(pickle.dumps(kept, protocol=5), 4))
    part.replace(path)
    return path


def load(path: Path) -> StoredFilm:
    """Read a film that ``save`` wrote; only open what you have made: it is a pickle."""
    kept: dict[str, Any] = pickle.loads(gzip.decompress(path.read_bytes()))
    if kept["format"] != FORMAT:
        raise ValueError(f"{path} has format {kept['format']}, expected {FORMAT}; make it again")
    return StoredFilm(
        kept["name"],
        kept["grade"],
        kept["rules"],
        tuple(read_record(kept["true"])),
        view_of(kept["view"]),
        [_step_of(*step) for step in kept["steps"]],
        kept["length_s"],
        kept["ends_s"],
    )


def place_of(name: str, folder: Path) -> Path:
    return folder / f"{name}{SUFFIX}"


def stored(folder: Path) -> dict[str, Path]:
    """Return the films of a folder by their names, in order."""
    found = {path: path.relative_to(folder).as_posix() for path in folder.rglob(f"*{SUFFIX}")}
    names = {name.removesuffix(SUFFIX): path for path, name in found.items()}
    return dict(sorted(names.items()))


def _plain_step(step: Step) -> tuple[str, Plain | None]:
    if isinstance(step, Look):
        return "look", plain_look(step)
    if isinstance(step, TableView):
        return "moved", plain_view(step)
    return step, None


def _step_of(kind: str, plain: Plain | None) -> Step:
    if plain is None:
        return "blinded"
    return look_of(plain) if kind == "look" else view_of(plain)
