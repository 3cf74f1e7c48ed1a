"""What people write into the record is evidence: the hand is decoded again with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.events import Chow, Discard, Kong, Pung
from engine.tiles import UNKNOWN, Tile, parse
from tests.support.recorded import Recorded, in_rows
from tests.support.tables import discards, pung, shares

# --- removed ---


def with_phantom(table: Recorded) -> int:
    """A face that nobody discarded is taken for seat 1's discard."""
    table.discard(0, "1m")
    table.put(1, "8s")
    table.show(4.0)
    assert table.hand == discards((0, "1m"), (1, "8s"))
    return table.number(Discard(1, Tile("8s")))


@pytest.mark.parametrize("late", [False, True])
def test_a_removed_phantom_gives_its_place_to_the_true_one(table: Recorded, late: bool) -> None:
    number = with_phantom(table)
    thrown = ((1, "9p"), (2, "3s"), (3, "2m"), (0, "8p"))
    if late:
        table.plays(*thrown, place=1)
        table.correct(number)
        table.show(2.0)
    else:
        assert table.correct(number) == []
        assert table.hand == discards((0, "1m"))
        table.plays(*thrown, place=1)
    assert table.hand == discards((0, "1m"), *thrown)
    table.check()


def test_what_was_supplied_for_a_phantom_goes_with_it() -> None:
    """Taken for seat 2's discard it needs one of seat 1 that nobody saw."""
    table = in_rows()
    table.plays((0, "1m"), (2, "8s"))
    assert table.hand[1:] == discards((1, "?"), (2, "8s"))
    table.correct(table.number(Discard(2, Tile("8s"))))
    assert table.hand == discards((0, "1m"))
    table.plays((1, "9p"), (2, "3s"), (3, "2m"), place=1)
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


def removed(table: Recorded) -> None:
    table.correct(table.number(Discard(1, Tile("9p"))))


@pytest.mark.parametrize(("inserts", "takes_back"), [(after, Recorded.undo), (appended, removed)])
def test_an_added_discard_that_is_taken_back_leaves_no_trace(
    table: Recorded,
    inserts: Callable[[Recorded, Discard], None],
    takes_back: Callable[[Recorded], object],
) -> None:
    table.discard(0, "1m")
    inserts(table, Discard(1, Tile("9p")))
    takes_back(table)
    assert table.hand == discards((0, "1m"))
    table.discard(1, "2p", 1)
    assert table.hand == discards((0, "1m"), (1, "2p"))
    table.check()


@pytest.mark.parametrize("late", [False, True])
def test_a_round_that_nobody_saw_is_put_before_what_was_seen(table: Recorded, late: bool) -> None:
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
    table.plays((0, "1m"), (2, "3s"))
    assert table.hand == discards((0, "1m"), (1, "?"), (2, "3s"))
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
    """That goes when the correction is undone, also in a hand that is over."""
    table = Recorded()
    table.deal()
    table.claim(table.discard(0, "2m"), 1, "567m", turned=-1, lasts_s=4.0)
    before = table.hand
    claim = before[1]
    assert isinstance(claim, Chow)
    other = Tile("5m") if claim.tile != "5m" else Tile("7m")
    assert table.correct(table.number(before[0]), Discard(0, other)), "the claim is of another tile"
    claim = table.hand[1]
    assert isinstance(claim, Chow)
    own = tuple(tile for tile in parse("567m") if tile != other)
    assert (table.hand[0], claim.tile, tuple(sorted(claim.own))) == (Discard(0, other), other, own)
    table.check()
    table.discard(1, "9p")
    table.clear()
    table.deal(dealer=1)
    table.undo()
    assert table.events[1:3] == before
    table.check()


@pytest.mark.parametrize("seen", [True, False])
def test_a_set_whose_tiles_were_misread_too_follows_the_discard_that_a_person_named(
    table: Recorded, seen: bool
) -> None:
    """The discard may have been claimed at once, so that nobody saw it lie there."""
    tile = table.discard(0, "9s") if seen else None
    claimed = table.claim(tile, 1, "999s", turned=0, lasts_s=0.2)
    for one, sure in zip(claimed, (0.97, 0.97, 0.9), strict=True):
        table.stage.change(one, probabilities=shares("9s", sure, "9p"))
    table.show(4.0)
    assert table.hand == [Discard(0, Tile("9s")), pung(1, 0, "9s")]
    table.discard(1, "7z")
    table.correct(table.number(Discard(0, Tile("9s"))), Discard(0, Tile("9p")))
    assert table.hand == [Discard(0, Tile("9p")), pung(1, 0, "9p"), Discard(1, Tile("7z"))]
    table.check()


def test_who_discarded_is_put_right_and_what_was_supplied_for_it_goes() -> None:
    """Seat 1's discard lies before seat 2."""
    table = in_rows()
    table.plays((0, "1m"), (2, "9p"))
    assert table.hand[1:] == discards((1, "?"), (2, "9p"))
    table.correct(table.number(Discard(2, Tile("9p"))), Discard(1, Tile("9p")))
    assert table.hand == discards((0, "1m"), (1, "9p"))
    table.discard(2, "3s", 1)
    assert table.hand == discards((0, "1m"), (1, "9p"), (2, "3s"))
    table.check()


def test_in_a_heap_the_one_before_is_added_and_the_discard_is_given_to_the_next() -> None:
    table = Recorded()
    table.deal()
    table.plays((0, "1m"), (2, "9p"))
    assert table.hand == discards((0, "1m"), (1, "9p"))
    number = table.number(Discard(1, Tile("9p")))
    table.correct(number, *discards((1, "2p"), (2, "9p")))
    table.put(1, "2p")
    table.show(4.0)
    table.discard(3, "3s")
    assert table.hand == discards((0, "1m"), (1, "2p"), (2, "9p"), (3, "3s"))
    table.check()


# --- what the camera makes of the rest ---


@pytest.mark.parametrize("undone", [False, True])
def test_what_the_camera_told_after_an_added_event_is_explained_anew(undone: bool) -> None:
    """The next face in a heap is then the discard of whoever claimed."""
    table = Recorded()
    table.deal()
    table.discard(0, "1m")
    table.put(3, "8s")
    table.show(4.0)
    missed, seen = pung(3, 0, "1m"), Discard(1, Tile("8s"))
    table.correct(table.number(seen), missed, seen)
    assert table.hand == [Discard(0, Tile("1m")), missed, Discard(3, Tile("8s"))]
    if undone:
        table.undo()
        assert table.hand == discards((0, "1m"), (1, "8s"))
    else:
        table.discard(0, "2p", 1)
        assert table.hand[2:] == discards((3, "8s"), (0, "2p"))
    table.check()


def test_an_event_that_cannot_be_does_not_cost_the_others_of_its_correction() -> None:
    """The record keeps and flags it; the other events hold."""
    table = in_rows()
    table.plays((0, "3s"), (1, "4p"), (2, "9s"))
    claim = pung(3, 0, "8m")
    said = discards((1, "9p"))
    table.correct(table.number(*discards((1, "4p"))), claim, *said)
    table.discard(3, "1s")
    first, *rest = discards((0, "3s"), (2, "9s"), (3, "1s"))
    assert table.hand == [first, claim, *said, *rest]


@pytest.mark.parametrize("late", [False, True])
def test_a_set_that_was_taken_for_nothing_is_what_a_person_adds(late: bool) -> None:
    """It is the set that lies there, and not another one beside it.

    The 4s of seat 0 is read rightly, but not surely; the pung is read as one of 6s.
    """
    table = Recorded()
    table.deal()
    tile = table.put(0, "4s")
    table.stage.change(tile, probabilities=shares("4s", 0.6, other="6s"))
    table.stage.stand(0, 13)
    table.show(3.0)
    table.claim(tile, 3, "666s", lasts_s=4.0)
    table.discard(3, "7z", 1)
    misread, true = pung(3, 0, "6s"), pung(3, 0, "4s")
    assert table.hand == [*discards((0, "6s")), misread, *discards((3, "7z"))]
    table.correct(table.number(misread))
    table.correct(table.number(table.hand[0]), Discard(0, Tile("4s")))
    assert len(table.hand) == 2
    after = table.hand[1]
    table.correct(table.number(after), true, after)
    assert table.hand == [*discards((0, "4s")), true, *discards((3, "7z"))]
    if late:
        table.undo()
        assert true not in table.hand
    else:
        table.plays((0, "1m"), (1, "9p"), (2, "2m"), place=2)
        table.stage.put(3, 243, 370, "4s")
        table.show(4.0)
        added = Kong(3, "added", Tile("4s"), 0, parse("4s"))
        assert table.hand[-1] == added, "the pung is the set that lies there"
    table.check()


def test_a_discard_that_a_person_names_is_not_told_to_be_drawn_beside_it() -> None:
    """Who has claimed ready discards what was drawn; a person's line does not say so."""
    table = in_rows()
    table.discard(0, "1m")
    table.correct(table.number(Discard(0, Tile("1m"))), Discard(0, Tile("1m"), ready=True))
    table.plays((1, "9p"), (2, "3s"), (3, "2m"))
    table.discard(0, "8p", 1)
    table.correct(table.number(Discard(0, Tile("8p"))), Discard(0, Tile("7p")))
    table.discard(1, "6s", 1)
    assert table.hand[1:] == discards((1, "9p"), (2, "3s"), (3, "2m"), (0, "7p"), (1, "6s"))
    table.check()


# --- undone ---


@pytest.mark.parametrize("again", [False, True])
def test_an_undone_correction_restores_what_was_read(table: Recorded, again: bool) -> None:
    number = with_phantom(table)
    before = table.hand
    table.correct(number)
    assert table.hand != before
    table.undo()
    table.show(1.0)
    assert table.hand == before
    following = (1, "9p") if again else (2, "3s")
    if again:
        table.undo()
        before = discards((0, "1m"))
        assert table.hand == before
    table.discard(*following, 1)
    assert table.hand == [*before, *discards(following)]
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


def test_later_corrections_are_kept_when_an_earlier_one_comes(table: Recorded) -> None:
    table.plays((0, "1m"), (1, "9p"), (2, "3s"))
    table.correct(table.number(Discard(2, Tile("3s"))), Discard(2, Tile("4s")))
    table.correct(table.number(Discard(0, Tile("1m"))), Discard(0, Tile("2m")))
    assert table.hand == discards((0, "2m"), (1, "9p"), (2, "4s"))
    table.discard(3, "7z")
    assert table.hand == discards((0, "2m"), (1, "9p"), (2, "4s"), (3, "7z"))
    table.check()


# --- the record ---


def test_lines_are_numbered_as_they_are_written(table: Recorded) -> None:
    """What the decoder corrects because of a person is a line of its own, of the right number."""
    table.claim(table.discard(0, "2p"), 1, "444p", lasts_s=4.0)
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
