"""The limiting conditions (穷胡) of the Harbin games: what ready (听) and winning hands need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from engine import hands
from engine.announce import Reason
from engine.events import Claim, Kong, Seat
from engine.hands import Group, GroupKind, Split
from engine.hands.goals import NO_MARKS, Goal, Marks
from engine.possible_sets import runs_with
from engine.rules.teaching import ExampleHand, Teaching, open_pung
from engine.state import Meld, Player, SetKind, State
from engine.tiles import CODES, COPIES, RED_DRAGON, Tile

MOST_SETS: Final = 3
PUNG: Final = 3


class Finished(NamedTuple):
    """One reading of a complete hand."""

    split: Split
    """Groups of the undeclared tiles."""
    melds: tuple[Meld, ...]
    tiles: tuple[Tile, ...]
    """All tiles, with those of declared sets."""


class Waiting(NamedTuple):
    """A hand that waits for its last tile."""

    tiles: tuple[Tile, ...]
    """All tiles, with those of declared sets."""
    melds: tuple[Meld, ...]


def _has(kinds: Collection[GroupKind | SetKind]) -> Callable[[Finished], bool]:
    return lambda hand: (
        any(group.kind in kinds for group in hand.split)
        or any(meld.kind in kinds for meld in hand.melds)
    )


_CHOWS: Final = (GroupKind.CHOW, SetKind.CHOW)
_PUNGS: Final = (
    GroupKind.PUNG,
    SetKind.PUNG,
    SetKind.OPEN_KONG,
    SetKind.ADDED_KONG,
    SetKind.CLOSED_KONG,
)


_TERMINALS_AND_DRAGON: Final = frozenset(
    tile for tile in map(Tile, CODES) if tile.rank in (1, 9) or tile == RED_DRAGON
)


def holds_terminal_or_dragon(tiles: Iterable[Tile]) -> bool:
    """Whether a terminal or a red dragon is among these tiles."""
    return not _TERMINALS_AND_DRAGON.isdisjoint(tiles)


def _holds_terminal_or_dragon(hand: Waiting | Finished) -> bool:
    return holds_terminal_or_dragon(hand.tiles)


HOLDS_TERMINAL_OR_DRAGON: Final = {"no_terminal_or_dragon": _holds_terminal_or_dragon}
"""000, 5.4 asks this of the ready hand, 001 of the finished one."""

# 000, 5: conditions on the hand when it claims ready, and when it is finished.
WHEN_READY: Final[Mapping[str, Callable[[Waiting], bool]]] = {
    "not_open": lambda hand: any(meld.is_open for meld in hand.melds),
    **HOLDS_TERMINAL_OR_DRAGON,
    "fourth_set": lambda hand: len(hand.melds) <= MOST_SETS,
}
BY_SETS: Final = ("not_open", "fourth_set")
"""Conditions that the declared sets alone decide."""
WHEN_FINISHED: Final[Mapping[str, Callable[[Finished], bool]]] = {
    "no_pung": _has(_PUNGS),
    "no_chow": _has(_CHOWS),
    "one_suit": lambda hand: len({tile.suit for tile in hand.tiles if tile.suit != "z"}) >= 2,
}


@dataclass(frozen=True, eq=False)
class Limits:
    """The conditions of one game by code, in the order of announcement."""

    when_ready: Mapping[str, Callable[[Waiting], bool]]
    when_finished: Mapping[str, Callable[[Finished], bool]]

    def lacks(self, hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> tuple[str, ...]:
        """Conditions that this hand lacks to claim ready; empty when the claim is good.

        A condition on the finished hand counts if it refuses every wait.
        """
        codes = _lacking(self, hand, melds)
        refusals = [refused for _, refused in self.waits(hand, melds)]
        if not refusals:
            return (*codes, "no_wait")
        if codes or None in refusals:
            return codes
        return tuple(dict.fromkeys(code for code in refusals if code is not None))

    def lacks_after_discard(
        self, hand: tuple[Tile, ...], melds: tuple[Meld, ...]
    ) -> tuple[str, ...]:
        """The same of a hand that is still to discard: with the best discard."""
        return _after_discard(self, hand, melds)

    def lacks_by_sets(self, melds: tuple[Meld, ...]) -> tuple[str, ...] | None:
        """Conditions that the declared sets of a hidden hand show as missing. None if it may be
        good.
        """
        codes = _lacking(self, (), melds)
        return tuple(code for code in codes if code in BY_SETS) or None

    def waits(
        self, hand: tuple[Tile, ...], melds: tuple[Meld, ...]
    ) -> tuple[tuple[Tile, str | None], ...]:
        """Tiles that complete the hand, each with the first condition that refuses it.

        A tile of which the player holds all four is no wait.
        """
        return _waits(self, hand, melds)

    def winning(self, hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> list[Tile]:
        """Tiles that this hand wins with."""
        return [tile for tile, refused in self.waits(hand, melds) if not refused]

    def good_waits(self, player: Player) -> list[Tile] | None:
        """Tiles that this player wins with. None while the hand is hidden."""
        hand = player.waiting
        return None if hand is None or not player.known else self.winning(hand, player.melds)

    def clamps(self, player: Player, tile: Tile, options: Mapping[str, object]) -> bool:
        """Whether this tile can complete the known hand as the middle of a chow (夹).

        By an option, the inner end of a chow with a terminal (边) and the pair (单钓) count too.
        """
        hand = player.waiting
        assert hand is not None, "asked for known hands only"
        readings = self.readings((*hand, tile), player.melds)
        clamped = _CLAMPED[str(options["clamp_waits"])]
        return any(tile in clamped(group) for split in readings for group in split)

    def readings(self, hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> list[Split]:
        """Splits of a complete hand that meet every condition."""
        return [split for split, codes in _judged(self, hand, melds) if not codes]


def _middle(group: Group) -> tuple[Tile | None, ...]:
    return (group.middle,)


def _edge(group: Group) -> tuple[Tile | None, ...]:
    """The middle of a chow, and the three of 123 or the seven of 789."""
    ends = {1: 2, 7: 0}
    if group.kind is not GroupKind.CHOW or group.tile.rank not in ends:
        return _middle(group)
    return group.middle, Tile(f"{group.tile.rank + ends[group.tile.rank]}{group.tile.suit}")


def _edge_or_pair(group: Group) -> tuple[Tile | None, ...]:
    return (group.tile,) if group.kind is GroupKind.PAIR else _edge(group)


_CLAMPED: Final[Mapping[str, Callable[[Group], tuple[Tile | None, ...]]]] = {
    "middle": _middle,
    "edges": _edge,
    "edges_and_single": _edge_or_pair,
}
"""The tiles of a set that count as clamped, by the option ``clamp_waits``."""


def _lacking(limits: Limits, hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> tuple[str, ...]:
    waiting = Waiting((*hand, *(tile for meld in melds for tile in meld.tiles)), melds)
    return tuple(code for code, holds in limits.when_ready.items() if not holds(waiting))


def _judged(
    limits: Limits, hand: tuple[Tile, ...], melds: tuple[Meld, ...]
) -> list[tuple[Split, list[str]]]:
    """Every split of a complete hand, with the conditions that it fails."""
    tiles = (*hand, *(tile for meld in melds for tile in meld.tiles))
    readings = [Finished(split, melds, tiles) for split in hands.splits(hand)]
    return [
        (
            reading.split,
            [code for code, holds in limits.when_finished.items() if not holds(reading)],
        )
        for reading in readings
    ]


@lru_cache(maxsize=1 << 14)
def _after_discard(
    limits: Limits, hand: tuple[Tile, ...], melds: tuple[Meld, ...]
) -> tuple[str, ...]:
    places = map(hand.index, dict.fromkeys(hand))
    ways = [hand[:place] + hand[place + 1 :] for place in places]
    if hands.distance(hand) > 0:  # no discard leaves a hand that waits
        return min(((*_lacking(limits, way, melds), "no_wait") for way in ways), key=len)
    return min((limits.lacks(way, melds) for way in ways), key=len)


@lru_cache(maxsize=1 << 14)
def _waits(
    limits: Limits, hand: tuple[Tile, ...], melds: tuple[Meld, ...]
) -> tuple[tuple[Tile, str | None], ...]:
    kinds = hands.waits(hand)
    if not kinds:
        return ()
    lacking = _lacking(limits, hand, melds)
    own = Counter((*hand, *(tile for meld in melds for tile in meld.tiles)))
    judged = []
    for tile in kinds:
        if own[tile] >= COPIES:
            continue
        faults = min((codes for _, codes in _judged(limits, (*hand, tile), melds)), key=len)
        judged.append((tile, next(iter((*lacking, *faults)), None)))
    return tuple(judged)


# --- teaching ---


PICTURES: Final = {
    "limiting_conditions": "999m 123p 456s 789p 55s",
    "claiming_ready": "999m 123p 456s 78p 55s",
    "harbin_dora": "6p",
    "doradora": "46p 5p",
    "holed_wait": "46p 5p",
    "treasure": "6p",
    "rush_for_the_treasure": "78p 6p",
    "clamp": "46p 5p",
}
"""Tiles that show the terms of both games."""

EXAMPLE: Final = ExampleHand("123p 456s 789p 55s", Tile("9p"), 3, open_pung("9m"))


@dataclass(frozen=True)
class HarbinTeaching(Teaching):
    outer_when_ready: bool = False
    """Whether the terminal or red dragon must be there when ready is claimed."""

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        """No goal for an unopened hand that may declare no more sets."""
        opened = any(meld.is_open for meld in melds)
        if len(melds) > MOST_SETS or (len(melds) == MOST_SETS and not opened):
            return ()
        return (goal_with(melds, outer_when_ready=self.outer_when_ready),)

    def lacking(self, state: State, seat: Seat, hand: Sequence[Tile]) -> tuple[str, ...]:
        """000, 5: the codes of the conditions that the hand does not meet as it lies."""
        melds = state.players[seat].melds
        own, tiles = Counter(hand), (*hand, *(tile for meld in melds for tile in meld.tiles))
        runs = ((tile, *pair) for tile in own for pair in runs_with(tile))
        met = {
            "not_open": any(meld.is_open for meld in melds),
            "no_terminal_or_dragon": holds_terminal_or_dragon(tiles),
            "no_pung": max(own.values(), default=0) >= PUNG
            or any(meld.kind in _PUNGS for meld in melds),
            "no_chow": any(all(map(own.__getitem__, run)) for run in runs)
            or any(meld.kind in _CHOWS for meld in melds),
            "one_suit": len({tile.suit for tile in tiles if tile.suit != "z"}) >= 2,
        }
        return tuple(code for code, holds in met.items() if not holds)

    def price_of_claim(self, state: State, claim: Claim) -> tuple[Reason, ...]:
        reasons = super().price_of_claim(state, claim)
        added = isinstance(claim, Kong) and claim.kind == "added"
        last = not added and len(state.players[claim.seat].melds) + 1 == MOST_SETS
        return (*reasons, Reason("last_set")) if last else reasons


def goal_with(melds: tuple[Meld, ...], *, outer_when_ready: bool) -> Goal:
    """000, 5: what is still missing of a pung, a chow, a terminal or red dragon, and two suits."""
    marks = NO_MARKS
    if not any(meld.kind is not SetKind.CHOW for meld in melds):
        marks |= Marks.PUNG
    if not any(meld.kind is SetKind.CHOW for meld in melds):
        marks |= Marks.CHOW
    tiles = [tile for meld in melds for tile in meld.tiles]
    if not holds_terminal_or_dragon(tiles):
        marks |= Marks.OUTER
    declared = frozenset("mps".index(tile.suit) for tile in tiles if tile.suit != "z")
    return Goal(
        suits="marked_suit" if marks else "suit",
        honours="red_dragon",
        marks=marks,
        outer_when_ready=outer_when_ready and Marks.OUTER in marks,
        second_suit=declared,
    )
