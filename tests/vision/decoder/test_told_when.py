"""What is told at once, what waits, and what is told when the pictures end."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Literal, cast

import pytest
from games.labels import read_labels
from games.outcome import GameCase

from engine.events import Discard, Event, GameEnd, GameStart, HandEnd, HandStart, Indicator, Win
from engine.rules import RULE_SETS
from engine.rules.layout import TableLayout
from engine.state import State
from engine.tiles import Tile, parse
from tests.support.recorded import Recorded
from tests.support.seen import Seen
from tests.support.tables import TILE_MM, chow, discards
from vision.decoder.emission import charges_now
from vision.decoder.explained import Explained
from vision.decoder.held_back import HELD_AT_MOST_S, HELD_S, HeldBack
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import WORST, distinct
from vision.decoder.questions import SURE
from vision.decoder.search import BeamSearch
from vision.decoder.segment import Segmenter

DISCARD = Discard(2, Tile("5m"))
STEP = Explained(5.0, 7, DISCARD, tile=1)
Sign = Literal["sideways", "laid", "none"]


def told(step: Explained, after_s: float, sign: Sign, looks: int, *, busy: bool = True) -> bool:
    """Whether a step is told so long after it happened, while its player's hands are there."""
    layout = SimpleNamespace(layout=TableLayout(ready_sign=sign))
    search = SimpleNamespace(
        best=SimpleNamespace(events=(step,)), change=lambda number: None, rules=layout
    )
    tile = SimpleNamespace(looks=looks, confidence=0.24 if looks < 4 else 0.97)
    table = SimpleNamespace(
        present={1}, tiles={1: tile}, busy_at=lambda seat, from_s, until_s: busy and seat == 2
    )
    held = HeldBack(cast(BeamSearch, search), cast(Segmenter, table))
    due = held.due(step.time_s + after_s)
    assert due is not None
    return due == (step,)


def test_a_persons_word_is_told_at_once() -> None:
    assert told(replace(STEP, by_person=True), 0.0, "sideways", 1)


@pytest.mark.parametrize("sign", ["sideways", "laid"])
def test_a_discard_waits_for_a_sign_until_hands_are_away(sign: Sign) -> None:
    """The tile may be turned sideways, or the hand laid down; but nobody waits for ever."""
    assert not told(STEP, HELD_S / 2, sign, 9, busy=False)
    assert told(STEP, 2 * HELD_S, sign, 9, busy=False)
    assert not told(STEP, 2 * HELD_S, sign, 9)
    assert told(STEP, HELD_AT_MOST_S + 0.1, sign, 9)


def test_where_no_sign_can_follow_nothing_is_waited_for() -> None:
    assert told(STEP, 2 * HELD_S, "none", 9)
    assert told(replace(STEP, event=replace(DISCARD, ready=True)), 2 * HELD_S, "laid", 9)


def test_a_face_under_a_hand_is_told_once_it_is_seen() -> None:
    """What was told at 24 % is not told again when it is sure."""
    turned = replace(STEP, event=Indicator(Tile("5m"), "dora"))
    assert not told(turned, 2 * HELD_S, "sideways", 3, busy=False)
    assert told(turned, 2 * HELD_S, "sideways", 4)
    assert told(turned, HELD_AT_MOST_S + 0.1, "sideways", 3)


# --- the last hand of a film ---


@pytest.mark.parametrize(("grade", "rules"), [("ordinary", "wsom"), ("clean", "hangzhou")])
def test_a_film_that_ends_right_after_the_win_ends_the_hand(grade: str, rules: str) -> None:
    """In one of them two tiles of the hand were not found by then: which they are stays open."""
    told = read_labels(GameCase(grade, rules, 97201, "won"))
    assert (told.missing, told.extra) == ([], [])


def test_a_winning_row_that_the_edge_of_the_picture_cuts_off_is_asked_about() -> None:
    """What lies outside the picture is believed to stand as it stood."""
    seen = Seen("hangzhou")
    seen.deal(dealer=3)
    seen.discard(3, "2s")
    seen.stage.take(*seen.stage.stand(0, 13)[4:])
    laid_open(seen, "88p 234m 99s 77z", apart="5m")
    seen.show(5.0)
    won = seen.events[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.tile, won.hand) == (0, "5m", None)
    (question,) = seen.decoder.questions()
    assert question.choices[0].events == (won,)


def test_nobody_plays_on_after_a_hand_that_the_rules_refuse_when_the_film_ends() -> None:
    """It was laid open and misread: the hand is over, whatever won it."""
    seen = Seen("riichi")
    seen.deal(dealer=3)
    seen.discard(3, "2z")
    seen.stage.stand(0, 0)
    laid_open(seen, "15m 7p 1112499s 346z", apart="6z")
    seen.show(5.0)
    refused = seen.events[-1]
    assert isinstance(refused, Win)
    assert refused.hand is not None
    told = seen.decoder.close().told
    assert [type(one.event) for one in told[-3:]] == [Win, HandEnd, GameEnd]
    assert told[-3].event == replace(refused, hand=None)
    assert (told[-3].confidence or 1.0) < SURE


def laid_open(seen: Seen, faces: str, apart: str) -> None:
    """A row before seat 0, with the tile that it won with apart on the right."""
    seen.stage.lay(0, faces, 170 - TILE_MM * len(parse(faces)))
    seen.stage.put(0, 170 + TILE_MM, 345, apart)


# --- which hypotheses are kept, and what they cost ---


def discarded(seat: int, face: str, cost: float, tile: int = 7) -> Hypothesis:
    told: Hypothesis | None = Hypothesis(RULE_SETS["riichi"], State())
    events: list[Event] = [GameStart("riichi"), HandStart(dealer=seat), Discard(seat, Tile(face))]
    for change, event in enumerate(events):
        assert told is not None
        told = told.then(Explained(float(change), change, event, tile if change == 2 else None))
    assert told is not None
    return told.costing(settled=told.settled + cost - told.cost)


def test_of_one_future_two_are_carried_on_and_of_others_too() -> None:
    """Which face lies there changes nothing that comes later; who put it there does."""
    faces = [discarded(0, face, at / 10) for at, face in enumerate(("1m", "2m", "3m"))]
    same, other = discarded(0, "1m", 0.05), discarded(1, "9s", 9.0)
    hopeless = discarded(2, "9s", WORST + 1.0)
    kept = distinct([faces[0], same, *faces[1:], other, hopeless])
    thrown = [one.events[-1].event for one in kept]
    assert thrown == discards((0, "1m"), (0, "2m"), (1, "9s"))


@pytest.mark.parametrize("by_person", [False, True])
def test_what_breaks_a_rule_costs_unless_a_person_said_it(by_person: bool) -> None:
    thrown = discarded(0, "5m", 0.0)
    across = chow(2, 0, "5m", "46m")
    after = thrown.then(Explained(3.0, 3, across, by_person=by_person))
    assert after is not None
    assert after.hand[-1].flawed is not by_person


def test_a_discard_that_is_gone_and_that_nobody_claimed_costs() -> None:
    table = Recorded()
    table.deal()
    tile = table.discard(0, "9s")
    decoder = table.decoder.decoder

    def absent() -> float:
        return charges_now(decoder.search.best, decoder.evidence())["absent"]

    assert absent() == 0
    table.stage.take(tile)
    table.show(0.2)
    assert absent() == 1
