"""What is wrong with a table: what its camera tells of, lines that cannot be written, a crash."""

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


class Troubles:
    """The troubles of one table, each for as long as it lasts."""

    def __init__(self) -> None:
        self._lasting: dict[TroubleKind, str] = {}
        self.unwritten: str | None = None
        """Why lines are not written."""

    def take(self, notice: Notice) -> None:
        if notice.lasts:
            self._lasting[notice.kind] = notice.text
        else:
            self._lasting.pop(notice.kind, None)

    def first(self, crash: str | None) -> tuple[str | None, TroubleKind | None]:
        """What is wrong, and its kind where pages have words for it; ``crash``: of the reader."""
        if self.unwritten is not None:
            return self.unwritten, "unwritten"
        if crash is not None:
            return crash, None
        kind = next(iter(self._lasting), None)
        return (None if kind is None else self._lasting[kind]), kind
