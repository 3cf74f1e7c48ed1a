"""Two records side by side: events read, events missed, and payments of hands."""

from __future__ import annotations

from engine.events import Correct, Discard, Draw, Entry, GameStart, HandStart
from engine.tiles import Tile
from tests.support.golden import golden
from vision.compare import compare, hand_payments


def entries(*tiles: str) -> list[Entry]:
    start = [Entry(GameStart("harbin-hlr")), Entry(HandStart(dealer=0))]
    discards = [Entry(Discard(seat % 4, Tile(t)), t=float(seat)) for seat, t in enumerate(tiles)]
    return start + discards


def test_a_record_agrees_with_itself() -> None:
    game = golden("harbin-hlr")
    report = compare(game, game)
    assert (report.precision, report.recall) == (1, 1)
    assert report.hands
    assert report.paid_right == len(report.hands)
    assert any(any(deltas) for deltas in hand_payments(game))


def test_two_reports_add_up() -> None:
    one = compare(entries("1m"), entries("2m"))
    other = compare(entries("3m"), entries("3m"))
    both = one.together(other)
    assert both.matched == one.matched + other.matched
    assert both.missing == (Discard(0, Tile("1m")),)
    assert len(both.hands) == 2


def test_a_misread_tile_is_one_missed_and_one_made_up() -> None:
    report = compare(entries("1m", "2m", "3m"), entries("1m", "7m", "3m"))
    assert report.missing == (Discard(1, Tile("2m")),)
    assert report.extra == (Discard(1, Tile("7m")),)
    assert report.matched == 4


def test_a_corrected_reading_counts_as_corrected() -> None:
    read = [*entries("1m", "7m"), Entry(Correct(3, (Entry(Discard(1, Tile("2m"))),)))]
    report = compare(entries("1m", "2m"), read)
    assert (report.missing, report.extra) == ((), ())


def test_hidden_draws_are_not_counted() -> None:
    true = entries("1m")
    with_draw = [*true, Entry(Draw(1, Tile("?")))]
    assert compare(with_draw, true).recall == 1


def test_how_late_an_event_was_read_is_told() -> None:
    late = [*entries()[:2], Entry(Discard(0, Tile("1m")), t=0.75)]
    assert compare(entries("1m"), late).late_s == (0.75,)
