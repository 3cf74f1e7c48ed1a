"""Who pays for a Hangzhou win: the banker's (庄) factor, liabilities (承包), and limited chips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Final

from engine import declare, play
from engine.announce import Announcements, Item, Payout, note
from engine.events import Deal, Dice, Foul, HandStart, Indicator, Reveal, Seat, Win
from engine.evolve import evolve
from engine.play import IllegalEvent
from engine.rules import results
from engine.rules.base import option_number
from engine.rules.hangzhou.score import HangzhouReading, best_reading, is_complete
from engine.rules.hangzhou.tables import (
    BANKER_TIMES,
    HIGH_DICE,
    HONOURS_TO_WIN,
    LIABLE_SETS,
    LONGEST_STAY,
)
from engine.rules.patterns import multiplied
from engine.rules.payment import moved_to, payout
from engine.state import Meld, Phase, SetKind, State
from engine.tiles import UNKNOWN

_CLAIMED: Final = (SetKind.CHOW, SetKind.PUNG, SetKind.OPEN_KONG, SetKind.ADDED_KONG)
_LIABLE: Final = {1: "liable", 2: "counter_liable", 3: "mutual_liable"}

Owed = dict[Seat, int]


# --- the banker -----------------------------------------------------------------------------------


def staying(state: State) -> int:
    """How many hands in a row the banker has been banker, at most as many as count."""
    most = longest_stay(state)
    if state.options["immediate_third_time"] and _third_time(state, _breaking_dice(state)):
        return min(LONGEST_STAY, most)
    return max(1, min(state.staying, most))


def longest_stay(state: State) -> int:
    """The staying count from which on it grows no more."""
    return option_number(state.options, "longest_stay")


def _breaking_dice(state: State) -> tuple[int, ...]:
    """The first dice of the hand; later ones do not break the wall."""
    for _, entry in state.history.entries:
        match entry.event:
            case HandStart(dice=values) if values:
                return values
            case Dice(values=values):
                return values
            case HandStart() | Deal() | Indicator() | Reveal():
                continue
            case _:
                break
    return ()


def _third_time(state: State, dice: tuple[int, ...]) -> bool:
    """Whether these dice make the banker stay for the third time at once."""
    by = str(state.options["third_time_dice"])
    double = len(dice) >= 2 and dice[0] == dice[1]
    high = len(dice) >= 2 and sum(dice[:2]) >= HIGH_DICE
    return ("double" in by and double) or ("high" in by and high)


def factor(state: State, seat: Seat, other: Seat) -> int:
    """The factor of a payment between these two seats."""
    return BANKER_TIMES[staying(state)] if state.dealer in (seat, other) else 1


# --- three claimed sets ---------------------------------------------------------------------------


def sets_from(state: State, seat: Seat, feeder: Seat) -> list[Meld]:
    """Sets that the seat has claimed from the feeder; a pung made a kong is one set."""
    melds = state.players[seat].melds
    return [meld for meld in melds if meld.kind in _CLAIMED and meld.from_seat == feeder]


def is_liable(state: State, feeder: Seat, claimer: Seat) -> bool:
    """Whether the claimer has made three sets of the feeder's discards, as the scope counts."""
    sets = sets_from(state, claimer, feeder)
    scope = liability_scope(state)
    if len(sets) < LIABLE_SETS or scope in ("none", "at_most_two_sets"):
        return False
    if scope == "all" or state.dealer in (feeder, claimer):
        return True
    return scope != "banker_only" and any(meld.kind is not SetKind.CHOW for meld in sets)


def liability_scope(state: State) -> str:
    """002, Restriction: who may become liable in this hand; ``none``, too, before the banker stays.

    Two sets at most are a rule "all the time"; the other restrictions may wait for a staying count.
    """
    scope, stay = str(state.options["liability_scope"]), staying(state)
    if scope == "at_most_two_sets":
        return scope
    if stay < option_number(state.options, "liability_from_staying"):
        return "none"
    waits = stay < option_number(state.options, "liability_scope_from_staying")
    return "all" if waits else scope


def liabilities(state: State, winner: Seat) -> dict[Seat, int]:
    """How often each liable player pays all: liable once, counter-liable twice, both 3 times."""
    times = {
        seat: is_liable(state, seat, winner) + 2 * is_liable(state, winner, seat)
        for seat in range(4)
        if seat != winner
    }
    return {seat: count for seat, count in times.items() if count}


# --- payments -------------------------------------------------------------------------------------


def payout_of_win(state: State, win: Win) -> Payout:
    """What is paid for this win; ``state`` is the one that it led to."""
    honours = win.seat == win.from_seat and won_by_honours(state, win.seat)
    reading, notes = best_reading(state, win)
    level = honours_level(state, win.seat) if honours else HangzhouReading()
    by_honours = honours and (not is_complete(state, win) or level.times > reading.times)
    if by_honours and level.times > reading.times:
        reading = level
    owed, items = owed_for(state, win, reading)
    if by_honours:
        items[0] = Item("ten_honours", 1, "points")
    items += notes
    if any(not player.sets_counted for player in state.players):
        items.append(note("sets_unknown"))
    owed, gone = within_chips(state, owed)
    return paid_to(state, win.seat, owed, (*items, *gone))


def owed_for(state: State, win: Win, reading: HangzhouReading) -> tuple[Owed, list[Item]]:
    """What each loser owes before the chip limit, and the lines that explain it."""
    factors_of = {seat: factor(state, seat, win.seat) for seat in range(4) if seat != win.seat}
    last = state.last_discard
    factors = list(factors_of.values())
    if win.from_seat == win.seat:
        row, owed, liable = _by_draw(state, win.seat, factors_of, reading)
    elif last is not None and last.added_kong:
        # 002, Robbing a kong: paid as an own draw, by the robbed player for all three.
        row, liable = Item("robbed_kong", 2, "times"), []
        times = 2 * reading.times
        owed = {win.from_seat: sum(_each(state, due, times) for due in factors_of.values())}
    else:
        factors = [factors_of[win.from_seat]]
        row, owed, liable = _by_discard(state, win, factors_of[win.from_seat], reading)
    items = [row]
    if max(factors) > 1:
        items.append(Item("banker", BANKER_TIMES[staying(state)], "times"))
    whole = max(factors) * reading.times * (row.value if row.unit == "times" else 1)
    if _each(state, whole, 1) < whole:
        liable = [*liable, Item("limit_each", _each(state, whole, 1), "points")]
    return owed, [*items, *reading.items, *liable]


def _each(state: State, due: int, times: int) -> int:
    """What one loser pays for this much, at most what the table agreed on."""
    most = state.options["most_each"]
    return min(due * times, most) if isinstance(most, int) else due * times


def _by_draw(
    state: State, winner: Seat, factors_of: Mapping[Seat, int], reading: HangzhouReading
) -> tuple[Item, Owed, list[Item]]:
    worth = reading.before
    each = {seat: _each(state, due, worth) for seat, due in factors_of.items()}
    times = liabilities(state, winner)
    owed = {seat: sum(each.values()) * count for seat, count in times.items()} or dict(each)
    paid = sum(each.values())
    for feeder, later in reading.halves:
        # 002, Second half liability: only the feeder pays for doubles after the claim.
        total = sum(_each(state, due, later) for due in factors_of.values())
        owed[feeder] = owed.get(feeder, 0) + total - paid
        paid = total
    return Item("self_draw", 1, "points"), owed, _liable_items(times)


def _by_discard(
    state: State, win: Win, due: int, reading: HangzhouReading
) -> tuple[Item, Owed, list[Item]]:
    amount = _each(state, due, reading.times)
    owed = {win.from_seat: amount}
    # 002, Liability for win by a discarded tile: on top of what the discarder pays.
    times = liabilities(state, win.seat) if state.options["liability_on_discard"] else {}
    for seat, count in times.items():
        owed[seat] = owed.get(seat, 0) + amount * count
    return Item("discard", 1, "points"), owed, _liable_items(times)


def _liable_items(times: Mapping[Seat, int]) -> list[Item]:
    return [
        Item(_LIABLE[count], count, "times") if count > 1 else note(_LIABLE[count])
        for count in times.values()
    ]


def chips_left(state: State, seat: Seat) -> int | None:
    """What the seat has left to pay with. None where nothing limits it."""
    return None if state.options["chips"] == "none" else max(state.points[seat], 0)


def within_chips(state: State, owed: Owed) -> tuple[Owed, list[Item]]:
    """002, Prior agreement: a loser pays what is left, and owes nothing more."""
    paid = {}
    for seat, amount in owed.items():
        left = chips_left(state, seat)
        paid[seat] = amount if left is None else min(amount, left)
    return paid, [note("chips_gone")] if paid != owed else []


def paid_to(state: State, seat: Seat, owed: Owed, items: tuple[Item, ...]) -> Payout:
    return payout(state, seat, moved_to(seat, owed), items)


# --- ten honours ---


def honours_level(state: State, seat: Seat) -> HangzhouReading:
    """002, Ten honours: ten as an own tile, eleven as a wild eye "and so on"; or ten as a wild eye.

    A wild eye doubles, and each further step, a float and a double float, doubles again.
    """
    pay = state.options["ten_honours_pay"]
    river = state.players[seat].river
    first = takewhile(lambda thrown: thrown.tile.suit == "z", river)
    steps = {"levels": sum(1 for _ in first) - HONOURS_TO_WIN, "wild_eye": 1}.get(str(pay), 0)
    if not steps:
        return HangzhouReading()
    return HangzhouReading(multiplied([("honours_level", 2**steps)]), before=2**steps)


def won_by_honours(state: State, seat: Seat) -> bool:
    """Whether the first ten discards of this seat were honours."""
    first = state.players[seat].river[:HONOURS_TO_WIN]
    return (
        bool(state.options["ten_honours"])
        and state.rivers_known
        and len(first) == HONOURS_TO_WIN
        and all(thrown.tile.suit == "z" for thrown in first)
    )


def honours_now(state: State, win: Win) -> bool:
    """Whether the tenth honour was just discarded and nobody has drawn since."""
    last = state.last_discard
    own = last is not None and not last.added_kong and last.seat == win.seat == win.from_seat
    return own and state.phase is Phase.TO_DRAW and won_by_honours(state, win.seat)


# --- a win announced by mistake: the caller pays, and the hand is over (002, False win) -----------


def false_win(state: State, seat: Seat) -> tuple[State, Announcements]:
    """Make the caller pay, and end the hand (002, False win)."""
    if state.phase not in (*play.IN_PLAY, Phase.SETTLED):
        return state, []
    announced: Announcements = []
    goes_on = state
    if seat in state.winners:
        announced = results.taken_back(state)
        history = state.history.without_wins(state.history.places_of(state.wins))
        state = evolve(results.not_paid(state), wins=(), winners=(), history=history)
        by_draw = evolve(state, phase=Phase.TO_DISCARD, turn=seat)
        goes_on = evolve(state.contested or by_draw, history=state.history)
    win = _called(state, seat)
    try:
        called = declare.win(state, win)
    except IllegalEvent:  # the tile can no longer be won on
        called = state
    payout = _payout_of(called, win)
    if state.options["false_win_ends_hand"]:
        goes_on = evolve(state, phase=Phase.SETTLED, contested=None)
    return evolve(goes_on, points=payout.points), [*announced, payout]


def is_paid(state: State, seat: Seat) -> bool:
    """Whether this seat has paid for its last announced win; then nothing was played since."""
    for _, entry in reversed(state.history.entries):
        match entry.event:
            case Foul(seat=other, offence="false_win") if other == seat:
                return True
            case Foul() | Reveal() | Indicator() | Dice():
                continue
            case _:
                return False
    return False


def _called(state: State, seat: Seat) -> Win:
    """The announced win: the last one recorded, or the one that is possible now."""
    for _, win in reversed(state.history.wins):
        if win.seat == seat:
            return win
    last = state.last_discard
    if last is not None and last.seat != seat and not state.players[seat].holds_extra:
        return Win(seat, last.seat, last.tile)
    return Win(seat, seat, state.players[seat].drawn or UNKNOWN)


def _payout_of(state: State, win: Win) -> Payout:
    """002, False win: the caller pays each player what that player would have paid.

    ``state`` is the one that the win would have led to. If the caller's chips run out, the players
    are paid in turn order after the caller (002 is silent).
    """
    reading, _ = best_reading(state, win)
    owed, _ = owed_for(state, win, reading)
    owed, _ = within_chips(state, owed)
    left = chips_left(state, win.seat)
    paid: Owed = {}
    for step in (1, 2, 3):
        seat = (win.seat + step) % 4
        due = owed.get(seat, 0)
        paid[seat] = due if left is None else min(due, left - sum(paid.values()))
    items = [note("false_win")]
    if paid != {seat: owed.get(seat, 0) for seat in paid}:
        items.append(note("chips_gone"))
    back = {seat: -amount for seat, amount in paid.items()}
    return replace(paid_to(state, win.seat, back, tuple(items)), seat=None)
