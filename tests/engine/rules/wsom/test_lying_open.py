"""The penalty tiles that the World Series rules keep are those that lie open, after every event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from engine.events import Entry, Event, Foul, Reveal, Win
from engine.play import IN_PLAY
from engine.rules import RULE_SETS
from engine.rules.wsom.play import EXPOSING
from engine.rules.wsom.table_state import kept
from engine.state import State
from engine.tiles import UNKNOWN
from tests.support.golden import golden
from tests.support.random_games import hidden, played

RULES = RULE_SETS["wsom"]
KINDS = tuple(RULES.wall)
OFTEN = 0.15


def states(entries: Sequence[Entry], random: Random) -> Iterator[State]:
    """The states of a game in which people also expose tiles and win falsely now and then."""
    state, number = State(), 0
    for entry in entries:
        while state.phase in IN_PLAY and random.random() < OFTEN:
            step = RULES.attempt(state, Entry(_wrong(state, random)), number)
            number += 1
            if step is not None and step.state.phase in IN_PLAY:
                state = step.state
                yield state
        state = RULES.apply(state, entry, number).state
        number += 1
        yield state


def _wrong(state: State, random: Random) -> Event:
    seat = random.randrange(4)
    hand = state.players[seat].hand
    shown = [
        tile if tile.known or random.random() < 0.2 else random.choice(KINDS)
        for tile in random.sample(hand, min(len(hand), random.randint(1, 3)))
    ]
    if random.random() < 0.1:
        shown.append(random.choice((UNKNOWN, *KINDS)))
    rare = random.random()
    if rare < 0.1:
        return Reveal(seat, tuple(hand)[: len(hand) - random.randrange(2)])
    if rare < 0.2:
        return Win(seat, seat, shown[0], tuple(hand)[1:])
    return Foul(seat, random.choice(EXPOSING), tuple(shown))


@pytest.mark.parametrize("seats", [(), (0, 1, 2, 3)], ids=["known", "hidden"])
@pytest.mark.parametrize("seed", range(5))
def test_what_lies_open_is_what_is_kept_as_penalty_tiles(seed: int, seats: tuple[int, ...]) -> None:
    most = 0
    for game in (golden("wsom"), played("wsom", seed, hands=2).entries):
        entries = hidden(game, seats, draws=True) if seats else game
        for state in states(entries, Random(seed)):
            lying = [player.exposed for player in state.players]
            assert lying == [penalty.tiles for penalty in kept(state).penalties]
            most = max(most, *map(len, lying))
    assert most > 1, "some tiles were exposed"
