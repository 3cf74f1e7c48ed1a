"""Hands stand before the players: they have been dealt, or a hand is under way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Final

from engine.events import (
    Claim,
    Discard,
    DrawnHand,
    Foul,
    HandEnd,
    Indicator,
    Kong,
    Position,
    Win,
)
from engine.rules.wall import Wall
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from vision.decoder import prices
from vision.decoder.changes import Cleared, HandsStand
from vision.decoder.emission import evaluated
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.kept import FEW, KEPT
from vision.decoder.layout import NONE_LEFT, against_seat
from vision.decoder.likelihood import LIMITS, price
from vision.decoder.proposals.catch_up import caught_up
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.flowers import plays_with_flowers
from vision.decoder.proposals.middle import discarded, indicated
from vision.decoder.proposals.sets import set_shown
from vision.decoder.proposals.unseen import UNSURE, with_unseen_win
from vision.decoder.snapshot import Snapshot
from vision.decoder.table_evidence import TableEvidence
from vision.tracking.matching import pairs

LAY_S: Final = 0.15
"""What lay there before the camera came is seen at the first look, within so long."""
CLEARING_S: Final = 3.0
"""So long before the tiles are cleared away a hand that nobody won was over."""


def hands_stand(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    change = c.change
    assert isinstance(change, HandsStand), "only standing hands are explained here"
    snapshot = change.snapshot
    if hypothesis.playing:
        if snapshot is not None:
            known = caught_up(c, hypothesis, snapshot)
            yield from known
            if known:
                return
            for way in _under_way(c, hypothesis, snapshot):
                yield way.charged(prices.ANOTHER_HAND)
            return
        yield from _dealt_again(c, hypothesis, change)
        return
    yield from _dealt(c, hypothesis, change)
    if snapshot is not None:
        yield from _under_way(c, hypothesis, snapshot)


def cleared(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """The tiles of a hand are cleared away."""
    time_s = c.change.time_s
    if hypothesis.state.phase is Phase.SETTLED:
        yield from some(hypothesis.then(c.step(HandEnd())))
        return
    if hypothesis.playing:
        last_s = hypothesis.hand[-1].time_s if hypothesis.hand else 0.0
        ended = ended_unseen(c, hypothesis, max(time_s - CLEARING_S, last_s))
        if isinstance(c.change, Cleared) and c.change.unseen:
            yield from won_unseen(c, hypothesis)
        if ended is not None:
            yield ended
            return
    yield c.nothing(hypothesis, charges=prices.NO_SIGN)


def ended_unseen(
    c: Context, hypothesis: Hypothesis, over_s: float | None = None
) -> Hypothesis | None:
    """The hypothesis with the hand over: drawn, or nobody knows how, and a person must look at it.

    None where a person says that it was not drawn, and has not said how it ended.

    ``over_s``: when nobody played any more, where that was before the change.
    """
    over_s = c.change.time_s if over_s is None else over_s
    last = hypothesis.last_event()
    refused = last is not None and isinstance(last[1].event, Win) and last[1].flawed
    if last is not None and (refused or isinstance(last[1].event, Foul)):
        # Nobody played on after that: it ended the hand, or was none.
        stopped = hypothesis.then(c.step(HandEnd(), charges=prices.NO_SIGN))
        if stopped is not None:
            return stopped
    ended = c.drawn_out(hypothesis, over_s)
    if ended is None and c.may_be_drawn(hypothesis):
        # Nobody was seen to win, and tiles are left.
        drawn = c.step(DrawnHand("exhausted"), sure=UNSURE, charges=prices.NO_SIGN)
        ended = hypothesis.then(drawn)
    return None if ended is None else ended.then(c.step(HandEnd()))


def won_unseen(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """The hypothesis with a win while nobody looked, by each seat: it decides who deals next."""
    if hypothesis.state.winners or not c.may_be_drawn(hypothesis):
        return  # who has won first is known, or a person has yet to say how it ended
    seats = range(len(hypothesis.state.players))
    for won in chain(*(with_unseen_win(c, hypothesis, seat) for seat in seats)):
        # The others may have played on.
        over = won.then(c.step(DrawnHand("exhausted"), sure=UNSURE)) if won.playing else won
        yield from some(over and over.charged(prices.one_of(len(seats))).then(c.step(HandEnd())))


# --- a deal ---


def _dealt(c: Context, hypothesis: Hypothesis, change: HandsStand) -> Iterator[Hypothesis]:
    before = between_hands(c, hypothesis)
    if before is None:
        return
    known = bool(before.state.hand_number)
    dealers = before.state.may_deal or ([before.state.dealer] if known else range(4))
    snapshot = change.snapshot
    for dealer in dealers:
        start = before.next_hand(dealer) if known else before.first_hand(dealer)
        begun = before.then(c.step(start, tiles=snapshot.tiles if snapshot is not None else ()))
        if begun is None:
            continue
        if snapshot is None:
            yield begun.charged(
                prices.of_dealer(change.counts, begun.state.dealer, begun.rules.wall)
            )
            continue
        ways = [begun]
        for tile in sorted(snapshot.tiles, key=lambda tile: c.table.tiles[tile].first_s):
            after = [evaluated(new, c.table) for way in ways for new in _lay(c, way, change, tile)]
            ways = sorted(after, key=lambda way: way.cost)[:FEW]
        for way in ways:
            turn, drew = way.state.turn, way.state.phase is Phase.TO_DISCARD
            ways_held = (turn, None)[: 2 - drew]
            off = [
                prices.of_counts(snapshot, [0] * 4, holds, begun.rules.wall) for holds in ways_held
            ]
            yield way.charged(min(off, key=lambda one: one["miscounted"]))


def _lay(c: Context, hypothesis: Hypothesis, change: HandsStand, tile: int) -> Iterator[Hypothesis]:
    """What one tile on the table of a deal may be: an indicator, a discard since then, a thing."""
    snapshot, placed = change.snapshot, c.table.tiles[tile]
    assert snapshot is not None, "the table was seen"
    yield c.nothing(hypothesis, tile=tile)
    kind = hypothesis.rules.layout.indicator_kind(len(hypothesis.state.indicators))
    turn, rows = hypothesis.state.turn, c.table.layout.river == "rows"
    if c.table.layout.indicator_at == "wall" and tile in snapshot.turned_up:
        yield from () if kind is None else indicated(c, hypothesis, tile, kind)
    elif placed.first_s > change.from_s + LAY_S and (not rows or tile in snapshot.rivers[turn]):
        at = replace(c, change=replace(change, time_s=max(change.time_s, placed.first_s)))
        yield from discarded(at, hypothesis, tile, turn, against_seat(c.table, tile, turn))


def between_hands(c: Context, hypothesis: Hypothesis) -> Hypothesis | None:
    """The hypothesis where the next hand may start."""
    before: Hypothesis | None = hypothesis
    if hypothesis.playing:
        before = ended_unseen(c, hypothesis)
    elif hypothesis.state.phase is Phase.SETTLED:
        before = hypothesis.then(c.step(HandEnd()))
    if before is not None and before.state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME):
        before = before.begun(0.0, c.change.id)
    return before


def _dealt_again(c: Context, hypothesis: Hypothesis, change: HandsStand) -> Iterator[Hypothesis]:
    """Hands stand on an empty table, and the hypothesis is in the middle of a hand."""
    begun = any(player.river or player.melds for player in hypothesis.state.players)
    if not begun:
        yield hypothesis  # it is the hand that had just been dealt
        return
    yield c.nothing(hypothesis, charges=prices.ANOTHER_DEAL)
    ended = ended_unseen(c, hypothesis)
    if ended is not None:
        dealers = ended.state.may_deal or (ended.state.dealer,)
        yield from some(*(ended.then(c.step(ended.next_hand(dealer))) for dealer in dealers))


# --- a hand under way ---


@dataclass(frozen=True)
class Beginning:
    """Whose hand it is and who is to act, as far as the table tells."""

    dealer: int
    turn: int
    holds: bool
    """Who is to act holds one tile more than when waiting."""
    charges: dict[str, float]


def _under_way(c: Context, hypothesis: Hypothesis, found: Snapshot) -> Iterator[Hypothesis]:
    """The ways in which a hand that nobody saw begin may stand."""
    before = between_hands(c, hypothesis)
    if before is None:
        return
    for out, plays_on in _turned_over(found, hypothesis.rules.payment.most_out):
        for way in _as_found(c, hypothesis, before, out):
            yield way.charged(prices.of_plays_on(plays_on))


def _turned_over(found: Snapshot, most_out: int) -> Iterator[tuple[Snapshot, int]]:
    """Which hands that lie backs up have won, where the others play on, and how many have not."""
    down = [seat for seat in range(4) if found.down[seat]] if most_out else []
    for count in range(min(len(down), most_out - len(found.out)) + 1):
        for seats in combinations(down, count):
            yield found.with_out(seats), len(down) - count


def _as_found(
    c: Context, hypothesis: Hypothesis, before: Hypothesis, found: Snapshot
) -> Iterator[Hypothesis]:
    """The ways in which the hand may stand where it is known who has won."""
    things = [
        t for river in found.rivers for t in river if c.table.clutter(t) < LIMITS["odd_discard"]
    ]
    thrown = [t for river in found.rivers for t in river if t not in things]
    doubtful = sorted(thrown, key=c.table.clutter)[:KEPT] if len(thrown) > 1 else []
    for none in (things, *([*things, tile] for tile in doubtful)):
        rivers = tuple(tuple(t for t in river if t not in none) for river in found.rivers)
        most = FEW if none is not things else KEPT
        yield from _joined(c, hypothesis, before, replace(found, rivers=rivers), none, most)


def _joined(
    c: Context, hypothesis: Hypothesis, before: Hypothesis, found: Snapshot,
    things: Sequence[int], most: int,
) -> Iterator[Hypothesis]:  # fmt: skip
    """The likeliest ways to join the hand where ``things`` are no tiles of it."""
    first = before.state.hand_number == 0
    dealers = before.state.may_deal or (() if first else (before.state.dealer,))
    claims = [
        [set_shown(seat, tiles, before.state, c.table) for tiles in found.sets[seat]]
        for seat in range(4)
    ]
    ways = beginnings(found, claims, c.table, before.rules.wall)
    if dealers:
        ways = [way for way in ways if way.dealer in dealers]
    elif found.won:
        most *= 2  # whoever dealt, any of the others may be to act
    for way in sorted(ways, key=lambda one: price(one.charges))[:most]:
        position, sure, heap = _position(found, claims, way, before, c.table)
        sticks = len(position.ready or ()) if c.table.layout.ready_sign == "sideways" else 0
        start = (
            before.first_hand(way.dealer, sticks or None) if first else before.next_hand(way.dealer)
        )
        # Hardly anybody is ready with the first discard.
        at_once = sum(river[0].ready for river in position.rivers or () if river)
        charges = {**way.charges, **prices.of_joined(found, at_once)}
        begun = before.then(c.step(start).charged(charges))
        told = begun and begun.then(c.step(position, tiles=found.tiles, sure=sure))
        if told is None:
            continue
        told = replace(told, found=replace(found, rivers=heap))
        for tile in things:
            told = c.nothing(told, tile=tile)
        over = first and told.drawn_out(c.change.time_s, c.change.id) is not None
        # Nobody holds a tile too many, and the wall is used up: that hand was drawn.
        yield c.nothing(hypothesis, found.tiles) if over else told


def join(
    c: Context, before: Hypothesis, found: Snapshot, things: Sequence[int], most: int
) -> Iterator[Hypothesis]:
    """The likeliest ways to join a hand that is found like this, where it is under way."""
    for way in _joined(c, before, before, found, things, most):
        if way.playing:
            yield way


def beginnings(
    found: Snapshot, claims: Sequence[Sequence[Claim]], table: TableEvidence, wall: Wall
) -> list[Beginning]:
    """Who may have dealt and who is to act, by how much each hand holds and by the rivers.

    Every discard is followed by the next seat's turn, or by that of who claims it. In rows the
    rivers tell how often each seat has discarded; loose discards tell it of all seats together.
    Once somebody has won, nobody knows how many turns were passed over since then.
    """
    in_rows = table.layout.river == "rows"
    made = [len(river) for river in found.rivers]
    jumps_out, jumps_in, skipped = [0] * 4, [0] * 4, 0
    for seat, row in enumerate(claims):
        for claim in row:
            giver = claim.from_seat
            if giver is None:
                continue  # a closed kong
            made[giver] += 1
            if (seat - giver) % 4 != 1:
                jumps_out[giver] += 1
                jumps_in[seat] += 1
                skipped += (seat - giver - 1) % 4
    ways = []
    for dealer in range(4):
        places = prices.of_places(found, dealer, any(claims), table)
        for turn in (seat for seat in range(4) if seat not in found.out):
            # Who has won draws in an event of its own: the hand that won lies there without it.
            for holds in (False, True) if not found.hands[turn] else (False,):
                odd = 0
                if in_rows and not found.won:
                    for seat in range(4):
                        came = (seat == dealer) + made[seat - 1] - jumps_out[seat - 1]
                        came += jumps_in[seat] - (seat == turn and not holds)
                        odd += abs(made[seat] + (seat == turn and holds) - came)
                elif not found.won and (dealer + sum(made) + skipped - turn) % 4:
                    odd = 2
                charges = {
                    **prices.of_counts(
                        found, list(map(len, claims)), turn if holds else None, wall
                    ),
                    **prices.of_turn(odd),
                    **places,
                }
                ways.append(Beginning(dealer, turn, holds, charges))
    return ways


def _position(
    found: Snapshot, claims: Sequence[Sequence[Claim]], way: Beginning, before: Hypothesis,
    table: TableEvidence,
) -> tuple[Position, float, tuple[tuple[int, ...], ...]]:  # fmt: skip
    """What lies there, how sure its faces are, and the tracks of its rivers."""
    layout = before.rules.layout
    named = [tile for row in claims for claim in row for tile in _tiles_of(claim)]
    left = Counter(before.rules.wall.under(before.state.options))
    left.subtract(tile for tile in named if tile.known)
    in_wall, turns = layout.indicator_at == "wall", layout.ready_sign == "sideways"
    turned = found.turned_up if in_wall else ()
    thrown = [list(river) for river in found.rivers]
    if not in_wall:
        thrown[way.turn - 1] += found.turned_up
    opened = [tile for row in (*found.hands, *found.apart) for tile in row]
    lying = [*turned, *(t for river in thrown for t in river), *opened]
    faces, sure = faces_within(lying, left, table)
    rivers = tuple(
        tuple(Discard(seat, faces[tile], turns and table.sideways(tile, seat)) for tile in river)
        for seat, river in enumerate(thrown)
    )
    ready = tuple(
        seat
        for seat in range(4)
        if found.down[seat] or any(discard.ready for discard in rivers[seat])
    )
    hands = [tuple(faces[tile] for tile in row) for row in found.hands]
    wall = before.rules.wall
    if way.holds:
        hands[way.turn] = (UNKNOWN,) * (wall.waiting(len(claims[way.turn])) + 1)
    indicators = [
        Indicator(faces[tile], kind)
        for at, tile in enumerate(turned)
        if (kind := layout.indicator_kind(at)) is not None
    ]
    position = Position(
        hands=tuple(hands) if any(hands) else None,
        sets=tuple(tuple(row) for row in claims),
        rivers=rivers,
        wall_left=_wall_left(found, claims, way, before) if found.won else None,
        turn=way.turn,
        ready=ready,
        indicators=tuple(indicators),
        won=found.won or None,
        flowers=_flowers(found, before),
    )
    return position, sure, tuple(tuple(river) for river in thrown)


def _flowers(found: Snapshot, before: Hypothesis) -> tuple[tuple[Tile, ...], ...] | None:
    """The flowers that lie there; None in a game without them."""
    if not plays_with_flowers(before):
        return None
    return tuple((UNKNOWN,) * len(row) for row in found.flowers)


def _wall_left(
    found: Snapshot, claims: Sequence[Sequence[Claim]], way: Beginning, before: Hypothesis
) -> int | None:
    """The tiles that lie nowhere else; None where a winner's hand does not lie there any more.

    Where a winning tile lies, the count alone tells: in the winner's hand or still in a river.
    """
    wall = before.rules.wall
    if any(found.held[seat] < wall.hand_size for seat in found.out):
        return None
    lying = sum(found.held[seat] for seat in found.out) + found.discards + len(found.turned_up)
    lying += sum(map(len, found.apart))
    for seat in set(range(4)) - set(found.out):
        lying += wall.waiting(len(claims[seat])) + (way.holds and seat == way.turn)
        lying += sum(4 if isinstance(claim, Kong) else 3 for claim in claims[seat])
    return max(0, sum(before.rules.wall.under(before.state.options).values()) - lying)


def faces_within(
    tiles: Sequence[int], left: Counter[Tile], table: TableEvidence
) -> tuple[dict[int, Tile], float]:
    """The likeliest faces of tiles, of each as many as there are copies left.

    Also how sure the least sure one is; ``?`` where nothing that is left is likely.
    """
    sure = [tile for tile in tiles if not table.doubtful(tile)]
    likely = {tile: dict(table.candidate_faces(tile)) for tile in sure}
    asked = {face for faces in likely.values() for face in faces}
    copies = [face for face in sorted(asked) if face.known for _ in range(left[face])]
    costs = [[likely[tile].get(face, NONE_LEFT) for face in copies] for tile in sure]
    faces = dict.fromkeys(tiles, UNKNOWN)
    faces |= {sure[at]: copies[to] for at, to in pairs(costs, NONE_LEFT).items()}
    return faces, min((table.tiles[tile].confidence for tile in tiles), default=1.0)


def _tiles_of(claim: Claim) -> tuple[Tile, ...]:
    if isinstance(claim, Kong):
        return (claim.tile,) * 4
    return (claim.tile, *claim.own)
