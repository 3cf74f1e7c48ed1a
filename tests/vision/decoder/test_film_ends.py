"""What is told of the last hand when the pictures end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from games.labels import read_labels
from games.outcome import GameCase

from engine.events import GameEnd, HandEnd, Win
from engine.tiles import parse
from tests.support.seen import Seen
from tests.support.tables import TILE_MM

SURE = 0.95
"""What is told with less is asked about."""


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
