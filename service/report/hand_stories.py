"""The story of a hand as a strip: a few moments, each with its picture or its table, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from typing_extensions import TypedDict

from engine.announce import GameResult, HandResult, Payout
from engine.events import Deal, Entry
from engine.game import Game
from engine.highlights import steps_of_hand
from engine.stories import GameStory, HandStory
from engine.texts.figures import clock
from engine.visibility import VisibleEvent, events_seen
from service.report.public import (
    PublicTable,
    names_of,
    public_announcements,
    public_table,
    worded,
)
from service.texts.catalogue import texts_of
from service.texts.events import Parts, event_json

_RESULT: Final = (Payout, HandResult, GameResult)
PictureOf = Callable[[Entry, int], str | None]
"""The address of the picture of an event, given with the number of its line; None without one."""


class StoryMoment(TypedDict):
    number: int
    step: int
    """Of the replay, counted from 0."""
    time: str
    """Empty where it is not known."""
    told: Parts
    said: list[str]
    """What was announced by it, without the result, which stands beside the strip."""
    picture: str | None
    """Its address."""
    table: PublicTable | None
    """As it lay then; None where the picture cannot be gone."""


def no_picture(entry: Entry, number: int) -> str | None:
    return None


def hand_stories(
    game: Game,
    games: Sequence[GameStory],
    lang: str,
    picture_of: PictureOf = no_picture,
    *,
    first: int | None = None,
    with_tables: bool = True,
) -> dict[int, list[StoryMoment]]:
    """The strip of each hand, by the number of its first line; of one alone with ``first``.

    ``games`` are those of ``game``. It shows what everybody may see, as the replay does. With
    ``with_tables`` False a moment that has a picture goes without its table.
    """
    seen = events_seen(game)
    return {
        hand.happened[0].number: [
            _moment(hand, at, begins + at, seen[begins + at], lang, picture_of, with_tables)
            for at in steps_of_hand(hand)
        ]
        for begins, hand in _hands(games)
        if first is None or hand.happened[0].number == first
    }


def _hands(games: Sequence[GameStory]) -> Iterator[tuple[int, HandStory]]:
    """Each hand with the step at which it begins."""
    at = 0
    for game in games:
        at += len(game.before)
        for hand in game.hands:
            yield at, hand
            at += len(hand.happened)


def _moment(
    hand: HandStory,
    at: int,
    step: int,
    seen: VisibleEvent,
    lang: str,
    picture_of: PictureOf,
    with_tables: bool,
) -> StoryMoment:
    event = hand.happened[at]
    state, entry = event.state, seen.entry
    heard = [one for one in public_announcements(event.said) if not isinstance(one, _RESULT)]
    said = worded(heard, lang, state.names, rules=state.rules)
    picture = picture_of(entry, seen.number)
    tabled = with_tables or picture is None
    return {
        "number": seen.number,
        "step": step,
        "time": "" if entry.t is None else clock(entry.t),
        "told": [texts_of(lang)["page.story.dealt"]]
        if isinstance(entry.event, Deal)
        else event_json(entry.event, names_of(state), lang, state.rules),
        "said": [row["text"] for row in said],
        "picture": picture,
        "table": public_table(state, names_of(state)) if tabled else None,
    }
