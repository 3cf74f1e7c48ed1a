"""Wins, drawn hands and later findings: what is paid, refused, and paid back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine import declare, play
from engine.announce import Announcements, Item, NotReady, Payout, Problem, note
from engine.events import Discard, Draw, DrawnHand, Entry, Indicator, Kong, Reveal, Seat, Win
from engine.evolve import evolve
from engine.play import IllegalEvent, barred, with_player
from engine.rules import turns_and_claims as moves
from engine.rules.announcements import judge_earlier_claim, ready_announcements
from engine.rules.indicators import with_wild
from engine.rules.payment import NOTHING, payout
from engine.rules.waits import verdict_on
from engine.state import History, LastDiscard, Phase, State
from engine.tiles import UNKNOWN, Tile

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


CLOSED_KONG_ROBBED: Final = "closed_kong_robbed"
"""Where a game has this option, whatever its value, its judge is asked about a win on the tile of a
closed kong; in the others it is none."""


def after_unseen_kong(state: State, win: Win) -> bool:
    """Whether the winning tile lay in hand when a position began, drawn after a kong perhaps."""
    at, own_draw = state.joined, win.seat == win.from_seat
    if at is None or at.hands is None or state.history.acts or not own_draw:
        return False
    kongs = any(meld.is_kong for meld in state.players[win.seat].melds)
    return kongs and len(at.hands[win.seat]) % 3 == 2


def before_first_turn(state: State, seat: Seat, undealt: int) -> bool | None:
    """Whether this seat had had no turn, and nobody had claimed, when the record began.

    ``undealt``: tiles of the wall after the deal. None where a position leaves it open.
    """
    at = state.joined
    if at is None:
        return True
    if (at.sets is not None and any(at.sets)) or (at.rivers is not None and at.rivers[seat]):
        return False
    laid = sum(map(len, at.flowers or ()))
    if at.wall_left is not None and at.wall_left < undealt - laid - len(state.players):
        return False
    return None if None in (at.rivers, at.sets) else True


def win(rules: RuleSet, state: State, event: Win) -> tuple[State, Announcements]:
    own_draw = event.from_seat == event.seat
    table, lent = state, rules.judge.granted(state, event)
    if lent is not None and lent.phase is Phase.SETTLED:
        return pay(rules, lent)
    if lent is not None:
        state = lent
    elif own_draw:
        table = state = moves.supply(rules, state, event.seat)
    if event.hand is not None:
        state = play.count_sets(state, event.seat, len(event.hand))
    kong, closed = _other_kong_robbed(state, event)
    if kong is not None:
        if not (closed and CLOSED_KONG_ROBBED in state.options):
            return refuse(rules, state, event, rules.problem("no_robbing", event.seat))
        state = evolve(state, last_discard=kong)
    after = declare.win(state, event)
    refused = refusal(rules, after, event)
    if refused is not None:
        return refuse(rules, state if lent is None else table, event, refused)
    contested = None if own_draw else state.contested or evolve(state, contested=None)
    if lent is not None and table.last_discard is not None:
        contested = evolve(table, contested=None)  # others may still win on that tile
    after = _nearest_first(evolve(after, contested=contested))
    to_end = rules.payment.wins_to_end
    if to_end is None:
        after = declare.plays_on(after, event)
    if to_end is None or len(after.winners) < to_end:
        after = evolve(after, phase=Phase.TO_DRAW, last_discard=None)
        after = evolve(after, turn=rules.turns.next_seat(after, after.wins[-1].seat))
    elif contested is not None:
        after = evolve(after, turn=contested.turn)  # as after a single win
    if not _waits_for_others(rules, after):
        return pay(rules, after)
    back = taken_back(after)
    return not_paid(after), back


def _nearest_first(state: State) -> State:
    """The wins on one tile in the order of play after its discarder, however they were written."""
    before = len(state.contested.wins) if state.contested is not None else len(state.wins) - 1
    equal = sorted(state.wins[before:], key=lambda win: (win.seat - win.from_seat) % 4)
    wins = (*state.wins[:before], *equal)
    return evolve(state, wins=wins, winners=_winners(state, wins))


def _waits_for_others(rules: RuleSet, state: State) -> bool:
    """Whether nothing is paid before the end of the hand, because others may still win on the same
    tile."""
    if rules.payment.wins_to_end != 1:
        return False
    winners = rules.payment.winners(state)
    several = len(state.wins) > 1 or not winners.first_at_once
    claimed = any(win.from_seat != win.seat for win in state.wins)
    return winners.allowed > 1 and several and claimed


def settled(rules: RuleSet, state: State) -> tuple[State, Announcements]:
    """Pay at the end of the hand what could not be paid before."""
    return pay(rules, state) if _waits_for_others(rules, state) else (state, [])


def refusal(rules: RuleSet, state: State, event: Win) -> Problem | None:
    """Why the rules refuse the win that led to this state; None where it counts."""
    fault = verdict_on(rules, state, event).fault
    return None if fault is None else rules.problem(fault, event.seat)


def refuse(
    rules: RuleSet, state: State, event: Win, problem: Problem
) -> tuple[State, Announcements]:
    """Refuse a win: nobody is paid, and play may go on.

    A shown hand is known from now on; the winning tile stays where it lay.
    """
    player = state.players[event.seat]
    own_draw = event.from_seat == event.seat and player.holds_extra
    if problem.code != "not_ready":
        # A ready call that nobody saw is a question, not an offence.
        state = barred(state, event.seat, "false_win")
    if event.hand is not None and len(event.hand) + own_draw == len(player.hand):
        drawn = (event.tile,) if own_draw else ()
        hand = play.ordered((*event.hand, *drawn))
        state = with_player(state, event.seat, hand=hand, shown=True)
        if own_draw:
            state = with_player(state, event.seat, drawn=event.tile)
    announced: Announcements = []
    missing = (problem.values or {}).get("missing")
    if problem.code == "false_ready" and isinstance(missing, tuple):
        state = barred(state, event.seat, "false_ready")
        announced.append(NotReady(event.seat, missing))
    nothing = payout(state, None, NOTHING, [note("refused")])
    return state, [*announced, problem, nothing]


def _other_kong_robbed(state: State, event: Win) -> tuple[LastDiscard | None, bool]:
    """The winning tile where an open or closed kong is robbed, and whether the kong is closed.

    None for other wins.
    """
    number, kong = state.history.moves[-1] if state.history.moves else (-1, None)
    if (
        isinstance(kong, Kong)
        and kong.kind != "added"
        and event.from_seat == kong.seat != event.seat
        and event.tile.kind == kong.tile.kind
    ):
        last = LastDiscard(kong.seat, event.tile, number, added_kong=True)
        return last, kong.kind == "closed"
    return None, False


def not_paid(state: State, but: tuple[int, ...] = NOTHING) -> State:
    """The state with all payments of this hand taken back, except those in ``but``."""
    moved = _since(state, but)
    points = tuple(own - delta for own, delta in zip(state.points, moved, strict=True))
    return evolve(state, points=points, pot=state.pot + sum(moved), paid=but)


def _since(state: State, before: tuple[int, ...]) -> tuple[int, ...]:
    """What this hand has paid since its payments were ``before``."""
    return tuple(now - then for now, then in zip(state.paid, before, strict=True))


def pay(rules: RuleSet, state: State) -> tuple[State, Announcements]:
    """Announce what the hand pays, or the difference to what was paid before."""
    base = not_paid(state)
    due = rules.payment.settle(base, _as_seen(state))
    moved = tuple(new - old for new, old in zip(due.deltas, state.paid, strict=True))
    points = tuple(own + delta for own, delta in zip(state.points, moved, strict=True))
    items = (*due.items, *_unread(rules, base))
    if state.paid != NOTHING and not (rules.payment.wins_to_end != 1 and due.deltas != state.paid):
        items = (*items, Item("paid_before", max(state.paid), "points"))
    after = evolve(state, points=points, paid=due.deltas, pot=base.pot + due.pot)
    return after, [replace(due, deltas=moved, points=points, items=items, pot=-sum(moved))]


def _unread(rules: RuleSet, state: State) -> tuple[Item, ...]:
    """A note where a win would be refused if a discard that nobody read, or one that lay there when
    the record began, had been let pass as the winning tile, or had been a wild one."""
    for event, place in zip(state.wins, state.history.places_of(state.wins), strict=True):
        if event.from_seat == event.seat or not event.tile.known:
            continue
        for tile in (event.tile, *state.wild):
            before = History()
            if _may_have_lain(state, event, tile):
                before = before.followed_by(-1, Entry(Discard(event.from_seat, tile)))
            read = state.history.reread(event.seat, tile, before)
            at = place if place is None else place + len(before.entries)
            otherwise = evolve(state, history=read)
            if read != state.history and _refusal_now(rules, otherwise, event, at) is not None:
                return (note("discard_unknown"),)
    return ()


def _may_have_lain(state: State, win: Win, tile: Tile) -> bool:
    """Whether a position may hold this tile as one that another seat than the winner gave, beside
    the one that is won on."""
    at = state.joined
    if at is None or at.rivers is None:
        return False
    given = [thrown for seat, river in enumerate(at.rivers) if seat != win.seat for thrown in river]
    if not state.history.acts and at.rivers[win.from_seat]:
        given.remove(at.rivers[win.from_seat][-1])
    claims = [one for claims in at.sets or () for one in claims]
    fed = [one for one in claims if one.from_seat not in (None, win.seat)]
    return any(one.tile.kind in (tile.kind, UNKNOWN) for one in (*given, *fed))


def _with_tile(state: State, event: Win) -> Win:
    """The win with its tile, where the hand has shown it since."""
    player = state.players[event.seat]
    drawn = None if player.won else player.drawn
    return event if event.tile.known or drawn is None else replace(event, tile=drawn)


def _refusal_now(rules: RuleSet, state: State, event: Win, place: int | None) -> Problem | None:
    """Why a win is refused now; a shown hand may have won with any of its tiles."""
    event = _with_tile(state, event)
    if event.tile.suit == "f":
        return None  # won by flowers alone, whatever the hand holds
    state = declare.as_won(state, event, place)
    if place is not None and rules.payment.wins_to_end != 1:
        state = _as_then(state, event, place)
    hand = state.players[event.seat].hand
    if event.tile.known or UNKNOWN in hand:
        return refusal(rules, state, event)
    ways = [
        refusal(rules, with_player(state, event.seat, drawn=tile), replace(event, tile=tile))
        for tile in dict.fromkeys(hand)
    ]
    return None if None in ways else ways[0]


def _as_then(state: State, event: Win, place: int) -> State:
    """The state with the history that led to a win, where the hand has gone on since."""
    last = state.history.won_on(event, place)
    return evolve(state, history=state.history.until(place), last_discard=last)


def _as_seen(state: State) -> tuple[Win, ...]:
    return tuple(_with_tile(state, event) for event in state.wins)


def taken_back(state: State, but: tuple[int, ...] = NOTHING) -> Announcements:
    """The payout that undoes the payments of this hand, except those in ``but``."""
    moved = _since(state, but)
    if moved == NOTHING:
        return []
    deltas = tuple(-value for value in moved)
    points = not_paid(state, but).points
    items = (Item("taken_back", max(moved), "points"),)
    return [Payout(None, deltas, points, items, -sum(deltas))]


def rejudge(rules: RuleSet, state: State) -> tuple[State, Announcements]:
    """Judge the wins again with what is known now; announce only changes."""
    announced: Announcements = []
    told = list(zip(state.wins, state.history.places_of(state.wins), strict=True))
    for event, place in tuple(told):
        problem = _refusal_now(rules, state, event, place)
        if problem is not None:
            announced.append(problem)
            told.remove((event, place))
            kept = tuple(win for win, _ in told)
            state = evolve(state, history=state.history.without_wins([place]))
            state = _with_wins(barred(state, event.seat, "false_win"), kept, event.seat)
    if _waits_for_others(rules, state):
        return state, announced
    if not state.wins and state.drawn_reason is None:
        back = taken_back(state) if announced else []
        return not_paid(state) if announced else state, announced + back
    if rules.payment.settle(not_paid(state), _as_seen(state)).deltas == state.paid:
        return state, announced
    after, paid = pay(rules, state)
    return after, announced + paid


def _with_wins(state: State, wins: tuple[Win, ...], seat: Seat) -> State:
    """The state with these wins in force, without some of this seat's."""
    if state.players[seat].won:
        before = (UNKNOWN,) if seat in state.won_before else ()
        won = (*before, *(win.tile for win in wins if win.seat == seat))
        state = with_player(state, seat, won=won, ready=bool(won))
    return evolve(state, wins=wins, winners=_winners(state, wins), contested=None)


def _winners(state: State, wins: Sequence[Win]) -> tuple[Seat, ...]:
    return tuple(dict.fromkeys((*state.won_before, *(win.seat for win in wins))))


def drawn_hand(rules: RuleSet, state: State, event: DrawnHand) -> tuple[State, Announcements]:
    if event.reason not in rules.turns.drawn_reasons:
        raise IllegalEvent("contradicts", None, "no_such_draw", [(DrawnHand("exhausted"),)])
    if event.reason == "nine_terminals":
        # A player calls nine terminals after the first draw, which the record may lack.
        state = moves.supply(rules, state, state.turn)
    while (
        state.phase is Phase.TO_DRAW
        and rules.wall.last_turn(state)
        and not rules.wall.used_up(state)
    ):
        state, _ = moves.draw(rules, state, Draw(state.turn, UNKNOWN))
    announced: Announcements = []
    # Nothing can be said about a hand whose play was not recorded.
    counted = state.wall_counted and not state.untouched
    if event.reason == "exhausted" and counted and not rules.wall.used_up(state):
        announced = [rules.problem("wall_not_used_up", None, {"left": state.wall_left})]
    after = evolve(state, phase=Phase.SETTLED, drawn_reason=event.reason, contested=None)
    after, paid = pay(rules, after)
    return after, announced + paid


def indicate(rules: RuleSet, state: State, event: Indicator) -> tuple[State, Announcements]:
    if event.kind not in rules.layout.kinds:
        raise IllegalEvent("contradicts", None, "no_such_indicator", [()])
    after = with_wild(rules.indicators, rules.indicators.turned_up(state, event))
    if state.phase is not Phase.SETTLED:
        return after, []
    judged, announced = rejudge(rules, after)
    if announced or not judged.wins or _waits_for_others(rules, judged):
        return judged, announced
    if _explained(rules, state) == _explained(rules, judged):
        return judged, announced
    return pay(rules, judged)  # no points move, but the items now say what was unknown before


def _explained(rules: RuleSet, state: State) -> tuple[Item, ...]:
    return rules.payment.settle(not_paid(state), _as_seen(state)).items


def reveal(rules: RuleSet, state: State, event: Reveal) -> tuple[State, Announcements]:
    if event.seat == state.turn and len(event.tiles) == len(state.players[event.seat].hand) + 1:
        state = moves.supply(rules, state, event.seat)
    drawn_too = state.players[event.seat].holds_extra and len(event.tiles) % 3 == 2
    state = play.count_sets(state, event.seat, len(event.tiles) - drawn_too)
    player = state.players[event.seat]
    size = len(player.hand)
    drawn_apart = player.holds_extra and player.drawn is not None and len(event.tiles) == size - 1
    if len(event.tiles) != size and not drawn_apart:
        values = {"count": len(event.tiles), "expected": size}
        problem = rules.problem("wrong_tile_count", event.seat, values)
        return barred(state, event.seat, "wrong_tile_count"), [problem]
    after = play.reveal(state, event)
    announced: Announcements = []
    if not player.known or not player.shown:
        after, announced = judge_earlier_claim(rules, after, event.seat)
    if after.phase is Phase.SETTLED:
        after, more = rejudge(rules, after)
        announced += [announcement for announcement in more if announcement not in announced]
    return after, announced + ready_announcements(rules, after, event.seat)
