"""What everybody may see: the table and its events without what only one seat may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engine.announce import Announcement, seen_by
from engine.events import Correct, Deal, Draw, Entry, Event, Indicator, Position, Seat
from engine.rules import RULE_SETS
from engine.state import Meld, Phase, Player, SetKind, State
from engine.tiles import UNKNOWN, Tile

Json = dict[str, object]

_LOOKED_AT: Final = {"harbin-hlr": ("dora",), "harbin-treasure": ("treasure",)}
"""Indicators at which only ready players look, until the hand is over."""

_OVER: Final = (Phase.SETTLED, Phase.BEFORE_HAND, Phase.AFTER_GAME)


def public_event(event: Event, state: State) -> Event:
    """The event as the whole table saw it happen; ``state`` is the one after it."""
    match event:
        case Draw():
            return replace(event, tile=UNKNOWN)
        case Deal(tiles=tiles):
            return replace(event, tiles=(UNKNOWN,) * len(tiles))
        case Indicator():
            return _public_indicator(event, state)
        case Position(hands=hands, indicators=turned):
            return replace(
                event,
                hands=hands and tuple((UNKNOWN,) * len(hand) for hand in hands),
                indicators=turned and tuple(_public_indicator(one, state) for one in turned),
            )
        case Correct(events=entries):
            return replace(event, events=tuple(_public_entry(entry, state) for entry in entries))
        case _:
            return event


def public_announcements(said: Iterable[Announcement]) -> list[Announcement]:
    """Those that are not for one seat alone."""
    return [shown for one in said if (shown := seen_by(one, None)) is not None]


def public_table(state: State, names: Sequence[str]) -> Json:
    """The drawn table: what a person who walks around it would see."""
    return {
        "rules": state.rules,
        "phase": state.phase.value,
        "hand": state.hand_number,
        "round": str(state.round),
        "dealer": state.dealer,
        "staying": state.staying,
        "honba": state.honba,
        "turn": state.turn,
        "wall_left": state.wall_left,
        "points": list(state.points),
        "pot": state.pot,
        "names": list(names),
        "winners": list(state.winners),
        "indicators": indicators(state, None),
        "wild": _wild(state),
        "last_discard": None
        if state.last_discard is None
        else {"seat": state.last_discard.seat, "tile": str(state.last_discard.tile)},
        "players": [_player(player) for player in state.players],
    }


def indicators(state: State, seat: Seat | None) -> list[Json]:
    """Those of this hand as one seat sees them (None: everybody)."""
    looks = seat is not None and state.players[seat].ready
    return [
        {
            "kind": one.kind,
            "tile": str(one.tile) if looks or not _is_hidden(one.kind, state) else "?",
        }
        for one in state.indicators
    ]


def names_of(state: State) -> tuple[str, ...]:
    """What to call the four seats."""
    return tuple(state.names[seat] or f"Seat {seat}" for seat in range(4))


def _wild(state: State) -> list[str]:
    """Kinds that stand for any tile, as codes: the fortune of Hangzhou."""
    rules = RULE_SETS.get(state.rules)
    return sorted(map(str, rules.wild(state))) if rules else []


def _public_entry(entry: Entry, state: State) -> Entry:
    return replace(entry, event=public_event(entry.event, state))


def _public_indicator(turned: Indicator, state: State) -> Indicator:
    return replace(turned, tile=UNKNOWN) if _is_hidden(turned.kind, state) else turned


def _is_hidden(kind: str, state: State) -> bool:
    return kind in _LOOKED_AT.get(state.rules, ()) and state.phase not in _OVER


def _player(player: Player) -> Json:
    hand = player.hand if player.shown else (UNKNOWN,) * len(player.hand)
    return {
        "hand": [str(tile) for tile in hand],
        "shown": player.shown,
        "ready": player.ready,
        "melds": melds_of(player),
        "river": [
            {"tile": str(one.tile), "ready": one.ready, "claimed_by": one.claimed_by}
            for one in player.river
        ],
    }


def melds_of(player: Player) -> list[Json]:
    """A seat's declared sets as they lie, the outer tiles of closed kongs turned down."""
    return [_meld(meld) for meld in player.melds]


def _meld(meld: Meld) -> Json:
    tiles: list[Tile | None] = list(meld.tiles)
    if meld.kind is SetKind.CLOSED_KONG:
        tiles[0] = tiles[-1] = None
    return {
        "kind": meld.kind.value,
        "tiles": ["back" if tile is None else str(tile) for tile in tiles],
        "claimed": None if meld.claimed is None else str(meld.claimed),
        "from": meld.from_seat,
    }
