"""Players put tiles back: the record returns to how the game stood before."""

from __future__ import annotations

import pytest
from games.recorded import RecordedDecoder

from engine.events import Chow, Correct, Discard, Entry, Pung
from engine.log import in_force
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import VIEW, Stage, set_at_corner
from vision.decoder.changes import Cleared, HandsStand


@pytest.fixture
def seen() -> Seen:
    table = Seen()
    table.deal()
    for seat in range(4):
        table.stage.stand(seat, 13)
    return table


def test_a_discard_that_is_put_back_did_not_happen(seen: Seen) -> None:
    seen.discard(0, "1m")
    tile = seen.discard(1, "7s", 1)
    seen.stage.take(tile)
    seen.stage.stand(1, 14)
    seen.show(3.0)
    assert seen.events == [Discard(0, Tile("1m"))]
    seen.stage.stand(1, 13)
    seen.discard(1, "9p", 2)
    seen.discard(2, "2p", 3)
    assert seen.events == [Discard(0, Tile("1m")), Discard(1, Tile("9p")), Discard(2, Tile("2p"))]


def test_a_discard_that_is_covered_stays(seen: Seen) -> None:
    """Somebody lays a phone on it, and takes it away again."""
    seen.discard(0, "1m")
    tile = seen.discard(1, "7s", 1)
    covered = seen.stage.take_up(tile)
    seen.show(4.0)
    seen.stage.lay_again(covered)
    seen.show(2.0)
    seen.discard(2, "2p", 2)
    assert seen.events == [Discard(0, Tile("1m")), Discard(1, Tile("7s")), Discard(2, Tile("2p"))]


def test_a_thing_that_lay_there_for_a_while_was_no_discard(seen: Seen) -> None:
    """It was taken for one, and the discard of the same seat for a second one."""
    seen.discard(0, "1m")
    thing = seen.discard(1, "7s", 1, sure=0.2, other="6s")
    seen.stage.change(thing, score=0.8, looks=3)
    seen.show(0.6)
    seen.discard(1, "9p", 2)
    seen.stage.take(thing)
    seen.show(3.0)
    seen.discard(2, "2p", 3)
    seen.discard(3, "3p", 3)
    seen.discard(0, "4p", 3)
    assert seen.events == [
        Discard(0, Tile("1m")),
        Discard(1, Tile("9p")),
        Discard(2, Tile("2p")),
        Discard(3, Tile("3p")),
        Discard(0, Tile("4p")),
    ]


def test_tiles_of_a_hand_that_are_knocked_over_and_put_right_are_no_set(seen: Seen) -> None:
    seen.discard(0, "1m")
    seen.stage.stand(1, 10)
    before = seen.stage.known
    set_at_corner(seen.stage, 1, ["1p", "2p", "3p"], turned=-1)
    seen.show(1.6)
    seen.stage.take(*(seen.stage.known - before))
    seen.stage.stand(1, 13)
    seen.discard(1, "9p", 2)
    seen.show(3.0)
    seen.discard(2, "2p", 3)
    assert seen.events == [Discard(0, Tile("1m")), Discard(1, Tile("9p")), Discard(2, Tile("2p"))]


def test_two_tiles_of_a_hand_that_lay_open_for_a_while_and_stand_again_were_no_set() -> None:
    """The hypothesis in which they were a chow, of a discard that nobody saw, is given up."""
    seen = Seen("wsom")
    seen.deal()
    seen.discard(0, "1m")
    thrown = seen.discard(1, "7m", 1)
    seen.stage.take(thrown)
    seen.stage.stand(2, 11)
    fallen = [
        seen.stage.put(2, 100 + 30 * place, 328, face) for place, face in enumerate(("2p", "4p"))
    ]
    seen.show(3.0)
    (claim,) = (event for event in seen.events if isinstance(event, Chow))
    assert claim.seat == 2
    seen.discard(2, "8m", 2)
    seen.stage.take(*fallen)
    seen.stage.stand(2, 13)
    seen.show(3.0)
    assert not any(isinstance(event, Chow) for event in seen.events)


@pytest.mark.parametrize(("gone", "standing", "cleared"), [(5, 13, 0), (5, 8, 1), (7, 13, 1)])
def test_a_hand_is_cleared_away_when_most_is_gone_and_the_hands_or_when_all_is(
    seen: Seen, gone: int, standing: int, cleared: int
) -> None:
    thrown = [seen.discard(turn % 4, f"{turn + 1}m", turn) for turn in range(7)]
    seen.stage.take(*thrown[:gone])
    for seat in range(4):
        seen.stage.stand(seat, standing)
    changes = [
        change
        for observation in seen.stage.shown(1.0)
        for change in seen.segmenter.update(observation)
    ]
    assert sum(isinstance(change, Cleared) for change in changes) == cleared


def test_a_deal_follows_the_clearing_before_it_however_soon_it_comes(seen: Seen) -> None:
    thrown = [seen.discard(turn % 4, f"{turn + 1}m", turn) for turn in range(7)]
    seen.stage.take(*thrown)
    cleared, dealt = (
        change
        for observation in seen.stage.shown(3.0)
        for change in seen.segmenter.update(observation)
    )
    assert (type(cleared), type(dealt)) == (Cleared, HandsStand)
    assert dealt.time_s >= cleared.time_s


def test_a_claim_that_is_put_back_leaves_the_discard(seen: Seen) -> None:
    tile = seen.discard(0, "5p")
    seen.stage.take(tile)
    seen.stage.stand(2, 11)
    before = seen.stage.known
    set_at_corner(seen.stage, 2, ["5p", "5p", "5p"], turned=1)
    seen.show(2.0)
    assert isinstance(seen.events[-1], Pung)
    seen.stage.take(*(seen.stage.known - before))
    seen.stage.stand(2, 13)
    seen.stage.put(0, -88, 92, "5p")
    seen.show(4.0)
    assert seen.events == [Discard(0, Tile("5p"))]
    seen.discard(1, "9p", 2)
    assert seen.events == [Discard(0, Tile("5p")), Discard(1, Tile("9p"))]


def test_what_is_put_back_is_a_correction_with_its_reason() -> None:
    stage, decoder, lines = Stage(), RecordedDecoder("harbin-hlr", VIEW), list[Entry]()

    def show(lasts_s: float) -> None:
        for observation in stage.shown(lasts_s):
            lines.extend(decoder.observe(observation))

    for seat in range(4):
        stage.stand(seat, 14 if seat == 0 else 13)
    show(2.0)
    stage.stand(0, 13)
    tile = stage.put(0, -90, 90, "7s")
    show(4.0)
    number = len(lines) - 1
    assert isinstance(lines[number].event, Discard)
    stage.take(tile)
    stage.stand(0, 14)
    show(6.0)
    assert [line.event for line in lines[number + 1 :]] == [Correct(number, (), "put_back")]
    assert not any(isinstance(event.entry.event, Discard) for event in in_force(lines))
