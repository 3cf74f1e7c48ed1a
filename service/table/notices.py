"""What is wrong with a table: its kinds, and how they are told in a terminal."""

from __future__ import annotations

from typing import Literal

import typer

from service.texts.catalogue import texts_of
from vision.notice import Notice, NoticeKind

TroubleKind = Literal[NoticeKind, "unwritten"]
"""Troubles that pages have words for in every language."""


def to_terminal(notice: Notice, lang: str = "en") -> None:
    """Print a notice to standard error, with the time in the game.

    English has more to say, such as a figure; other languages have a text for each trouble.
    """
    text = notice.text
    if notice.lasts and lang != "en":
        text = texts_of(lang).get(f"page.trouble.{notice.kind}", text)
    minutes, seconds = divmod(int(notice.time_s), 60)
    typer.echo(f"{minutes}:{seconds:02}: {text}", err=True)
