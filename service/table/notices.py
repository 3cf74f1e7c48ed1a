"""Notices about camera and table."""

from __future__ import annotations

from typing import Literal

import typer

from vision.notice import Kind, Notice

TroubleKind = Literal[Kind, "unwritten"]
"""Troubles that pages have words for in every language."""


def to_terminal(notice: Notice) -> None:
    """Print a notice to standard error, with the time in the game."""
    minutes, seconds = divmod(int(notice.time_s), 60)
    typer.echo(f"{minutes}:{seconds:02}: {notice.text}", err=True)
