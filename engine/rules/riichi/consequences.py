"""What each event changes in riichi besides the tiles: deposits, furiten."""

from __future__ import annotations

from typing import Final

from engine import events as ev
from engine.announce import Announcements
from engine.events import Seat
from engine.evolve import evolve
from engine.play import IN_PLAY, barred
from engine.rules.announcements import ready_announcements
from engine.rules.base import RuleSet
from engine.rules.claims import CLAIMS
from engine.rules.indicators import Indicators
from engine.rules.riichi import next_hand, table_state, waits
from engine.rules.riichi.claims import swapped
from engine.rules.riichi.draws import abortive_reason, is_due, three_wins
from engine.rules.riichi.settle import paid_wins, pay_ruled_chombo, settle_deposit
from engine.rules.riichi.table_state import RiichiTable, table_of
from engine.rules.riichi.wins import DORA_KINDS, in_riichi, indicators, indicators_to_turn
from engine.rules.riichi.worth import dora_counted
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile
from engine.visibility import concealed

KILLS: Final = frozenset({"not_left_neighbour", "claim_forbidden", "no_kong_now", "swap_calling"})
"""Faults of a claim or discard that make the hand dead (004, 3.4.7; EMA 2016, 3)."""

_MOVES: Final = (ev.Discard, *CLAIMS)


def follow(
    rules: RuleSet, before: State, after: State, event: ev.Event
) -> tuple[State, Announcements]:
    """Update what riichi keeps of the table, and announce what follows."""
    match event:
        case ev.Position():
            return evolve(after, kept=table_state.joined(table_of(after), after, event)), []
        case ev.Foul():
            return pay_ruled_chombo(rules, after, event)
        case ev.Indicator():
            return after, _turned(rules, after, event)
        case ev.HandStart():
            return next_hand.started(after, event), []
        case ev.HandEnd():
            return next_hand.ended(rules, after)
        case _:
            return _played(rules, before, after, event)


def _played(
    rules: RuleSet, before: State, after: State, event: ev.Event
) -> tuple[State, Announcements]:
    base = _base(before, after)
    table = table_of(after)
    announced: Announcements = []
    last = base.last_discard
    claims = isinstance(event, CLAIMS) and not (isinstance(event, ev.Kong) and event.kind != "open")
    drawn = after.wall_left < base.wall_left
    seat: Seat = getattr(event, "seat", base.turn)
    passes = drawn or claims or isinstance(event, ev.DrawnHand)
    if table.due is not None:
        on_discard = _wins_on_discard(after, event)
        if passes or on_discard:
            after, table, paid = settle_deposit(base, before, after, table, pays=not on_discard)
            announced += paid
    # A draw ends what was let pass, but not after riichi; the next discard may declare it.
    forgets = seat if drawn and not base.players[seat].ready else None
    if last is not None and passes:
        table = waits.let_pass(table, last.seat, last.tile, forgets)
    elif forgets is not None:
        table = table.nothing_passed(forgets)
    called_off = abortive_reason(base) if drawn or claims else None
    if called_off is not None:
        table = evolve(table, played_on=True)
        announced.append(rules.problem("abortive_draw_due", None, {"reason": called_off}))
    if forgets is not None:
        table = waits.forgot(table, forgets)
    match event:
        case ev.Draw():
            pass
        case ev.Discard():
            table = _discarded(base, after, table, event)
        case ev.Chow() | ev.Pung() | ev.Kong():
            table = _declared(base, after, table, event)
        case ev.DrawnHand(reason) if not _allowed(base, after, reason):
            announced.append(rules.problem("no_abortive_draw", None, {"reason": reason}))
        case ev.Reveal(shown) if shown == after.turn and not base.players[shown].known:
            if after.drawn_reason == "nine_terminals" and not is_due(after, "nine_terminals"):
                announced.append(
                    rules.problem("no_abortive_draw", shown, {"reason": "nine_terminals"})
                )
        case ev.Win():
            announced += _one_winner_too_many(rules, after, event)
        case _:
            pass
    if table is not after.kept:
        after = evolve(after, kept=table)
    if isinstance(event, _MOVES):
        after = _dead(rules, base, after, event)
    if rules.tells and passes and last is not None and not isinstance(event, ev.DrawnHand):
        announced += _newly_furiten(rules, base, after, last.tile)
    return after, announced


def _wins_on_discard(after: State, event: ev.Event) -> bool:
    return isinstance(event, ev.Win) and event.from_seat != event.seat and event in after.wins


def _one_winner_too_many(rules: RuleSet, after: State, event: ev.Win) -> Announcements:
    """Where two may win on a discard and three do, the farthest from the discarder is not paid."""
    if event not in after.wins or len(after.wins) < 3 or three_wins(after):
        return []
    unpaid = [win for win in after.wins if win not in paid_wins(after)]
    numbers = {win.seat: number for number, win in after.history.wins}
    return [rules.problem("outranked", win.seat, {"event": numbers[win.seat]}) for win in unpaid]


def _base(before: State, after: State) -> State:
    """The state before the event; a better claim takes an earlier one back."""
    displaced = len(after.history.entries) != len(before.history.entries) + 1
    pending = before.contested
    return pending if displaced and pending is not None else before


def _discarded(base: State, after: State, table: RiichiTable, event: ev.Discard) -> RiichiTable:
    seat = event.seat
    if table.swap or table.kongs_to_turn:
        table = evolve(table, swap=frozenset(), kongs_to_turn=0)
    if event.ready and not base.players[seat].ready:
        first = table_state.quiet(base) is True and not base.players[seat].river
        sets = len(after.players[seat].melds)
        return evolve(table.with_place(seat, double=first, sets_at_riichi=sets), due=seat)
    return table


def _declared(base: State, after: State, table: RiichiTable, event: ev.Claim) -> RiichiTable:
    if not isinstance(event, ev.Kong) or event.kind == "open":
        last = base.last_discard
        tile = last.tile if last is not None and last.tile.known else event.tile
        table = waits.claimed(table, base, event.seat, tile, after.options)
    if isinstance(event, ev.Kong):
        late = event.kind != "closed" and after.options["kan_dora"] == "after_discard"
        return evolve(table, swap=frozenset(), kongs_to_turn=int(late))
    return evolve(table, swap=swapped(event, after.options))


def _dead(rules: RuleSet, base: State, after: State, event: ev.Discard | ev.Claim) -> State:
    """Make the hand dead after an invalid claim; a claim with a dead hand is a chombo."""
    if not rules.faults(base, event):
        return after
    # A fault that only the hidden hand shows makes no hand dead.
    codes = {fault.code for fault in rules.faults(concealed(base, rules), event)}
    if "dead_hand" in codes:
        after = barred(after, event.seat, "dead_claim")
    if codes & KILLS:
        after = barred(after, event.seat, "dead_hand")
    return after


def _newly_furiten(rules: RuleSet, base: State, after: State, tile: Tile) -> Announcements:
    """Hands that can no longer win on a discard because they let this tile pass."""
    announced: Announcements = []
    kind, now, then = tile.kind, table_of(after).passed, table_of(base).passed
    for seat, player in enumerate(after.players):
        if now[seat] is then[seat] or kind not in now[seat] or kind in then[seat]:
            continue
        if (
            player.known
            and not player.holds_extra
            and kind in waits.shape_waits(player.hand, player.melds)
        ):
            announced += ready_announcements(rules, after, seat)
    return announced


def _allowed(base: State, after: State, reason: str) -> bool:
    allowed = base.options["abortive_draws"]
    assert isinstance(allowed, tuple)
    # Nine terminals count the tile just drawn, even if nobody saw that draw.
    state = after if reason == "nine_terminals" else base
    return reason == "exhausted" or (reason in allowed and is_due(state, reason))


def _turned(rules: RuleSet, after: State, event: ev.Indicator) -> Announcements:
    """Flag an indicator that is not due yet, or one too many."""
    turned, due, under = _indicators(after)
    allowed = dora_counted(after.options, turned)[1]
    wrong = under > allowed if event.kind == "ura_dora" else turned > due
    return [rules.problem("indicator_not_due", None, {"tile": event.tile})] if wrong else []


def _indicators(state: State) -> tuple[int, int, int]:
    """How many indicators lie turned up, how many should, and how many tiles under them do."""
    due = indicators_to_turn(state)
    turned, under = len(indicators(state, *DORA_KINDS)), len(indicators(state, "ura_dora"))
    return turned, due, under


class RiichiIndicators(Indicators):
    def due(self, state: State) -> tuple[ev.Indicator, ...]:
        """004, 2.7, 3.3.2 and 3.3.12: after the deal, a kong, and a win in riichi."""
        turned, due, under = _indicators(state)
        if state.phase in IN_PLAY and turned < due:
            return (ev.Indicator(UNKNOWN, "kan_dora" if turned else "dora"),)
        ready = state.phase is Phase.SETTLED and any(
            in_riichi(state, seat) for seat in state.winners
        )
        below = dora_counted(state.options, turned)[1]
        return (ev.Indicator(UNKNOWN, "ura_dora"),) if ready and under < below else ()
