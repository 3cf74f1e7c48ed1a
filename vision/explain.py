"""What may have been done: for each happening, the events that explain it and what each costs.

Costs are negative log-likelihoods, so that a story's cost is the sum over its events.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from typing import Final

import numpy as np

from engine.events import (
    Chow,
    Discard,
    DrawnHand,
    Event,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Reveal,
    Win,
)
from engine.rules.base import RuleSet
from engine.state import Phase, SetKind
from engine.tiles import UNKNOWN, Tile
from vision.classes import FACE_INDEX, FACES, Side, face_class
from vision.happen import Added, Dealt, Happening, LaidDown, Opened, Put, SetLaid, TurnedUp, Washed
from vision.observe import LEAST_SURE, Placed
from vision.story import Story
from vision.table import to_seat

NOISE: Final = 9.0
"""A face in the middle was a misreading of nothing."""
FLEETING: Final = 1.0
"""The same, when it is not there any more and nobody took it."""
MISSED: Final = 5.5
"""A discard was never seen."""
FEW_LOOKS: Final = 3
SEEN_LATE: Final = 1.5
"""A face appears that was put there some time ago."""
LATE_EVENTS: Final = 16
UNSEEN_SET: Final = 14.0
"""Tiles laid beside a hand mean nothing."""
STILL_THERE: Final = 2.0
"""A claimed tile still lies in the middle."""
TURNED_OTHERWISE: Final = 2.5
"""The sideways tile of a set points to somebody else."""
NO_SIGN: Final = 9.0
"""A hand was laid down and nobody claimed anything."""
APART_SHARE: Final = 0.25
"""A winning tile lies apart from its hand by more than this share of a tile's width."""
NO_FACE: Final = 4.0
"""A tile of an open set shows its back, or seems to stand."""
WRONG: Final = 0.03
"""Share of readings that are sure of themselves and wrong: half a tile, a tile under glare."""
NOT_TURNED: Final = 3.0
"""A tile of a set that lies upright was the claimed one."""
HAND_LEFT_OUT: Final = 3.0
"""A winning hand whose faces are not written down."""
SURE_OF_HAND: Final = 6.0
"""The same, although every face in it was read well: people do declare false wins."""
FACES_TRIED: Final = 3
LEAST_LIKELY: Final = 0.01
HANDS_TRIED: Final = 10


@dataclass(frozen=True)
class Scene:
    """What is known of the tiles at the moment of judging."""

    tiles: Mapping[int, Placed]
    present: Collection[int]
    """Ids of what lies on the table now."""
    tile_mm: float
    in_play: np.ndarray | None = None
    """(38,) 1 for every face that the game has, else 0; None where any may be."""

    def likely(self, tile: int, most: int = FACES_TRIED) -> list[tuple[Tile, float]]:
        """Faces that a tile may show, with their costs, likeliest first."""
        shares = self.shares(tile)
        order = np.argsort(-shares)[:most]
        found = [(Tile(FACES[i]), -math.log(shares[i])) for i in order if shares[i] > LEAST_LIKELY]
        return found or [(UNKNOWN, 0.0)]

    def doubtful(self, tile: int) -> bool:
        """Whether what was read is unsure, or a face that the game does not have."""
        shares = self.tiles[tile].probabilities
        if self.in_play is not None:
            shares = shares * self.in_play
        return float(shares.max()) < LEAST_SURE

    def shares(self, tile: int) -> np.ndarray:
        placed = self.tiles[tile]
        shares = placed.probabilities
        if placed.side is not Side.FACE or not shares.any():
            return np.full(len(FACES), 1 / len(FACES))
        if self.in_play is not None:
            # What the game does not have cannot lie here, however sure the reading is.
            shares = (shares + 1e-9) * self.in_play
            shares = shares / shares.sum()
        return np.asarray(shares)

    def cost_of(self, tile: int, face: Tile) -> float:
        if self.tiles[tile].side is not Side.FACE:
            return NO_FACE
        if not face.known:
            return 1.0
        share = float(self.shares(tile)[FACE_INDEX[str(face)]])
        return -math.log((1 - WRONG) * share + WRONG / len(FACES))


def in_play(rules: RuleSet) -> np.ndarray:
    """Which faces a game by these rules has."""
    faces = {face_class(tile) for tile in rules.wall}
    return np.array([face in faces for face in FACES], float)


def explain(happening: Happening, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    """Every way to go on with a story so that it explains what happened."""
    match happening:
        case Dealt():
            yield from _dealt(happening, number, story)
        case Put():
            yield from _put(happening, number, story, scene)
        case SetLaid():
            yield from _set_laid(happening, number, story, scene)
        case Added():
            yield from _added(happening, number, story, scene)
        case LaidDown():
            yield from _laid_down(happening, number, story)
        case Opened():
            yield from _opened(happening, number, story, scene)
        case TurnedUp():
            yield from _turned_up(happening, number, story, scene)
        case Washed():
            yield from _washed(happening, number, story)


def _some(*stories: Story | None) -> Iterator[Story]:
    yield from (story for story in stories if story is not None)


# --- the beginning and the end of a hand ----------------------------------------------------------


def _dealt(happening: Dealt, number: int, story: Story) -> Iterator[Story]:
    if story.state.phase is Phase.BEFORE_GAME:
        begun = story.then(GameStart(story.rules.id), 0.0, number)
        assert begun is not None, "a game may always start"
        story = begun
    if story.state.phase not in (Phase.BEFORE_HAND, Phase.SETTLED):
        yield story.unchanged(NO_SIGN)
        return
    most = max(happening.counts)
    if story.state.hand_number:
        begun = story.then(HandStart(), happening.time_s, number)
        if begun is not None:
            yield begun.unchanged(0.0 if happening.counts[begun.state.dealer] == most else 1.5)
        return
    for dealer in range(4):
        cost = 0.0 if happening.counts[dealer] == most else 1.5
        yield from _some(story.then(HandStart(dealer=dealer), happening.time_s, number, cost))


def _washed(happening: Washed, number: int, story: Story) -> Iterator[Story]:
    time_s = happening.time_s
    if story.state.phase is Phase.SETTLED:
        yield from _some(story.then(HandEnd(), time_s, number))
        return
    if story.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
        drawn = story.drawn_out(_end_of_play(story, time_s), number)
        if drawn is None:
            # Nobody was seen to win, and tiles are left: what a person must look at.
            drawn = story.then(DrawnHand("exhausted"), time_s, number, NO_SIGN, sure=0.2)
        if drawn is not None:
            yield from _some(drawn.then(HandEnd(), time_s, number))
            return
    yield story.unchanged(NO_SIGN)


def _end_of_play(story: Story, time_s: float) -> float:
    """When a hand that nobody won was over: a moment before the tiles are cleared away."""
    return max(time_s - 3.0, story.told[-1].time_s if story.told else 0.0)


# --- discards -------------------------------------------------------------------------------------


def _put(happening: Put, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    placed = scene.tiles[happening.tile]
    if story.state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        yield story.unchanged(0.5)
        return
    fleeting = happening.tile not in scene.present and placed.looks < FEW_LOOKS
    yield story.unchanged(FLEETING if fleeting else NOISE)
    faces = scene.likely(happening.tile)
    yield from _seen_late(happening, story, faces)
    turn = story.state.turn
    best = max(happening.seats)
    for seat in range(4):
        seat_cost = best - happening.seats[seat]
        missed = (seat - turn) % 4
        if missed and seat_cost > 1.5:
            continue
        before = story
        if missed:
            skipped = [Discard((turn + step) % 4, UNKNOWN) for step in range(missed)]
            ways = story.all(skipped, happening.time_s - 0.1, number, MISSED * missed)
            if ways is None:
                continue
            before = ways
        for face, cost in faces:
            sure = math.exp(-cost)
            # A face that nothing speaks for is not written down.
            written = face if sure >= LEAST_SURE or len(faces) > 1 else UNKNOWN
            told = before.then(
                Discard(seat, written), happening.time_s, number, cost + seat_cost, sure
            )
            if told is not None:
                yield told.holding(happening.tile)


def _seen_late(
    happening: Put, story: Story, faces: Sequence[tuple[Tile, float]]
) -> Iterator[Story]:
    """A discard that was missed when it was made is seen now."""
    best = max(happening.seats)
    for place in range(len(story.told) - 1, max(-1, len(story.told) - LATE_EVENTS), -1):
        event = story.told[place].event
        if isinstance(event, HandStart):
            return
        if isinstance(event, Discard) and not event.tile.known:
            face, cost = faces[0]
            filled = story.changed(place, replace(event, tile=face))
            if filled is not None:
                off = min(best - happening.seats[event.seat], 2.0)
                yield filled.unchanged(cost + off + SEEN_LATE)


# --- claims ---------------------------------------------------------------------------------------


def _set_laid(happening: SetLaid, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    yield story.unchanged(UNSEEN_SET if story.state.phase is not Phase.SETTLED else 0.5)
    state, seat = story.state, happening.seat
    if state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        return
    tiles = happening.tiles
    backs = sum(scene.tiles[tile].side is Side.BACK for tile in tiles)
    if len(tiles) == 4 or (len(tiles) == 3 and backs):
        yield from _closed_kong(happening, number, story, scene)
    last = state.last_discard
    if last is None or last.seat == seat or last.added_kong:
        yield from _claim_of_unseen(happening, number, story, scene)
        return
    cost = 0.0
    if story.last_tile is not None and story.last_tile in scene.present:
        cost += STILL_THERE
    points_to = _fed_by(happening, scene)
    if points_to is not None and points_to != last.seat:
        cost += TURNED_OTHERWISE
    found = False
    for event, faces_cost in _claims(seat, last.seat, last.tile, tiles, scene):
        found = True
        sure = math.exp(-min(faces_cost, 5.0))
        yield from _some(
            story.then(event, happening.time_s, number, cost + faces_cost, sure),
        )
        if not isinstance(event, Kong):
            yield from _irregular_unless_ready(story, event, happening, number, cost + faces_cost)
    if not found or cost > 0:
        yield from _claim_of_unseen(happening, number, story, scene)
    yield from _claim_of_misread(happening, number, story, scene, cost)


def _irregular_unless_ready(
    story: Story, event: Chow | Pung, happening: SetLaid, number: int, cost: float
) -> Iterator[Story]:
    """A chow from across is regular when readiness is claimed with it."""
    plain = story.then(event, happening.time_s, number, cost)
    if plain is not None and plain.cost > story.cost + cost + 1.0:
        ready = story.then(replace(event, ready=True), happening.time_s, number, cost + 0.2)
        yield from _some(ready)


def _claims(
    seat: int, from_seat: int, tile: Tile, tiles: Sequence[int], scene: Scene
) -> Iterator[tuple[Chow | Pung | Kong, float]]:
    """Sets with the claimed tile that the laid tiles may show, likeliest first."""
    if not tile.known:
        yield from _claims_of_any(seat, from_seat, tiles, scene)
        return
    ways: list[tuple[float, Chow | Pung | Kong]] = []
    same = (tile.kind,) * 4
    if len(tiles) == 4:
        cost = _shown(same, tiles, scene)
        ways.append((cost, Kong(seat, "open", tile, from_seat, same[:3])))
    else:
        ways.append(
            (_shown(same[:3], tiles, scene), Pung(seat, from_seat, tile, (same[0], same[0])))
        )
        if tile.suit in "mps":
            for low in range(max(1, tile.rank - 2), min(7, tile.rank) + 1):
                run = [Tile(f"{rank}{tile.suit}") for rank in range(low, low + 3)]
                own = [other for other in run if other != tile.kind]
                cost = _shown((tile, *own), tiles, scene)
                ways.append((cost, Chow(seat, from_seat, tile, (own[0], own[1]))))
    ways.sort(key=lambda way: way[0])
    for cost, event in ways[:3]:
        if cost < ways[0][0] + 5.0 and cost < 9.0:
            yield event, cost


def _claims_of_any(
    seat: int, from_seat: int, tiles: Sequence[int], scene: Scene
) -> Iterator[tuple[Chow | Pung | Kong, float]]:
    """The same where the discard's face was not read: the set tells it."""
    shown = [scene.likely(tile, 2)[0][0] for tile in tiles]
    for face in dict.fromkeys(shown):
        if face.known:
            yield from _claims(seat, from_seat, face, tiles, scene)


def _shown(faces: Sequence[Tile], tiles: Sequence[int], scene: Scene) -> float:
    """Cost of reading the tiles as these faces, in whatever order; tiles may be missing."""
    costs = [[scene.cost_of(tile, face) for face in faces] for tile in tiles]
    missing = 1.5 * max(0, len(faces) - len(tiles))
    if len(tiles) > len(faces):
        return 20.0
    return missing + min(
        sum(row[place] for row, place in zip(costs, places, strict=False))
        for places in permutations(range(len(faces)), len(tiles))
    )


def _fed_by(happening: SetLaid, scene: Scene) -> int | None:
    """The seat that the sideways tile points to: left, middle or right for who fed it."""
    turned = [
        place
        for place, tile in enumerate(happening.tiles)
        if _sideways(scene.tiles[tile], happening.seat)
    ]
    if len(turned) != 1:
        return None
    place, last = turned[0], len(happening.tiles) - 1
    step = 3 if place == 0 else 1 if place == last else 2
    return (happening.seat + step) % 4


def _may_be_claimed(happening: SetLaid, scene: Scene) -> list[tuple[Tile, float]]:
    """Faces of a set that may be the claimed one: that of the sideways tile, if there is one."""
    turned = [t for t in happening.tiles if _sideways(scene.tiles[t], happening.seat)]
    costs: dict[Tile, float] = {}
    for tile in happening.tiles:
        face = scene.likely(tile, 1)[0][0]
        cost = 0.0 if len(turned) != 1 or tile in turned else NOT_TURNED
        if face.known:
            costs[face] = min(cost, costs.get(face, cost))
    return list(costs.items())


def _sideways(tile: Placed, seat: int) -> bool:
    off = (tile.turn_deg + 90.0 * seat) % 180
    return 45 < off < 135


def _claim_of_unseen(
    happening: SetLaid, number: int, story: Story, scene: Scene
) -> Iterator[Story]:
    """The claimed tile was discarded and taken before anybody could see it lie there."""
    state, seat = story.state, happening.seat
    if len(happening.tiles) < 3:
        return
    fed = _fed_by(happening, scene)
    feeders = [fed] if fed is not None else [other for other in range(4) if other != seat]
    for feeder in feeders:
        missed = (feeder - state.turn) % 4
        skipped = [Discard((state.turn + step) % 4, UNKNOWN) for step in range(missed)]
        for face, odd in _may_be_claimed(happening, scene):
            before = story.all(
                [*skipped, Discard(feeder, face)],
                happening.time_s - 0.5,
                number,
                MISSED * (missed + 1) + odd,
            )
            if before is None:
                continue
            for event, cost in _claims(seat, feeder, face, happening.tiles, scene):
                yield from _some(before.then(event, happening.time_s, number, cost, 0.5))


def _claim_of_misread(
    happening: SetLaid, number: int, story: Story, scene: Scene, cost: float
) -> Iterator[Story]:
    """The claimed tile was taken for another one when it was discarded."""
    place = len(story.told) - 1
    event = story.told[place].event if story.told else None
    if not isinstance(event, Discard) or story.last_tile is None:
        return
    was = scene.cost_of(story.last_tile, event.tile)
    for face, odd in _may_be_claimed(happening, scene):
        if face == event.tile:
            continue
        told = story.changed(place, replace(event, tile=face))
        if told is None:
            continue
        more = odd + max(scene.cost_of(story.last_tile, face) - was, 0.0)
        for claim, shown in _claims(happening.seat, event.seat, face, happening.tiles, scene):
            sure = math.exp(-min(shown, 5.0))
            yield from _some(told.then(claim, happening.time_s, number, cost + more + shown, sure))


def _closed_kong(happening: SetLaid, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    sides = [scene.tiles[tile].side for tile in happening.tiles]
    backs = sides.count(Side.BACK)
    cost = {0: 5.0, 1: 1.0, 2: 0.0, 3: 1.0, 4: 0.5}[backs] + 1.5 * (4 - len(sides))
    turn = story.state.turn
    missed = (happening.seat - turn) % 4
    skipped = [Discard((turn + step) % 4, UNKNOWN) for step in range(missed)]
    before = story.all(skipped, happening.time_s - 0.5, number, MISSED * missed)
    if before is None:
        return
    shown = [tile for tile in happening.tiles if scene.tiles[tile].side is Side.FACE]
    ways = _likely_all(shown, scene) if shown else [(UNKNOWN, 0.0)]
    for face, face_cost in ways:
        event = Kong(happening.seat, "closed", face, own=(face,) * 4)
        sure = math.exp(-min(face_cost, 5.0))
        yield from _some(before.then(event, happening.time_s, number, cost + face_cost, sure))


def _likely_all(tiles: Sequence[int], scene: Scene) -> list[tuple[Tile, float]]:
    """Faces that all these tiles may show alike."""
    total = sum(np.log(np.maximum(scene.shares(tile), 1e-6)) for tile in tiles)
    log = np.asarray(total)
    order = np.argsort(-log)[:FACES_TRIED]
    return [(Tile(FACES[i]), float(-log[i])) for i in order if log[i] > log[order[0]] - 5]


def _added(happening: Added, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    seat = happening.seat
    yield story.unchanged(UNSEEN_SET)
    for meld in story.state.players[seat].melds:
        if meld.kind is not SetKind.PUNG:
            continue
        face = meld.tiles[0]
        cost = scene.cost_of(happening.tile, face)
        event = Kong(seat, "added", face, meld.from_seat, own=(face,))
        yield from _some(story.then(event, happening.time_s, number, cost))


# --- readiness ------------------------------------------------------------------------------------


def _laid_down(happening: LaidDown, number: int, story: Story) -> Iterator[Story]:
    """The hand laid down says that ready was claimed with the discard or claim before it."""
    seat = happening.seat
    if story.state.players[seat].ready:
        yield story
        return
    yield story.unchanged(NO_SIGN)
    for place in range(len(story.told) - 1, max(-1, len(story.told) - 8), -1):
        event = story.told[place].event
        if isinstance(event, HandStart):
            return
        if not isinstance(event, Discard | Chow | Pung) or event.seat != seat:
            continue
        ready = story.changed(place, replace(event, ready=True), happening.time_s)
        claim = place - 1
        if isinstance(event, Discard) and claim >= 0:
            before = story.told[claim].event
            if isinstance(before, Chow | Pung) and before.seat == seat:
                # Claimed, discarded, laid down: most players who do so had claimed with the set.
                with_set = story.changed(claim, replace(before, ready=True))
                if with_set is not None:
                    yield with_set
                    ready = None if ready is None else ready.unchanged(1.0)
        yield from _some(ready)
        return


# --- hands laid open ------------------------------------------------------------------------------


def _opened(happening: Opened, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    state, seat = story.state, happening.seat
    yield story.unchanged(UNSEEN_SET)
    if state.phase is Phase.SETTLED:
        yield from _reveals(happening, number, story, scene)
        return
    if state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        return
    player = state.players[seat]
    size = 13 - 3 * len(player.melds)
    whole = len(happening.tiles) == size + 1
    last = state.last_discard
    if last is not None and last.seat != seat:
        yield from _won_by_claim(happening, number, story, scene, whole)
    if whole or len(happening.tiles) != size:
        yield from _won_by_draw(happening, number, story, scene)
    if whole:
        yield from _won_by_unseen(happening, number, story, scene)
    if len(happening.tiles) <= size:
        drawn = story.drawn_out(happening.time_s - 1.0, number)
        if drawn is not None:
            yield from _reveals(happening, number, drawn.unchanged(1.0), scene)


def _reveals(happening: Opened, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    if happening.seat in story.state.winners:
        yield story
        return
    for faces, cost in _hands(happening.tiles, scene, 4):
        sure = math.exp(-min(cost, 5.0))
        event = Reveal(happening.seat, faces)
        yield from _some(story.then(event, happening.time_s, number, cost, sure))


def _won_by_claim(
    happening: Opened, number: int, story: Story, scene: Scene, whole: bool
) -> Iterator[Story]:
    last = story.state.last_discard
    assert last is not None, "asked for where a tile was discarded"
    gone = story.last_tile is None or story.last_tile not in scene.present
    cost = 0.0 if gone == whole else 1.5
    for faces, faces_cost in _hands(happening.tiles, scene):
        hand = list(faces)
        if whole:
            if last.tile not in hand:
                continue
            hand.remove(last.tile)
        event = Win(happening.seat, last.seat, last.tile, _sorted(hand))
        yield from _win(story, event, happening, number, cost + faces_cost, scene)


def _won_by_draw(happening: Opened, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    apart = _apart(happening, scene)
    for faces, faces_cost in _hands(happening.tiles, scene):
        tried = set()
        for place, face in reversed(list(enumerate(faces))):
            if face in tried or (apart is not None and place != apart):
                continue
            tried.add(face)
            hand = faces[:place] + faces[place + 1 :]
            event = Win(happening.seat, happening.seat, face, _sorted(hand))
            cost = faces_cost + (0.0 if apart is not None else 1.0)
            yield from _win(story, event, happening, number, cost, scene)


def _won_by_unseen(happening: Opened, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    """The winning tile was discarded and taken before anybody could see it lie there."""
    apart = _apart(happening, scene)
    turn = story.state.turn
    if apart is None or turn == happening.seat:
        return
    faces, cost = next(_hands(happening.tiles, scene, 1))
    missed = Discard(turn, faces[apart])
    before = story.then(missed, happening.time_s - 1.0, number, MISSED, sure=0.5)
    if before is not None and before.state.last_discard is not None:
        yield from _won_by_claim(happening, number, before.unchanged(cost), scene, True)


def _win(
    story: Story, event: Win, happening: Opened, number: int, cost: float, scene: Scene
) -> Iterator[Story]:
    """The win with the hand as it was read, and with the hand left out where that is doubtful."""
    sure = math.exp(-min(cost, 5.0))
    won = story.then(event, happening.time_s, number, cost, sure)
    yield from _some(won)
    doubtful = any(scene.doubtful(tile) for tile in happening.tiles)
    if won is None or won.cost > story.cost + cost:
        # What the rules say of the hand speaks against its faces, or it is no win at all.
        left_out = HAND_LEFT_OUT if doubtful or won is None else HAND_LEFT_OUT + SURE_OF_HAND
        bare = replace(event, hand=None)
        yield from _some(story.then(bare, happening.time_s, number, cost + left_out, 0.3))


def _apart(happening: Opened, scene: Scene) -> int | None:
    """Place of the tile that lies apart or across; None where none does."""
    tiles = [scene.tiles[tile] for tile in happening.tiles]
    turned = [place for place, tile in enumerate(tiles) if _sideways(tile, happening.seat)]
    if len(turned) == 1:
        return turned[0]
    places = [float(to_seat(tile.xy_mm, happening.seat)[0]) for tile in tiles]
    gaps = [later - sooner for sooner, later in pairwise(places)]
    if not gaps:
        return None
    usual, widest = float(np.median(gaps)), int(np.argmax(gaps))
    if gaps[widest] - usual < APART_SHARE * scene.tile_mm:
        return None
    if widest == len(gaps) - 1:
        return len(tiles) - 1
    return 0 if widest == 0 else None


def _hands(
    tiles: Sequence[int], scene: Scene, most: int = HANDS_TRIED
) -> Iterator[tuple[tuple[Tile, ...], float]]:
    """Readings of a row of tiles, likeliest first."""
    options = [scene.likely(tile) for tile in tiles]
    start = (sum(option[0][1] for option in options), (0,) * len(options))
    heap, known = [start], {start[1]}
    while heap and most:
        cost, places = heapq.heappop(heap)
        yield tuple(option[place][0] for option, place in zip(options, places, strict=True)), cost
        most -= 1
        for at, option in enumerate(options):
            if places[at] + 1 < len(option):
                other = (*places[:at], places[at] + 1, *places[at + 1 :])
                if other not in known:
                    known.add(other)
                    more = option[places[at] + 1][1] - option[places[at]][1]
                    heapq.heappush(heap, (cost + more, other))


def _sorted(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, key=lambda tile: (tile.suit, tile.rank, tile)))


# --- indicators -----------------------------------------------------------------------------------

_KINDS: Final = {"harbin-hlr": "dora", "harbin-treasure": "treasure", "hangzhou": "fortune"}


def _turned_up(happening: TurnedUp, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    yield story.unchanged(UNSEEN_SET)
    kind = _KINDS.get(story.rules.id, "dora")
    ways = [story]
    if story.state.phase is Phase.TO_DRAW:
        # It is turned up after the last draws, too, when nobody has won.
        drawn = story.drawn_out(happening.time_s - 0.5, number)
        if drawn is not None:
            ways = [story.unchanged(2.0), drawn]
    for way in ways:
        for face, cost in scene.likely(happening.tile):
            event: Event = Indicator(face, kind)  # type: ignore[arg-type]
            sure = math.exp(-cost)
            yield from _some(way.then(event, happening.time_s, number, cost, sure))
