"""What one seat knows beyond the public table; only that seat's page gets it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from engine.announce import Announcement, heard_by, private_topics, seen_by
from engine.events import Seat
from engine.game import Game
from engine.state import Phase
from service.report.public import Json, indicators
from service.report.said import worded

REMEMBERED: Final = 8
"""Private announcements of the current hand that a seat's page shows."""


async def private_view(game: Game, seat: Seat, lang: str, teach: bool) -> Json:
    """Return the seat's tiles, its indicators, its private announcements, and a hint.

    A hint may take a tenth of a second: it is found aside, so that no other page waits.
    """
    state, rules = game.state, game.rules
    view: Json = {
        "seat": seat,
        # This is the current phase; the public state sent with it may be older.
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
    """Announcements that this seat hears otherwise than everybody."""
    history = game.state.history
    first = history[0][0] if history else len(game.entries)
    said = (one for one in game.announcements(first) if one.of >= first)
    own = [one for one in heard_by(said, seat) if seen_by(one, None) != one]
    return own[-REMEMBERED:]


def for_seat(message: Json, game: Game, seat: Seat) -> Json:
    """The public message without what this seat gets in a fuller, private form."""
    told: dict[str, list[Json]] = {}
    for name in ("said", "announced"):
        public = message.get(name)
        if isinstance(public, list):
            told[name] = public
    numbers = [one["of"] for said in told.values() for one in said]
    first = min((of for of in numbers if isinstance(of, int)), default=len(game.entries))
    better = private_topics(game.announcements(first), seat)
    own = {name: [one for one in said if _about(one) not in better] for name, said in told.items()}
    return message | own


def _about(one: Json) -> tuple[object, ...]:
    ready = one["kind"] in ("ready", "not_ready")
    return one["of"], one.get("seat"), "ready" if ready else one.get("code")
