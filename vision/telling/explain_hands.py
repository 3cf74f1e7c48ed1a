"""A hand laid open: a win, by what tile, or a hand that is shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Discard, Draw, DrawnHand, Indicator, Reveal, Win
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from vision.telling.costs import UNSEEN_SET, sure_of
from vision.telling.explain_unseen import won_with_one_unseen
from vision.telling.missed import missed
from vision.telling.readings import HANDS_TRIED, apart_of, hands, in_order
from vision.telling.reread import with_room_for
from vision.telling.scene import TableEvidence, but_for_one
from vision.telling.story import Story, some
from vision.tracking.happenings import HandOpened

HAND_LEFT_OUT: Final = 3.0
"""A winning hand whose faces are not written down."""
SURE_OF_HAND: Final = 6.0
"""The same, although every face in it was read well: people do declare false wins."""
NO_MORE_DRAWS: Final = 2.5
"""The same with the last discard before the hand is drawn: then people show hands that wait."""
DRAWN_AFTER: Final = 1.0
"""A discard that nobody saw was not the tile that the hand opened after it won with."""
NOT_WON_TOO: Final = 0.5
"""A hand is shown beside the winner's and does not win, though it might."""
DOUBTED: Final = (0.2, 0.6)
"""How likely some tile of a hand was misread for its faces to count fully, and not at all."""
MOST_TRIED: Final = 40
"""Readings of a hand that are tried; the unlikelier ones only count if they win."""
NOT_APART: Final = 1.0
"""The tile that a hand won with lies in its row like any other."""
LIES_THERE: Final = 3.0
"""The tile that a whole hand was claimed with still seems to lie where it was discarded."""
NOT_FOUND: Final = 1.5
"""It does not, and the hand is not whole: it was taken there and not found."""
VANISHED: Final = 3.0
"""The last discard is gone, and nobody is said to have claimed it."""
HARDLY: Final = 8.0
"""In stories that cost so much, a tile that was not found is not looked for."""


def opened(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    yield story.unchanged(UNSEEN_SET)
    yield from _opened(happening, number, story, scene)
    for others, cost in but_for_one(happening.tiles, scene):
        fewer = replace(happening, tiles=others)
        yield from _opened(fewer, number, story.unchanged(cost), scene)


def _opened(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    state, seat = story.state, happening.seat
    if state.phase is Phase.SETTLED:
        yield from _won_too(happening, number, story, scene)
        yield from _reveals(happening, number, story.unchanged(NOT_WON_TOO), scene)
        return
    if state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        return
    if seat in state.retired:
        yield story
        return
    if state.contested is not None:
        yield from _won_too(happening, number, story, scene)
    player = state.players[seat]
    size = 13 - 3 * len(player.melds)
    whole = len(happening.tiles) == size + 1
    last = state.last_discard
    if size - 1 <= len(happening.tiles) <= size and story.cost < HARDLY:
        yield from won_with_one_unseen(happening, number, story, scene, size)
    if last is not None and last.seat != seat:
        yield from _won_by_claim(happening, number, story, scene, whole)
    if whole or len(happening.tiles) != size:
        yield from _won_by_draw(happening, number, story, scene, whole)
    if whole:
        yield from _won_by_unseen(happening, number, story, scene)
        skipped = story.discards_until(seat)
        before = missed(skipped, happening.time_s - 1.0, number, story, scene)
        if skipped and before is not None:
            drawn_after = before.unchanged(DRAWN_AFTER * len(skipped))
            yield from _won_by_draw(happening, number, drawn_after, scene, whole)
    else:
        yield from _won_by_rush(happening, number, story, scene)
    if whole and state.turn == seat:
        yield from _called_off(happening, number, story, scene)
    if len(happening.tiles) <= size:
        drawn = story.drawn_out(happening.time_s - 1.0, number)
        if drawn is not None:
            yield from _reveals(happening, number, drawn.unchanged(1.0), scene)


def _reveals(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    if happening.seat in story.state.winners:
        yield story
        return
    size = 13 - 3 * len(story.state.players[happening.seat].melds)
    lacks = size - len(happening.tiles)
    unseen = (UNKNOWN,) * lacks if lacks in (1, 2) else ()
    for faces, cost in hands(happening.tiles, scene, 4):
        sure = sure_of(cost)
        event = Reveal(happening.seat, (*faces, *unseen))
        yield from some(story.then(event, happening.time_s, number, cost, sure))


def _won_too(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """A second hand that is opened may win on the same tile, where several may win."""
    state, seat = story.state, happening.seat
    claimed = (win for win in reversed(state.wins) if win.from_seat != win.seat)
    first = next(claimed, None)
    if first is None or seat in (*state.winners, first.from_seat):
        return
    if len(happening.tiles) != 13 - 3 * len(state.players[seat].melds):
        return
    for faces, cost in hands(happening.tiles, scene, 4):
        event = Win(seat, first.from_seat, first.tile, in_order(faces))
        sure = sure_of(cost)
        yield from some(story.then(event, happening.time_s, number, cost, sure))


def _won_by_rush(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """A hand that wins without a draw: with a tile that was only looked at."""
    last = story.told[-1].event if story.told else None
    if not isinstance(last, Indicator):
        return
    for event in story.rules.legal(story.state):
        if isinstance(event, Win) and event.seat == event.from_seat == happening.seat:
            for faces, cost in hands(happening.tiles, scene, 4):
                won = replace(event, hand=in_order(faces))
                yield from _win(story, won, happening, number, cost, scene)


def _called_off(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """A hand of the first turn that is shown because its player may call the hand off."""
    faces, cost = next(hands(happening.tiles, scene, 1))
    shown = Reveal(happening.seat, faces)
    known = story.then(shown, happening.time_s, number)
    if known is None or known.state.phase is not Phase.TO_DISCARD:
        return
    for event in story.rules.legal(known.state):
        if isinstance(event, DrawnHand):
            drawn: Story | None = story
            if story.state.phase is Phase.TO_DRAW:
                drawn = story.then(Draw(happening.seat, UNKNOWN), happening.time_s, number)
            if drawn is not None:
                events = (event, shown)
                yield from some(drawn.all(events, happening.time_s, number, cost))


def _won_by_claim(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence, whole: bool
) -> Iterator[Story]:
    last = story.state.last_discard
    assert last is not None, "asked for where a tile was discarded"
    gone = story.last_tile is None or story.last_tile not in scene.present
    cost = 0.0 if gone == whole else NOT_FOUND if gone else LIES_THERE
    for tried, (faces, faces_cost) in enumerate(hands(happening.tiles, scene, MOST_TRIED)):
        hand = list(faces)
        if whole:
            if last.tile not in hand:
                continue
            hand.remove(last.tile)
        event = Win(happening.seat, last.seat, last.tile, in_order(hand))
        ways = _win(story, event, happening, number, cost + faces_cost, scene)
        yield from ways if tried < HANDS_TRIED else _by_the_rules(ways)


def _won_by_draw(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence, whole: bool
) -> Iterator[Story]:
    apart = apart_of(happening, scene, whole)
    gone = story.last_tile is not None and story.last_tile not in scene.present
    odd = VANISHED if gone else 0.0
    most = HANDS_TRIED if apart is None else MOST_TRIED
    for tried, (faces, faces_cost) in enumerate(hands(happening.tiles, scene, most)):
        for place, cost in _winning_places(faces, apart):
            hand = faces[:place] + faces[place + 1 :]
            event = Win(happening.seat, happening.seat, faces[place], in_order(hand))
            ways = _win(story, event, happening, number, odd + faces_cost + cost, scene)
            yield from ways if tried < HANDS_TRIED else _by_the_rules(ways)


def _winning_places(faces: Sequence[Tile], apart: int | None) -> Iterator[tuple[int, float]]:
    """Where in a row the tile that it won with may lie, each face once, and what that costs."""
    if apart is not None:
        yield apart, 0.0
        return
    tried = set()
    for place, face in reversed(list(enumerate(faces))):
        if face not in tried:
            tried.add(face)
            yield place, NOT_APART


def _won_by_unseen(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """The winning tile was discarded and taken before anybody could see it lie there."""
    apart = apart_of(happening, scene, whole=True)
    turn = story.state.turn
    if turn == happening.seat:
        return
    faces, cost = next(hands(happening.tiles, scene, 1))
    for place, place_cost in _winning_places(faces, apart):
        thrown = Discard(turn, faces[place])
        before = missed([thrown], happening.time_s - 1.0, number, story, scene, sure=0.5)
        if before is not None and before.state.last_discard is not None:
            claimed = before.unchanged(cost + place_cost)
            yield from _won_by_claim(happening, number, claimed, scene, True)


def _win(
    story: Story, event: Win, happening: HandOpened, number: int, cost: float, scene: TableEvidence
) -> Iterator[Story]:
    """The win with the hand as it was read, and with the hand left out where that is doubtful."""
    sure = sure_of(cost)
    held = scene.witness.held(happening.seat, happening.time_s, event.hand or ())
    won = story.then(event, happening.time_s, number, cost + held, sure)
    yield from some(won)
    if won is None:
        drawn = (event.tile,) if event.seat == event.from_seat else ()
        for way in with_room_for(story, (*(event.hand or ()), *drawn), scene):
            yield from some(way.then(event, happening.time_s, number, cost + held, sure))
    if won is None or won.cost > story.cost + cost + held:
        # What the rules say of the hand speaks against its faces, or it is no win at all.
        left_out = HAND_LEFT_OUT
        if won is not None:
            left_out += SURE_OF_HAND * (1.0 - _doubt(happening, scene))
        if event.seat != event.from_seat and story.drawn_out(happening.time_s, number) is not None:
            left_out += NO_MORE_DRAWS
        bare = replace(event, hand=None)
        yield from some(story.then(bare, happening.time_s, number, cost + left_out, 0.3))


def _by_the_rules(ways: Iterator[Story]) -> Iterator[Story]:
    """Those wins whose hand is known and breaks no rule."""
    for way in ways:
        told = way.told[-1]
        if isinstance(told.event, Win) and told.event.hand is not None and not told.flaws:
            yield way


def _doubt(happening: HandOpened, scene: TableEvidence) -> float:
    """How far the faces of a hand are in doubt, 0..1."""
    if any(scene.doubtful(tile) for tile in happening.tiles):
        return 1.0
    wrong = 1.0 - math.exp(-sum(scene.likely(tile, 1)[0][1] for tile in happening.tiles))
    little, much = DOUBTED
    return min(1.0, max(0.0, (wrong - little) / (much - little)))
