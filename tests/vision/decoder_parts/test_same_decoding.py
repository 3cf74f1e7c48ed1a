"""What holds of every game, whatever is read: no cost is kept that a fresh sum would not give, and
neither repetition nor the order in which changes come to be known alters what is decoded."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise

import pytest
from games.labels import WatchedGame
from games.outcome import GameCase

from tests.support.seen import Seen
from vision.decoder.changes import Cleared, HandsStand, TableChange
from vision.decoder.decoder import Decoder
from vision.decoder.emission import evaluated
from vision.decoder.explained import FLAWS
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import price
from vision.decoder.search import BeamSearch
from vision.decoder.table_evidence import TableEvidence

CASES = (
    GameCase("hard", "wsom", 93008),
    GameCase("ordinary", "harbin-treasure", 93001),
)
EVERY_S = 9.0
"""A game is looked into so often."""
MOST_S = 60.0
"""Of the longer ones only the beginning is read."""
ALIKE = 0.05
"""Nats; a tile is priced again when its share is off by a hundredth (``PlacedTile.as_read``)."""


def by_hand(rules: str, seen: Seen) -> Iterator[Decoder]:
    """A table that is set by hand: discards, two sets, a doubtful tile, and one that is covered."""
    seen.deal()
    yield seen.decoder
    seen.discard(0, "9s")
    seen.claim(seen.discard(1, "5p"), 3, "555p", turned=1)
    yield seen.decoder
    seen.discard(3, "2m", 1)
    seen.discard(0, "7s", 2, sure=0.6, other="8s")
    yield seen.decoder
    seen.claim(seen.discard(1, "5m", 2, sure=0.5, other="6m"), 2, "657m", turned=-1)
    covered = seen.stage.take_up(seen.discard(2, "1p", 1))
    yield seen.decoder
    seen.stage.lay_again(covered)
    seen.discard(0, "3s", 3)
    yield seen.decoder


def by_labels(case: GameCase) -> Iterator[Decoder]:
    game = WatchedGame(case)
    follower, next_s = game.follower(), EVERY_S
    for look in game.looks(game.frames(), follower):
        follower.take(look)
        if look.time_s >= next_s:
            next_s += EVERY_S
            yield follower.decoder.decoder
        if look.time_s > MOST_S:
            return


GAMES = ("harbin-hlr", "riichi", "sichuan", *CASES)


@pytest.fixture(scope="module", params=GAMES, ids=lambda one: getattr(one, "name", one))
def moments(request: pytest.FixtureRequest) -> list[Decoder]:
    """Copies of the decoder of a game, as it was at each of these moments; played only once."""
    game = request.param
    played = by_labels(game) if isinstance(game, GameCase) else by_hand(game, Seen(game))
    return [deepcopy(decoder) for decoder in played]


@pytest.fixture
def goes_on(moments: list[Decoder]) -> Decoder:
    """The last moment in which the hand goes on."""
    long = (
        decoder
        for decoder in moments
        if sum(not isinstance(node.change, HandsStand) for node in decoder.search.nodes) > 14
    )
    return deepcopy(next(long, moments[-1]))


def acts(hypothesis: Hypothesis) -> list[object]:
    return [(step.change, repr(step.event), step.time_s) for step in hypothesis.events]


# --- costs ---


def from_scratch(hypothesis: Hypothesis) -> Hypothesis:
    """The same hand played again, without anything that was kept of it."""
    bare = [
        step.but(charges={k: v for k, v in step.charges.items() if k not in FLAWS})
        for step in hypothesis.hand
    ]
    found: Hypothesis | None = hypothesis.until(0)
    for step in bare:
        assert found is not None
        first = not found.hand
        kept = found.found
        found = found.then(step)
        if first and found is not None:
            found = replace(found, found=kept, settled=hypothesis.settled, seen=0.0)
    assert found is not None
    return replace(found, earlier=hypothesis.earlier, found=hypothesis.found)


def test_what_a_hypothesis_costs_is_the_sum_of_its_prices(moments: list[Decoder]) -> None:
    compared = 0
    for decoder in map(deepcopy, moments):
        search = decoder.search
        if not search.nodes or search.nodes[-1].ends:
            continue
        table = replace(decoder.evidence(), known={}, candidates={})
        search.review(decoder.evidence())
        for kept in search.nodes[-1].hypotheses:
            fresh = evaluated(from_scratch(kept), table)
            steps = sum(price(step.charges) for step in fresh.hand)
            assert fresh.cost == pytest.approx(kept.settled + steps + fresh.seen, abs=ALIKE)
            assert fresh.seen == pytest.approx(kept.seen, abs=ALIKE)
            assert kept.cost == pytest.approx(fresh.cost, abs=ALIKE)
            compared += 1
    assert compared > 5


# --- again, and in another order ---


def explained(
    decoder: Decoder, changes: list[TableChange], table: TableEvidence
) -> tuple[BeamSearch, list[object]]:
    """A search that comes to know these changes one after the other, and what it believes."""
    search = BeamSearch(decoder.search.rules, decoder.search.begun)
    for change in changes:
        search.take(change, table)
    return search, acts(search.best)


def test_explaining_twice_gives_the_same(goes_on: Decoder) -> None:
    search, table = goes_on.search, goes_on.evidence()
    told = acts(search.best)
    search.again(search.hand_begins, table)
    once = acts(search.best), [round(way.cost, 6) for way in search.nodes[-1].hypotheses]
    search.again(search.hand_begins, table)
    twice = acts(search.best), [round(way.cost, 6) for way in search.nodes[-1].hypotheses]
    assert once == twice
    assert once[0] == told


def test_the_order_in_which_changes_come_to_be_known_does_not_matter(goes_on: Decoder) -> None:
    table = goes_on.evidence()
    changes = [node.change for node in goes_on.search.nodes]
    assert len(changes) > 4
    in_order = explained(goes_on, changes, table)[1]
    for place in range(1, len(changes) - 1, 2):
        one, other = changes[place : place + 2]
        if isinstance(one, Cleared | HandsStand) or isinstance(other, Cleared | HandsStand):
            continue
        if one.time_s == other.time_s:
            continue  # nobody saw which came first
        swapped = [*changes[:place], other, one, *changes[place + 2 :]]
        assert explained(goes_on, swapped, table)[1] == in_order, (one, other)


def test_what_is_told_is_told_in_order_of_time(moments: list[Decoder]) -> None:
    for decoder in moments:
        times = [entry.t for entry in decoder.decoding().told if entry.t is not None]
        assert all(one <= other for one, other in pairwise(times))
