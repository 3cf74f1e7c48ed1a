"""What a hand can be played for: finished hands within reach, and what the rules pay for them.

A plan is one finished hand. Its tiles follow from a kind of hand that wins, its patterns and its
payment from the rule set's own judgement of a win with these tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine import declare, hands, play
from engine.announce import NOTE, Item, Payout, Wait
from engine.events import Claim, Discard, Entry, Seat, Win
from engine.evolve import evolve
from engine.hands import GroupKind, HandForm
from engine.hands.goals import Goal, nearer, steps
from engine.hands.missing_tiles import NEVER
from engine.play import IllegalEvent
from engine.rules.base import RuleSet
from engine.rules.teaching import held
from engine.state import Discarded, History, LastDiscard, Meld, Phase, SetKind, State
from engine.tiles import UNKNOWN, Tile

MOST_PLANS: Final = 3
_MOST_JUDGED: Final = 5
"""Finished hands that are judged: a judgement of a riichi hand takes a millisecond."""
_WITHIN: Final = 2
"""Exchanges more than the nearest plan needs."""
_LAST_TILES: Final = 2
"""Tiles of a finished hand that are tried as the last one."""
_FIRST_TILES: Final = 2
"""Ways to go on towards the nearest goal."""
_PLENTY: Final = 60
"""Undealt tiles with which no win is the last one."""
_HONOURS: Final = tuple(Tile(f"{rank}z") for rank in range(1, 8))
_SUITS: Final = frozenset({0, 1, 2})


@dataclass(frozen=True)
class Plan:
    """One hand to play for."""

    distance: int
    """Exchanges until the hand is ready."""
    tiles: tuple[Tile, ...]
    """The finished hand, without the declared sets."""
    needs: tuple[Wait, ...]
    """Tiles that it lacks, each with the copies that the seat cannot see."""
    tile: Tile
    """The tile that is supposed to come last."""
    opened: Meld | None
    """The set of it that must be claimed, where the rules ask for one."""
    items: tuple[Item, ...]
    """What the win consists of."""
    by_draw: int | None
    """What an own draw brings. None where the rules refuse that win."""
    by_discard: int | None

    @property
    def most(self) -> int:
        return max(self.by_draw or 0, self.by_discard or 0)

    @property
    def patterns(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.items)


@dataclass(frozen=True)
class _Finished:
    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    needs: tuple[Tile, ...]
    distance: int
    opened: Meld | None = None


def plans(rules: RuleSet, state: State, seat: Seat) -> tuple[Plan, ...]:
    """Two or three hands within reach: the nearest first, then those that pay more.

    ``state`` is what the seat knows. None for a hand that is hidden or can never win.
    """
    player = state.players[seat]
    if not player.known or state.phase not in play.IN_PLAY or seat in state.retired:
        return ()
    maker = _Maker(rules, state, seat)
    judged: list[Plan] = []
    for finished in maker.within_reach():
        plan = maker.plan(finished)
        if plan is not None and all(plan.needs != other.needs for other in judged):
            judged.append(plan)
    return _chosen(judged)


def lost_by(rules: RuleSet, state: State, claim: Claim) -> tuple[str, ...]:
    """Patterns of the nearest finished hand that a claim of a set takes away."""
    maker = _Maker(rules, declare.claim(state, claim), claim.seat)
    before = _Maker(rules, state, claim.seat)
    finished = next(maker.within_reach(), None)
    if finished is None or finished.opened is not None or not finished.needs:
        return ()
    own = declare.own_tiles(claim)
    concealed = replace(
        finished,
        tiles=play.ordered((*finished.tiles, *own, *((claim.tile,) if len(own) == 2 else ()))),
        melds=state.players[claim.seat].melds,
    )
    opened, closed = maker.plan(finished), before.plan(concealed)
    if opened is None or closed is None:
        return ()
    return tuple(name for name in closed.patterns if name not in opened.patterns)


def _chosen(judged: Sequence[Plan]) -> tuple[Plan, ...]:
    """The nearest plan that pays best, then each that is farther and pays more."""
    order = sorted(judged, key=lambda plan: (plan.distance, -plan.most))
    front: list[Plan] = []
    for plan in order:
        if not front or plan.most > front[-1].most:
            front.append(plan)
    others = [plan for plan in order if plan not in front]
    while others and len(front) < 2:
        front.append(others.pop(0))
    return tuple(sorted(front[:MOST_PLANS], key=lambda plan: plan.distance))


class _Maker:
    """Makes plans for one hand; ``state`` is what its seat knows."""

    def __init__(self, rules: RuleSet, state: State, seat: Seat) -> None:
        self._rules = rules
        self._state = state
        self._seat = seat
        self._wild = state.wild
        self._left = rules.copies_left(state, seat)
        self._kinds: Mapping[Tile, list[Tile]] = self._by_kind()

    def _by_kind(self) -> dict[Tile, list[Tile]]:
        kinds: dict[Tile, list[Tile]] = {}
        for tile in dict.fromkeys(tile.kind for tile in self._rules.tiles(self._state.options)):
            if tile not in self._wild:
                kinds.setdefault(self._state.read_as(tile), []).append(tile)
        return kinds

    # --- finished hands ---

    def within_reach(self) -> Iterator[_Finished]:
        """Finished hands, by the goals that are nearest."""
        player = self._state.players[self._seat]
        given = self._rules.teaching.goals(self._state, self._seat, player.melds)
        far = {goal: self._steps(goal, player.hand) for goal in (*given, *self._dearer(given))}
        least = min(map(far.__getitem__, given), default=NEVER)
        if least >= NEVER:
            return
        # A hand that is nearer than all that may win is worth too little.
        reach = [goal for goal in far if least <= far[goal] <= least + _WITHIN]
        near = sorted(reach, key=far.__getitem__)
        made: list[tuple[Tile, ...]] = []
        firsts = [tile for tile in self._nearer(near[0], player.hand) if self._drawn(tile, ())]
        ways = [(goal, None) for goal in near] + [(near[0], tile) for tile in firsts[:_FIRST_TILES]]
        for goal, first in ways:
            finished = self._finished(goal, first)
            if finished is not None and finished.tiles not in made:
                made.append(finished.tiles)
                yield finished
            if len(made) == _MOST_JUDGED:
                return

    def _dearer(self, given: Sequence[Goal]) -> Iterator[Goal]:
        """Kinds of hand that many rule sets pay more for."""
        plain = [goal for goal in given if goal.form is HandForm.SETS and not goal.with_sets]
        if not plain or plain[0].marks or plain[0].second_suit is not None:
            return
        base = replace(plain[0], name="", without=frozenset(), suits="suit")
        player = self._state.players[self._seat]
        tiles = [tile for meld in player.melds for tile in meld.tiles]
        suits = {"mps".index(tile.suit) for tile in tiles if tile.suit != "z"}
        chows = any(meld.kind is SetKind.CHOW for meld in player.melds)
        for suit in _SUITS:
            if suits <= {suit}:
                one = replace(base, without=_SUITS - {suit})
                yield from dict.fromkeys((one, replace(one, honours="")))
        if not chows:
            yield replace(base, suits="pungs")
        if not any(tile.is_outer for tile in tiles):
            yield replace(base, suits="middle", honours="")
        if all(any(tile.is_outer for tile in meld.tiles) for meld in player.melds):
            yield replace(base, suits="outside")
        for tile in _HONOURS if base.honours else ():
            if player.hand.count(tile) == 2:
                yield replace(base, with_sets=((tile,) * 3,))
        if not player.melds:
            lows = ((low, suit) for suit in "mps" for low in (1, 4, 7))
            runs = [tuple(Tile(f"{low + step}{suit}") for step in range(3)) for low, suit in lows]
            yield from (replace(base, with_sets=tuple(runs[at : at + 3])) for at in (0, 3, 6))

    def _steps(self, goal: Goal, tiles: Sequence[Tile]) -> int:
        now = held(self._state, self._wild, tiles)
        return steps(goal, now.key, now.tiles, now.wild)

    def _nearer(self, goal: Goal, tiles: Sequence[Tile]) -> list[Tile]:
        """Kinds that bring these tiles nearer to a goal."""
        now = held(self._state, self._wild, tiles)
        return list(nearer(goal, now.key, now.tiles, now.wild))

    def _drawn(self, kind: Tile, needs: Sequence[Tile]) -> Tile | None:
        """The tile that may still come as this kind."""
        return max(
            (tile for tile in self._kinds.get(kind, ()) if self._left[tile] > needs.count(tile)),
            key=lambda tile: self._left[tile],
            default=None,
        )

    def _finished(self, goal: Goal, first: Tile | None) -> _Finished | None:
        """Draw the likeliest useful tile and throw away what is not needed, until it is done."""
        player = self._state.players[self._seat]
        hand, needs = list(player.hand), list[Tile]()
        lacks = self._steps(goal, hand)
        distance = lacks - 1
        while lacks > 0:
            if len(hand) % 3 == 2:
                self._throw(goal, hand, lacks)
            ways = [first] if first is not None else self._nearer(goal, hand)
            first = None
            drawn = [tile for kind in ways if (tile := self._drawn(kind, needs)) is not None]
            if not drawn:
                return None
            needs.append(max(drawn, key=lambda tile: self._left[tile] - needs.count(tile)))
            hand.append(needs[-1])
            lacks = self._steps(goal, hand)
        whole = len(hand) % 3 == 2
        finished = _Finished(play.ordered(hand), player.melds, tuple(needs), distance)
        must_open = self._rules.teaching.must_open(self._state, self._seat)
        return None if not whole else self._opened(finished) if must_open else finished

    def _throw(self, goal: Goal, hand: list[Tile], lacks: int) -> None:
        """Discard a tile that the goal does not need, lone ones first."""
        lone = sorted(dict.fromkeys(hand), key=lambda tile: _company(tile, hand))
        plain = [tile for tile in lone if tile.kind not in self._wild]
        for tile in plain:
            rest = list(hand)
            rest.remove(tile)
            if self._steps(goal, rest) <= lacks:
                hand.remove(tile)
                return
        hand.remove((plain or lone)[0])

    def _opened(self, finished: _Finished) -> _Finished | None:
        """The same hand with one set claimed, best one whose last tile has still to come."""
        left = (self._seat - 1) % 4
        for needed in (True, False):
            for split in hands.splits(finished.tiles):
                for group in split:
                    tiles = _tiles_of(group)
                    lacking = [tile for tile in tiles if tile in finished.needs]
                    if group.kind is GroupKind.PAIR or (needed and not lacking):
                        continue
                    kind = SetKind.CHOW if group.kind is GroupKind.CHOW else SetKind.PUNG
                    claimed = lacking[0] if lacking else tiles[0]
                    meld = Meld(kind, tiles, claimed, left)
                    rest = play.without(finished.tiles, tiles)
                    later = [tile for tile in finished.needs if tile in rest]
                    if isinstance(rest, Tile) or (needed and not later):
                        continue
                    return replace(finished, tiles=rest, melds=(*finished.melds, meld), opened=meld)
        return None

    # --- what it is worth ---

    def plan(self, finished: _Finished) -> Plan | None:
        """None for a finished hand that the rules refuse."""
        lasts = [tile for tile in dict.fromkeys(finished.needs[::-1]) if tile in finished.tiles]
        lasts = lasts[:_LAST_TILES] or [finished.tiles[-1]]
        ways = {tile: self._paid(finished, tile, drawn=False) for tile in lasts}
        tile = max(lasts, key=lambda tile: self._own(ways[tile]) or 0)
        claimed, drawn = ways[tile], self._paid(finished, tile, drawn=True)
        shown = claimed or drawn
        if shown is None:
            return None
        return Plan(
            finished.distance,
            finished.tiles,
            tuple(
                Wait(need, self._left[need] - finished.needs[:at].count(need))
                for at, need in enumerate(finished.needs)
            ),
            tile,
            finished.opened,
            tuple(item for item in shown.items[1:] if item.unit not in (NOTE, "seat", "base")),
            self._own(drawn),
            self._own(claimed),
        )

    def _own(self, paid: Payout | None) -> int | None:
        return None if paid is None else paid.deltas[self._seat]

    def _paid(self, finished: _Finished, tile: Tile, *, drawn: bool) -> Payout | None:
        """What the rules pay for this hand in mid-play, without any luck of the moment."""
        rules, seat = self._rules, self._seat
        won = win_of(rules, self._state, seat, finished.tiles, finished.melds, tile, drawn=drawn)
        if won is None:
            return None
        state, win = won
        if rules.problems_of_win(state, win):
            return None
        paid, earlier = rules.settle(state, state.wins), state.wins[:-1]
        if not earlier:
            return paid
        before = rules.settle(evolve(state, wins=earlier), earlier).deltas
        deltas = tuple(now - then for now, then in zip(paid.deltas, before, strict=True))
        return replace(paid, deltas=deltas, pot=-sum(deltas))


def win_of(
    rules: RuleSet,
    state: State,
    seat: Seat,
    tiles: Sequence[Tile],
    melds: tuple[Meld, ...],
    tile: Tile,
    *,
    drawn: bool,
) -> tuple[State, Win] | None:
    """The state that a win with these tiles would lead to, in the middle of the hand."""
    rest = play.without(tuple(tiles), (tile,))
    if isinstance(rest, Tile):
        return None
    other = rules.next_seat(state, seat)
    history = History()
    for step in (1, 2, 3, 4):
        history = history.followed_by(0, Entry(Discard((other + step) % 4, UNKNOWN)))
    for win in state.wins:
        history = history.followed_by(0, Entry(win))
    player = evolve(
        state.players[seat],
        hand=rest,
        drawn=None,
        melds=melds,
        river=(*state.players[seat].river, Discarded(UNKNOWN)),
    )
    feeder = evolve(state.players[other], river=(*state.players[other].river, Discarded(tile)))
    changed = {seat: player, other: feeder}
    before = evolve(
        state,
        players=tuple(changed.get(at, one) for at, one in enumerate(state.players)),
        phase=Phase.TO_DRAW,
        turn=seat,
        wall_left=max(state.wall_left, _PLENTY),
        history=history,
        last_discard=None if drawn else LastDiscard(other, tile, 0),
        contested=None,
        paid=(0, 0, 0, 0),
    )
    if rules.ready_calls and not player.ready:
        called = play.with_player(before, seat, ready=True)
        before = called if rules.missing(called, seat) == () else before
    if drawn:
        hand = play.ordered((*rest, tile))
        before = play.with_player(before, seat, hand=hand, drawn=tile)
        before = evolve(before, phase=Phase.TO_DISCARD)
    win = Win(seat, seat if drawn else other, tile)
    try:
        return declare.win(before, win), win
    except IllegalEvent:
        return None


def _tiles_of(group: hands.Group) -> tuple[Tile, ...]:
    if group.kind is GroupKind.CHOW:
        return tuple(Tile(f"{group.tile.rank + step}{group.tile.suit}") for step in range(3))
    return (group.tile,) * (3 if group.kind is GroupKind.PUNG else 2)


def _company(tile: Tile, hand: Sequence[Tile]) -> int:
    """How much other tiles of the hand go with this one."""
    near = (abs(other.rank - tile.rank) for other in hand if other.suit == tile.suit)
    reach = {0: 4, 1: 2, 2: 1} if tile.suit != "z" else {0: 4}
    return sum(reach.get(distance, 0) for distance in near)
