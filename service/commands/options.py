"""Options that several commands share, and their values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

LogFormat = Literal["mjai", "mjlog", "tenhou6"]
"""Forms of public riichi logs."""
ExportFormat = Literal["csv", "html", "mjai", "tenhou6"]
DatasetFormat = Literal["coco", "dota", "yolo-obb"]
Seat0 = Literal["bottom", "right", "top", "left"]
"""Sides of the picture at which seat 0 may sit."""
Lang = Annotated[str | None, typer.Option(help="help.lang")]
"""Without it, the language of the terminal."""
Rules = Annotated[str, typer.Option(help="help.rules")]
AnyRules = Annotated[str | None, typer.Option("--rules", help="help.rules.any")]
TableFile = Annotated[Path | None, typer.Option("--table", help="help.table")]
SeatSide = Annotated[Seat0 | None, typer.Option("--seat0", help="help.seat0")]
FirstDealer = Annotated[int | None, typer.Option(min=0, max=3, help="help.first_dealer")]
OwnSet = Annotated[Path | None, typer.Option("--set", help="help.own_set")]
Players = Annotated[str | None, typer.Option(metavar="A,B,C,D", help="help.players")]
KeepTiles = Annotated[Path | None, typer.Option(metavar="FOLDER", help="help.keep_tiles")]
Mirrored = Annotated[bool | None, typer.Option("--mirrored/--not-mirrored", help="help.mirrored")]
Host = Annotated[str, typer.Option(help="help.host")]
JsonLog = Annotated[bool, typer.Option("--json-log", help="help.json_log")]
SeatCamera = Annotated[list[str] | None, typer.Option(help="help.seat_camera")]
SeatShift = Annotated[list[str] | None, typer.Option(help="help.seat_shift")]
Database = Annotated[
    str, typer.Option("--database", envvar="TILESIGHT_DATABASE", help="help.archive.database")
]
