"""What a hand of riichi pays, which hand follows, and how the game ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.announce import GameResult, HandResult, Item, Payout, note
from engine.events import GameEnd, Seat, Win
from engine.rules.riichi.draws import (
    found_at_end,
    is_tenpai,
    kongs,
    nagashi_seats,
    tenpai_seats,
    three_wins,
    unknown_item,
)
from engine.rules.riichi.facts import Score
from engine.rules.riichi.kept import table_of
from engine.rules.riichi.liable import liable_for
from engine.rules.riichi.pay import (
    COUNTER,
    DEPOSIT,
    Liable,
    Won,
    chombo,
    counters_to_each,
    nagashi_mangan,
    noten_payments,
    pays_win,
    placement,
)
from engine.rules.riichi.unknown import unknown_items
from engine.rules.riichi.wins import worth
from engine.state import EAST, State
from engine.tiles import Tile

TARGET: Final = 30_000
"""What somebody must have for a game to end where a west round may follow (tenhou)."""
CHOMBO_AT_END: Final = 20_000
AT_ONCE: Final = frozenset({"chombo", "false_win", "dead_claim"})
"""What ends the hand with a chombo, unless play went on or somebody won."""
SHOWN: Final = ("exhausted", "four_ready")
"""After these draws the hands in riichi are shown (004, 3.4.2 and 3.4.3)."""


# --- one hand -------------------------------------------------------------------------------------


def paid_wins(state: State) -> tuple[Win, ...]:
    """The wins that are paid, nearest to the discarder first."""
    if three_wins(state):
        return ()
    wins = sorted(state.wins, key=lambda win: (win.seat - win.from_seat) % 4)
    most = {"all": 3, "two": 2, "nearest": 1}[str(state.options["multiple_ron"])]
    return tuple(wins[:most])


def settled(state: State, wins: Sequence[Win]) -> Payout:
    """What the hand pays, with counters, deposits and liabilities."""
    if wins:
        return _wins_paid(state, tuple(wins))
    offenders = chombo_seats(state)
    if offenders:
        return _chombo_paid(state, offenders)
    deltas, items = (0, 0, 0, 0), [note("drawn_hand")]
    if state.drawn_reason is not None and _noten_due(state):
        nagashi = nagashi_seats(state) if state.drawn_reason == "exhausted" else []
        if nagashi and state.options["nagashi_mangan"]:
            deltas = nagashi_mangan(nagashi, state.dealer)
            items = [Item("riichi_nagashi", seat, "seat") for seat in nagashi]
        else:
            tenpai, unknown = tenpai_seats(state)
            deltas = noten_payments(tenpai)
            items = [Item("riichi_noten", len(tenpai), "tenpai"), *unknown_item(unknown)]
    return _payout(state, None, deltas, 0, items)


def _noten_due(state: State) -> bool:
    return state.drawn_reason == "exhausted" or bool(state.options["noten_payment_on_abortive"])


def _payout(
    state: State, seat: Seat | None, deltas: tuple[int, ...], pot: int, items: Sequence[Item]
) -> Payout:
    points = tuple(own + delta for own, delta in zip(state.points, deltas, strict=True))
    return Payout(seat, deltas, points, tuple(items), pot)


def _wins_paid(state: State, wins: tuple[Win, ...]) -> Payout:
    if three_wins(state):
        return _payout(state, None, (0, 0, 0, 0), 0, [note("riichi_three_wins")])
    items: list[Item] = []
    won: list[Won] = []
    paid = [win for win in paid_wins(state) if win in wins]
    for win in paid:
        score = worth(state, win)
        if score is None:
            # Deposits and counters are certain, whatever the hand turns out to be worth.
            items.append(note("hand_unknown"))
            won.append(Won(win.seat, win.from_seat, 0))
            continue
        liable = liable_for(score, state.players[win.seat].melds)
        items += _named(state, win, score, liable)
        won.append(Won(win.seat, win.from_seat, score.base, liable))
    seat = paid[0].seat if len(paid) == 1 else None
    pot = _deposits(state, won[0])
    moved = pays_win(won, state.dealer, state.honba, pot, counters_to_each(state.options))
    if state.honba:
        items.append(Item("riichi_counters", state.honba * COUNTER, "points"))
    if pot:
        items.append(Item("riichi_deposits", pot, "points"))
    return _payout(state, seat, moved.deltas, moved.pot, items)


def _deposits(state: State, win: Won) -> int:
    """Deposits that the winner collects.

    One lies there though nobody told the draw that let its discard pass; one that is still in the
    pot, because this win displaced a claim of its discard, does not count.
    """
    table = table_of(state)
    due = table.due is not None and table.due != win.from_seat
    paid = sum(place.deposited for place in table.places)
    return table.pot_before + DEPOSIT * (paid + due)


def _named(state: State, win: Win, score: Score, liable: Sequence[Liable]) -> list[Item]:
    row = "riichi_win_draw" if win.seat == win.from_seat else "riichi_win_discard"
    items = [Item(row, score.base, "base")]
    items += [Item(name, han, "han") for name, han in score.yaku]
    items += [Item("fu", score.fu, "fu")] if score.fu else []
    items += [Item("riichi_liable", one.seat, "seat") for one in liable]
    return [*items, *unknown_items(state, win, kongs(state))]


# --- chombo ---------------------------------------------------------------------------------------


def chombo_seats(state: State) -> list[Seat]:
    """Who commits a chombo in this hand as it stands; a win annuls it (004, 3.4.6).

    What ends a hand when it happens counts no more once people played on to the end.
    """
    if state.wins:
        return []
    codes = AT_ONCE if state.drawn_reason is None else frozenset({"chombo"})
    seats = {seat for seat, player in enumerate(state.players) if player.irregular & codes}
    if state.drawn_reason in SHOWN and state.options["chombo"] != "none":
        seats.update(found_at_end(state))
    return sorted(seats)


def _chombo_paid(state: State, seats: Sequence[Seat]) -> Payout:
    """Deposits of this hand go back; those of hands before stay on the table."""
    deltas = [0, 0, 0, 0]
    items = []
    for seat in seats:
        if state.options["chombo"] == "mangan":
            for other, amount in enumerate(chombo(seat, state.dealer)):
                deltas[other] += amount
            items.append(Item("riichi_chombo", seat, "seat"))
        elif state.options["chombo"] == "after_uma":
            items.append(Item("riichi_chombo_at_end", CHOMBO_AT_END, "points"))
        else:
            items.append(note("riichi_chombo_unpaid"))
    back = [seat for seat, place in enumerate(table_of(state).places) if place.deposited]
    for seat in back:
        deltas[seat] += DEPOSIT
    if back:
        items.append(Item("riichi_deposit_back", DEPOSIT * len(back), "points"))
    return _payout(state, None, tuple(deltas), -DEPOSIT * len(back), items)


# --- the next hand, and the last ------------------------------------------------------------------


def hand_after(state: State) -> HandResult:
    """Dealer, round, counters and deposits of the hand that follows (004, 3.4.10 to 3.5)."""
    deposits = state.pot // DEPOSIT
    winners = [win.seat for win in paid_wins(state)]
    drawn = state.drawn_reason is not None or three_wins(state)
    if chombo_seats(state) or not (winners or drawn):
        return HandResult(state.dealer, state.round, state.honba, deposits, state.staying)
    if winners:
        stays = state.dealer in winners
    else:
        stays = state.drawn_reason != "exhausted" or state.dealer in tenpai_seats(state)[0]
    honba = state.honba + 1 if stays or drawn else 0
    if stays:
        return HandResult(state.dealer, state.round, honba, deposits, state.staying + 1)
    dealer = (state.dealer + 1) % 4
    first = dealer == table_of(state).first_dealer
    return HandResult(dealer, _next_wind(state.round) if first else state.round, honba, deposits, 1)


def dealer_unsure(state: State) -> bool:
    """Whether the dealer of a drawn hand never showed the tiles that decide who deals next."""
    hidden = is_tenpai(state, state.dealer) is None
    return state.drawn_reason == "exhausted" and hidden and not chombo_seats(state)


def _next_wind(wind: Tile) -> Tile:
    return Tile(f"{wind.rank % 4 + 1}z")


def hands_left(state: State, dealer: Seat, wind: Tile) -> int:
    """Hands from this one to the last of the rounds, repeats apart; 1 for the last, then 0 down."""
    rounds = state.options["rounds"]
    assert isinstance(rounds, int)
    place = 4 * (wind.rank - EAST.rank) + (dealer - table_of(state).first_dealer) % 4
    return 4 * rounds - place


def is_over(state: State) -> bool:
    """Whether the hand that was just settled was the last one.

    ``state`` lies between two hands: it names the hand that would follow.
    """
    if not state.hand_number:
        return False
    if state.options["bankruptcy"] and min(state.points) < 0:
        return True
    left = hands_left(state, state.dealer, state.round)
    if state.staying > 1:
        # The dealer of the last hand stops when that wins the game (tenhou); a hand that was called
        # off is played again.
        best = max(state.points)
        leads = state.points.index(best) == state.dealer
        ends = left <= 1 and leads and best >= TARGET
        called_off = state.drawn_reason not in (None, "exhausted") or three_wins(state)
        return bool(state.options["west_round"]) and ends and not called_off
    if left > 0:
        return False
    if not state.options["west_round"]:
        return True
    return max(state.points) >= TARGET or left <= -4 or state.round == EAST


def game_result(state: State, event: GameEnd) -> GameResult:
    """Leftover deposits to the winner, then the placement bonus, then penalties (004, 3.6)."""
    uma = state.options["uma"]
    assert isinstance(uma, tuple)
    placed = placement(
        state.points,
        state.pot,
        (*uma, 0, 0, 0, 0)[:4],
        event.reason == "time",
        table_of(state).penalties,
        first_of_level=table_of(state).first_dealer
        if state.options["level_places"] == "earlier_seat"
        else None,
    )
    return GameResult(placed.points, placed.places)
