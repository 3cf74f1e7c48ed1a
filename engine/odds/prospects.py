"""What each discard of a seat is worth, from what that seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import play
from engine.announce import Hint, HintDiscard
from engine.events import Discard, Seat, Win
from engine.evolve import evolve
from engine.odds.curves import Fitted, fitted
from engine.odds.danger import ALL, Table, loss_features, opponent, tile_features
from engine.odds.own_hand import (
    kept_features,
    point_features,
    rest_features,
    steps_of,
    win_features,
)
from engine.rules.base import RuleSet
from engine.rules.equal_discards import valued_honours
from engine.rules.waits import never_won_on
from engine.state import LastDiscard, Phase, State
from engine.tile_counts import seen_by
from engine.tiles import Tile
from engine.visibility import indicator_visible

POINT_CURVES: Final = ("points_ready", "points")


@dataclass(frozen=True)
class Prospect:
    """What a discard may bring, in points of the game."""

    tile: Tile
    win: float
    """Chance that the seat wins this hand, 0 to 1."""
    points: float
    """What such a win brings on average."""
    risk: float
    """Chance that this discard is won on, 0 to 1."""
    loss: float
    """What that costs on average, above zero."""
    rest: float
    """What the hand moves on average if neither happens."""

    @property
    def change(self) -> float:
        """The expected change of the seat's points by the end of the hand."""
        goes_on = self.win * self.points + (1 - self.win) * self.rest
        return (1 - self.risk) * goes_on - self.risk * self.loss


def prospects(
    rules: RuleSet, state: State, hint: Hint, curves: Fitted | None = None
) -> tuple[Prospect, ...]:
    """Every discard of the hint with what it may bring, the best first; empty without curves.

    ``curves``: others than those of the game.
    """
    if not hint.discards or not (curves or rules.teaching.odds):
        return ()
    known, seat = curves or fitted(rules.teaching.odds), hint.seat
    table = table_seen(rules, state, seat)
    after = [play.discard(state, Discard(seat, row.tile), -1) for row in hint.discards]
    liked = _kept(known, table, hint, after)
    found = []
    for row, then, shift in zip(hint.discards, after, liked, strict=True):
        risk, loss = dealing_in(known, table, row.tile)
        win, points, rest = goes_on(known, rules, then, table, row, seat, shift)
        found.append(Prospect(row.tile, win, points, risk, loss, rest))
    return tuple(sorted(found, key=lambda one: -one.change))


def _kept(known: Fitted, table: Table, hint: Hint, after: Sequence[State]) -> list[float]:
    """How much more each discard keeps than the hint's first one; it shifts the odds to win."""
    curve = known.curves.get("kept")
    if curve is None:
        return [0.0] * len(after)
    sums = [
        curve.sum(kept_features(table, row, then.players[hint.seat]))
        for row, then in zip(hint.discards, after, strict=True)
    ]
    return [one - sums[0] for one in sums]


def table_seen(rules: RuleSet, state: State, seat: Seat) -> Table:
    """What this seat sees of the table."""
    hidden = [
        indicator.kind
        for indicator in state.indicators
        if not indicator_visible(rules, state, indicator.kind, seat)
    ]
    seen = seen_by(state, seat, hidden)
    unseen = dict.fromkeys(ALL, 0)
    for tile, copies in rules.wall.under(state.options).items():
        if tile.kind in unseen:
            unseen[tile.kind] += copies
    left = [max(copies - seen[tile], 0) for tile, copies in unseen.items()]
    bonus = dict(rules.teaching.bonus(state)) | dict.fromkeys(state.wild, 1)
    wall = rules.wall.live(state)
    others = tuple(
        opponent(state, other, left, never_won_on(rules, state, other), bonus, wall)
        for other in range(4)
        if other != seat and other not in state.retired
    )
    return Table(left, bonus, valued_honours(state, seat), others, wall)


def dealing_in(known: Fitted, table: Table, tile: Tile) -> tuple[float, float]:
    """The chance that a discard is won on, and what that costs on average."""
    passes, loss, weight = 1.0, 0.0, 0.0
    costs = known.first("loss")
    for one in table.opponents:
        curve = known.first("danger_ready", "danger") if one.ready else known.first("danger")
        if curve is None or tile.kind in one.barred:
            continue
        risk = curve.chance(tile_features(table, one, tile))
        passes *= 1 - risk
        weight += risk
        loss += risk * costs.amount(loss_features(table, one, tile)) if costs else 0.0
    return 1 - passes, loss / weight if weight else 0.0


def goes_on(
    known: Fitted,
    rules: RuleSet,
    after: State,
    table: Table,
    row: HintDiscard,
    seat: Seat,
    shift: float = 0.0,
) -> tuple[float, float, float]:
    """The chance to win if nobody wins on this discard, the points of that win, and the points
    moved otherwise.

    ``shift`` is added to the log odds to win.
    """
    player, deals = after.players[seat], seat == after.dealer
    nearer = (f"win_{steps}" for steps in range(steps_of(row), -1, -1))
    wins, rest = known.first(*nearer), known.first("rest")
    claimed = worth_claimed(rules, after, row, seat) if row.distance == 0 else 0.0
    worth = known.first(*POINT_CURVES[:: 1 if claimed else -1])
    return (
        wins.chance(win_features(table, row, player), shift) if wins else 0.0,
        worth.amount(point_features(table, row, player, deals, claimed)) if worth else 0.0,
        rest.sum(rest_features(table, row, deals)) if rest else 0.0,
    )


def worth_claimed(rules: RuleSet, after: State, row: HintDiscard, seat: Seat) -> float:
    """What a ready hand wins on average with another seat's discard. Where the rules know a ready
    call, the seat has made it."""
    discarder, total, copies = (seat + 1) % 4, 0.0, 0
    waiting = play.with_player(after, seat, ready=True)
    for wait in row.waits:
        left = max(wait.left, 1)
        thrown = LastDiscard(discarder, wait.tile, -1)
        hand = play.ordered((*after.players[seat].hand, wait.tile))
        won = play.with_player(waiting, seat, hand=hand, drawn=wait.tile)
        claim = Win(seat, discarder, wait.tile)
        settled = evolve(
            won, last_discard=thrown, phase=Phase.SETTLED, winners=(seat,), wins=(claim,)
        )
        total += left * max(rules.payment.settle(settled, (claim,)).deltas[seat], 0)
        copies += left
    return total / copies if copies else 0.0
