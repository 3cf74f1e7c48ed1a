"""The tables of both Harbin games, and what a win pays: its row, and what raises it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.announce import Item, Payout, note
from engine.events import Seat, Win
from engine.rules.base import Option
from engine.rules.harbin.limits import Limits
from engine.rules.harbin.play import SecretIndicator
from engine.rules.payment import Payment, moved_to, nobody_wins, payout
from engine.rules.tables import options_of, read_tables, rulings_of
from engine.rules.verdict import Ruling
from engine.state import State
from engine.tiles import Tile


@dataclass(frozen=True)
class Pays:
    """A row of the payment table."""

    discarder: int
    """What the seat that fed the tile pays; for an own draw nobody did."""
    each: int
    """What every other opponent pays."""
    shooting: bool = False
    """``shooting_punishment`` makes the discarder pay for all."""


@dataclass(frozen=True)
class HarbinTables:
    payments: Mapping[str, Pays]
    options: Sequence[Option]
    problems: Mapping[str, Ruling]


def _tables(name: str) -> HarbinTables:
    tables = read_tables(__package__, f"{name}.toml")
    payments = {row: Pays(**pays) for row, pays in tables["payments"].items()}
    return HarbinTables(payments, options_of(tables["options"]), rulings_of(tables["problems"]))


HLR: Final = _tables("hlr")
TREASURE: Final = _tables("treasure")


# --- payments -------------------------------------------------------------------------------------


Owed = tuple[dict[Seat, int], list[Item]]
"""What every loser owes, and the lines that explain it."""


class HarbinPayment(Payment):
    """The payments of a Harbin game: its table, and the functions in which the two games differ."""

    def __init__(
        self,
        table: Mapping[str, Pays],
        limits: Limits,
        secret: SecretIndicator,
        *,
        treasure_row: str,
        double_row: str,
        unknown: Item,
        owed: Callable[[HarbinPayment, State, Win, str], Owed],
        robbed_row: Callable[[State], str],
        is_double: Callable[[Limits, State, Win, Sequence[Tile]], bool],
    ) -> None:
        """``treasure_row``, ``double_row``: the rows of a drawn treasure, and of one that the hand
        waits for. ``unknown``: the note on an own draw while the treasure is unknown.
        ``robbed_row``: the row for a robbed kong. ``is_double``: whether a drawn treasure among the
        waits is the better kind of win.
        """
        self.table, self.rows = table, tuple(table)
        self.limits, self.secret = limits, secret
        self.treasure_row, self.double_row, self.unknown = treasure_row, double_row, unknown
        self._owed, self._robbed_row, self._is_double = owed, robbed_row, is_double

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        if not wins:
            return nobody_wins(state)
        win = wins[0]
        row, notes = self.row_of(state, win)
        due, more = self._owed(self, state, win, row)
        pays = self.table[row]
        named = Item(row, max(pays.discarder, pays.each), "points")
        more = [item for item in more if item not in notes]
        return payout(state, win.seat, moved_to(win.seat, due), (named, *notes, *more))

    def row_of(self, state: State, win: Win) -> tuple[str, list[Item]]:
        """The row of the payment table, and notes on unknown facts that might give a better one."""
        treasures = self.secret.treasures(state)
        if state.lent:
            return "rush", [] if treasures is not None else [self.unknown]
        if win.from_seat != win.seat:
            if state.last_discard is not None and state.last_discard.added_kong:
                return self._robbed_row(state), []
            treasure = [self.unknown] if self._must_be_treasure(state, win, treasures) else []
            feeder = state.players[win.from_seat]
            if feeder.ready:
                return "discard_ready", treasure
            unknown = [] if feeder.ready_certain else [note("ready_unknown")]
            return "discard_not_ready", [*unknown, *treasure]
        if treasures is None:
            return "self_draw", [self.unknown]
        if win.tile.kind not in treasures:
            return "self_draw", []
        waits = self.limits.good_waits(state.players[win.seat])
        if waits is None:
            return self.treasure_row, [note("hand_unknown")]
        double = win.tile.kind in waits and self._is_double(self.limits, state, win, waits)
        return self.double_row if double else self.treasure_row, []

    def _must_be_treasure(self, state: State, win: Win, treasures: Collection[Tile] | None) -> bool:
        """Whether only a treasure that nobody knows makes this discard a win."""
        waits = self.limits.good_waits(state.players[win.seat])
        return treasures is None and waits is not None and win.tile.kind not in waits

    def is_holed(self, state: State, win: Win) -> bool | None:
        """Whether the win is, or could have been, on the middle tile of a chow. None: unknown."""
        player = state.players[win.seat]
        waits = self.limits.good_waits(player)
        if waits is None:
            return None
        # A treasure wins whatever the wait, so any holed wait counts, not only the tile drawn.
        treasures = self.secret.treasures(state) or ()
        any_wait = win.tile.kind in treasures and self.secret.wins_from(
            state, win.seat, win.from_seat
        )
        completing = waits if any_wait else [win.tile.kind]
        return any(self.limits.clamps(player, tile, state.options) for tile in completing)
