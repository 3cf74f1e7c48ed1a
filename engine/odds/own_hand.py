"""What one's own hand may bring: features of the chance to win, the points, and the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from engine.announce import HintDiscard, Outlook
from engine.odds.curves import log1p
from engine.odds.danger import ALL, PLACE, Table, near, worth
from engine.state import Player
from engine.tiles import Tile

FARTHEST: Final = 4
"""Steps to ready from which on hands are alike."""
WIN_FEATURES: Final = (
    "one", "left", "turns", "left_turns", "ready_others", "open", "sets", "bonus",
    "others_melds", "their_turns",
)  # fmt: skip
POINT_FEATURES: Final = (
    "one", "deals", "open", "bonus", "value_pungs", "value_pairs", "one_suit", "inner", "sets",
    "wall", "distance", "claimed_worth",
)  # fmt: skip
KEPT_FEATURES: Final = (
    "reach", "left", "steps", "values", "value_pairs", "bonus", "pairs", "outer", "guests",
    "near_bonus", "one_suit", "two_sided", "closed",
)  # fmt: skip
REST_FEATURES: Final = (
    "one", "ready", "one_step", "two_steps", "others_ready", "others_ready_near", "deals", "wall",
    "others_melds", "ready_late",
)  # fmt: skip


def steps_of(row: HintDiscard | Outlook) -> int:
    return FARTHEST if row.distance is None else min(row.distance, FARTHEST)


def win_features(table: Table, row: HintDiscard | Outlook, player: Player) -> tuple[float, ...]:
    """Features of the chance to win with the hand that a discard leaves."""
    turns = max(table.wall, 0) / 4
    ready = sum(opponent.ready for opponent in table.opponents)
    opened = any(meld.is_open for meld in player.melds)
    bonus = sum(worth(tile, table.bonus) for tile in player.hand)
    threat = max((opponent.shared[2] for opponent in table.opponents), default=0.0)
    return (
        1.0, log1p(row.left), log1p(turns), log1p(row.left) * log1p(turns), float(ready),
        float(opened), float(len(player.melds)),
        float(min(bonus, 4)), threat, float(ready > 0) * log1p(turns),
    )  # fmt: skip


def reach(unseen: Sequence[int], hand: Sequence[Tile]) -> int:
    """Unseen tiles that would lie beside or on some tile of the hand."""
    near: set[int] = set()
    for tile in {tile.kind for tile in hand}:
        place = PLACE.get(tile)
        if place is None:
            continue
        near.add(place)
        if place < 27:
            near.update(at for at in (place - 1, place + 1) if at // 9 == place // 9 and at >= 0)
    return sum(unseen[place] for place in near)


def point_features(
    table: Table, row: HintDiscard | Outlook, player: Player, dealer: bool, worth_on_claim: float
) -> tuple[float, ...]:
    """Features of what a win would bring; ``worth_on_claim``: of a ready hand as it is, or 0."""
    tiles = [*player.hand, *(tile for meld in player.melds for tile in meld.tiles)]
    kinds = Counter(tile.kind for tile in tiles)
    suits = Counter(tile.suit for tile in tiles if tile.suit in "mps")
    honours = sum(count for kind, count in kinds.items() if kind.suit == "z")
    outer = sum(count for kind, count in kinds.items() if kind.is_outer)
    most = max(suits.values(), default=0) + honours
    pungs = sum(kinds[kind] >= 3 for kind in table.valued)
    pairs = sum(kinds[kind] == 2 for kind in table.valued)
    opened = any(meld.is_open for meld in player.melds)
    return (
        1.0, float(dealer), float(opened),
        float(min(sum(worth(tile, table.bonus) for tile in tiles), 6)),
        float(pungs), float(pairs), max(0.0, most / max(len(tiles), 1) - 0.7) / 0.3,
        float(outer == 0), float(len(player.melds)), table.wall / 70, float(steps_of(row)),
        log1p(worth_on_claim),
    )  # fmt: skip


def rest_features(table: Table, row: HintDiscard | Outlook, dealer: bool) -> tuple[float, ...]:
    """Features of what the hand moves if this discard is not won on and the seat does not win."""
    steps, ready = steps_of(row), sum(opponent.ready for opponent in table.opponents)
    threat = max((opponent.shared[2] for opponent in table.opponents), default=0.0)
    return (
        1.0, float(steps == 0), float(steps == 1), float(steps == 2), float(ready),
        float(ready > 0 and steps <= 1), float(dealer), table.wall / 70, threat,
        float(steps == 0) * (1 - table.wall / 70),
    )  # fmt: skip


def kept_features(table: Table, row: HintDiscard | Outlook, player: Player) -> tuple[float, ...]:
    """What a discard keeps beside useful tiles: how good players tell equal discards apart."""
    kinds = Counter(tile.kind for tile in player.hand)
    honours = [kind for kind in kinds if kind.suit == "z"]
    valued = [kind for kind in honours if kind in table.valued]
    suits = Counter(tile.suit for tile in player.hand)
    two_sided = gaps = 0
    for kind in kinds:
        if kind.suit == "z" or kind not in PLACE:
            continue
        place, rank = PLACE[kind], kind.rank
        two_sided += 2 <= rank <= 7 and ALL[place + 1] in kinds
        gaps += rank <= 7 and ALL[place + 2] in kinds
    return (
        reach(table.unseen, player.hand) / 10,
        log1p(row.left),
        float(steps_of(row)),
        float(len(valued)),
        float(sum(kinds[kind] > 1 for kind in valued)),
        float(sum(worth(tile, table.bonus) for tile in player.hand)),
        float(sum(count > 1 for count in kinds.values())),
        float(sum(tile.is_outer for tile in player.hand)),
        float(len(honours) - len(valued)),
        float(sum(near(tile.kind, bonus) for tile in player.hand for bonus in table.bonus)),
        max(suits[suit] for suit in "mps") / 10,
        float(two_sided),
        float(gaps),
    )
