"""What is said about camera and table: what kinds there are, and how a terminal says it."""

from __future__ import annotations

from typing import Literal

import typer

from vision.notice import Kind, Notice

TroubleKind = Literal[Kind, "unwritten"]
"""Troubles of a table that pages have words for in every language: a full disk among them."""


def to_terminal(notice: Notice) -> None:
    """One line on standard error, with the time in the game."""
    minutes, seconds = divmod(int(notice.time_s), 60)
    typer.echo(f"{minutes}:{seconds:02}: {notice.text}", err=True)
