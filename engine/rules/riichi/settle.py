"""What a hand of riichi pays: chombo, wins with counters, deposits, liabilities, drawn hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.announce import Announcements, Item, Payout, note
from engine.events import Discard, Foul, Kong, Seat, Win
from engine.evolve import evolve
from engine.play import barred, without
from engine.rules import results
from engine.rules.base import RuleSet, option_number
from engine.rules.payment import NOTHING, payout
from engine.rules.results import after_unseen_kong
from engine.rules.riichi.draws import (
    SHOWN,
    may_be_three_wins,
    nagashi_seats,
    tenpai_seats,
    three_wins,
    unknown_item,
)
from engine.rules.riichi.pay import (
    DEPOSIT,
    FOUR_KONGS,
    Liable,
    Won,
    liable_for,
    nagashi_mangan,
    noten_payments,
    pays_win,
    reverse_mangan,
)
from engine.rules.riichi.table_state import RiichiTable, quiet, table_of
from engine.rules.riichi.waits import is_ready, shape_waits
from engine.rules.riichi.wins import (
    DORA_KINDS,
    false_kongs,
    in_riichi,
    indicators,
    indicators_to_turn,
    worth,
)
from engine.rules.riichi.worth import RiichiScore, dora_counted
from engine.state import Phase, State
from engine.tiles import Tile

# --- chombo: which offences are one, what it costs, and when it is paid (004, 3.4.6) --------------

USUAL_POINTS: Final = 20_000
"""What a chombo costs after the placement bonus, unless the option ``chombo_points`` says more."""
_ITEMS: Final = {
    "mangan": "riichi_chombo",
    "after_uma": "riichi_chombo_at_end",
    "none": "riichi_chombo_unpaid",
}
"""What the payout names, with the seat that committed it, by the option."""
ENDS_HAND: Final = frozenset({"chombo", "false_win", "dead_claim"})
"""Offences that end the hand with a chombo, unless play went on or somebody won."""
OVER_FIVE: Final = 5
"""Showing more tiles than this is a chombo."""


def chombo_seats(state: State) -> list[Seat]:
    """Who commits a chombo in this hand as it stands; a win annuls it (004, 3.4.6).

    An offence that should have ended the hand no longer counts once people played on to the end.
    """
    if state.wins:
        return []
    codes = ENDS_HAND if state.drawn_reason is None else frozenset({"chombo"})
    seats = {seat for seat, player in enumerate(state.players) if player.irregular & codes}
    if state.drawn_reason in SHOWN and state.options["chombo"] != "none":
        seats.update(_found_at_end(state))
    return sorted(seats)


def chombo_paid(state: State, seats: Sequence[Seat]) -> Payout:
    """Pay chombos. Deposits of this hand go back; those of earlier hands stay on the table."""
    deltas = [0, 0, 0, 0]
    items = []
    name = _ITEMS[str(state.options["chombo"])]
    if name == _ITEMS["after_uma"] and state.options["chombo_points"] != USUAL_POINTS:
        name = "riichi_chombo_off"
    for seat in seats:
        if state.options["chombo"] == "mangan":
            for other, amount in enumerate(reverse_mangan(seat, state.dealer)):
                deltas[other] += amount
        items.append(Item(name, seat, "seat"))
    back = [seat for seat, place in enumerate(table_of(state).places) if place.deposited]
    for seat in back:
        deltas[seat] += DEPOSIT
    if back:
        items.append(Item("riichi_deposit_back", DEPOSIT * len(back), "points"))
    return payout(state, None, deltas, items, -DEPOSIT * len(back))


def _found_at_end(state: State) -> list[Seat]:
    """Players in riichi whose shown hand is not tenpai, or was changed by a kong."""
    seats = []
    for seat, player in enumerate(state.players):
        hand = player.waiting
        if player.ready and hand is not None:
            noten = not is_ready(hand, player.melds, state.options)
            if noten or false_kongs(state, seat, hand):
                seats.append(seat)
    return seats


def pay_ruled_chombo(rules: RuleSet, after: State, event: Foul) -> tuple[State, Announcements]:
    """Pay at once for a chombo that people rule."""
    if after.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD, Phase.SETTLED):
        return after, []
    shown = event.offence == "exposed_tile" and _shown_tiles(after, event.seat) > OVER_FIVE
    if event.offence not in ("chombo", "false_win") and not shown:
        return after, []
    after = barred(after, event.seat, "chombo")
    paid, announced = results.pay(rules, after)
    stays = paid.paid == after.paid != NOTHING
    return (after, []) if stays else (paid, announced)


def _shown_tiles(state: State, seat: Seat) -> int:
    return sum(len(foul.tiles or ()) for foul in state.history.fouls_of(seat, "exposed_tile"))


# --- wins and drawn hands -------------------------------------------------------------------------


def most_paid(state: State) -> int:
    """How many wins on one discard are paid, where nothing calls the hand off."""
    most = {"all": 3, "two": 2, "nearest": 1}[str(state.options["multiple_ron"])]
    return min(most, 2) if may_be_three_wins(state) else most


def paid_wins(state: State) -> tuple[Win, ...]:
    """The wins that are paid, nearest to the discarder first."""
    if three_wins(state):
        return ()
    wins = sorted(state.wins, key=lambda win: (win.seat - win.from_seat) % 4)
    return tuple(wins[: most_paid(state)])


def settled(state: State, wins: Sequence[Win]) -> Payout:
    """What the hand pays, with counters, deposits and liabilities."""
    if wins:
        return _wins_paid(state, tuple(wins))
    offenders = chombo_seats(state)
    if offenders:
        return chombo_paid(state, offenders)
    deltas, items = NOTHING, [note("drawn_hand")]
    if state.drawn_reason is not None and _noten_due(state):
        nagashi = nagashi_seats(state) if state.drawn_reason == "exhausted" else []
        if nagashi and state.options["nagashi_mangan"]:
            deltas = nagashi_mangan(nagashi, state.dealer)
            items = [Item("riichi_nagashi", seat, "seat") for seat in nagashi]
        else:
            tenpai, unknown = tenpai_seats(state)
            deltas = noten_payments(tenpai)
            items = [Item("riichi_noten", len(tenpai), "tenpai"), *unknown_item(unknown)]
            if state.options["nagashi_mangan"] and nagashi_seats(state, unread=True):
                items.append(note("riichi_nagashi_unknown"))
    return payout(state, None, deltas, items)


def _noten_due(state: State) -> bool:
    return state.drawn_reason == "exhausted" or bool(state.options["noten_payment_on_abortive"])


def _wins_paid(state: State, wins: tuple[Win, ...]) -> Payout:
    if three_wins(state):
        return payout(state, None, NOTHING, [note("riichi_three_wins")])
    items: list[Item] = []
    won: list[Won] = []
    paid = [win for win in paid_wins(state) if win in wins]
    for win in paid:
        score = worth(state, win)
        if score is None:
            # Deposits and counters are certain even while the hand is unknown.
            items.append(note("hand_unknown"))
            won.append(Won(win.seat, win.from_seat, 0))
            continue
        liable = _liable(state, win, score)
        items += _named(state, win, score, liable)
        won.append(Won(win.seat, win.from_seat, score.base, liable))
    seat = paid[0].seat if len(paid) == 1 else None
    pot, options = deposits_for(state, won[0]), state.options
    own = _own_deposits(state, won) if options["deposits_to"] == "own_first" else NOTHING
    counter = option_number(options, "counter_points")
    moved = pays_win(
        won,
        state.dealer,
        state.honba,
        pot - sum(own),
        options["counters_to"] == "each",
        counter=counter,
        liable_pays_counters=bool(options["liable_pays_counters"]),
        liable_for_hand=options["liability_covers"] == "hand",
    )
    if state.honba:
        items.append(Item("riichi_counters", state.honba * counter, "points"))
    if pot:
        items.append(Item("riichi_deposits", pot, "points"))
    deltas = [paid + back for paid, back in zip(moved.deltas, own, strict=True)]
    return payout(state, seat, deltas, items, -pot)


def _liable(state: State, win: Win, score: RiichiScore) -> tuple[Liable, ...]:
    """The seats that fed the sets which made a yakuman of this win certain, where the game has
    liability for it."""
    last = _last_kong(state, win.seat)
    fed = last.from_seat if last is not None and last.kind == "open" else None
    return liable_for(score, state.players[win.seat].melds, _with_liability(state), fed)


def _last_kong(state: State, seat: Seat) -> Kong | None:
    if not any(meld.is_kong for meld in state.players[seat].melds):
        return None
    declared = (act for act in reversed(state.history.acts) if isinstance(act, Kong))
    return next((kong for kong in declared if kong.seat == seat), None)


def _with_liability(state: State) -> tuple[str, ...]:
    named = state.options["liability"]
    assert isinstance(named, tuple), "a list of yakuman"
    return named


def _liable_unknown(state: State, win: Win, score: RiichiScore) -> bool:
    """Whether somebody may have fed the fourth kong before the record began."""
    certain = FOUR_KONGS in dict(score.yaku) and FOUR_KONGS in _with_liability(state)
    return certain and state.joined is not None and _last_kong(state, win.seat) is None


def _named(state: State, win: Win, score: RiichiScore, liable: Sequence[Liable]) -> list[Item]:
    row = "riichi_win_draw" if win.seat == win.from_seat else "riichi_win_discard"
    items = [Item(row, score.base, "base")]
    items += [Item(name, han, "han") for name, han in score.yaku]
    items += [Item("fu", score.fu, "fu")] if score.fu else []
    items += [Item("riichi_liable", payer.seat, "seat") for payer in liable]
    if _liable_unknown(state, win, score):
        items.append(note("riichi_liable_unknown"))
    return [*items, *_unknown_items(state, win)]


def _unknown_items(state: State, win: Win) -> Iterator[Item]:
    """Notes on unknown facts that the payout depends on; nothing is assumed.

    ``state`` is the one that the win led to.
    """
    turned = len(indicators(state, *DORA_KINDS))
    if _read(state, *DORA_KINDS) < max(turned, indicators_to_turn(state)):
        yield note("dora_unknown")
    if in_riichi(state, win.seat):
        if _read(state, "ura_dora") < dora_counted(state.options, turned)[1]:
            yield note("riichi_ura_unknown")
        if _declared_unseen(state, win):
            yield note("riichi_turn_unknown")
    if win.from_seat != win.seat and _furiten_unknown(state, win):
        yield note("furiten_unknown")
    if not state.wall_counted:
        yield note("wall_unknown")
    yield from _unseen_items(state, win)


def _read(state: State, *kinds: str) -> int:
    """How many indicators of these kinds have a face that is known."""
    return sum(tile.known for tile in indicators(state, *kinds))


def _unseen_items(state: State, win: Win) -> Iterator[Item]:
    """What happened before the record joined the hand and may change the worth of this win."""
    player = state.players[win.seat]
    if quiet(state) is None and not player.river and not player.melds:
        yield note("first_turn_unknown")
    if after_unseen_kong(state, win):
        yield note("kong_unknown")


def _declared_unseen(state: State, win: Win) -> bool:
    """Whether riichi was declared before the record began, which leaves its yaku unknown."""
    return state.joined is not None and not any(
        isinstance(act, Discard) and act.seat == win.seat and act.ready
        for act in state.history.acts
    )


def _furiten_unknown(state: State, win: Win) -> bool:
    """Whether own discards are missing or unreadable (004, 3.4.5), or a tile that the hand waits
    for may have been let pass before the record began."""
    player = state.players[win.seat]
    if not state.rivers_known or any(not thrown.tile.known for thrown in player.river):
        return True
    rest = without(player.hand, (win.tile,))
    assert not isinstance(rest, Tile), "the winning tile is in the hand"
    unseen = table_of(state).places[win.seat].passed_unseen
    return not unseen.isdisjoint(shape_waits(rest, player.melds))


# --- deposits ---


def settle_deposit(
    base: State, before: State, after: State, table: RiichiTable, *, pays: bool
) -> tuple[State, RiichiTable, Announcements]:
    """Pay the deposit that is due, or take it back where a win displaced a claim."""
    seat = table.due
    assert seat is not None, "asked for a deposit that is due"
    paid_already = base is not before and table_of(before).due is None
    if paid_already == pays:
        return after, _settled(table, seat, deposited=pays), []
    amount = DEPOSIT if pays else -DEPOSIT
    deltas = tuple(-amount if other == seat else 0 for other in range(4))
    name = "riichi_deposit" if pays else "riichi_deposit_back"
    paid = payout(after, None, deltas, [Item(name, DEPOSIT, "points")], amount)
    after = evolve(after, points=paid.points, pot=after.pot + amount)
    return after, _settled(table, seat, deposited=pays), [paid]


def _settled(table: RiichiTable, seat: Seat, *, deposited: bool) -> RiichiTable:
    return evolve(table.with_place(seat, deposited=deposited), due=None)


def _own_deposits(state: State, won: Sequence[Won]) -> tuple[int, ...]:
    """What each winner gets back of its own, before the nearest one takes the rest."""
    winners = {win.seat for win in won}
    table = table_of(state)
    return tuple(
        DEPOSIT * (seat in winners and (place.deposited or table.due == seat))
        for seat, place in enumerate(table.places)
    )


def deposits_for(state: State, win: Won) -> int:
    """Deposits that the winner collects.

    A deposit counts even if the record has no draw that let the declaring discard pass. One in the
    pot does not count if this win displaced a claim of that discard.
    """
    table = table_of(state)
    due = table.due is not None and table.due != win.from_seat
    paid = sum(place.deposited for place in table.places)
    return table.pot_before + DEPOSIT * (paid + due)
