"""The same game told in another way: from other seats, in other suits, tiles in another order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from random import Random
from typing import Any, Final, TypeVar, cast

from engine.announce import Item, Problem, Wait
from engine.events import Chow, Deal, Entry, Kong, Position, Pung, Reveal, Win
from engine.game import Game
from engine.state import Phase, Player
from engine.tiles import Tile

T = TypeVar("T")

_SEAT: Final = (
    "seat",
    "from_seat",
    "claimed_by",
    "dealer",
    "first_dealer",
    "turn",
    "due",
    "audience",
    "not_to",
)
_SEATS: Final = ("ready", "winners")
_BY_SEAT: Final = (
    "players",
    "points",
    "deltas",
    "places",
    "passed",
    "penalties",
    "hands",
    "sets",
    "rivers",
    "flowers",
)


@dataclass(frozen=True)
class TableNow:
    """What a game has come to, without how it came about."""

    players: tuple[Player, ...]
    points: tuple[int, ...]
    pot: int
    round: Tile
    dealer: int
    staying: int
    honba: int
    turn: int
    winners: tuple[int, ...]
    phase: Phase
    kept: object


def table_now(game: Game) -> TableNow:
    return TableNow(*(getattr(game.state, field.name) for field in fields(TableNow)))


@dataclass(frozen=True)
class Telling:
    """How a game is told anew: where each seat and each tile of it goes."""

    turned: int = 0
    """Every seat moves on by so many."""
    suits: Mapping[str, str] | None = None
    """The suit that each suit becomes; honours stay."""

    def seat(self, seat: int) -> int:
        return (seat + self.turned) % 4

    def tile(self, tile: Tile) -> Tile:
        if self.suits is None or not tile.known or tile.suit in "zf":
            return tile
        return Tile(f"{tile[0]}{self.suits[tile.suit]}")

    def __call__(self, value: T) -> T:
        """The same, told anew."""
        return cast(T, self._told(value))

    def _told(self, value: Any) -> Any:
        match value:
            case Tile():
                return self.tile(value)
            case tuple() | frozenset():
                return type(value)(map(self._told, value))
            case Mapping():
                return {key: self._named(key, part) for key, part in value.items()}
            case Item(unit="seat"):
                return replace(value, value=self.seat(value.value))
            case _ if is_dataclass(value) and not isinstance(value, type):
                parts = {field.name: getattr(value, field.name) for field in fields(value)}
                told = {name: self._named(name, part) for name, part in parts.items()}
                return replace(value, **told)
            case _:
                return value

    def _named(self, name: str, value: Any) -> Any:
        if name in _SEAT and isinstance(value, int):
            return self.seat(value)
        if name in _SEATS and isinstance(value, tuple):
            return tuple(map(self.seat, value))
        if name in _BY_SEAT and isinstance(value, tuple) and len(value) == 4:
            return tuple(self._told(value[(seat - self.turned) % 4]) for seat in range(4))
        return self._told(value)


def tiles_mixed(entry: Entry, random: Random) -> Entry:
    """The line with the tiles of each hand and set in another order."""

    def mixed(tiles: Sequence[T]) -> tuple[T, ...]:
        return tuple(random.sample(tiles, len(tiles)))

    changes: dict[str, Any] = {}
    match entry.event:
        case Deal(tiles=tiles) | Reveal(tiles=tiles):
            changes["tiles"] = mixed(tiles)
        case Win(hand=tuple(hand)):
            changes["hand"] = mixed(hand)
        case Chow(own=tuple(own)) | Pung(own=tuple(own)) | Kong(own=tuple(own)):
            changes["own"] = mixed(own)
        case Position(hands=hands, ready=ready):
            changes["hands"] = hands and tuple(map(mixed, hands))
            changes["ready"] = ready and mixed(ready)
        case _:
            pass
    return replace(entry, event=replace(entry.event, **changes))


def in_any_order(value: Any) -> Any:
    """A value without the order of what has none: tiles, waits, lines of a payout, claims."""
    if isinstance(value, Problem):
        value = replace(value, suggestions=())
    if isinstance(value, Mapping):
        return tuple(sorted((key, in_any_order(part)) for key, part in value.items()))
    if isinstance(value, tuple | frozenset):
        parts = [in_any_order(part) for part in value]
        loose = all(isinstance(part, Tile | Wait | Item | Chow | Pung | Kong) for part in value)
        return tuple(sorted(parts, key=repr) if loose or isinstance(value, frozenset) else parts)
    if is_dataclass(value) and not isinstance(value, type):
        named = ((field.name, in_any_order(getattr(value, field.name))) for field in fields(value))
        return (type(value).__name__, *named)
    return value


AS_IT_WAS: Final = Telling()


def said(game: Game, telling: Telling = AS_IT_WAS) -> list[tuple[int, str]]:
    """What was announced, event by event, told in that way."""
    told = ((one.of, repr(in_any_order(telling(one)))) for one in game.announcements())
    return sorted(told)
