"""Options that several commands share, and their values."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class LogFormat(StrEnum):
    """Forms of public riichi logs."""

    MJAI = "mjai"
    MJLOG = "mjlog"
    TENHOU6 = "tenhou6"


class ExportFormat(StrEnum):
    """Forms that a record can be exported to."""

    CSV = "csv"
    HTML = "html"
    MJAI = "mjai"
    TENHOU6 = "tenhou6"


class Seat0(StrEnum):
    """Sides of the picture at which seat 0 may sit."""

    BOTTOM = "bottom"
    RIGHT = "right"
    TOP = "top"
    LEFT = "left"


Lang = Annotated[str, typer.Option(help="Language of what the engine says: en, zh, ja.")]
Rules = Annotated[str, typer.Option(help="Rule set: its id, as docs/rules.md lists them.")]
AnyRules = Annotated[
    str | None,
    typer.Option("--rules", help="Rule set, as docs/rules.md lists them; by default the first."),
]
TableFile = Annotated[
    Path | None,
    typer.Option("--table", help="Where the table lies: a table.toml of tilesight calibrate."),
]
SeatSide = Annotated[
    Seat0 | None, typer.Option("--seat0", help="Side of the picture at which seat 0 sits.")
]
FirstDealer = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=3,
        help="Seat that dealt the first hand of the game, where the camera joins it later.",
    ),
]
OwnSet = Annotated[
    Path | None, typer.Option("--set", help="Your own set of tiles: a profile of tilesight enroll.")
]

Mirrored = Annotated[
    bool | None,
    typer.Option(
        "--mirrored/--not-mirrored",
        help="The pictures are mirrored, as selfie cameras film, or surely not; "
        "seen by the faces if left out. Sides of the picture are then those of the right way.",
    ),
]

Host = Annotated[str, typer.Option(help="Address to serve at.")]
JsonLog = Annotated[
    bool,
    typer.Option("--json-log", help="Each request and event as a JSON line on standard error."),
]


SeatCamera = Annotated[
    list[str] | None,
    typer.Option(
        help="A camera that looks at one seat's standing hand, such as east=hand.mp4; "
        "what it sees is told to that seat alone. May be repeated."
    ),
]
SeatShift = Annotated[
    list[str] | None,
    typer.Option(
        help="By how many seconds that recording begins later, such as east=2.5; "
        "found by what the hand loses if left out."
    ),
]
