"""Who played a game, and who won it, in words."""

from __future__ import annotations

from engine.stories import GameStory
from engine.texts.figures import place_of
from service.texts.catalogue import texts_of
from service.texts.events import named


def names_in(game: GameStory, lang: str = "en") -> tuple[str, ...]:
    """Names of the four seats; "Seat 0" and so on where nobody gave one."""
    return named(game.happened[0].state.names, lang)


def ranking(game: GameStory, lang: str = "en") -> str:
    """The placement such as ``1. Anna, 2. Bo``; empty while the game is not over."""
    if game.result is None:
        return ""
    places = game.result.places
    order = sorted(range(4), key=lambda seat: (places[seat], seat))
    names, texts = names_in(game, lang), texts_of(lang)
    rows = (f"{place_of(places, seat, texts)} {names[seat]}" for seat in order)
    return texts["between"].join(rows)
