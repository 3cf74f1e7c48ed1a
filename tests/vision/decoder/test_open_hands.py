"""Hands that lie face up from the deal on: what they hold and draw is read and known to all."""

from __future__ import annotations

from engine.announce import Ready
from engine.events import Deal, Discard, Draw, Pung, Reveal, Win
from engine.game import replay
from engine.log import in_force
from engine.tiles import Tile, parse
from tests.support.recorded import Recorded
from tests.support.tables import TILE_MM, won

DEALT = "123m 456p 789s 1155z"
WAITS = {"1z", "5z"}


LEFT_MM = -240.0


class OpenTable(Recorded):
    """A riichi table on which some hands lie open."""

    def __init__(self, hands: dict[int, str]) -> None:
        super().__init__("riichi")
        self.show(3.0)
        self._rows = {
            seat: list(zip(parse(tiles), self.stage.lay(seat, tiles, LEFT_MM), strict=True))
            for seat, tiles in hands.items()
        }
        for seat in set(range(4)) - hands.keys():
            self.stage.stand(seat, 14 if seat == 0 else 13)
        self.show(2.0)

    def draws(self, seat: int, face: str, gap_mm: float = 10.0) -> None:
        row = self._rows[seat]
        key = self.stage.put(seat, LEFT_MM + TILE_MM * len(row) + gap_mm, 345, face)
        row.append((Tile(face), key))
        self.show(1.2)

    def throws(self, seat: int, face: str) -> int:
        """A tile goes from the hand, if that lies open, to the river."""
        self.stage.busy = frozenset({seat})
        self.show(0.4)
        if seat in self._rows:
            self.takes(seat, face)
        tile = self.stage.put(seat, -75, 120, face)
        self.show(0.4)
        self.stage.busy = frozenset()
        self.show(1.2)
        return tile

    def takes(self, seat: int, *faces: str) -> None:
        """Tiles leave the hand, for a set or the river."""
        for face in faces:
            held = next(held for held in reversed(self._rows[seat]) if held[0] == face)
            self._rows[seat].remove(held)
            self.stage.take(held[1])

    @property
    def told(self) -> list[object]:
        return [event.entry.event for event in in_force(self.lines)]


def test_one_hand_that_lies_open_is_dealt_and_shown_and_the_others_stay_hidden() -> None:
    table = OpenTable({1: DEALT})
    (deal,) = (event for event in table.told if isinstance(event, Deal))
    assert (deal.seat, sorted(deal.tiles)) == (1, sorted(parse(DEALT)))
    assert [event.seat for event in table.told if isinstance(event, Reveal)] == [1]


def test_a_table_on_which_every_hand_stands_names_no_tile_of_any() -> None:
    table = OpenTable({})
    table.throws(0, "9m")
    assert [e for e in table.told if isinstance(e, Deal | Draw | Reveal)] == []


def test_what_an_open_hand_draws_is_known_before_it_discards() -> None:
    table = OpenTable({1: DEALT})
    table.throws(0, "9m")
    table.draws(1, "4z")
    assert table.told[-1] == Draw(1, parse("4z")[0])
    table.throws(1, "9s")
    played = [e for e in table.told if isinstance(e, Draw | Discard) and e.seat == 1]
    assert [str(e.tile) for e in played] == ["4z", "9s"]


def test_everybody_is_told_what_an_open_hand_waits_for() -> None:
    table = OpenTable({1: DEALT})
    table.throws(0, "9m")
    game = replay([event.entry for event in in_force(table.lines)])
    said = [
        announcement
        for announcement in game.announcements()
        if isinstance(announcement, Ready) and announcement.audience is None
    ]
    assert {str(wait.tile) for one in said for wait in one.waits} == WAITS


def test_a_claim_takes_the_tiles_of_an_open_hand() -> None:
    table = OpenTable({1: DEALT, 2: "2468m 2468p 2468s 1z"})
    table.stage.take(table.throws(0, "5z"))
    table.takes(1, "5z", "5z")
    table.stage.set_down(1, "555z", turned=0)
    table.show(3.0)
    (claim,) = [e for e in table.told if isinstance(e, Pung)]
    assert (claim.seat, claim.from_seat, claim.own) == (1, 0, tuple(parse("55z")))
    state = replay([event.entry for event in in_force(table.lines)]).state
    assert all(tile.known for tile in state.players[1].hand)
    assert len(state.players[1].hand) == 11


def test_a_tile_laid_far_apart_from_a_hand_that_is_whole_is_a_win() -> None:
    table = OpenTable({1: DEALT})
    table.throws(0, "9m")
    table.draws(1, "1z", gap_mm=TILE_MM)
    table.show(1.0)
    (win,) = (event for event in table.events if isinstance(event, Win))
    assert won(win) == (1, 1, "1z")


def test_a_win_on_a_discard_that_stays_where_it_lies_is_told_when_the_hand_is_over() -> None:
    table = OpenTable({1: "234m 345p 67s 22345s"})
    table.throws(0, "8s")
    table.show(1.0)
    assert not [event for event in table.events if isinstance(event, Win)]
    table.lines += table.decoder.close()
    (win,) = (event for event in table.events if isinstance(event, Win))
    assert won(win) == (1, 0, "8s")
