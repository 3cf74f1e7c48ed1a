"""What a hand can be played for: finished hands within reach, and what the rules pay for them.

A plan is one finished hand. It goes on from the hand that the hint leaves after its best discard,
and is never nearer than the hint says. Its tiles follow from a kind of hand that wins, its patterns
and its payment from the rule set's own judgement of a win with these tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import Final

from engine import declare, hands, play
from engine.announce import NOTE, HintDiscard, Item, Outlook, Payout, Wait
from engine.events import Claim, Discard, Entry, Seat, Win
from engine.evolve import evolve
from engine.hands import GroupKind, HandForm
from engine.hands.goals import Goal, nearer, steps
from engine.hands.missing_tiles import NEVER
from engine.play import IllegalEvent
from engine.rules.base import RuleSet
from engine.rules.hints import goals_of, held, must_open
from engine.rules.waits import copies_left, verdict_on
from engine.state import Discarded, History, LastDiscard, Meld, Phase, SetKind, State
from engine.tiles import UNKNOWN, Tile

MOST_PLANS: Final = 3
_MOST_JUDGED: Final = 12
"""Finished hands that are judged: a judgement of a riichi hand takes a millisecond."""
_ENOUGH: Final = 5
"""Plans from which those that are told are chosen."""
_WITHIN: Final = 2
"""Exchanges more than the nearest plan needs."""
_LAST_TILES: Final = 2
"""Tiles of a finished hand that are tried as the last one."""
_FIRST_TILES: Final = 2
"""Other ways to go on towards the nearest goals."""
_TURNS_PLAYED: Final = 8
"""Discards after which no win is the first or the last of a hand."""
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
    maker = _maker(rules, state, seat)
    judged: list[Plan] = []
    for finished in () if maker is None else islice(maker.within_reach(), _MOST_JUDGED):
        plan = maker.worth(finished) if maker is not None else None
        if plan is not None and all(plan.needs != other.needs for other in judged):
            judged.append(plan)
        if len(judged) == _ENOUGH:
            break
    return _chosen(judged)


def lost_by(rules: RuleSet, state: State, claim: Claim) -> tuple[str, ...]:
    """Patterns of the nearest finished hand that a claim of a set takes away."""
    maker = _maker(rules, declare.claim(state, claim), claim.seat)
    before = _maker(rules, state, claim.seat)
    finished = None if maker is None else next(maker.within_reach(), None)
    if maker is None or before is None or finished is None:
        return ()
    if finished.opened is not None or not finished.needs:
        return ()
    own = declare.own_tiles(claim)
    concealed = replace(
        finished,
        tiles=play.ordered((*finished.tiles, *own, *((claim.tile,) if len(own) == 2 else ()))),
        melds=state.players[claim.seat].melds,
    )
    opened, closed = maker.worth(finished), before.worth(concealed)
    if opened is None or closed is None:
        return ()
    return tuple(name for name in closed.patterns if name not in opened.patterns)


def _maker(rules: RuleSet, state: State, seat: Seat) -> _Maker | None:
    """What makes plans for the hand that the best discard leaves; None for a hand without any."""
    player = state.players[seat]
    if not player.known or state.phase not in play.IN_PLAY or seat in state.retired:
        return None
    hint = rules.hint(state, seat)
    seen = hint.discards[0] if hint.discards else hint.now
    if seen is None or seen.distance is None:
        return None
    if isinstance(seen, HintDiscard):
        state = play.discard(state, Discard(seat, seen.tile), -1)
    return _Maker(rules, state, seat, seen)


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
    """Makes plans for one waiting hand; ``state`` is what its seat knows."""

    def __init__(
        self, rules: RuleSet, state: State, seat: Seat, seen: Outlook | HintDiscard
    ) -> None:
        self._rules = rules
        self._state = state
        self._seat = seat
        self._distance = NEVER if seen.distance is None else seen.distance
        self._waits = frozenset(wait.tile for wait in seen.waits)
        self._fixed = rules.judge.ready_calls and state.players[seat].ready
        self._wild = state.wild
        self._left = copies_left(rules, state, seat)
        self._kinds: Mapping[Tile, list[Tile]] = self._by_kind()

    def _by_kind(self) -> dict[Tile, list[Tile]]:
        kinds: dict[Tile, list[Tile]] = {}
        wall = self._rules.wall.under(self._state.options)
        for tile in dict.fromkeys(tile.kind for tile in wall):
            if tile not in self._wild:
                kinds.setdefault(self._state.read_as(tile), []).append(tile)
        return kinds

    # --- finished hands ---

    def within_reach(self) -> Iterator[_Finished]:
        """Finished hands, by the goals that are nearest."""
        player = self._state.players[self._seat]
        given = goals_of(self._rules, self._state, self._seat, player.melds)
        far = {goal: self._steps(goal, player.hand) for goal in (*given, *self._dearer(given))}
        least = min(map(far.__getitem__, given), default=NEVER)
        if least >= NEVER:
            return
        # A hand that is nearer than all that may win is worth too little.
        most = least if self._fixed else least + _WITHIN
        near = sorted((goal for goal in far if least <= far[goal] <= most), key=far.__getitem__)
        made: list[tuple[Tile, ...]] = []
        others = 0
        for goal, first in self._ways(near, player.hand):
            if first is not None and others == _FIRST_TILES and least > 1:
                return
            finished = self._finished(goal, first)
            if finished is not None and finished.tiles not in made and self._fits(finished):
                made.append(finished.tiles)
                others += first is not None
                yield finished

    def _ways(
        self, near: Sequence[Goal], hand: Sequence[Tile]
    ) -> Iterator[tuple[Goal, Tile | None]]:
        """Goals, then again those that are nearest with each tile that may come first."""
        yield from ((goal, None) for goal in near)
        least = self._steps(near[0], hand)
        nearest = takewhile(lambda goal: self._steps(goal, hand) == least, near)
        yield from ((goal, tile) for goal in nearest for tile in self._nearer(goal, hand))

    def _fits(self, finished: _Finished) -> bool:
        """Whether the hint says nothing else of this hand."""
        if finished.distance < self._distance:
            return False
        return finished.distance > 0 or finished.needs[0].kind in self._waits

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
        """The tile that may still come as this kind; a wild one where no other is left."""
        for tiles in (self._kinds.get(kind, ()), self._wild):
            left = {tile: self._left[tile] - needs.count(tile) for tile in tiles}
            if max(left.values(), default=0) > 0:
                return max(left, key=left.__getitem__)
        return None

    def _finished(self, goal: Goal, first: Tile | None) -> _Finished | None:
        """Draw the likeliest useful tile and throw away what is not needed, until it is done."""
        player = self._state.players[self._seat]
        hand, needs = player.hand, tuple[Tile, ...]()
        lacks = self._steps(goal, hand)
        distance = lacks - 1
        if lacks <= 0:
            return None
        while lacks > 0:
            more = self._with_useful(goal, hand, needs, lacks, first)
            if more is None:
                return None
            hand, needs, first, lacks = more, (*needs, more[-1]), None, lacks - 1
            rest = self._thrown(goal, hand, needs, lacks) if lacks else hand
            if rest is None:
                return None
            hand = rest
        finished = _Finished(play.ordered(hand), player.melds, needs, distance)
        opens = must_open(self._rules, self._state, self._seat)
        return self._opened(finished) if opens else finished

    def _with_useful(
        self,
        goal: Goal,
        hand: tuple[Tile, ...],
        needs: tuple[Tile, ...],
        lacks: int,
        first: Tile | None,
    ) -> tuple[Tile, ...] | None:
        """The hand with the likeliest tile that brings it nearer, at its end."""
        kinds = [first] if first is not None else self._nearer(goal, hand)
        drawn = [tile for kind in kinds if (tile := self._drawn(kind, needs)) is not None]
        drawn.sort(key=lambda tile: needs.count(tile) - self._left[tile])
        ways = ((*hand, tile) for tile in drawn)
        return next((more for more in ways if self._steps(goal, more) < lacks), None)

    def _thrown(
        self, goal: Goal, hand: tuple[Tile, ...], needs: tuple[Tile, ...], lacks: int
    ) -> tuple[Tile, ...] | None:
        """The hand without a tile that the goal does not need, lone ones first."""
        own = Counter(hand) - Counter(needs)
        lone = sorted(own, key=lambda tile: (tile.kind in self._wild, _company(tile, hand)))
        for tile in lone:
            rest = play.without(hand, (tile,))
            assert not isinstance(rest, Tile), "it is in the hand"
            if self._steps(goal, rest) <= lacks:
                return rest
        return None

    def _opened(self, finished: _Finished) -> _Finished | None:
        """The same hand with one set claimed, and a tile of it that comes later.

        Where every set that lacks a tile is the last to be completed, a tile of a complete set is
        thrown away and claimed again.
        """
        groups = dict.fromkeys(
            group
            for split in hands.splits(finished.tiles)
            for group in split
            if group.kind is not GroupKind.PAIR
        )
        for group in groups:
            lacking = [tile for tile in _tiles_of(group) if tile in finished.needs]
            rest = play.without(finished.tiles, _tiles_of(group))
            if lacking and any(tile in rest for tile in finished.needs):
                return self._with_claimed(finished, group, lacking[0])
        for group in groups:
            tiles = _tiles_of(group)
            if any(tile in finished.needs for tile in tiles):
                continue
            claimed = max(tiles, key=lambda tile: self._left[tile])
            if self._left[claimed] > 0:
                more = (claimed, *finished.needs)
                farther = replace(finished, needs=more, distance=finished.distance + 1)
                return self._with_claimed(farther, group, claimed)
        return None

    def _with_claimed(self, finished: _Finished, group: hands.Group, claimed: Tile) -> _Finished:
        tiles = _tiles_of(group)
        kind = SetKind.CHOW if group.kind is GroupKind.CHOW else SetKind.PUNG
        meld = Meld(kind, tiles, claimed, (self._seat - 1) % 4)
        rest = play.without(finished.tiles, tiles)
        assert not isinstance(rest, Tile), "the set is part of the hand"
        return replace(finished, tiles=rest, melds=(*finished.melds, meld), opened=meld)

    # --- what it is worth ---

    def worth(self, finished: _Finished) -> Plan | None:
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
        if verdict_on(rules, state, win).fault is not None:
            return None
        paid, earlier = rules.payment.settle(state, state.wins), state.wins[:-1]
        if not earlier:
            return paid
        before = rules.payment.settle(evolve(state, wins=earlier), earlier).deltas
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
    other = rules.turns.next_seat(state, seat)
    history = History()
    for step in range(1, _TURNS_PLAYED + 1):
        history = history.followed_by(0, Entry(Discard((other + step) % 4, UNKNOWN)))
    for win in state.wins:
        history = history.followed_by(0, Entry(win))
    player = evolve(
        state.players[seat],
        hand=rest,
        drawn=None,
        melds=melds,
    )
    rivers = {
        at: (Discarded(UNKNOWN), Discarded(tile if at == other else UNKNOWN)) for at in range(4)
    }
    players = {at: player if at == seat else state.players[at] for at in range(4)}
    before = evolve(
        state,
        players=tuple(evolve(one, river=(*one.river, *rivers[at])) for at, one in players.items()),
        phase=Phase.TO_DRAW,
        turn=seat,
        wall_left=rules.wall.undealt(state.options) - 1 - _TURNS_PLAYED,
        history=history,
        last_discard=None if drawn else LastDiscard(other, tile, 0),
        contested=None,
        paid=(0, 0, 0, 0),
    )
    if rules.judge.ready_calls and not player.ready:
        called = play.with_player(before, seat, ready=True)
        may_call = rules.judge.missing(evolve(called, wall_left=state.wall_left), seat) == ()
        before = called if may_call else before
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
