"""Kinds of hand that a riichi player can win with, and which yaku an open hand can aim at.

Exact for the yaku of most open hands: value honours, tanyao, one suit, all pungs, terminals or
honours in every set, three colours straight, and a straight. Other yaku count once the waits show
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from engine.events import Seat
from engine.hands import HandForm
from engine.hands.goals import ANY_HAND, Goal
from engine.rules.riichi.win_facts import dora_of
from engine.rules.riichi.worth import dora_counted
from engine.rules.teaching import Teaching
from engine.state import Meld, SetKind, State
from engine.tiles import DRAGONS, Tile

CLOSED: Final = (ANY_HAND, Goal(form=HandForm.DISTINCT_PAIRS), Goal(form=HandForm.ORPHANS))
MOST_SETS: Final = 4


def _chow(low: int, suit: str) -> tuple[Tile, ...]:
    return tuple(Tile(f"{rank}{suit}") for rank in range(low, low + 3))


STRAIGHTS: Final = (
    *(("sanshoku_doujun", tuple(_chow(low, suit) for suit in "mps")) for low in range(1, 8)),
    *(("ittsu", tuple(_chow(low, suit) for low in (1, 4, 7))) for suit in "mps"),
)
"""Yaku that three chows make."""
DRAGON_YAKU: Final = tuple(zip(("haku", "hatsu", "chun"), DRAGONS, strict=True))


class RiichiTeaching(Teaching):
    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        return goals_of(melds, state.seat_wind(seat), state.round, state.options)

    def lacking(self, state: State, seat: Seat, hand: Sequence[Tile]) -> tuple[str, ...]:
        """A closed hand has riichi; an open one needs another yaku."""
        sure = any(not goal.name for goal in self.goals(state, seat, state.players[seat].melds))
        return () if sure or self.lacks_worth is None else (self.lacks_worth,)

    def bonus(self, state: State) -> Mapping[Tile, int]:
        shown = [indicator.tile for indicator in state.indicators if indicator.kind != "ura_dora"]
        counted, _ = dora_counted(state.options, len(shown))
        return Counter(dora_of(tile) for tile in shown[:counted] if tile.known)


def goals_of(
    melds: tuple[Meld, ...], own_wind: Tile, round_wind: Tile, options: Mapping[str, object]
) -> tuple[Goal, ...]:
    """Goals that these sets leave open; any hand if they make a yaku certain or are all closed."""
    if not any(meld.is_open for meld in melds):
        return CLOSED[: 1 if melds else None]
    tiles = [tile.kind for meld in melds for tile in meld.tiles]
    values = (*DRAGON_YAKU, ("seat_wind", own_wind), ("round_wind", round_wind))
    declared_pungs = {meld.tiles[0].kind for meld in melds if meld.kind is not SetKind.CHOW}
    if declared_pungs & {kind for _, kind in values}:
        return (ANY_HAND,)
    goals = [Goal(name, with_sets=((kind,) * 3,)) for name, kind in values]
    if options["open_tanyao"] and not any(tile.is_outer for tile in tiles):
        goals.append(Goal("tanyao", suits="middle", honours=""))
    declared = {"mps".index(tile.suit) for tile in tiles if tile.suit != "z"}
    goals += [
        Goal("honitsu", without=frozenset({0, 1, 2}) - {suit})
        for suit in range(3)
        if declared <= {suit}
    ]
    if not any(meld.kind is SetKind.CHOW for meld in melds):
        goals.append(Goal("toitoi", suits="pungs"))
    if all(any(tile.is_outer for tile in meld.tiles) for meld in melds):
        goals.append(Goal("chanta", suits="outside"))
    made = {tuple(sorted(tile.kind for tile in meld.tiles)) for meld in melds}
    for name, chows in STRAIGHTS:
        wanted = tuple(chow for chow in chows if chow not in made)
        if len(wanted) <= MOST_SETS - len(melds):
            goals.append(Goal(name, with_sets=wanted))
    return tuple(goals)
