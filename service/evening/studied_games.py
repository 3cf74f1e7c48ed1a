"""Played games that are studied: each has a record of its own, and one at a time is at the table.

So each keeps its rules, its house rules, its words and its names on every page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engine.codec import write_record
from engine.errors import NotThere
from engine.events import GameEnd, GameStart
from engine.stories import GameStory, HandStory
from service.evening.open_table import Opening, StudiedGame, TableRequest
from service.evening.wire import EveningGameView, StudiedGameView
from service.machine.files import write_whole
from service.machine.records import day_named, load_record, tell
from vision.camera.address import readable

STUDY: Final = "study"
"""Folder, beside the games, of what counts in no standings: what a browser sent, the sample."""


@dataclass(frozen=True)
class Study:
    """The table of one of several played games, and the way to the others."""

    request: TableRequest
    show: Callable[[TableRequest], Awaitable[object]]
    """Shows the table of another request in place of this one."""

    def views(self, *, may_choose: bool) -> list[StudiedGameView]:
        """All games in the order in which they were given; none where there is one alone."""
        shown = self.request.record
        return [
            {
                **game.told,
                "number": number,
                "of": readable(game.of.stem),
                "day": day_named(game.of),
                "shown": game.record == shown,
                "may_choose": may_choose,
            }
            for number, game in enumerate(self.request.games)
        ]

    async def choose(self, number: int) -> None:
        """Show another game, by its number in ``views``; raises ``NotThere``."""
        games = self.request.games
        if not 0 <= number < len(games):
            raise NotThere(f"there are {len(games)} games to choose from, counted from 0")
        if games[number].record != self.request.record:
            await self.show(replace(at_game(self.request, number), keeps_seats=True))


def studied(request: TableRequest, games: Sequence[StudiedGame]) -> TableRequest:
    """``request`` for the first of these games; the others are to choose from."""
    return request if len(games) < 2 else at_game(replace(request, games=games), 0)


def at_game(request: TableRequest, number: int) -> TableRequest:
    """``request`` for another one of its games."""
    game = request.games[number]
    rules = game.told["rules"] or request.start.rules
    return replace(request, start=GameStart(rules), record=game.record, opening=Opening())


def studied_games(path: Path) -> tuple[StudiedGame, ...]:
    """The games of a record that is kept for study; of several, each gets a record beside it.

    What was put right in such a record since stays in it. Raises ``Refused``, ``OSError``.
    """
    stories = tell(load_record(str(path)))
    if len(stories) < 2:
        return tuple(StudiedGame(path, path, game_told(story)) for story in stories)
    return tuple(
        StudiedGame(_kept(path, number, story), path, game_told(story))
        for number, story in enumerate(stories, start=1)
    )


def _kept(path: Path, number: int, story: GameStory) -> Path:
    """The record of one game; that of an earlier study goes on, for lines are only added to it."""
    data = write_record(event.entry for event in story.happened).encode()
    own, more = path.with_name(f"{path.stem}-game{number}.jsonl"), 1
    while own.exists():
        if own.read_bytes().startswith(data):
            return own
        own, more = path.with_name(f"{path.stem}-game{number}-{more}.jsonl"), more + 1
    write_whole(own, data)
    return own


def games_told(stories: Sequence[GameStory]) -> list[EveningGameView]:
    """The games of a record that were begun as such."""
    return [
        {**game_told(story), "over": story.ended or story is not stories[-1]}
        for story in stories
        if _start_of(story) is not None
    ]


def game_told(story: GameStory) -> EveningGameView:
    start = _start_of(story)
    return {
        "rules": story.rules,
        "options": story.options,
        "names": list((start.players if start is not None else None) or ()),
        "hands": sum(map(_is_over, story.hands)),
        "over": story.ended,
    }


def _start_of(story: GameStory) -> GameStart | None:
    event = story.happened[0].entry.event
    return event if isinstance(event, GameStart) else None


def _is_over(hand: HandStory) -> bool:
    """Whether the hand came to its end: the end of its game may break it off."""
    played = (event for event in hand.happened if not isinstance(event.entry.event, GameEnd))
    return any(event.state.hand_over for event in played)
