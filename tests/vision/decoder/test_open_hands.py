"""Hands that lie face up from the deal on: what they hold and draw is read and known to all."""

from __future__ import annotations

from collections.abc import Sequence

from games.recorded import RecordedDecoder

from engine.announce import Ready
from engine.events import Deal, Discard, Draw, Entry, Pung, Reveal, Win
from engine.game import replay
from engine.log import in_force
from engine.tiles import parse
from tests.support.tables import TILE_MM, VIEW, Stage, set_at_corner

DEALT = "123m 456p 789s 1155z"
WAITS = {"1z", "5z"}


class Table:
    """A riichi table on which some hands lie open."""

    def __init__(self, hands: dict[int, str]) -> None:
        self.stage, self.decoder = Stage(), RecordedDecoder("riichi", VIEW)
        self.lines: list[Entry] = []
        self._rows: dict[int, dict[str, list[int]]] = {}
        self.show(3.0)
        for seat in range(4):
            if seat in hands:
                self.lay(seat, hands[seat])
            else:
                self.stage.stand(seat, 14 if seat == 0 else 13)
        self.show(2.0)

    def lay(self, seat: int, tiles: str) -> None:
        """A row of faces before a seat, from its left to right; what lay in it is taken away."""
        for key in [key for row in self._rows.pop(seat, {}).values() for key in row]:
            self.stage.take(key)
        row: dict[str, list[int]] = {}
        for place, tile in enumerate(parse(tiles)):
            key = self.stage.put(seat, -240 + 31 * place, 345, str(tile))
            row.setdefault(str(tile), []).append(key)
        self._rows[seat] = row

    def draws(self, seat: int, face: str, gap_mm: float = 10.0) -> None:
        row = self._rows[seat]
        place = sum(map(len, row.values()))
        key = self.stage.put(seat, -240 + 31 * place + gap_mm, 345, face)
        row.setdefault(face, []).append(key)
        self.show(1.2)

    def discards(self, seat: int, face: str, place: int) -> int:
        """A tile goes from the hand, if that lies open, to the river."""
        self.stage.busy = frozenset({seat})
        self.show(0.4)
        if seat in self._rows:
            self.stage.take(self._rows[seat][face].pop())
        tile = self.stage.put(seat, -75 + 31 * place, 120, face)
        self.show(0.4)
        self.stage.busy = frozenset()
        self.show(1.2)
        return tile

    def takes(self, seat: int, *faces: str) -> None:
        """Tiles leave the hand for a set."""
        for face in faces:
            self.stage.take(self._rows[seat][face].pop())

    def show(self, lasts_s: float) -> None:
        for seen in self.stage.shown(lasts_s):
            self.lines += self.decoder.observe(seen)

    def events(self) -> list[object]:
        return [event.entry.event for event in in_force(self.lines)]


def dealt(events: Sequence[object]) -> dict[int, tuple[str, ...]]:
    return {e.seat: tuple(map(str, e.tiles)) for e in events if isinstance(e, Deal)}


def in_order(tiles: str) -> tuple[str, ...]:
    return tuple(sorted(map(str, parse(tiles)), key=lambda tile: (tile[1], tile[0])))


def test_one_hand_that_lies_open_is_dealt_and_shown_and_the_others_stay_hidden() -> None:
    table = Table({1: DEALT})
    events = table.events()
    assert {seat: sorted(hand) for seat, hand in dealt(events).items()} == {
        1: sorted(in_order(DEALT))
    }
    assert [e.seat for e in events if isinstance(e, Reveal)] == [1]


def test_a_table_on_which_every_hand_stands_names_no_tile_of_any() -> None:
    table = Table({})
    table.discards(0, "9m", 0)
    assert [e for e in table.events() if isinstance(e, Deal | Draw | Reveal)] == []


def test_what_an_open_hand_draws_is_known_before_it_discards() -> None:
    table = Table({1: DEALT})
    table.discards(0, "9m", 0)
    table.draws(1, "4z")
    assert table.events()[-1] == Draw(1, parse("4z")[0])
    table.discards(1, "9s", 0)
    played = [e for e in table.events() if isinstance(e, Draw | Discard) and e.seat == 1]
    assert [str(e.tile) for e in played] == ["4z", "9s"]


def test_everybody_is_told_what_an_open_hand_waits_for() -> None:
    table = Table({1: DEALT})
    table.discards(0, "9m", 0)
    game = replay([event.entry for event in in_force(table.lines)])
    said = [
        announcement
        for announcement in game.announcements()
        if isinstance(announcement, Ready) and announcement.audience is None
    ]
    assert {str(wait.tile) for one in said for wait in one.waits} == WAITS


def test_a_claim_takes_the_tiles_of_an_open_hand() -> None:
    table = Table({1: DEALT, 2: "2468m 2468p 2468s 1z"})
    tile = table.discards(0, "5z", 0)
    table.stage.take(tile)
    table.takes(1, "5z", "5z")
    set_at_corner(table.stage, 1, ("5z", "5z", "5z"), turned=0)
    table.show(3.0)
    (claim,) = [e for e in table.events() if isinstance(e, Pung)]
    assert (claim.seat, claim.from_seat, claim.own) == (1, 0, tuple(parse("55z")))
    state = replay([event.entry for event in in_force(table.lines)]).state
    assert all(tile.known for tile in state.players[1].hand)
    assert len(state.players[1].hand) == 11


def test_a_tile_laid_far_apart_from_a_hand_that_is_whole_is_a_win() -> None:
    table = Table({1: DEALT})
    table.discards(0, "9m", 0)
    table.draws(1, "1z", gap_mm=TILE_MM)
    table.show(1.0)
    (won,) = [e for e in table.events() if isinstance(e, Win)]
    assert (won.seat, won.from_seat, str(won.tile)) == (1, 1, "1z")


def test_a_win_on_a_discard_that_stays_where_it_lies_is_told_when_the_hand_is_over() -> None:
    table = Table({1: "234m 345p 67s 22345s"})
    table.discards(0, "8s", 0)
    table.show(1.0)
    assert not [e for e in table.events() if isinstance(e, Win)]
    table.lines += table.decoder.close()
    (won,) = [e for e in table.events() if isinstance(e, Win)]
    assert (won.seat, won.from_seat, str(won.tile)) == (1, 0, "8s")
