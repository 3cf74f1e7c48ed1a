"""Takes one event through a rule set: whether it is possible, whether it is allowed, its effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, assert_never

from engine import declare, opening, play
from engine import events as ev
from engine.announce import Announcement, Announcements, NotReady, Problem
from engine.events import Seat
from engine.evolve import evolve
from engine.play import IllegalEvent
from engine.rules import competing_claims, results
from engine.rules import turns_and_claims as moves
from engine.rules.announcements import (
    judge_event,
    ready_announcements,
    turn_announcements,
    without_repeats,
)
from engine.rules.indicators import with_wild
from engine.rules.suggest import corrections, other_tiles
from engine.rules.waits import check_won_before
from engine.state import Agreed, Phase, State, Tally
from engine.tile_counts import tally_within, tiles_named
from engine.tiles import Tile
from engine.visibility import concealed, event_seen

if TYPE_CHECKING:
    from engine.rules.base import RuleSet

IMPOSSIBLE: Final = "record, three ways"
"""Source of the codes of impossible events, which mean the same in every rule set."""


_IN_PLAY: Final = (
    *(ev.Deal, ev.Position, ev.Indicator, ev.Draw, ev.Discard),
    *(ev.Chow, ev.Pung, ev.Kong, ev.Flower),
)
"""Events that show no hand."""
_BETWEEN: Final = (ev.GameStart, ev.Correct, ev.HandStart, ev.HandEnd, ev.GameEnd)
"""Events that are no part of a hand."""
_ACTS: Final = (ev.Draw, ev.Discard, ev.Chow, ev.Pung, ev.Kong, ev.Flower, ev.Win)
_CALLS: Final = (ev.Discard, ev.Chow, ev.Pung)
_FAULTS: Final = frozenset({Problem, NotReady})
POINTS: Final = ("start_points", "chips")
"""Options that may give the points that each player begins with."""


class Step(NamedTuple):
    """The effect of one event: the next state and the announcements."""

    state: State
    announcements: tuple[Announcement, ...] = ()
    taken: bool = True
    """False for an impossible event, which leaves the state unchanged."""


def apply(rules: RuleSet, state: State, entry: ev.Entry, number: int) -> Step:
    """Take one event. Irregular events are taken and flagged, impossible ones only flagged."""
    try:
        return _taken(rules, state, entry, number)
    except IllegalEvent as illegal:
        problem = Problem(
            illegal.code,
            illegal.seat,
            True,
            IMPOSSIBLE,
            illegal.follows,
            corrections(rules, state, entry, number, illegal, take),
            illegal.values or None,
        )
        return Step(state, (problem,), taken=False)


def attempt(rules: RuleSet, state: State, entry: ev.Entry, number: int) -> Step | None:
    """Take one event; return None for an impossible one, without looking for corrections."""
    try:
        return _taken(rules, state, entry, number)
    except IllegalEvent:
        return None


def _taken(rules: RuleSet, state: State, entry: ev.Entry, number: int) -> Step:
    after, announced = take(rules, state, entry, number)
    if not _FAULTS.isdisjoint(map(type, announced)):
        announced = _with_private_faults(rules, state, after, entry, number, announced)
        announced = [_by_options(rules, after, announcement) for announcement in announced]
    return Step(after, tuple(announced))


def _with_private_faults(
    rules: RuleSet,
    state: State,
    after: State,
    entry: ev.Entry,
    number: int,
    announced: Announcements,
) -> Announcements:
    """Tell faults that only a hidden hand shows to its own seat alone; there are some faults.

    Everybody hears what would be announced if that hand were hidden. The exception is a fault
    whose effect the table sees, such as who got a tile that two have claimed.
    """
    plays = state.phase in play.IN_PLAY and isinstance(entry.event, _IN_PLAY)
    if not plays or all(player.shown for player in state.players):
        return announced
    seen = replace(entry, event=event_seen(entry.event, state, rules, None))
    try:
        open_after, openly = take(rules, concealed(state, rules), seen, number)
    except IllegalEvent:
        return announced
    if (open_after.turn, open_after.phase) != (after.turn, after.phase):
        return announced
    public = [
        announcement for announcement in openly if getattr(announcement, "audience", None) is None
    ]
    apart: Announcements = []
    for announcement in announced:
        if isinstance(announcement, Problem | NotReady):
            if announcement.seat is not None and replace(announcement, audience=None) not in public:
                apart.append(replace(announcement, audience=announcement.seat))
        elif getattr(announcement, "audience", None) is not None:
            apart.append(announcement)
    return [*apart, *public]


def _by_options(rules: RuleSet, state: State, announcement: Announcement) -> Announcement:
    if not isinstance(announcement, Problem):
        return announcement
    for option in rules.options:
        by_value = option.follows.get(str(state.options.get(option.name)), {})
        if announcement.follows in by_value:
            return replace(announcement, follows=by_value[announcement.follows])
    return announcement


def take(rules: RuleSet, state: State, entry: ev.Entry, number: int) -> tuple[State, Announcements]:
    """Return the next state and the announcements; raise ``IllegalEvent`` for an impossible
    event.
    """
    event = entry.event
    if isinstance(event, _BETWEEN):
        return _take_between(rules, state, entry, event, number)
    _check_phase(state, event)
    wall = rules.wall.under(state.options)
    if isinstance(event, ev.Flower) and not rules.wall.flowers(state.options):
        raise IllegalEvent("contradicts", event.seat, "no_flowers_here")
    _check_in_play(wall, event)
    told = declare.completed(event, wall) if isinstance(event, ev.Kong) else event
    after, announced = _play(rules, state, told, number)
    if after is state:  # an outranked claim changes nothing
        return state, announced
    stands = type(event) is not ev.Win or after.wins.count(event) > state.wins.count(event)
    history = after.history.followed_by(number, entry, stands=stands)
    after = evolve(after, history=history, tally=_tally(wall, after, event))
    after, more = rules.turns.follow(rules, state, after, event)
    return after, without_repeats(announced + more)


def _take_between(
    rules: RuleSet,
    state: State,
    entry: ev.Entry,
    event: ev.GameStart | ev.Correct | ev.HandStart | ev.HandEnd | ev.GameEnd,
    number: int,
) -> tuple[State, Announcements]:
    match event:
        case ev.GameStart():
            return _start_game(rules, event), []
        case ev.Correct():
            return state, []
        case ev.HandStart() | ev.GameEnd() if state.phase is Phase.SETTLED:
            # The camera sees no "hand_end", so the next event ends the hand.
            state, announced = _end_hand(rules, state)
            after, more = take(rules, state, entry, number)
            return after, announced + more
        case ev.HandStart():
            return _start_hand(rules, state, entry, event, number)
        case ev.GameEnd():
            return _end_game(rules, state, event)
        case ev.HandEnd():
            return _end_hand(rules, state)


def _play(
    rules: RuleSet, state: State, event: ev.Event, number: int
) -> tuple[State, Announcements]:
    if isinstance(event, _CALLS) and event.ready and not rules.judge.ready_calls:
        after, announced = _play(rules, state, replace(event, ready=False), number)
        return after, [rules.problem("no_ready_call", event.seat), *announced]
    match event:  # draws and discards first: they are most events of a game
        case ev.Draw():
            return moves.draw(rules, moves.supply(rules, state, event.seat, drawing=True), event)
        case ev.Discard():
            return moves.discard(rules, state, event, number)
        case ev.Flower():
            return moves.flower(rules, state, event)
        case ev.Deal():
            again = rules.turns.deals_again(rules, state, event) if state.untouched else None
            if again is not None:
                return again
            after = opening.deal(state, event, rules.wall.hand_size)
            return after, ready_announcements(rules, after, event.seat)
        case ev.Position():
            wall, pays = rules.wall.under(state.options), rules.payment
            most_out, plays_on = pays.most_out, pays.wins_to_end is None
            after = opening.position(
                state, event, number, wall, rules.wall.hand_size, most_out, plays_on
            )
            if not rules.judge.ready_calls:
                silent = (evolve(player, ready=bool(player.won)) for player in after.players)
                after = evolve(after, players=tuple(silent))
            after = with_wild(rules.indicators, after)
            check_won_before(rules, after)
            announced = [
                ready
                for seat in range(4)
                if seat not in after.retired
                for ready in ready_announcements(rules, after, seat)
            ]
            return after, [*announced, *turn_announcements(rules, after)]
        case ev.Indicator():
            return results.indicate(rules, state, event)
        case ev.Dice():
            return evolve(state, dice=event.values), []
        case ev.Chow() | ev.Pung() | ev.Kong() | ev.Win() if competing_claims.is_contested(
            state, event
        ):
            return competing_claims.contested(rules, state, event, number)
        case ev.Chow() | ev.Pung() | ev.Kong():
            return moves.claim(rules, state, event, number)
        case ev.Win():
            return results.win(rules, state, event)
        case ev.Reveal():
            return results.reveal(rules, state, event)
        case ev.DrawnHand():
            return results.drawn_hand(rules, state, event)
        case ev.Foul():
            return rules.turns.ruled(rules, state, event)
        case ev.GameStart() | ev.HandStart() | ev.HandEnd() | ev.GameEnd() | ev.Correct():
            raise AssertionError("taken before")
        case _:
            assert_never(event)


# --- games and hands ---


def _start_game(rules: RuleSet, event: ev.GameStart) -> State:
    options = Agreed(rules.all_options(event.options))
    start = next((options[name] for name in POINTS if name in options), None)
    return State(
        rules=rules.id,
        options=options,
        names=event.players or ("", "", "", ""),
        phase=Phase.BEFORE_HAND,
        points=event.points or (start if isinstance(start, int) else 0,) * 4,
        dealer=event.first_dealer or 0,
        first_dealer=event.first_dealer or 0,
    )


def _start_hand(
    rules: RuleSet, state: State, entry: ev.Entry, event: ev.HandStart, number: int
) -> tuple[State, Announcements]:
    if state.phase in play.IN_PLAY:
        ways: tuple[play.Suggestion, ...] = (
            (ev.HandEnd(), event),
            (ev.DrawnHand("exhausted"), event),
        )
        raise IllegalEvent("contradicts", None, "hand_running", ways)
    if state.phase is not Phase.BEFORE_HAND:
        raise IllegalEvent("contradicts", None, "start_game")
    state = _dealer_told(state, event)
    if state.hand_number:
        wrong = {
            name: value
            for name, value in rules.hands.expected(state).items()
            if getattr(event, name) not in (None, value)
        }
        if wrong:
            left_out: dict[str, Any] = dict.fromkeys(wrong)
            way = (replace(event, **left_out),)
            raise IllegalEvent("contradicts", None, "other_hand_follows", [way], **wrong)
    faults = judge_event(rules, state, event, None)
    total = sum(rules.wall.under(state.options).values())
    begun = opening.start_hand(state, event, total, rules.wall.hand_size)
    state, more = rules.turns.follow(rules, state, begun, event)
    state = with_wild(rules.indicators, state)
    # The dealer is dealt one tile more, so the first turn is announced with it drawn.
    announced = turn_announcements(rules, moves.supply(rules, state, state.dealer))
    history = state.history.followed_by(number, entry)
    return evolve(state, history=history), [*faults, *more, *announced]


def _end_hand(rules: RuleSet, state: State) -> tuple[State, Announcements]:
    if state.phase not in (*play.IN_PLAY, Phase.SETTLED):
        raise IllegalEvent("hand_over", None, "start_hand", [()])
    # People may end a hand over a foul or a refused win; then nobody has won.
    if state.phase is not Phase.SETTLED and not state.history.fouls and not state.history.wins:
        way = (ev.DrawnHand("exhausted"), ev.HandEnd())
        raise IllegalEvent("contradicts", None, "no_result", [way])
    left = judge_event(rules, state, ev.HandEnd(), None)
    state, announced = results.settled(rules, state)
    state, more = rules.turns.follow(rules, state, state, ev.HandEnd())
    result = rules.hands.next_hand(state)
    after = evolve(
        state,
        phase=Phase.BEFORE_HAND,
        ended=state.place,
        dealer=state.dealer if result.dealer is None else result.dealer,
        may_deal=state.won_before if result.dealer is None else (),
        round=result.round,
        honba=result.honba,
        staying=result.staying,
        last_discard=None,
        contested=None,
    )
    return after, [*left, *announced, *more, result]


def _end_game(rules: RuleSet, state: State, event: ev.GameEnd) -> tuple[State, Announcements]:
    if state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME):
        raise IllegalEvent("contradicts", None, "start_game", [()])
    result = rules.hands.final(state, event)
    return evolve(state, phase=Phase.AFTER_GAME, final_points=result.points), [result]


def _check_in_play(wall: Mapping[Tile, int], event: ev.Event) -> None:
    for tile in tiles_named(event):
        if tile not in wall and tile.known:
            seat: Seat | None = getattr(event, "seat", None)
            ways = other_tiles(event, tile, wall)
            raise IllegalEvent("fifth_copy", seat, "misread", ways, tile=tile, copies=0)


def _tally(wall: Mapping[Tile, int], after: State, event: ev.Event) -> Tally:
    tally = tally_within(after, wall)
    if isinstance(tally, Tally):
        return tally
    seat: Seat | None = getattr(event, "seat", None)
    ways = other_tiles(event, tally, wall)
    copies = wall.get(tally, 0)
    raise IllegalEvent("fifth_copy", seat, "misread", ways, tile=tally, copies=copies)


def _dealer_told(state: State, event: ev.HandStart) -> State:
    """The state with the dealer of the next hand, where only the event can tell who that is."""
    if not state.may_deal:
        return state
    if event.dealer not in state.may_deal:
        ways = [(replace(event, dealer=seat),) for seat in state.may_deal]
        raise IllegalEvent("contradicts", None, "dealer_unknown", ways)
    staying = state.staying
    if state.ended is not None and state.ended.dealer == event.dealer:
        staying = state.ended.staying + 1
    return evolve(state, dealer=event.dealer, staying=staying, may_deal=())


def _check_phase(state: State, event: ev.Event) -> None:
    """Raise ``IllegalEvent`` for an impossible event outside a hand or after its end."""
    seat: Seat | None = getattr(event, "seat", None)
    if state.phase in play.IN_PLAY:
        if state.winners and isinstance(event, _ACTS) and seat in state.retired:
            raise IllegalEvent("out_of_turn", seat, "won_already", [()])
        return
    if isinstance(event, ev.Dice | ev.Foul):
        return
    if state.phase is not Phase.SETTLED:
        raise IllegalEvent("hand_over", seat, "start_hand", [(ev.HandStart(), event)])
    claims = ev.Chow | ev.Pung | ev.Kong | ev.Win
    if isinstance(event, claims) and competing_claims.is_contested(state, event):
        return
    if not isinstance(event, ev.Reveal | ev.Indicator):
        ways: list[play.Suggestion] = [(ev.HandEnd(), ev.HandStart(), event), ()]
        raise IllegalEvent("hand_over", seat, "end_hand", ways)
