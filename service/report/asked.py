"""The questions of a scored film as its report shows them, in words and tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.events import Event
from engine.game import Game
from engine.play import ordered
from engine.tiles import Tile
from service.report.jpeg_address import jpeg_address
from service.report.public import Json
from service.report.questions import choices_of, doubtful_tile
from service.words.events import TextPart, events_parts


@dataclass(frozen=True)
class ReportQuestion:
    number: int
    time_s: float
    picture: str | None
    tiles_shown: str | None
    """Its tiles upright, as a ``data:`` address."""
    choices: tuple[tuple[tuple[TextPart, ...], int], ...]
    """Each choice in words and tiles, and its share in percent."""
    tiles: tuple[Tile, ...]
    """Another answer than a choice; none where more than a tile is asked."""


def report_questions(
    asked: Json,
    pictures: Mapping[int, bytes],
    tiles: Mapping[str, bytes],
    game: Game,
    lang: str,
) -> tuple[ReportQuestion, ...]:
    """The questions of a file; ``pictures`` are JPEG files by the number of their event.

    ``tiles``: pictures of the tiles that are asked, by the question's id.
    """
    questions = asked.get("questions", [])
    assert isinstance(questions, list), "a file of questions holds a list of them"
    return tuple(_question(one, pictures, tiles.get(one["id"]), game, lang) for one in questions)


def _question(
    one: Mapping[str, Any],
    pictures: Mapping[int, bytes],
    upright: bytes | None,
    game: Game,
    lang: str,
) -> ReportQuestion:
    choices = choices_of(one, "questions")
    shares = [choice["share"] for choice in one["choices"]]
    shown = next((pictures[at] for at in sorted(pictures) if at >= one["number"]), None)
    tiles = {} if game.rules is None else game.rules.tiles(game.state.options)
    return ReportQuestion(
        number=one["number"],
        time_s=one["t"],
        picture=jpeg_address(shown),
        tiles_shown=jpeg_address(upright),
        choices=tuple(
            (_parts(events, game, lang), round(100 * share))
            for events, share in zip(choices, shares, strict=True)
        ),
        tiles=() if doubtful_tile(choices) is None else ordered(list(tiles)),
    )


def _parts(events: tuple[Event, ...], game: Game, lang: str) -> tuple[TextPart, ...]:
    state = game.state
    return events_parts(events, state.names, lang, state.rules) or ("-",)
