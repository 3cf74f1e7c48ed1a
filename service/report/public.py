"""What everybody may see of a table as JSON; the rule set and ``engine.visibility`` decide.

Events for pages and files come from ``engine.visibility.events_seen(game)``: never from the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from engine.announce import Announcement, heard_by
from engine.events import Seat
from engine.rules import RULE_SETS
from engine.rules.base import PageNeeds
from engine.state import Meld, Player, SetKind, State
from engine.tiles import UNKNOWN, Tile
from engine.visibility import indicators_seen

Json = dict[str, object]


def public_announcements(said: Iterable[Announcement]) -> list[Announcement]:
    """Announcements that are not for one seat alone."""
    return heard_by(said, None)


def public_table(state: State, names: Sequence[str]) -> Json:
    """The table as a person who walks around it sees it."""
    place = state.place
    return {
        "rules": state.rules,
        "phase": state.phase.value,
        "hand": state.hand_number,
        "round": str(place.round),
        "dealer": place.dealer,
        "first_dealer": state.first_dealer,
        "staying": place.staying,
        "honba": place.honba,
        "turn": state.turn,
        "wall_left": state.wall_left,
        "tiles_left": _tiles_left(state),
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
        "shows": page_needs(state.rules),
    }


def page_needs(rules: str) -> Json:
    """What a page shows of games by these rules besides tiles and points."""
    known = RULE_SETS.get(rules)
    return asdict(PageNeeds() if known is None else known.page)


def indicators(state: State, seat: Seat | None) -> list[Json]:
    """The indicators of this hand as one seat sees them; None is everybody."""
    turned = indicators_seen(state, RULE_SETS.get(state.rules), seat)
    return [{"kind": one.kind, "tile": str(one.tile)} for one in turned]


def names_of(state: State) -> tuple[str, ...]:
    return tuple(state.names[seat] or f"Seat {seat}" for seat in range(4))


def _tiles_left(state: State) -> int:
    """Tiles that may still be drawn."""
    rules = RULE_SETS.get(state.rules)
    return state.wall_left if rules is None else max(0, rules.live_wall(state))


def _wild(state: State) -> list[str]:
    """Codes of tiles that stand for any tile, such as the fortune of Hangzhou."""
    rules = RULE_SETS.get(state.rules)
    return sorted(map(str, rules.wild(state))) if rules else []


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
    """A player's declared sets; the outer tiles of closed kongs lie face down."""
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
