"""What one seat may know beyond what everybody does; it goes to that seat's page alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from engine.announce import Announcement, seen_by
from engine.events import Seat
from engine.game import Game
from engine.state import Phase
from service.telling.public import Json, indicators
from service.telling.said import worded

REMEMBERED: Final = 8
"""Announcements for this seat that its page shows, of the hand being played."""


async def private_view(game: Game, seat: Seat, lang: str, teach: bool) -> Json:
    """The seat's own tiles, indicators it may look at, what was said to it alone, and a hint.

    A hint may take a tenth of a second: it is found aside, so that no other page waits.
    """
    state, rules = game.state, game.rules
    view: Json = {
        "seat": seat,
        # It is of this moment, which may be later than the public picture it is sent along with.
        "phase": state.phase.value,
        "hand_number": state.hand_number,
        "hand": [str(tile) for tile in state.players[seat].hand],
        "indicators": indicators(state, seat),
        "said": worded(_told(game, seat), lang, state.names),
        "hint": None,
    }
    playing = state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD)
    if teach and playing and rules is not None:
        hint = await asyncio.to_thread(rules.hint, state, seat)
        view["hint"] = worded([hint], lang, state.names)[0]
    return view


def _told(game: Game, seat: Seat) -> Sequence[Announcement]:
    """What this seat is told otherwise than everybody is."""
    history = game.state.history
    first = history[0][0] if history else len(game.entries)
    own = [
        shown
        for one in game.announcements(first)
        if one.of >= first
        and (shown := seen_by(one, seat)) is not None
        and shown != seen_by(one, None)
    ]
    return own[-REMEMBERED:]
