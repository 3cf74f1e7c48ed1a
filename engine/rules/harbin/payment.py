"""What a Harbin win pays: its row of the payment table, and what raises it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

from engine.announce import Item, Payout, note
from engine.events import Seat, Win
from engine.rules.harbin.limits import Limits
from engine.rules.harbin.secret_indicator import SecretIndicator
from engine.rules.harbin.tables import Pays
from engine.rules.results import moved_to, nobody_wins, payout
from engine.state import State
from engine.tiles import Tile


class HarbinPayment(ABC):
    """What both Harbin games share about payments."""

    rows: Mapping[str, Pays]
    treasure_row: str
    """The row of a drawn treasure."""
    double_row: str
    """The row of a drawn treasure that the hand waits for."""
    unknown: Item
    """The note on an own draw while the treasure is unknown."""

    def __init__(self, limits: Limits, secret: SecretIndicator) -> None:
        self.limits = limits
        self.secret = secret

    @abstractmethod
    def owed(self, state: State, win: Win, row: str) -> tuple[dict[Seat, int], list[Item]]:
        """What every loser owes, and the lines that explain it."""

    @abstractmethod
    def robbed_row(self, state: State) -> str:
        """The row for a robbed kong."""

    @abstractmethod
    def is_double_treasure(self, state: State, win: Win, waits: Sequence[Tile]) -> bool:
        """Whether a drawn treasure among the waits is the better kind of win."""

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        if not wins:
            return nobody_wins(state)
        win = wins[0]
        row, notes = self.row_of(state, win)
        due, more = self.owed(state, win, row)
        pays = self.rows[row]
        named = Item(row, max(pays.discarder, pays.each), "points")
        more = [item for item in more if item not in notes]
        return payout(state, win.seat, moved_to(win.seat, due), (named, *notes, *more))

    def row_of(self, state: State, win: Win) -> tuple[str, list[Item]]:
        """The row of the payment table, and notes on unknown facts that might give a better one."""
        treasures = self.secret.treasures(state)
        if win.from_seat != win.seat:
            if state.last_discard is not None and state.last_discard.added_kong:
                return self.robbed_row(state), []
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
        double = win.tile.kind in waits and self.is_double_treasure(state, win, waits)
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
