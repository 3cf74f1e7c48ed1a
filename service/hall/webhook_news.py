"""What the lines of a table are news of: the messages that webhooks get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.events import Correct, GameEnd, GameStart, HandEnd, HandStart
from engine.visibility import events_seen
from service.hall.watched_table import WatchedTable
from service.report.hands import hand_json
from service.report.public import Json, names_of
from service.report.story import GameStory, HandStory, tell_game
from service.words.catalogue import rules_titles
from service.words.events import event_json

KINDS: Final[dict[type, str]] = {
    GameStart: "game.started",
    HandStart: "hand.started",
    HandEnd: "hand.ended",
    GameEnd: "game.ended",
    Correct: "corrected",
}
NEEDS: Final = "needs"
EVENT: Final = "event"


def news_of(watched: WatchedTable, first: int, every: bool) -> list[tuple[str, Json]]:
    """The messages of the lines from number ``first`` on, each with its id; nothing hidden.

    ``every``: one for each event too, not only for hands, games and corrections.
    """
    entries = watched.game.entries
    if not every and not any(type(one.event) in KINDS for one in entries[first:]):
        return []
    of_record = watched.record[1] if watched.record is not None else 0
    about = about_table(watched)
    found: list[tuple[str, Json]] = [
        (f"{of_record}-{number}-{kind}", {"type": kind, "data": about | data})
        for number, kind, data in _changes(watched, first)
    ]
    return found + (_events(watched, first, of_record, about) if every else [])


def about_table(watched: WatchedTable) -> Json:
    """What every message says of its table."""
    rules = watched.game.state.rules
    return {
        "table": watched.table.name,
        "title": watched.table.title,
        "record": None if watched.record is None else watched.record[0],
        "rules": rules,
        "rules_titles": rules_titles(rules),
    }


def _changes(watched: WatchedTable, first: int) -> Iterator[tuple[int, str, Json]]:
    places = _places(tell_game(watched.game))
    for number, entry in enumerate(watched.game.entries[first:], start=first):
        event = entry.event
        of = event.of if isinstance(event, Correct) else number
        if type(event) not in KINDS or (of == number and number not in places):
            continue  # other events, and lines that a correction has replaced already
        game, hand = places.get(of, (None, None))
        data: Json = {"line": number}
        if of != number:
            data["of"] = of
        if game is not None and isinstance(event, GameStart | GameEnd):
            places_of = None if game.result is None else list(game.result.places)
            data |= {"names": list(game.names), "points": list(game.points), "places": places_of}
        elif game is not None and hand is not None:
            data |= {"hand": hand_json(game, hand, "en")}
        yield number, KINDS[type(event)], data


def _places(
    games: tuple[GameStory, ...],
) -> dict[int, tuple[GameStory | None, HandStory | None]]:
    """By number of a line in force: the game and the hand that it belongs to."""
    found: dict[int, tuple[GameStory | None, HandStory | None]] = {}
    for game in games:
        found |= {one.number: (game, None) for one in game.before}
        for hand in game.hands:
            found |= {one.number: (game, hand) for one in hand.happened}
    return found


def _events(
    watched: WatchedTable, first: int, of_record: int, about: Json
) -> list[tuple[str, Json]]:
    state = watched.game.state
    new = [one for one in events_seen(watched.game) if one.number >= first]
    return [
        (
            f"{of_record}-{one.number}-{one.place}-{EVENT}",
            {
                "type": EVENT,
                "data": about
                | {
                    "line": one.number,
                    "event": type(one.entry.event).__name__,
                    "t": one.entry.t,
                    "told": event_json(one.entry.event, names_of(state), state.rules),
                },
            },
        )
        for one in new
    ]
