"""What is said about camera and table, on the terminal."""

from __future__ import annotations

import typer

from vision.notice import Notice


def to_terminal(notice: Notice) -> None:
    """One line on standard error, with the time in the game."""
    minutes, seconds = divmod(int(notice.time_s), 60)
    typer.echo(f"{minutes}:{seconds:02}: {notice.text}", err=True)
