"""What people write into the record is evidence: the hand is decoded again with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.events import Chow, Discard, Pung
from engine.tiles import UNKNOWN, Tile
from tests.support.recorded import Recorded, discards, in_rows
from tests.support.tables import set_at_corner, shares

# --- removed ---


def with_phantom(table: Recorded) -> int:
    """A face that nobody discarded is taken for seat 1's discard."""
    table.discard(0, "1m")
    table.put(1, "8s")
    table.show(4.0)
    assert table.hand == discards((0, "1m"), (1, "8s"))
    return table.number(Discard(1, Tile("8s")))


def test_after_a_phantom_discard_was_removed_the_following_ones_are_right(table: Recorded) -> None:
    number = with_phantom(table)
    assert table.correct(number) == []
    assert table.hand == discards((0, "1m"))
    for place, (seat, face) in enumerate(((1, "9p"), (2, "3s"), (3, "2m"), (0, "8p"), (1, "6s"))):
        table.discard(seat, face, 1 + place // 4)
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"), (3, "2m"), (0, "8p"), (1, "6s"))
    table.check()


def test_a_phantom_discard_that_is_removed_late_gives_its_place_to_the_true_one(
    table: Recorded,
) -> None:
    number = with_phantom(table)
    for seat, face in ((1, "9p"), (2, "3s"), (3, "2m"), (0, "8p")):
        table.discard(seat, face, 1)
    table.correct(number)
    table.show(2.0)
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"), (3, "2m"), (0, "8p"))
    table.check()


def test_what_was_supplied_for_a_phantom_goes_with_it() -> None:
    """Taken for seat 2's discard it needs one of seat 1 that nobody saw."""
    table = in_rows()
    table.discard(0, "1m")
    table.discard(2, "8s")
    assert table.hand[1:] == [Discard(1, UNKNOWN), Discard(2, Tile("8s"))]
    table.correct(table.number(Discard(2, Tile("8s"))))
    assert table.hand == discards((0, "1m"))
    for seat, face in ((1, "9p"), (2, "3s"), (3, "2m")):
        table.discard(seat, face, 1)
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"), (3, "2m"))
    table.check()


# --- inserted ---


def after(table: Recorded, missed: Discard) -> None:
    first = Discard(0, Tile("1m"))
    table.correct(table.number(first), first, missed)


def appended(table: Recorded, missed: Discard) -> None:
    table.write(missed)


@pytest.mark.parametrize("inserts", [after, appended])
@pytest.mark.parametrize("late", [False, True])
def test_a_missed_discard_that_was_added_may_be_seen_later(
    table: Recorded, inserts: Callable[[Recorded, Discard], None], late: bool
) -> None:
    table.discard(0, "1m")
    inserts(table, Discard(1, Tile("9p")))
    assert table.hand == discards((0, "1m"), (1, "9p"))
    table.discard(2, "3s")
    if late:
        table.put(1, "9p")
        table.show(4.0)
    table.discard(3, "2m")
    table.discard(0, "8p", 1)
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"), (3, "2m"), (0, "8p"))
    table.check()


@pytest.mark.parametrize("late", [False, True])
def test_a_round_that_nobody_saw_is_put_before_the_discard_that_was_seen(
    table: Recorded, late: bool
) -> None:
    table.discard(0, "1m")
    seen = Discard(1, Tile("2p"))
    table.discard(1, "2p", 1)
    missed = discards((1, "9p"), (2, "3s"), (3, "4m"), (0, "7z"))
    table.correct(table.number(seen), *missed, seen)
    if late:
        table.put(1, "9p")
        table.put(3, "4m")
        table.show(4.0)
    table.discard(2, "6s", 1)
    assert table.hand == [Discard(0, Tile("1m")), *missed, seen, Discard(2, Tile("6s"))]
    table.check()


def test_a_discard_that_was_supplied_is_named_and_then_seen() -> None:
    table = in_rows()
    table.discard(0, "1m")
    table.discard(2, "3s")
    assert table.hand == [Discard(0, Tile("1m")), Discard(1, UNKNOWN), Discard(2, Tile("3s"))]
    table.correct(table.number(Discard(1, UNKNOWN)), Discard(1, Tile("9p")))
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"))
    table.put(1, "9p")
    table.show(4.0)
    table.discard(3, "2m")
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"), (3, "2m"))
    table.check()


# --- replaced ---


def test_a_face_that_a_person_named_holds_however_it_is_read(table: Recorded) -> None:
    tile = table.discard(0, "7s")
    table.correct(table.number(Discard(0, Tile("7s"))), Discard(0, Tile("8s")))
    assert table.hand == discards((0, "8s"))
    table.stage.change(tile, probabilities=shares("7s", 0.999), looks=400)
    table.show(2.0)
    table.discard(1, "9p")
    assert table.hand == discards((0, "8s"), (1, "9p"))
    table.check()


def test_a_set_is_read_by_the_discard_that_a_person_named() -> None:
    table = Recorded()
    table.deal()
    tile = table.discard(0, "2m")
    table.stage.take(tile)
    table.stage.stand(1, 11)
    set_at_corner(table.stage, 1, ["5m", "6m", "7m"], turned=-1)
    table.show(4.0)
    claim = table.hand[1]
    assert isinstance(claim, Chow)
    other = Tile("5m") if claim.tile != "5m" else Tile("7m")
    table.correct(table.number(table.hand[0]), Discard(0, other))
    claim = table.hand[1]
    assert isinstance(claim, Chow)
    own = tuple(Tile(face) for face in ("5m", "6m", "7m") if face != other)
    assert (table.hand[0], claim.tile, tuple(sorted(claim.own))) == (Discard(0, other), other, own)
    table.check()


def test_who_discarded_is_put_right_and_what_was_supplied_for_it_goes() -> None:
    """Seat 1's discard lies before seat 2."""
    table = in_rows()
    table.discard(0, "1m")
    table.discard(2, "9p")
    assert table.hand[1:] == [Discard(1, UNKNOWN), Discard(2, Tile("9p"))]
    table.correct(table.number(Discard(2, Tile("9p"))), Discard(1, Tile("9p")))
    assert table.hand == discards((0, "1m"), (1, "9p"))
    table.discard(2, "3s", 1)
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"))
    table.check()


def test_in_a_heap_the_one_before_is_added_and_the_discard_is_given_to_the_next() -> None:
    table = Recorded()
    table.deal()
    table.discard(0, "1m")
    table.discard(2, "9p")
    assert table.hand == discards((0, "1m"), (1, "9p"))
    number = table.number(Discard(1, Tile("9p")))
    table.correct(number, *discards((1, "2p"), (2, "9p")))
    table.put(1, "2p")
    table.show(4.0)
    table.discard(3, "3s")
    assert table.hand == discards((0, "1m"), (1, "2p"), (2, "9p"), (3, "3s"))
    table.check()


# --- what the camera makes of the rest ---


def with_a_pung_that_nobody_saw(table: Recorded) -> None:
    """The next face in a heap is then the discard of whoever claimed."""
    table.discard(0, "1m")
    table.put(3, "8s")
    table.show(4.0)
    pung = Pung(3, 0, Tile("1m"), (Tile("1m"), Tile("1m")))
    seen = Discard(1, Tile("8s"))
    table.correct(table.number(seen), pung, seen)
    assert table.hand == [Discard(0, Tile("1m")), pung, Discard(3, Tile("8s"))]


def test_what_the_camera_told_after_an_added_event_is_explained_anew() -> None:
    table = Recorded()
    table.deal()
    with_a_pung_that_nobody_saw(table)
    table.discard(0, "2p", 1)
    assert table.hand[2:] == discards((3, "8s"), (0, "2p"))
    table.check()


def test_an_event_that_cannot_be_does_not_cost_the_others_of_its_correction() -> None:
    """The record keeps and flags it; the other events hold."""
    table = in_rows()
    for seat, face in ((0, "3s"), (1, "4p"), (2, "9s")):
        table.discard(seat, face)
    claim = Pung(3, 0, Tile("8m"), (Tile("8m"), Tile("8m")))
    said = discards((1, "9p"))
    table.correct(table.number(*discards((1, "4p"))), claim, *said)
    table.discard(3, "1s")
    first, *rest = discards((0, "3s"), (2, "9s"), (3, "1s"))
    assert table.hand == [first, claim, *said, *rest]


def test_what_was_explained_anew_comes_back_when_the_added_event_is_undone() -> None:
    table = Recorded()
    table.deal()
    with_a_pung_that_nobody_saw(table)
    table.undo()
    assert table.hand == discards((0, "1m"), (1, "8s"))
    table.check()


def misread_pung() -> Recorded:
    """Seat 0's 4s is claimed. It is read rightly, but not surely; the pung is read as one of 6s."""
    table = Recorded()
    table.deal()
    tile = table.put(0, "4s")
    table.stage.change(tile, probabilities=shares("4s", 0.6, other="6s"))
    table.stage.stand(0, 13)
    table.show(3.0)
    table.stage.take(tile)
    table.stage.stand(3, 11)
    set_at_corner(table.stage, 3, ["6s", "6s", "6s"], turned=0)
    table.show(4.0)
    table.discard(3, "7z", 1)
    assert table.hand == [*discards((0, "6s")), pung_of("6s"), *discards((3, "7z"))]
    return table


def pung_of(face: str) -> Pung:
    return Pung(3, 0, Tile(face), (Tile(face), Tile(face)))


@pytest.mark.parametrize("late", [False, True])
def test_a_set_that_was_taken_for_nothing_is_what_a_person_adds(late: bool) -> None:
    """It is the set that lies there, and not another one beside it."""
    table = misread_pung()
    table.correct(table.number(pung_of("6s")))
    table.correct(table.number(table.hand[0]), Discard(0, Tile("4s")))
    assert len(table.hand) == 2
    after, pung = table.hand[1], pung_of("4s")
    table.correct(table.number(after), pung, after)
    assert table.hand == [*discards((0, "4s")), pung, *discards((3, "7z"))]
    step = next(step for step in table.decoder.decoder.search.best.steps if step.event == pung)
    assert len(step.tiles) == 3
    if late:
        table.undo()
        assert pung not in table.hand
    table.check()


def test_a_discard_that_a_person_names_is_not_told_to_be_drawn_beside_it() -> None:
    """Who has claimed ready discards what was drawn; a person's line does not say so."""
    table = in_rows()
    table.discard(0, "1m")
    table.correct(table.number(Discard(0, Tile("1m"))), Discard(0, Tile("1m"), ready=True))
    for seat, face in ((1, "9p"), (2, "3s"), (3, "2m"), (0, "8p")):
        table.discard(seat, face, int(seat == 0))
    table.correct(table.number(Discard(0, Tile("8p"))), Discard(0, Tile("7p")))
    table.discard(1, "6s", 1)
    assert table.hand[1:] == discards((1, "9p"), (2, "3s"), (3, "2m"), (0, "7p"), (1, "6s"))
    table.check()


# --- undone ---


def test_a_correction_that_is_undone_restores_what_the_camera_said(table: Recorded) -> None:
    number = with_phantom(table)
    before = table.hand
    table.correct(number)
    assert table.hand != before
    table.undo()
    table.show(1.0)
    assert table.hand == before
    table.discard(2, "3s")
    assert table.hand == [*before, Discard(2, Tile("3s"))]
    table.check()


def test_a_face_whose_correction_is_undone_is_the_camera_s_again(table: Recorded) -> None:
    tile = table.discard(0, "7s", sure=0.8)
    table.correct(table.number(Discard(0, Tile("7s"))), Discard(0, Tile("8s")))
    table.undo()
    assert table.hand == discards((0, "7s"))
    table.stage.change(tile, probabilities=shares("6s", 0.99))
    table.show(2.0)
    assert table.hand == discards((0, "6s")), "the camera may read it better again"
    table.check()


def test_an_added_discard_that_is_undone_leaves_no_trace(table: Recorded) -> None:
    table.discard(0, "1m")
    after(table, Discard(1, Tile("9p")))
    table.undo()
    assert table.hand == discards((0, "1m"))
    table.discard(1, "2p", 1)
    assert table.hand == discards((0, "1m"), (1, "2p"))
    table.check()


def test_an_appended_line_is_taken_back(table: Recorded) -> None:
    table.discard(0, "1m")
    table.write(Discard(1, Tile("9p")))
    table.correct(table.number(Discard(1, Tile("9p"))))
    assert table.hand == discards((0, "1m"))
    table.discard(1, "2p", 1)
    assert table.hand == discards((0, "1m"), (1, "2p"))
    table.check()


def test_later_corrections_are_kept_when_an_earlier_one_comes(table: Recorded) -> None:
    for seat, face in enumerate(("1m", "9p", "3s")):
        table.discard(seat, face)
    table.correct(table.number(Discard(2, Tile("3s"))), Discard(2, Tile("4s")))
    table.correct(table.number(Discard(0, Tile("1m"))), Discard(0, Tile("2m")))
    assert table.hand == discards((0, "2m"), (1, "9p"), (2, "4s"))
    table.discard(3, "7z")
    assert table.hand == discards((0, "2m"), (1, "9p"), (2, "4s"), (3, "7z"))
    table.check()


# --- the record ---


def test_lines_are_numbered_as_they_are_written(table: Recorded) -> None:
    """What the decoder corrects because of a person is a line of its own, of the right number."""
    tile = table.discard(0, "2p")
    table.stage.take(tile)
    table.stage.stand(1, 11)
    set_at_corner(table.stage, 1, ["4p", "4p", "4p"], turned=0)
    table.show(4.0)
    assert isinstance(table.hand[1], Pung)
    follows = table.correct(table.number(table.hand[0]), Discard(0, Tile("4p")))
    assert all(line.source == "camera" for line in follows)
    table.discard(1, "9s")
    number = len(table.lines) - 1
    assert table.lines[number].event == Discard(1, Tile("9s"))
    table.correct(number, Discard(1, Tile("8s")))
    table.discard(2, "1s")
    assert table.hand[2:] == discards((1, "8s"), (2, "1s"))
    table.check()


def test_a_line_that_a_person_appends_may_be_asked_about(table: Recorded) -> None:
    """Two discards before it were missed: nobody knows which."""
    table.discard(0, "1m")
    table.write(Discard(3, Tile("9p")))
    table.decoder.questions()
    table.discard(0, "2p", 1)
    table.clear()
    assert Discard(3, Tile("9p")) in table.events


def test_a_correction_that_is_undone_may_be_done_again(table: Recorded) -> None:
    number = with_phantom(table)
    table.correct(number)
    table.undo()
    table.undo()
    assert table.hand == discards((0, "1m"))
    table.discard(1, "9p", 1)
    assert table.hand == discards((0, "1m"), (1, "9p"))
    table.check()
