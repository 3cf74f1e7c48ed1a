"""The hypothesis with which a record is continued."""

from __future__ import annotations

from engine.events import (
    Discard,
    Entry,
    Event,
    GameStart,
    HandStart,
)
from engine.rules import RULE_SETS
from engine.tiles import Tile
from vision.decoder.decoding import ChangeNames
from vision.decoder.resumed import resume


def test_the_times_of_a_record_that_is_gone_on_with_lie_before_the_beginning() -> None:
    game: list[Event] = [GameStart("riichi"), HandStart()]
    events = [*game, Discard(0, Tile("5m")), Discard(1, Tile("6m"))]
    lines = [Entry(event, t=100.0 + 10 * at) for at, event in enumerate(events)]
    steps = resume(RULE_SETS["riichi"], lines, ChangeNames()).hypothesis.events
    shown = [(type(step.event), step.time_s) for step in steps if isinstance(step.event, Discard)]
    assert shown == [(Discard, -10.0), (Discard, 0.0)]
