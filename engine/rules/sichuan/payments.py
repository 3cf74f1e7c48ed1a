"""Who pays whom in a Sichuan hand: wins, kongs once they have passed, and the checks at the end.

Everything follows from the events of the hand, so a correction leaves nothing stale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import hands
from engine.announce import Item, note
from engine.declare import as_won
from engine.events import Chow, Discard, Draw, DrawnHand, Kong, Position, Pung, Seat, Win
from engine.rules.base import option_number
from engine.rules.payment import moved_to, share
from engine.rules.results import after_unseen_kong, before_first_turn
from engine.rules.sichuan.worth import (
    KONG_PAYS,
    LIMIT,
    best_times,
    holds_void,
    suits_of,
    void_unknown,
)
from engine.state import Act, Meld, State
from engine.tiles import COPIES, Tile

_KONGS: Final = {
    "open": "sichuan_kong_open",
    "added": "sichuan_kong_added",
    "closed": "sichuan_kong_closed",
}
UNDEALT: Final = 3 * 9 * COPIES - 4 * 13
"""Tiles of the wall after the deal."""


@dataclass(frozen=True)
class Transfer:
    """One payment of a hand."""

    seat: Seat
    """Who receives it."""
    owed: Mapping[Seat, int]
    items: tuple[Item, ...]
    is_kong: bool = False

    @property
    def deltas(self) -> tuple[int, ...]:
        return moved_to(self.seat, self.owed)


@dataclass
class _Hand:
    """The hand as it is followed from its first event."""

    state: State
    stake: int
    winners_stay: bool
    """Whether who has won plays on, and pays like everybody."""
    acts: list[Act] = field(default_factory=list)
    won: list[Seat] = field(default_factory=list)
    kong: Kong | None = None
    """Not yet paid: an added one may still be robbed."""
    passed: list[tuple[Transfer, int]] = field(default_factory=list)
    """Payments of kongs that a winner got, and how many acts there were then."""
    replaced: bool = False
    """Whether somebody has won by own draw since the last act."""
    won_on: bool = False
    """Whether the replacement of the kong before the last discard was won on already."""
    robbed: Kong | None = None
    """The kong whose tile is won on: several may rob it, each as if alone (ROOM, 10)."""

    def others(self, seat: Seat) -> list[Seat]:
        return [other for other in range(4) if other != seat and other not in self.out]

    @property
    def out(self) -> Sequence[Seat]:
        """Who has won and left."""
        return () if self.winners_stay else self.won

    def kong_passes(self) -> Iterator[Transfer]:
        """ROOM, 5: wind and rain. The kong is paid by those who have not won."""
        kong, self.kong = self.kong, None
        if kong is None:
            return
        payers = [kong.from_seat] if kong.kind == "open" else self.others(kong.seat)
        due = KONG_PAYS[kong.kind] * self.stake
        owed = {seat: due for seat in payers if seat is not None}
        items = (Item(_KONGS[kong.kind], due, "points"),)
        yield Transfer(kong.seat, owed, items, is_kong=True)

    def passes_on(self, win: Win, paid: Sequence[Transfer]) -> int:
        """ROOM, 9; AYXZ, 7: what the player has got for kongs whose discard after one is won on.

        Several winners get as much each.
        """
        which = self.state.options["kong_passes_on"]
        own = [one for one in paid if one.is_kong and one.seat == win.from_seat]
        due = own if which == "all" else own[-1:]
        now, gone = len(self.acts), self.passed
        due = [one for one in due if not any(one is was and at != now for was, at in gone)]
        self.passed += [(one, now) for one in due]
        return sum(sum(one.owed.values()) for one in due)

    def win(self, place: int | None, win: Win, paid: Sequence[Transfer]) -> Iterator[Transfer]:
        if self.kong is not None and win.from_seat == self.kong.seat != win.seat:
            # ROOM: a robbed kong is not paid, and brings no replacement to win on or to throw.
            self.robbed, self.kong = self.kong, None
            self.acts.remove(self.robbed)
        yield from self.kong_passes()
        robbed = self.robbed is not None and win.from_seat != win.seat
        player = as_won(self.state, win, place).players[win.seat]
        luck = self._luck(win, player.melds, robbed=robbed)
        first = luck | self._of_first_turn(win)
        drawn = win.seat == win.from_seat
        out = tuple(self.out)
        self.won.append(win.seat)
        if drawn:
            self.replaced = True  # nobody wins on a replacement twice
        options = self.state.options
        if not player.known or win.tile not in player.hand:
            yield Transfer(win.seat, {}, (note("hand_unknown"),))
            return
        times = best_times(
            player.hand, player.melds, win.tile, options, claimed=not drawn, luck=luck
        )
        row = Item("sichuan_draw" if drawn else "sichuan_discard", self.stake, "points")
        due, items = self.stake * (times.value if times else 1), [row]
        items += times.items("times", LIMIT) if times else ()
        if drawn and options["own_draw"] == "plus_one":
            due += self.stake
            items.append(Item("sichuan_bonus", self.stake, "points"))
        elif drawn and options["own_draw"] == "twice":
            due *= 2
            items.append(Item("sichuan_bonus", 2, "times"))
        if after_unseen_kong(self.state, win):
            items.append(note("kong_unknown"))
        unsure = before_first_turn(self.state, win.seat, UNDEALT) is None
        if unsure and times != best_times(
            player.hand, player.melds, win.tile, options, claimed=not drawn, luck=first
        ):
            items.append(note("first_turn_unknown"))
        if void_unknown(self.state, win.seat):
            items.append(note("void_unknown"))
        owed = share(win, due if drawn else 0, due, out)
        if "kong_cannon" in luck and options["kong_passes_on"] != "never":
            passed = self.passes_on(win, paid)
            owed[win.from_seat] += passed
            items.append(Item("sichuan_passed_on", passed, "points"))
        yield Transfer(win.seat, owed, tuple(items))

    def _luck(self, win: Win, melds: Sequence[Meld], *, robbed: bool) -> frozenset[str]:
        drawn = win.seat == win.from_seat
        acts = self.acts
        last = acts[-1] if acts else None
        before = acts[-2] if len(acts) > 1 else None
        named = {
            "kong_flower": drawn
            and isinstance(last, Kong)
            and last.seat == win.seat
            and not self.replaced,
            "kong_cannon": not drawn
            and isinstance(last, Discard)
            and isinstance(before, Kong)
            and last.seat == before.seat
            and not self.won_on,
            "kong_robbed": robbed,
            "concealed": drawn and not melds,
        }
        luck = frozenset(name for name, holds in named.items() if holds)
        begun = before_first_turn(self.state, win.seat, UNDEALT)
        return luck | self._of_first_turn(win) if begun else luck

    def _of_first_turn(self, win: Win) -> frozenset[str]:
        """What the win is called if this is the first turn of its seat, so far as was seen."""
        if win.seat != win.from_seat or win.seat in self.won:
            return frozenset()
        if win.seat == self.state.dealer:
            return frozenset(() if self.acts else {"heaven"})
        claims = any(isinstance(act, Chow | Pung | Kong) for act in self.acts)
        discarded = any(act.seat == win.seat for act in self.acts)
        return frozenset(() if claims or discarded else {"earth"})


def transfers(state: State, wins: Sequence[Win], *, winners_stay: bool = False) -> list[Transfer]:
    """Every payment of the hand so far, in order; the checks at the end come last."""
    stake = option_number(state.options, "stake")
    hand = _Hand(state, stake, winners_stay, won=list(state.won_before))
    paid: list[Transfer] = []
    told = dict(zip(state.history.places_of(state.wins), wins, strict=True))
    for place, (_, entry) in enumerate(state.history.entries):
        event = entry.event
        match event:
            case Win() if place in told:
                paid += hand.win(place, told[place], paid)
            case Discard() | Chow() | Pung() | Kong():
                paid += hand.kong_passes()
                hand.acts.append(event)
                hand.won_on, hand.replaced = hand.replaced, False
                hand.robbed = None
                hand.kong = event if isinstance(event, Kong) else None
            case Draw() | DrawnHand():
                paid += hand.kong_passes()
            case _:
                pass
    if None in told:
        paid += hand.win(None, told[None], paid)
    if state.drawn_reason is not None:
        paid += hand.kong_passes()
        paid += _checks(state, hand, paid)
    return paid


# --- the checks at the end ---


def best_wait(state: State, seat: Seat) -> int | None:
    """The most times that a discard could pay this hand; 0 where it is not ready. None: hidden."""
    player = state.players[seat]
    hand = player.waiting
    if hand is None:
        return None
    worths = [
        best_times((*hand, tile), player.melds, tile, state.options, claimed=True)
        for tile in good_waits(state, seat)
    ]
    return max((worth.value for worth in worths if worth is not None), default=0)


def good_waits(state: State, seat: Seat) -> list[Tile]:
    """Tiles that complete a known hand of at most two suits."""
    player = state.players[seat]
    hand = player.waiting
    assert hand is not None, "asked for known hands only"
    declared = [tile for meld in player.melds for tile in meld.tiles]
    return [
        tile
        for tile in hands.waits(hand, forms=FORMS)
        if len(suits_of((*hand, tile), player.melds)) < 3
        and not holds_void(state, seat, (*hand, tile))
        and hand.count(tile) + declared.count(tile) < COPIES
    ]


FORMS = frozenset({hands.HandForm.SETS, hands.HandForm.PAIRS})


def _kongs_before(position: Position, seats: Sequence[Seat]) -> bool:
    """Whether these seats may have been paid for kongs before the record began."""
    sets = position.sets
    return bool(seats) and (
        sets is None or any(isinstance(claim, Kong) for seat in seats for claim in sets[seat])
    )


def _checks(state: State, hand: _Hand, paid: Sequence[Transfer]) -> Iterator[Transfer]:
    """ROOM, 6 to 8: a pig holds three suits; who is not ready pays who is, and returns kongs.

    A hand that nobody has shown is neither.
    """
    if not state.options["checks_at_end"]:
        return
    playing = [seat for seat in range(4) if seat not in hand.out]
    pigs = [
        seat
        for seat in playing
        if len(suits_of(state.players[seat].hand, state.players[seat].melds)) == 3
        or holds_void(state, seat, state.players[seat].hand)
    ]
    worth = {seat: best_wait(state, seat) for seat in playing if seat not in pigs}
    idle = [seat for seat, times in worth.items() if times == 0]
    most = option_number(state.options, "most_times")
    everybody = state.options.get("pigs_pay") == "everybody"
    paid_too = state.options.get("not_ready_pays") != "not_won"
    for seat in range(4) if everybody else playing:
        if seat not in pigs and pigs:
            owed = dict.fromkeys(pigs, hand.stake * most)
            yield Transfer(seat, owed, tuple(Item("sichuan_pig", pig, "seat") for pig in pigs))
    for seat, times in worth.items():
        if times and idle and (paid_too or seat not in hand.won):
            owed = dict.fromkeys(idle, hand.stake * times)
            items = tuple(Item("sichuan_not_ready", other, "seat") for other in idle)
            yield Transfer(seat, owed, items)
    refunds = state.options.get("kong_refund", True)
    for transfer in paid if refunds else ():
        passed = any(transfer is gone for gone, _ in hand.passed)
        if transfer.is_kong and transfer.seat in (*idle, *pigs) and not passed:
            for payer, due in transfer.owed.items():
                items = (Item("sichuan_refund", transfer.seat, "seat"),)
                yield Transfer(payer, {transfer.seat: due}, items)
    if refunds and state.joined is not None and _kongs_before(state.joined, (*idle, *pigs)):
        yield Transfer(0, {}, (note("refund_unknown"),))
    if None in worth.values():
        yield Transfer(0, {}, (note("hand_unknown"),))
    if any(void_unknown(state, seat) for seat, times in worth.items() if times is not None):
        yield Transfer(0, {}, (note("void_unknown"),))
