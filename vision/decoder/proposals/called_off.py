"""Hands that the rules end by themselves, such as by four equal winds or four players ready."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import Draw, DrawnHand
from engine.state import Phase
from engine.tiles import UNKNOWN
from vision.decoder import prices
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.names import named
from vision.decoder.proposals.context import Context

EXHAUSTED = "exhausted"


def with_end(c: Context, discarded: Hypothesis) -> Iterator[Hypothesis]:
    """The hypothesis after a discard and, where the rules end the hand with it, the one in which
    it is over.

    Somebody may win on the discard yet, and players may go on against the rules.
    """
    end = _due(c, discarded)
    if end is None:
        yield discarded
        return
    yield from some(discarded.then(c.step(end)))
    yield discarded.charged(prices.GOES_ON)


def is_called_off(hypothesis: Hypothesis) -> bool:
    """Whether the rules have just ended the hand by themselves."""
    last = hypothesis.last_event()
    event = None if last is None else last[1].event
    return isinstance(event, DrawnHand) and event.reason != EXHAUSTED


def _due(c: Context, hypothesis: Hypothesis) -> DrawnHand | None:
    """The draw that the rules call now, by the names that the tiles have now."""
    rules = hypothesis.rules
    if rules.turns.drawn_reasons == {EXHAUSTED} or not c.limit.allows(hypothesis):
        return None
    state = named(hypothesis, c.table).state
    if state.phase is not Phase.TO_DRAW:
        return None
    # Whoever draws where the hand is over breaks a rule.
    drew = hypothesis.known.attempt(rules, state, Draw(state.turn, UNKNOWN))
    if drew is None or not drew.flaws:
        return None
    draws = (event for event in rules.legal(state) if isinstance(event, DrawnHand))
    return next((draw for draw in draws if draw.reason != EXHAUSTED), None)
