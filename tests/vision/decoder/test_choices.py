"""What really happened is among the choices of a question, and what is settled is not asked."""

from __future__ import annotations

import pytest

from engine.events import Chow, Discard, HandStart, Pung
from tests.support.recorded import Recorded
from tests.support.tables import shares
from vision.tiles.classes import FACES

RULES = ("harbin-hlr", "hangzhou", "riichi")


def unread(table: Recorded, tile: int, likelier: str) -> None:
    """A tile that shows hardly anything."""
    flat = shares(likelier, 0.25, "9s") * 0.4 + 0.6 / len(FACES)
    table.stage.change(tile, probabilities=flat)


@pytest.mark.parametrize("rules", ["riichi", "harbin-hlr"])
@pytest.mark.parametrize("likelier", ["4m", "6m"])
def test_which_run_it_is_is_asked_where_one_tile_of_the_hand_was_hardly_read(
    rules: str, likelier: str
) -> None:
    """Another one was not found; the discard itself lies turned and was read well."""
    table = Recorded(rules)
    table.deal()
    table.stage.take(table.discard(0, "5m"))
    table.stage.stand(1, 11)
    _, own = table.stage.set_down(1, f"5m {likelier}", turned=0)
    unread(table, own, likelier)
    table.show(4.0)
    claim = table.hand[-1]
    assert isinstance(claim, Chow)
    (question,) = (one for one in table.decoder.questions() if one.place.what == "opened")
    runs = [tuple(event for event in choice.events) for choice in question.choices]
    assert runs[0] == (claim,)
    others = [run for run in runs[1:] if run]
    assert others
    assert all(isinstance(event, Chow) for run in others for event in run)
    table.lines += table.decoder.answer(table.answer_of(question, 1))
    assert table.hand[-1] == others[0][0]
    table.check()


def test_a_run_that_is_read_is_not_asked() -> None:
    table = Recorded("riichi")
    table.deal()
    table.claim(table.discard(0, "5m"), 1, "546m", lasts_s=4.0)
    assert isinstance(table.hand[-1], Chow)
    assert table.decoder.questions() == []


@pytest.mark.parametrize("rules", RULES)
def test_that_nothing_happened_is_a_choice_where_a_set_is_asked(rules: str) -> None:
    table = Recorded(rules)
    table.deal()
    tile = table.discard(0, "5m", sure=0.6)
    table.stage.take(tile)
    table.stage.stand(1, 11)
    _, one, other = table.stage.set_down(1, "546m", turned=0)
    for own in (one, other):
        unread(table, own, "4m")
    table.show(4.0)
    asked = [one for one in table.decoder.questions() if one.place.what == "opened"]
    assert asked
    assert all(() in [choice.events for choice in one.choices] for one in asked)


@pytest.mark.parametrize("rules", RULES)
def test_who_dealt_is_not_asked_once_the_first_discards_came_in_turn(rules: str) -> None:
    """Fourteen tiles were counted before another seat, and the discards lie near the middle."""
    table = Recorded(rules)
    for seat in range(4):
        table.stage.stand(seat, 14 if seat == 1 else 13)
    table.show(6.0)
    for turn, face in enumerate(("1m", "9p", "3s", "7m", "2p", "8s")):
        seat = turn % 4
        table.stage.busy = frozenset({seat})
        table.show(0.4)
        table.stage.put(seat, -60.0 + 40 * (turn // 4), 80, face)
        table.show(0.4)
        table.stage.busy = frozenset()
        table.show(2.0)
    asked = [
        choice.events
        for one in table.decoder.questions()
        for choice in one.choices
        if any(isinstance(event, HandStart) for event in choice.events)
    ]
    assert asked == []
    thrown = [event for event in table.hand if isinstance(event, Discard)]
    assert [event.seat for event in thrown] == [0, 1, 2, 3, 0, 1]
    assert not any(isinstance(event, Pung) for event in table.hand)
