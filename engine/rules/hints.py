"""Hints for a known hand: how far it is from ready under the rules, and why.

A rule set says which hands win (``goals``), which conditions a hand lacks (``lacking``), and what a
claim costs beside tiles (``price_of_claim``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine import declare, play
from engine.announce import Hint, HintClaim, HintDiscard, Outlook, Reason, Wait
from engine.events import Chow, Claim, Discard, Flower, Kong, Pung, Seat, Win
from engine.evolve import evolve
from engine.hands import SETS_ONLY, HandForm
from engine.hands.goals import ANY_HAND, NO_MARKS, Goal, Marks, nearer, shape_of, steps
from engine.hands.hand_key import UNIT, HandKey, counts, fields, key_of
from engine.hands.missing_tiles import NEVER
from engine.possible_sets import Stock, claims_of, own_kongs_of, runs_with
from engine.rules.equal_discards import Kept, kept_for, valued_honours
from engine.rules.legal_events import (
    discardable,
    regular_claims,
    regular_flowers,
    regular_wins,
)
from engine.rules.waits import copies_left, whole_with
from engine.state import Meld, Phase, State
from engine.tiles import COPIES, Tile

if TYPE_CHECKING:
    from engine.rules.base import RuleSet

CONDITIONS: Final = {
    Marks.PUNG: "no_pung",
    Marks.CHOW: "no_chow",
    Marks.OUTER: "no_terminal_or_dragon",
}

ALWAYS_OPENS: Final = 4
"""With so many missing tiles some set can be claimed in time: the pair and one set lack at most
two and three, so one tile at least is left to wait for once a set is complete.
"""


@dataclass(frozen=True)
class Held:
    """Undeclared tiles as they count: some are wild, some stand in for others."""

    key: HandKey
    tiles: int
    wild: int


def goals_of(rules: RuleSet, state: State, seat: Seat, melds: tuple[Meld, ...]) -> Sequence[Goal]:
    """Kinds of hand that this seat can win with when these sets are declared: those that the game
    tells, else its forms, of which only sets and a pair may hold a declared set."""
    told = rules.teaching.goals(state, seat, melds)
    if told is not None:
        return told
    return _goals_of_forms(SETS_ONLY if melds else rules.judge.forms(state.options))


@lru_cache
def _goals_of_forms(forms: frozenset[HandForm]) -> tuple[Goal, ...]:
    return tuple([Goal(form=form) for form in HandForm if form in forms])


def held(state: State, wild: Collection[Tile], tiles: Sequence[Tile]) -> Held:
    """Undeclared tiles as they count; ``wild``: the kinds that are."""
    plain = [state.read_as(tile) for tile in tiles if tile.kind not in wild]
    return Held(key_of(plain), len(tiles), len(tiles) - len(plain))


def complete(rules: RuleSet, state: State, seat: Seat) -> bool:
    """Whether the tiles alone make a whole hand, whatever else the rules ask of a win."""
    player = state.players[seat]
    now = held(state, state.wild, player.hand)
    shape = shape_of(rules.wall.under(state.options))
    goals = (shape, *goals_of(rules, state, seat, player.melds))
    return any(steps(goal, now.key, now.tiles, now.wild) == 0 for goal in goals)


def must_open(rules: RuleSet, state: State, seat: Seat) -> bool:
    """Whether drawing alone cannot make this hand ready."""
    return "not_open" in rules.teaching.lacking(state, seat, state.players[seat].hand)


class Teacher:
    """Judges one hand in one state; its look-ups are shared by all discards."""

    def __init__(self, rules: RuleSet, state: State, seat: Seat) -> None:
        self._rules = rules
        self._state = state
        self._seat = seat
        self._wild = state.wild
        self._left = copies_left(rules, state, seat)
        self._shape = shape_of(rules.wall.under(state.options))
        self._kinds = tuple(dict.fromkeys(tile.kind for tile in rules.wall.under(state.options)))

    # --- what is known of a hand ---

    def _stock(self) -> Stock:
        return Stock(self._state, self._seat, self._rules.wall.under(self._state.options))

    def held(self, tiles: Sequence[Tile]) -> Held:
        return held(self._state, self._wild, tiles)

    def distance(self, tiles: Sequence[Tile], melds: tuple[Meld, ...]) -> int:
        """Exchanges until the hand lacks one tile, whatever that tile may be."""
        held = self.held(tiles)
        goals = goals_of(self._rules, self._state, self._seat, melds)
        ways = (steps(goal, held.key, held.tiles, held.wild) for goal in goals)
        return min(ways, default=NEVER) - 1

    def outlook(self, state: State, tiles: Sequence[Tile]) -> Outlook:
        """How near to ready the waiting hand is; ``state`` is the one in which it waits."""
        rules, seat = self._rules, self._seat
        melds = state.players[seat].melds
        held = self.held(tiles)
        goals = goals_of(rules, state, seat, melds)
        if not goals:
            return Outlook(None, reasons=(Reason("never"),))
        missing = [steps(goal, held.key, held.tiles, held.wild) for goal in goals]
        least = min(missing)
        best = [goal for goal, lack in zip(goals, missing, strict=True) if lack == least]
        distance = least - 1
        waits: tuple[Wait, ...] = ()
        # What bars the seat is said first, because then nothing else can help it.
        barred = [Reason(code) for code in sorted(state.players[seat].irregular)]
        reasons = list(barred)
        shape = steps(self._shape, held.key, held.tiles, held.wild) - 1
        if min(distance, shape) == 0:
            waits = rules.waits(state, seat) or ()
            if any(map(_wins, waits)):
                return _ready(waits, barred)
            reasons += [
                Reason(code) for code in dict.fromkeys(wait.refused for wait in waits) if code
            ]
            distance = max(distance, 1)
        near = {tile for goal in best for tile in nearer(goal, held.key, held.tiles, held.wild)}
        if must_open(rules, state, seat):
            reasons = [
                Reason("needs_claim"),
                *(reason for reason in reasons if reason.code != "not_open"),
            ]
            if least > 1 and not self._opens_in_time(held, melds, least, near):
                distance = least
        elif not self._can_come(best, held, melds, least):
            distance = least
        if shape < least - 1:
            reasons += self._conditions(best[0], held, least)
        reasons += [Reason("aims_at", goal.name) for goal in best if goal.name]
        useful = self._useful(near)
        left = sum(self._left[tile] for tile in useful)
        if not left:
            reasons.append(Reason("none_left"))
        return Outlook(distance, (), useful, left, _once(reasons), waits)

    def _useful(self, kinds: Collection[Tile]) -> tuple[Tile, ...]:
        """Those of which copies are left, as they are drawn; wild tiles serve as any kind."""
        return tuple(
            tile
            for tile in self._kinds
            if self._left[tile] > 0 and (tile in self._wild or self._state.read_as(tile) in kinds)
        )

    # --- conditions ---

    def _conditions(self, goal: Goal, held: Held, least: int) -> Iterator[Reason]:
        """Conditions without which the hand would be nearer, and by how much."""
        for mark, code in CONDITIONS.items():
            if mark in goal.marks:
                yield from self._if_nearer(code, goal, held, least, mark)
        if goal.second_suit is not None:
            yield from self._if_nearer("one_suit", replace(goal, second_suit=None), held, least)
        worth = self._rules.teaching.lacks_worth
        if worth is not None and (goal.name or goal.with_sets):
            yield from self._if_nearer(worth, ANY_HAND, held, least)

    def _if_nearer(
        self, code: str, eased: Goal, held: Held, least: int, but: Marks = NO_MARKS
    ) -> Iterator[Reason]:
        more = least - steps(eased, held.key, held.tiles, held.wild, but)
        if more > 0:
            yield Reason(code, more)

    def _can_come(
        self, goals: Sequence[Goal], held: Held, melds: tuple[Meld, ...], least: int
    ) -> bool:
        """Whether some shortest way needs no tile of which the own sets hold the last copies.

        The tables only count copies in the hand, so this matters where all four are held.
        """
        own = Counter(self._state.read_as(tile) for meld in melds for tile in meld.tiles)
        gone = {tile for tile, count in own.items() if count + _copies(held.key, tile) >= COPIES}
        if not any(_is_near(held.key, tile) for tile in gone):
            return True
        return any(_comes(goal, held, own, least) for goal in goals)

    def _opens_in_time(
        self, held: Held, melds: tuple[Meld, ...], least: int, near: Iterable[Tile]
    ) -> bool:
        """Whether some set can be claimed on the shortest way, before the last tile.

        ``near``: the kinds that bring the hand nearer.
        """
        if least >= ALWAYS_OPENS:
            return True
        for tile in near:
            for claim in _sets_with(tile, self._seat):
                own = claim.own or ()
                if not _holds(held.key, own):
                    continue
                after = Held(held.key - sum(UNIT[kind] for kind in own), held.tiles - 2, held.wild)
                made = (*melds, declare.meld_of(claim))
                ways = goals_of(self._rules, self._state, self._seat, made)
                if min(steps(way, after.key, after.tiles, after.wild) for way in ways) < least:
                    return True
        goals = goals_of(self._rules, self._state, self._seat, melds)
        for tile in near if least > 2 else ():
            after = replace(held, key=held.key + UNIT[tile])
            then = {
                other
                for goal in goals
                if steps(goal, after.key, after.tiles, after.wild) == least - 1
                for other in nearer(goal, after.key, after.tiles, after.wild)
            }
            if self._opens_in_time(after, melds, least - 1, then):
                return True
        return False

    # --- discards and claims ---

    def copies(self, outlooks: Iterable[Outlook | HintDiscard | HintClaim]) -> tuple[Wait, ...]:
        """Every useful tile of what is told, with the copies of it that are left."""
        useful = sorted({tile for outlook in outlooks for tile in outlook.useful})
        return tuple(Wait(tile, self._left[tile]) for tile in useful)

    def discards(self) -> tuple[HintDiscard, ...]:
        """Every discard that the rules allow, the best one first, equals as a teacher would.

        Where they allow none, each with the rule that it breaks.
        """
        state, seat = self._state, self._seat
        allowed = list(discardable(self._rules, state, seat))
        rows = []
        for tile in allowed or dict.fromkeys(state.players[seat].hand):
            event = Discard(seat, tile)
            after = _discarded(state, event)
            seen = self.outlook(after, after.players[seat].hand)
            broken = () if allowed else self._rules.faults(state, event)
            why = (*(Reason(fault.code) for fault in broken), *seen.reasons)
            rows.append(
                HintDiscard(
                    tile, seen.waits, seen.distance, seen.useful, seen.left, why, seen.refused
                )
            )
        kept = self._kept_for(state)
        return tuple(sorted(rows, key=lambda row: (_rank(row), kept(row.tile))))

    def _kept_for(self, state: State) -> Callable[[Tile], Kept]:
        """What speaks for keeping a tile among discards that are equal otherwise."""
        hand = state.players[self._seat].hand
        valued = valued_honours(state, self._seat)
        bonus = dict(self._rules.teaching.bonus(state)) | dict.fromkeys(self._wild, 1)
        return lambda tile: kept_for(tile, hand, valued, bonus, self._left)

    def claims(self, now: Outlook) -> tuple[HintClaim, ...]:
        """What claiming the last discard would lead to; forbidden claims come last."""
        state, seat = self._state, self._seat
        allowed = list(regular_claims(self._rules, state, seat))
        rows = [self._claim(claim, now) for claim in allowed]
        open_to = {(type(claim), claim.own) for claim in allowed}
        for claim in claims_of(state, seat, self._stock()):
            if (type(claim), claim.own) not in open_to:
                codes = dict.fromkeys(fault.code for fault in self._rules.faults(state, claim))
                # No player considers a chow from across.
                if "not_left_neighbour" not in codes:
                    why = tuple(map(Reason, codes))
                    rows.append(HintClaim(claim, forbidden=True, reasons=why))
        return tuple(sorted(rows, key=_rank_of_claim))

    def kongs(self, best: HintDiscard) -> tuple[HintClaim, ...]:
        """What a kong on the own turn would lead to, compared with the best discard."""
        state, seat = self._state, self._seat
        rows = []
        for kong in own_kongs_of(state, seat, self._stock()):
            codes = dict.fromkeys(fault.code for fault in self._rules.faults(state, kong))
            if codes:
                rows.append(HintClaim(kong, forbidden=True, reasons=tuple(map(Reason, codes))))
            else:
                rows.append(self._claim(kong, best))
        return tuple(sorted(rows, key=_rank_of_claim))

    def _claim(self, claim: Claim, now: Outlook | HintDiscard) -> HintClaim:
        """What follows a claim and its best discard, or a kong."""
        seat = self._seat
        if isinstance(claim, Kong) and claim.kind != "open":
            after = declare.own_kong(self._state, claim, -1)
        else:
            after = declare.claim(self._state, claim)
        after = after.noted(claim, -1)
        price = self._rules.teaching.price_of_claim(self._state, claim)
        if isinstance(claim, Kong):
            tile, seen = None, self.outlook(after, after.players[seat].hand)
        else:
            tile, seen = self._best_discard(after)
        why = (*_change(now, seen), *price, *seen.reasons)
        return HintClaim(
            claim, tile, seen.waits, seen.distance, seen.useful, seen.left, why, seen.refused
        )

    def _best_discard(self, state: State) -> tuple[Tile, Outlook]:
        seat = self._seat
        hand, melds = state.players[seat].hand, state.players[seat].melds
        rests = {
            tile: hand[:place] + hand[place + 1 :]
            for place, tile in enumerate(hand)
            if not self._rules.faults(state, Discard(seat, tile))
        } or {tile: hand[:place] + hand[place + 1 :] for place, tile in enumerate(hand)}
        far = {tile: self.distance(rest, melds) for tile, rest in rests.items()}
        nearest = [tile for tile, distance in far.items() if distance == min(far.values())]
        seen = {
            tile: self.outlook(_discarded(state, Discard(seat, tile)), rests[tile])
            for tile in nearest
        }
        kept = self._kept_for(state)
        best = min(
            nearest,
            key=lambda tile: (_far(seen[tile].distance), -seen[tile].left, kept(tile)),
        )
        return best, seen[best]


def hint(rules: RuleSet, state: State, seat: Seat) -> Hint:
    """Hint for this seat about its own hand; empty for a hidden hand."""
    player = state.players[seat]
    if state.phase not in play.IN_PLAY:
        return Hint(seat, (), audience=seat)
    if player.holds_flower:
        laid = player.hand[0]
        regular = Flower(seat, laid) in regular_flowers(rules, state)
        return Hint(seat, (), audience=seat, flower=laid if regular else None)
    if not player.known:
        return Hint(seat, (), audience=seat)
    waiting = player.hand[: len(player.hand) - player.holds_extra]
    if whole_with(rules, state, seat, waiting) is None:
        return Hint(seat, (), audience=seat)  # nobody knows yet what is wild
    win = _best_win(rules, state, seat)
    teacher = Teacher(rules, state, seat)
    if not player.holds_extra:
        now = teacher.outlook(state, player.hand)
        claims = teacher.claims(now)
        copies = teacher.copies((now, *claims))
        return Hint(seat, (), audience=seat, win=win, now=now, claims=claims, copies=copies)
    if state.phase is Phase.TO_DISCARD and state.turn == seat:
        discards = teacher.discards()
        kongs = teacher.kongs(discards[0])
        copies = teacher.copies((*discards, *kongs))
        return Hint(seat, discards, audience=seat, win=win, claims=kongs, copies=copies)
    return Hint(seat, (), audience=seat, win=win)


def _best_win(rules: RuleSet, state: State, seat: Seat) -> Win | None:
    """A win that the rules allow now: where the winner plays on, the one that leaves most waits."""
    wins = list(regular_wins(rules, state, seat))
    if len(wins) < 2 or rules.payment.wins_to_end is not None:
        return wins[0] if wins else None

    def left(win: Win) -> int:
        after = declare.plays_on(declare.win(state, win), win)
        waits = rules.waits(evolve(after, phase=state.phase), seat) or ()
        return sum(wait.left for wait in waits if _wins(wait))

    return max(wins, key=left)


def _discarded(state: State, event: Discard) -> State:
    return play.discard(state, event, -1).noted(event, -1)


def _wins(wait: Wait) -> bool:
    """Whether the tile wins, even if by own draw only."""
    return wait.refused is None or wait.by_draw_only is not None


def _ready(waits: tuple[Wait, ...], barred: list[Reason]) -> Outlook:
    good = tuple(wait for wait in waits if _wins(wait))
    refused = tuple(wait for wait in waits if not _wins(wait))
    left = sum(wait.left for wait in good)
    codes = [wait.by_draw_only or wait.refused for wait in good]
    gone = [] if left else [Reason("none_left")]
    reasons = [*barred, *gone, *(Reason(code) for code in dict.fromkeys(codes) if code)]
    return Outlook(0, good, tuple(wait.tile for wait in good), left, tuple(reasons), refused)


def _once(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Each reason once; a reason with a cost replaces the same reason without one."""
    counted = {reason.code for reason in reasons if reason.value is not None}
    kept = (reason for reason in reasons if reason.value is not None or reason.code not in counted)
    return tuple(dict.fromkeys(kept))


def _far(distance: int | None) -> int:
    return NEVER if distance is None else distance


def _rank(row: HintDiscard) -> tuple[int, int]:
    return _far(row.distance), -row.left


def _rank_of_claim(row: HintClaim) -> tuple[bool, int, int]:
    return row.forbidden, _far(row.distance), -row.left


def _change(now: Outlook | HintDiscard, seen: Outlook) -> tuple[Reason, ...]:
    """How a claim changes the distance."""
    if now.distance is None or seen.distance is None:
        return ()
    gain = now.distance - seen.distance
    if not gain:
        return (Reason("no_nearer"),)
    return (Reason("nearer", gain) if gain > 0 else Reason("farther", -gain),)


def _copies(key: HandKey, tile: Tile) -> int:
    return counts(fields(key)["mpsz".index(tile.suit)])[tile.rank - 1]


def _is_near(key: HandKey, tile: Tile) -> bool:
    """Whether the hand holds the tile, or one that could be in a chow with it."""
    held = counts(fields(key)["mpsz".index(tile.suit)])
    reach = 0 if tile.suit == "z" else 2
    return any(held[max(tile.rank - 1 - reach, 0) : tile.rank + reach])


def _comes(goal: Goal, held: Held, own: Counter[Tile], least: int) -> bool:
    """Whether so many tiles that bring the hand nearer can really come, one after another."""
    if least <= 0:
        return True
    return any(
        _comes(goal, replace(held, key=held.key + UNIT[tile]), own, least - 1)
        for tile in nearer(goal, held.key, held.tiles, held.wild)
        if own[tile] + _copies(held.key, tile) < COPIES
    )


def _holds(key: HandKey, own: Sequence[Tile]) -> bool:
    """Whether these two tiles of one suit are in the key."""
    suit = "mpsz".index(own[0].suit)
    held = counts(fields(key)[suit])
    return all(held[tile.rank - 1] >= count for tile, count in Counter(own).items())


def _sets_with(tile: Tile, seat: Seat) -> Iterator[Chow | Pung]:
    """Every set that a claimed tile can make."""
    yield Pung(seat, (seat - 1) % 4, tile, (tile, tile))
    for first, second in runs_with(tile):
        yield Chow(seat, (seat - 1) % 4, tile, (first, second))
