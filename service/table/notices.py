"""What is wrong with a table: its kinds, and how they are told in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import typer

from service.texts.catalogue import texts_of
from vision.notice import Notice, NoticeKind

TroubleKind = Literal[NoticeKind, "unwritten", "crashed", "stopped"]
"""Troubles that pages have words for in every language. A reader that ended early crashed, or its
film or camera stopped."""
NOTHING_READ: Final[tuple[TroubleKind, ...]] = ("unwritten", "gone", "frozen", "moved", "lost")
"""Troubles in which nothing is kept or read, the worst first."""


def worst_of(troubles: Iterable[TroubleKind]) -> TroubleKind | None:
    """The trouble that is shown of several: what stops all else, then what began first."""
    rank = {kind: place for place, kind in enumerate(NOTHING_READ)}
    return min(troubles, key=lambda kind: rank.get(kind, len(rank)), default=None)


def to_terminal(notice: Notice, lang: str = "en") -> None:
    """Print a notice to standard error, with the time in the game.

    English has more to say, such as a figure; other languages have a text for each trouble.
    """
    text = notice.text
    if notice.lasts and lang != "en":
        text = texts_of(lang).get(f"page.trouble.{notice.kind}", text)
    minutes, seconds = divmod(int(notice.time_s), 60)
    typer.echo(f"{minutes}:{seconds:02}: {text}", err=True)
