"""What may be done now, told to beginners at a real table: to everybody, or to one seat.

Each step stands for events that the rule set calls regular in this state, as whoever is told may
know it; nothing is told that depends on a tile which they cannot see.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.announce import Announcement, Problem, heard_by
from engine.declare import own_tiles
from engine.events import (
    Chow,
    Claim,
    Discard,
    Draw,
    DrawnHand,
    Event,
    Flower,
    Indicator,
    Kong,
    Pung,
    Seat,
    Win,
)
from engine.evolve import evolve
from engine.first_deal import OPTION_STEPS, Counted, LaidSet, Move, Slip, Step
from engine.play import IN_PLAY, ordered
from engine.rules.base import RuleSet
from engine.rules.layout import TableLayout
from engine.rules.legal_events import regular_wins
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile
from engine.visibility import concealed

_MAY: Final[Mapping[type[Event], str]] = {
    Win: "may_win",
    Kong: "may_kong",
    Pung: "may_pung",
    Chow: "may_chow",
}
"""What is said, the strongest first, by whoever may hold the tiles for it, ..."""
_SAY: Final[Mapping[type[Event], str]] = {
    Win: "say_win",
    Kong: "say_kong",
    Pung: "say_pung",
    Chow: "say_chow",
}
"""... and by who is seen to hold them."""
_LAID: Final = {"right": "lay_right", "left": "lay_left"}
_LAID_STRAIGHT: Final = {"right": "lay_right_straight", "left": "lay_left_straight"}
"""By the corner where claimed sets lie, without a sideways tile."""
SECRET_WIN: Final = "may_secret_win"
"""The one step that hangs on a tile which only its players may look at: whether they do win by it,
nobody else knows. It is told while some such tile would make an own win regular."""
_MORE: Final[Mapping[type[Event], int]] = {Kong: 3, Pung: 2, Chow: 2}
"""Own tiles that a claimed set takes."""
MOST_OFF: Final = 2
"""Nobody takes or loses more tiles by mistake before anybody notices."""
MOST_CHOWS: Final = 3
"""Ways to claim one tile for a run."""


def move_of(event: Event) -> Move:
    """What an event does, without its tiles."""
    return Move(type(event).__name__, getattr(event, "seat", None))


def steps(rules: RuleSet, state: State, viewer: Seat | None = None) -> tuple[Step, ...]:
    """What is to be done and what is allowed now: what comes first, then what else may be.

    ``viewer``: a seat is told what concerns itself, and otherwise whose turn it is; None is the
    whole table. Between hands there is no step here: the next hand is dealt.
    """
    seen = concealed(state, rules, viewer)
    if seen.phase is Phase.SETTLED:
        under = {Move("Indicator")} if rules.layout.under_kind is not None else frozenset[Move]()
        code = "settle" if seen.winners else "settle_drawn"
        return (Step(code, moves=_moves(rules.legal(seen)) | under),)
    if seen.phase not in IN_PLAY:
        return ()
    every = tuple(_all_steps(rules, seen, viewer))
    if viewer is None:
        return every
    mine = tuple(_for_seat(every, viewer))
    if any(step.code in _ACTS for step in mine):
        return mine
    return (*mine, Step("wait", seen.turn))


_ACTS: Final = frozenset(
    ("draw", "draw_tail", "draw_after", "discard", "discard_drawn", "first_turn")
)
"""By these steps the player whose turn it is goes on."""


def _for_seat(every: Sequence[Step], seat: Seat) -> Iterator[Step]:
    for step in every:
        if step.seat in (None, seat) and (not step.players or seat in step.players):
            own = frozenset(move for move in step.moves if move.seat in (None, seat))
            yield Step(
                step.code,
                step.seat,
                (seat,) if step.players else (),
                step.values,
                step.tiles,
                step.turned,
                step.other,
                own,
            )


def _all_steps(rules: RuleSet, state: State, viewer: Seat | None) -> Iterator[Step]:
    by_kind: dict[type[Event], list[Event]] = defaultdict(list)
    for event in rules.legal(state):
        by_kind[type(event)].append(event)
    yield from _just_laid(rules, state)
    yield from _indicators(rules, state, by_kind[Indicator])
    if state.untouched:
        yield from (Step(code) for name, code in OPTION_STEPS.items() if state.options.get(name))
    if state.phase is Phase.TO_DISCARD or state.untouched:
        yield from _own_turn(rules, state, by_kind)
    else:
        yield from _after_discard(rules, state, by_kind, viewer)


def _indicators(rules: RuleSet, state: State, due: Sequence[Event]) -> Iterator[Step]:
    """What is turned up for all, and what only those who are ready look at and may win by."""
    if rules.layout.indicator_at == "wall":
        joined = state.joined  # what lay there when the record joined the hand may be unknown
        if joined is None or joined.indicators is not None:
            yield from (Step("turn_up_now", moves=_moves([event])) for event in due[:1])
        return
    ready = tuple(seat for seat in range(4) if state.players[seat].ready)
    if due:
        yield Step("look", players=ready, moves=_moves(due))
    hidden = (seat for seat in ready if UNKNOWN in state.players[seat].hand)
    winners = tuple(seat for seat in hidden if _may_win_by_secret(rules, state, seat))
    if winners:
        wins = frozenset(Move("Win", seat) for seat in winners)
        yield Step(SECRET_WIN, players=winners, moves=wins)


def _may_win_by_secret(rules: RuleSet, state: State, seat: Seat) -> bool:
    """Whether some secret tile makes a win regular that takes no discard; on a discard, whoever
    may win is asked anyway."""
    return any(
        win.from_seat == seat
        for known in with_secret(rules, state)
        for win in regular_wins(rules, known, seat)
    )


def with_secret(rules: RuleSet, state: State) -> Iterator[State]:
    """The state as it is if its secret tile is one or another; none in games without one."""
    kind = rules.layout.indicator_kind(len(state.indicators))
    if kind is None or rules.layout.indicator_at == "wall":
        return
    for tile in rules.wall.under(state.options):
        yield evolve(state, indicators=(*state.indicators, Indicator(tile, kind)))


def _moves(events: Sequence[Event]) -> frozenset[Move]:
    return frozenset(map(move_of, events))


# --- the turn of one player ---


def _own_turn(
    rules: RuleSet, state: State, legal: Mapping[type[Event], Sequence[Event]]
) -> Iterator[Step]:
    seat, player = state.turn, state.players[state.turn]
    count = rules.wall.waiting(len(player.melds))
    flowers = legal.get(Flower, ())
    if state.untouched:
        first = [*legal.get(Draw, ()), *legal.get(Discard, ())]
        yield Step("first_turn", seat, values={"count": count}, moves=_moves(first))
    elif player.ready and player.drawn is not None:
        yield Step("discard_drawn", seat, moves=_moves(legal.get(Discard, ())))
    else:
        throws = legal.get(Discard, ())
        yield Step("discard", seat, values={"count": count}, moves=_moves(throws))
    if flowers:
        who = tuple(sorted({event.seat for event in flowers if isinstance(event, Flower)}))
        yield Step("own_flower", players=who, moves=_moves(flowers))
    wins = [event for event in legal.get(Win, ()) if isinstance(event, Win)]
    if own := [win for win in wins if win.seat == seat]:
        yield Step("own_win", seat, moves=_moves(own))
    if more := [win for win in wins if win.seat != seat]:
        who = tuple(sorted({win.seat for win in more}))
        yield Step("also_win", players=who, moves=_moves(more))
    all_kongs = [event for event in legal.get(Kong, ()) if isinstance(event, Kong)]
    for code, added in (("own_kong", False), ("own_kong_added", True)):
        if kongs := [kong for kong in all_kongs if (kong.kind == "added") == added]:
            known = ordered(tuple({kong.tile for kong in kongs}))
            shown = () if UNKNOWN in player.hand else tuple((tile,) for tile in known)
            yield Step(code, seat, tiles=shown, moves=_moves(kongs))
    if any(isinstance(event, Discard) and event.ready for event in legal.get(Discard, ())):
        yield Step("own_ready", seat, moves=_moves(legal[Discard]))


# --- a tile was thrown, or a kong was laid ---


def _after_discard(
    rules: RuleSet,
    state: State,
    legal: Mapping[type[Event], Sequence[Event]],
    viewer: Seat | None,
) -> Iterator[Step]:
    last = state.last_discard
    claims = {kind: list(legal.get(kind, ())) for kind in _MAY}
    if last is not None:
        shown = ((last.tile,),)
        code = "added" if last.added_kong else "thrown"
        yield Step(code, None, tiles=shown, other=last.seat)
    for kind, events in claims.items():
        yield from _claims(rules, state, kind, events, viewer)
    if draws := legal.get(Draw, ()):
        may_claim = last is not None and any(claims.values())
        after_kong = isinstance(state.history.last_move, Kong)
        code = "draw_after" if may_claim else "draw_tail" if after_kong else "draw"
        yield Step(code, state.turn, moves=_moves(draws))
    yield from _ends(legal.get(DrawnHand, ()), after_claims=any(claims.values()))
    if flowers := legal.get(Flower, ()):
        yield Step("own_flower", state.turn, moves=_moves(flowers))


def _ends(ends: Sequence[Event], *, after_claims: bool) -> Iterator[Step]:
    """Why the hand may be over without a winner, each reason with its own step."""
    for end in ends:
        assert isinstance(end, DrawnHand), "only ends without a winner are given"
        if end.reason == "exhausted":
            code = "wall_empty_after" if after_claims else "wall_empty"
        else:
            code = f"ends_{end.reason}"
        yield Step(code, moves=_moves([end]))


def _claims(
    rules: RuleSet, state: State, kind: type[Event], events: Sequence[Event], viewer: Seat | None
) -> Iterator[Step]:
    """One kind of call: who may say it, or with which tiles whoever sees the hand may."""
    by_seat: dict[Seat, list[Event]] = defaultdict(list)
    for event in events:
        assert isinstance(event, Claim | Win), "only calls are given"
        by_seat[event.seat].append(event)
    hidden = tuple(seat for seat in sorted(by_seat) if UNKNOWN in state.players[seat].hand)
    if hidden:
        last = state.last_discard
        drawn = kind is Win and last is None
        told = [event for seat in hidden for event in by_seat[seat]]
        code = "may_win_drawn" if drawn else _MAY[kind]
        yield Step(code, players=hidden, values={"more": _MORE.get(kind, 0)}, moves=_moves(told))
    for seat, own in by_seat.items():
        if seat in hidden:
            continue
        if seat != viewer and not state.open_hand(seat):
            continue
        ways = {tuple(map(str, _shown(event))): event for event in own}
        for event in list(ways.values())[:MOST_CHOWS]:
            tiles = _shown(event)
            yield Step(_SAY[kind], seat, tiles=(tiles,) if tiles else (), moves=_moves([event]))


def _shown(event: Event) -> tuple[Tile, ...]:
    """The tiles of a set that may be claimed; a win needs none to be shown."""
    if isinstance(event, Win) or not isinstance(event, Claim):
        return ()
    return ordered((*own_tiles(event), event.tile))


# --- how a set is laid ---


def turned_place(layout: TableLayout, seat: Seat, from_seat: Seat, count: int) -> int | None:
    """Where among the tiles of a claimed set the sideways one lies, by who threw it.

    Left for the left neighbour, right for the right one; of the player opposite in the middle, or
    nowhere in games that turn none then.
    """
    after = (from_seat - seat) % 4
    if after == 3:
        return 0
    if after == 1:
        return count - 1
    return 1 if layout.opposite_turned else None


def _just_laid(rules: RuleSet, state: State) -> Iterator[Step]:
    """How the set lies that was claimed last, until its player goes on."""
    last = state.history.last_move
    if not isinstance(last, Claim) or last.seat != state.turn:
        return
    melds = state.players[last.seat].melds
    if not melds or (isinstance(last, Kong) and last.kind == "added"):
        return
    if isinstance(last, Kong) and last.kind == "closed":
        down = len(rules.layout.closed_kong_down)
        yield Step("lay_closed", last.seat, values={"down": down}, tiles=(melds[-1].tiles,))
        return
    if last.from_seat is None:
        return
    tiles = list(melds[-1].tiles)
    place = turned_place(rules.layout, last.seat, last.from_seat, len(tiles))
    if place is not None and last.tile in tiles:
        tiles.remove(last.tile)
        tiles.insert(place, last.tile)
    yield Step(
        (_LAID if place is not None else _LAID_STRAIGHT)[rules.layout.sets_at],
        last.seat,
        tiles=(tuple(tiles),),
        turned=place,
        other=last.from_seat,
    )


# --- what went wrong ---


def mistakes(said: Sequence[Announcement], viewer: Seat | None = None) -> tuple[Problem, ...]:
    """What the rules found wrong with one event, each fault of a seat once, as far as this viewer
    may hear of it. Who learns is advised where a referee would wait until somebody has looked."""
    found = {
        (one.code, one.seat): one for one in heard_by(said, viewer) if isinstance(one, Problem)
    }
    return tuple(found.values())


def miscounted(rules: RuleSet, state: State, counted: Counted) -> tuple[Slip, ...]:
    """Who has tiles too many or too few while a hand is played, by what stands there.

    Whoever is to play may have drawn or not; what lies open does not stand, so it is not counted.
    Where nothing stands, the hand was not seen: somebody who plays has a tile at least.
    """
    found = []
    for seat, count in enumerate(counted.standing):
        player = state.players[seat]
        if not count or player.shown or player.ready or seat in state.retired:
            continue
        least = rules.wall.waiting(len(player.melds))
        most = least + (seat == state.turn or player.holds_extra)
        if not player.sets_counted or least <= count <= most:
            continue
        if not least - MOST_OFF <= count <= most + MOST_OFF:
            continue  # a row that was misread
        code = "too_many" if count > most else "too_few"
        found.append(Slip(code, seat, {"count": count, "wanted": least}))
    return tuple(found)


def laid_wrong(rules: RuleSet, state: State, laid: Iterable[LaidSet]) -> tuple[Slip, ...]:
    """Sets whose sideways tile lies elsewhere than by who threw it, which the record knows.

    A set without a sideways tile tells nothing wrong: many tables turn none. Neither does any set
    in a game whose rules do not speak of it.
    """
    if not rules.layout.turned_by_rule:
        return ()
    found = []
    for one in laid:
        seat, place = one.seat, one.turned
        melds = state.players[seat].melds
        meld = melds[one.index] if one.index < len(melds) else None
        if meld is None or meld.claimed is None or meld.from_seat is None or meld.is_kong:
            continue
        wanted = turned_place(rules.layout, seat, meld.from_seat, len(meld.tiles))
        if wanted is not None and place is not None and place != wanted:
            values = {"set": one.index, "place": place, "wanted": wanted, "from": meld.from_seat}
            found.append(Slip("laid_wrong", seat, values))
    return tuple(found)
