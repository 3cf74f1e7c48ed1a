"""Which hand of riichi follows, when the game is over, and its result (004, 3.4.10 to 3.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.announce import Announcements, GameResult, HandResult
from engine.events import GameEnd, HandEnd, HandStart, Seat
from engine.evolve import evolve
from engine.places import places_in_turn, places_of
from engine.play import IN_PLAY
from engine.rules import results
from engine.rules.base import RuleSet, option_number
from engine.rules.between_hands import BetweenHands
from engine.rules.payment import NOTHING
from engine.rules.riichi.draws import is_tenpai, tenpai_seats, three_wins, to_be_shown
from engine.rules.riichi.pay import DEPOSIT, placement
from engine.rules.riichi.settle import chombo_seats, paid_wins, settled
from engine.rules.riichi.table_state import new_hand, table_of
from engine.rules.verdict import Fault
from engine.state import EAST, State
from engine.tiles import Tile

TARGET: Final = 30_000
"""Points that end a game where a west round may follow (tenhou)."""


def hand_after(state: State) -> HandResult:
    """Dealer, round, counters and deposits of the next hand (004, 3.4.10 to 3.5)."""
    deposits = state.pot // DEPOSIT
    winners = [win.seat for win in paid_wins(state)]
    drawn = state.drawn_reason is not None or three_wins(state)
    if chombo_seats(state) or not (winners or drawn):
        return HandResult(state.dealer, state.round, state.honba, deposits, state.staying)
    if winners:
        stays = state.dealer in winners
    else:
        ready = state.options["dealer_repeats"] == "win_or_ready"
        stays = state.drawn_reason != "exhausted" or (
            ready and state.dealer in tenpai_seats(state)[0]
        )
    honba = state.honba + 1 if stays or drawn else 0
    if stays:
        return HandResult(state.dealer, state.round, honba, deposits, state.staying + 1)
    dealer = (state.dealer + 1) % 4
    first = dealer == state.first_dealer
    return HandResult(dealer, _next_wind(state.round) if first else state.round, honba, deposits, 1)


def dealer_unsure(state: State) -> bool:
    """Whether an unshown dealer's hand leaves open who deals next after a drawn hand."""
    hidden = is_tenpai(state, state.dealer) is None
    if state.options["dealer_repeats"] != "win_or_ready":
        return False
    return state.drawn_reason == "exhausted" and hidden and not chombo_seats(state)


def _next_wind(wind: Tile) -> Tile:
    return Tile(f"{wind.rank % 4 + 1}z")


def hands_left(state: State, dealer: Seat, wind: Tile) -> int:
    """Number of hands from this one to the last of the rounds, without repeats; 1 for the last."""
    rounds = state.options["rounds"]
    assert isinstance(rounds, int)
    place = 4 * (wind.rank - EAST.rank) + (dealer - state.first_dealer) % 4
    return 4 * rounds - place


def is_over(state: State) -> bool:
    """Whether the hand that was just settled was the last one.

    ``state`` is the one between two hands: it names the hand that would follow.
    """
    if not state.hand_number:
        return False
    if state.options["bankruptcy"] and min(state.points) < bool(state.options["ruin_at_zero"]):
        return True
    back = state.options["return_points"]
    target = back if isinstance(back, int) else TARGET
    left = hands_left(state, state.dealer, state.round)
    if table_of(state).ended_by_chombo and state.options["chombo_ends_game"]:
        return left <= 1
    if state.staying > 1:
        # The dealer of the last hand may stop as the leader (tenhou). A hand that was called off is
        # played again.
        best = max(state.points)
        leads = places_now(state)[state.dealer] == 1
        ends = left <= 1 and leads and (best >= target or not state.options["west_round"])
        called_off = state.drawn_reason not in (None, "exhausted") or three_wins(state)
        return bool(state.options["last_dealer_ends"]) and ends and not called_off
    if left > 0:
        return False
    if not state.options["west_round"]:
        return True
    return max(state.points) >= target or left <= -4 or state.round == EAST


def first_of_level(state: State) -> Seat | None:
    """Which of level seats comes first, the others in turn; None where they share a place."""
    earlier = state.options.get("level_places") == "earlier_seat"
    return state.first_dealer if earlier else None


def places_now(state: State) -> tuple[int, ...]:
    first = first_of_level(state)
    return places_of(state.points) if first is None else places_in_turn(state.points, first)


def game_result(state: State, event: GameEnd) -> GameResult:
    """Add leftover deposits to the winner, then the placement bonus, then penalties (004, 3.6).

    If players return more points than they began with, the first place receives the difference
    (oka).
    """
    options = state.options
    uma = options["uma"]
    assert isinstance(uma, tuple)
    back = options["return_points"]
    short = back - option_number(options, "start_points") if isinstance(back, int) else 0
    first, *others = (value - short for value in (*uma, 0, 0, 0, 0)[:4])
    placed = placement(
        state.points,
        state.pot,
        (first + 4 * short, *others),
        event.reason == "time",
        table_of(state).penalties,
        first_of_level=first_of_level(state),
        first_dealer=state.first_dealer,
    )
    return GameResult(placed.points, placed.places)


class RiichiHands(BetweenHands):
    """What riichi carries from hand to hand: deposits, and chombos that are paid at the end."""

    def expected(self, state: State) -> Mapping[str, object]:
        counted = {"honba": state.honba, "deposits": state.pot // DEPOSIT}
        if table_of(state).dealer_unsure:
            return counted
        return {"dealer": state.dealer, "round": state.round, **counted}

    def next_hand(self, state: State) -> HandResult:
        return hand_after(state)

    def faults(self, state: State, event: HandStart | HandEnd) -> tuple[Fault, ...]:
        if isinstance(event, HandEnd):
            return tuple([Fault("riichi_not_shown", seat=seat) for seat in to_be_shown(state)])
        return (Fault("game_over"),) if is_over(state) else ()

    def final(self, state: State, event: GameEnd) -> GameResult:
        # A game may end in the middle of a hand that a chombo ended.
        return game_result(_left_behind(state) if state.phase in IN_PLAY else state, event)


def started(state: State, event: HandStart) -> State:
    """The state in which a hand begins; deposits of earlier ones lie on the table."""
    table = new_hand(table_of(state))
    if state.hand_number == 1:
        state = evolve(state, pot=DEPOSIT * (event.deposits or 0))
    return evolve(state, kept=evolve(table, pot_before=state.pot))


def ended(rules: RuleSet, state: State) -> tuple[State, Announcements]:
    """Pay what is still unpaid when a hand ends, and keep what the next one needs to know."""
    state, announced = results.pay(rules, state) if _owes(state) else (state, [])
    return _left_behind(state), announced


def _owes(state: State) -> bool:
    base = results.not_paid(state)
    if settled(base, state.wins).deltas != state.paid:
        return True
    unruled = all("chombo" not in player.irregular for player in state.players)
    return unruled and bool(chombo_seats(state)) and state.paid == NOTHING


def _left_behind(state: State) -> State:
    chombos = chombo_seats(state)
    table = evolve(
        table_of(state), dealer_unsure=dealer_unsure(state), ended_by_chombo=bool(chombos)
    )
    if state.options["chombo"] != "after_uma":
        return evolve(state, kept=table)
    penalties = list(table.penalties)
    for seat in chombos:
        penalties[seat] -= option_number(state.options, "chombo_points")
    return evolve(state, kept=evolve(table, penalties=tuple(penalties)))
