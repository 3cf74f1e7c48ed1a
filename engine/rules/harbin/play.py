"""What the Harbin games have in common: documents 000 and 001, as settled for this engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engine import declare
from engine.announce import Announcements, Ready
from engine.events import (
    Chow,
    Claim,
    Discard,
    Entry,
    Event,
    Indicator,
    IndicatorKind,
    Kong,
    Pung,
    Seat,
    Win,
)
from engine.evolve import evolve
from engine.hands import waits as waits_of
from engine.play import IN_PLAY, IllegalEvent
from engine.rules.announcements import ready_announcements
from engine.rules.base import RuleSet
from engine.rules.between_hands import BetweenHands
from engine.rules.claims import ClaimRules
from engine.rules.harbin.limits import MOST_SETS, Limits
from engine.rules.indicators import Indicators
from engine.rules.turns import Turns
from engine.rules.turns_and_claims import keeps_ready_hand
from engine.rules.verdict import (
    BARRING,
    COUNTS,
    UNPROVEN,
    Fault,
    How,
    Judge,
    ReadyCalls,
    Verdict,
    first_of,
    no_win,
    refused,
)
from engine.rules.wall import Wall
from engine.state import Player, State
from engine.tile_counts import copies_named, open_tiles, unread_open_tiles
from engine.tiles import COPIES, KINDS, RED_DRAGON, UNKNOWN, Tile

# --- the secret indicator, which only ready players may look at -----------------------------------
# It is called dora (000) or treasure indicator (001). A *treasure* (宝) is a tile with which a
# ready player wins by drawing it, whatever the hand waits for.

BARS: Final = ("false_ready", *BARRING)
"""Offences that keep a seat from winning for the rest of the hand."""
RUN_OUT: Final = 3
"""Once so many treasures lie open, another kind replaces them."""


class SecretIndicator(Indicators):
    """Which tile was looked at, and the treasures that follow from it."""

    def __init__(
        self,
        kind: IndicatorKind,
        treasures_of: Callable[[Tile, Mapping[str, object]], frozenset[Tile]],
        other_known: str,
        *,
        until_used_up: Callable[[State], int] | None = None,
        if_discarded: str | None = None,
    ) -> None:
        """``treasures_of``: kinds that win by own draw when this tile was looked at, under the
        options of a game. ``other_known``: key of what follows when a different treasure is told
        than the known one. ``until_used_up``: the tiles left; with none, nobody looks any more.
        ``if_discarded``: the option by which a discarded treasure wins too.
        """
        self.kind = kind
        self.treasures_of = treasures_of
        self._other_known = other_known
        self._until_used_up = until_used_up
        self._if_discarded = if_discarded

    def may_look(self, state: State) -> bool:
        """000, 3.2: a ready player may look; 001: the treasure is turned when somebody is ready."""
        left = self._until_used_up
        if left is not None and state.wall_counted and left(state) <= 0:
            return False
        return any(player.ready or not player.ready_certain for player in state.players)

    def due(self, state: State) -> tuple[Indicator, ...]:
        may = state.phase in IN_PLAY and self.may_look(state) and self.turned(state) is None
        ready = may and any(player.ready for player in state.players)
        return (Indicator(UNKNOWN, self.kind),) if ready else ()

    def turned(self, state: State) -> Tile | None:
        """The indicator tile. None while it is unknown.

        000, 3.3; 001, Running Out of Treasure: once three treasures lie open, another kind replaces
        them, unknown until somebody has looked.
        """
        looked_at = [
            indicator.tile for indicator in state.indicators if indicator.kind == self.kind
        ]
        if not looked_at or not looked_at[-1].known:
            return None
        return None if self._lying_open(state, looked_at[-1]) >= RUN_OUT else looked_at[-1]

    def treasures(self, state: State) -> frozenset[Tile] | None:
        """Kinds that win by own draw. None while they are unknown."""
        turned = self.turned(state)
        return None if turned is None else self.treasures_of(turned, state.options)

    def wins_if_drawn(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """000, 9.4; 001, Treasure Win: kinds that only this ready player may know."""
        player = state.players[seat]
        if not player.ready or first_of(player, BARS):
            return ()
        return tuple(sorted(self.treasures(state) or ()))

    def wins_from(self, state: State, seat: Seat, giver: Seat) -> bool:
        """Whether a treasure from there wins, whatever the hand waits for.

        000, 3.4: by own draw only; 001, Revealing the Treasure Tile: "a drawn or discarded Treasure
        Tile", as an option. One that is added to a pung is none any more: three lie open.
        """
        return seat == giver or (
            self._if_discarded is not None and bool(state.options[self._if_discarded])
        )

    def turned_up(self, state: State, event: Indicator) -> State:
        """The state in which a tile was looked at; raise ``IllegalEvent`` for another treasure."""
        now = self.turned(state)
        if now is not None and event.tile.kind == now.kind:
            return evolve(state)
        if now is not None and event.tile.known and not self._may_have_run_out(state, now):
            # Only ready players may know the treasure, so the problem does not name it.
            raise IllegalEvent("contradicts", None, self._other_known, [()])
        return evolve(state, indicators=(*state.indicators, event))

    def _lying_open(self, state: State, turned: Tile) -> int:
        kinds = self.treasures_of(turned, state.options)
        return sum(tile.kind in kinds for tile in open_tiles(state))

    def _may_have_run_out(self, state: State, turned: Tile) -> bool:
        """Whether three treasures may lie open, as far as the table was seen."""
        lying = self._lying_open(state, turned)
        if state.joined is not None and None in (state.joined.sets, state.joined.rivers):
            return lying > 0  # tiles laid open earlier are unknown; the last one was seen
        return lying + unread_open_tiles(state) >= RUN_OUT


# --- claims, turns and wins -----------------------------------------------------------------------


SUITS_AND_DRAGON: Final[Mapping[Tile, int]] = {
    tile: COPIES for tile in map(Tile, KINDS) if tile.suit != "z" or tile == RED_DRAGON
}
WALL: Final = Wall(SUITS_AND_DRAGON, never_drawn=4, last_turn_left=8)
"""000, 7.2."""


@dataclass(frozen=True, eq=False)
class HarbinClaims(ClaimRules):
    """000, 4 and 5.6."""

    most_sets: int | None = MOST_SETS
    kong_after_claim: bool = True

    def faults(self, state: State, claim: Claim, *, ended: bool) -> tuple[Fault, ...]:
        if self._calls_no_ready(state, claim):
            pung = super().faults(state, evolve(claim, ready=False), ended=ended)
            first = len(pung) - ended  # that it comes too late is told last
            faults = (*pung[:first], Fault("no_pung_ready"), *pung[first:])
        else:
            faults = super().faults(state, claim, ended=ended)
        return tuple([evolve(fault, ways=_meant(claim, fault.code)) for fault in faults])

    def _calls_no_ready(self, state: State, event: Claim) -> bool:
        """001, Declaring a Ready Hand: a pung with that call is an ordinary one."""
        return isinstance(event, Pung) and event.ready and Pung not in self.calls_of_ready(state)

    def rank(self, rules: RuleSet, state: State, event: Claim | Win) -> int:
        """000, 4.4 and 6.3: win, ready claim, kong or pung, chow. 0 for a forbidden claim."""
        if isinstance(event, Win):
            # A player looks at the treasure only after nobody has won on the last discard.
            return 4 if event.from_seat != event.seat else 3
        if isinstance(event, Kong) and event.kind != "open":
            return 0
        if self._calls_no_ready(state, event):
            event = evolve(event, ready=False)
        if rules.faults(state, event):
            return 0
        if not isinstance(event, Kong) and event.ready:
            # A ready call that is known to be false gives the claim no precedence.
            if not rules.judge.missing(declare.claim(state, event), event.seat):
                return 3
            return self.rank(rules, state, evolve(event, ready=False))
        return 1 if isinstance(event, Chow) else 2


def _meant(event: Claim, code: str) -> tuple[tuple[Entry, ...], ...]:
    """A chow from across was probably a chow with a ready sign that nobody saw."""
    if code == "not_left_neighbour" and isinstance(event, Chow):
        return ((Entry(evolve(event, ready=True)),),)
    if code == "no_pung_ready" and isinstance(event, Pung):
        return ((Entry(evolve(event, ready=False)),),)
    return ()


class HarbinHands(BetweenHands):
    """No round and no staying count is agreed on: both follow from who won."""

    def expected(self, state: State) -> Mapping[str, object]:
        return {**super().expected(state), "round": state.round, "staying": state.staying}


class HarbinTurns(Turns):
    """A ready hand stays as it is, and who is ready may look at the secret indicator."""

    def __init__(self, secret: SecretIndicator) -> None:
        self.secret = secret

    def faults(self, state: State, discard: Discard) -> tuple[Fault, ...]:
        player = state.players[discard.seat]
        if keeps_ready_hand(player, discard):
            return ()
        return (Fault("ready_hand_fixed", {"tile": discard.tile, "drawn": player.drawn}),)

    def follow(
        self, rules: RuleSet, before: State, after: State, event: Event
    ) -> tuple[State, Announcements]:
        announced: Announcements = []
        if isinstance(event, Indicator) and after.phase in IN_PLAY:
            if not self.secret.may_look(after):
                announced.append(rules.problem("no_indicator_now", None))
            for seat in range(4):
                announced += self._announced_to_who_looks(rules, after, seat)
        elif isinstance(event, (Discard, Chow, Pung)) and event.ready:
            # A known hand was told when its claim was judged.
            hidden = not after.players[event.seat].known
            announced += self._announced_to_who_looks(rules, after, event.seat) if hidden else []
        return after, announced

    def _announced_to_who_looks(self, rules: RuleSet, state: State, seat: Seat) -> Announcements:
        """What the treasure means to a ready player."""
        on_draw = self.secret.wins_if_drawn(state, seat)
        if not on_draw:
            return []
        if not state.players[seat].known:
            return [Ready(seat, unknown=True, on_draw=on_draw, audience=seat)]
        announced = ready_announcements(rules, state, seat)
        return [
            announcement
            for announcement in announced
            if isinstance(announcement, Ready) and announcement.audience == seat
        ]


class HarbinJudge(Judge):
    """A ready hand wins that meets the limiting conditions, and any with a treasure."""

    ready_calls = ReadyCalls.NEEDED
    waits_when_barred = True

    def __init__(self, limits: Limits, secret: SecretIndicator) -> None:
        self.limits = limits
        self.secret = secret

    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        """Codes of what a claim of being ready lacks.

        Directly after a chow or pung the discard is still open, so the best one counts.
        """
        player = state.players[seat]
        if player.holds_extra and player.drawn is None and player.known:
            return self.limits.lacks_after_discard(player.hand, player.melds)
        hand = player.waiting
        if hand is not None:
            return self.limits.lacks(hand, player.melds)
        return self.limits.lacks_by_sets(player.melds) if player.sets_counted else None

    def bar(self, player: Player) -> str | None:
        return first_of(player, BARS)

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        melds, win = state.players[seat].melds, how.win
        if win is not None and len(melds) > MOST_SETS:
            return refused("fourth_set")
        if win is not None and not tile.known:
            return self._counts(state, win)
        if hand is None:
            return COUNTS if win is None else self._judge_shape(state, win)
        missing = () if win is None else self.limits.lacks(hand, melds)
        if missing:
            return refused("false_ready", {"missing": missing})
        code = dict(self.limits.waits(hand, melds)).get(tile.kind, "not_a_win")
        if win is None:
            return COUNTS if code is None else refused(code)
        if code is None or self._can_be_treasure(state, win):
            return self._counts(state, win)
        return refused(code, {"tile": tile})

    def _judge_shape(self, state: State, win: Win) -> Verdict:
        """Judge a hand whose declared sets nobody saw: its other tiles must fit."""
        hand = state.players[win.seat].undeclared
        if hand is None or win.tile.kind in waits_of(hand) or self._can_be_treasure(state, win):
            return self._counts(state, win)
        return no_win(win.tile)

    def _counts(self, state: State, win: Win) -> Verdict:
        """A tile that is no wait can only be the treasure, which may be unknown."""
        waits = self.limits.good_waits(state.players[win.seat])
        unknown = self.secret.treasures(state) is None
        return UNPROVEN if waits is not None and win.tile.kind not in waits and unknown else COUNTS

    def _can_be_treasure(self, state: State, win: Win) -> bool:
        """Whether the tile wins as the treasure, or may while the treasure is unknown."""
        if not self.secret.wins_from(state, win.seat, win.from_seat):
            return False
        treasures = self.secret.treasures(state)
        if treasures is not None:
            return win.tile.kind in treasures
        copies = copies_named(state)
        return any(
            copies[tile] < COPIES and win.tile.kind in self.secret.treasures_of(tile, state.options)
            for tile in SUITS_AND_DRAGON
        )
