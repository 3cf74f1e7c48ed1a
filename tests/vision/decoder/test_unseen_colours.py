"""A five that was seen in grey pictures alone is not named, unless something else decides."""

from __future__ import annotations

import numpy as np
import pytest

from engine.announce import Problem
from engine.events import Chow, Discard, Event, Position, Pung
from engine.game import replay
from engine.tiles import Tile
from tests.support.recorded import Recorded
from tests.support.tables import VIEW, discards, look, read_at, shares
from vision.decoder.decoder import Decoder
from vision.tiles.fives import without_colour


class Night(Recorded):
    """A table whose tiles are seen without colours, unless they are told to be in light."""

    light = False

    def seen(self, tile: int) -> None:
        """The tile as a camera sees it now that tells nothing of colours."""
        here = self.stage.take_up(tile)
        self.stage.lay_again(here)
        self.stage.change(tile, probabilities=without_colour(here.probabilities))

    def put(self, seat: int, face: str, place: int = 0, sure: float = 0.97) -> int:
        tile = super().put(seat, face, place, sure)
        if not self.light:
            self.seen(tile)
        return tile

    def lit(self, tile: int, face: str) -> None:
        """Another look at it, in colour."""
        self.stage.change(tile, probabilities=shares(face))
        self.show(2.0)


def dealt(rules: str = "riichi") -> Night:
    table = Night(rules)
    table.deal()
    return table


def replays(table: Recorded) -> None:
    said = replay(table.lines).announcements()
    assert [one for one in said if isinstance(one, Problem) and one.impossible] == []


@pytest.mark.parametrize("face", ["5p", "0p"])
def test_a_five_without_colours_is_not_named(face: str) -> None:
    table = dealt()
    table.plays((0, "1m"), (1, face), (2, "7z"))
    assert table.events[1:] == discards((0, "1m"), (1, "?"), (2, "7z"))
    line = next(line for line in table.lines if line.event == table.events[2])
    assert (line.confidence or 0.0) > 0.9  # that it is this player's discard
    (question,) = table.decoder.decoder.questions()
    said = {event for choice in question.choices for event in choice.events}
    assert said >= {Discard(1, Tile("5p")), Discard(1, Tile("0p"))}
    replays(table)


def test_it_stays_unknown_when_its_tile_is_forgotten() -> None:
    table = dealt()
    table.plays((0, "1m"), (1, "5p"), (2, "7z"))
    for dealer in (1, 2, 3):
        table.clear()
        table.deal(dealer)
        for turn in range(14):
            table.discard((dealer + turn) % 4, f"{turn % 9 + 1}{'ms'[turn // 9]}", turn // 4)
    assert Discard(1, Tile("?")) in table.events
    assert Discard(1, Tile("5p")) not in table.events


@pytest.mark.parametrize("rules", ["harbin-hlr", "hong-kong"])
def test_games_without_red_fives_name_every_five(rules: str) -> None:
    table = dealt(rules)
    table.plays((0, "1m"), (1, "5p"), (2, "7z"), (3, "5s"))
    assert table.hand == discards((0, "1m"), (1, "5p"), (2, "7z"), (3, "5s"))


@pytest.mark.parametrize(("reds", "told"), [(0, "5p"), (3, "0p")])
def test_a_game_has_the_red_fives_of_its_options(reds: int, told: str) -> None:
    """Pale light and a set with red fives show what the game does not have."""
    decoder = Decoder("riichi", VIEW, options={"red_fives": reds})
    for time_s in np.arange(0.0, 2.0, 0.2):
        decoder.look(look(float(time_s), read_at(50, 20, "0p")))
    assert decoder.observation is not None
    assert [tile.tile for tile in decoder.observation.placed] == [Tile(told)]


@pytest.mark.parametrize("first", [True, False])
def test_a_red_five_that_was_seen_leaves_the_plain_ones(first: bool) -> None:
    table = dealt()
    for seat, face in enumerate(("0p", "5p") if first else ("5p", "0p")):
        table.light = face == "0p"
        table.discard(seat, face)
    table.light = True
    table.discard(2, "7z")
    assert table.hand == discards(
        (0, "0p" if first else "5p"), (1, "5p" if first else "0p"), (2, "7z")
    )


@pytest.mark.parametrize("face", ["5p", "0p"])
def test_another_look_in_colour_decides(face: str) -> None:
    table = dealt()
    table.light = True
    table.discard(0, "1m")
    table.light = False
    tile = table.discard(1, face)
    assert table.hand == discards((0, "1m"), (1, "?"))
    table.lit(tile, face)
    assert table.hand == discards((0, "1m"), (1, face))


def test_four_fives_without_colours_stay_unknown_all() -> None:
    table = dealt()
    table.plays((0, "5p"), (1, "5p"), (2, "5p"), (3, "5p"))
    table.plays((0, "1m"), (1, "9s"), place=1)
    assert table.hand[:4] == discards(*((seat, "?") for seat in range(4)))
    replays(table)


@pytest.mark.parametrize("red", ["5p", "0p"])
def test_a_set_in_colour_decides(red: str) -> None:
    table = dealt()
    table.discard(0, "1m")
    tile = table.discard(1, red)
    other = "0p" if red == "5p" else "5p"
    table.claim(tile, 3, f"{red}{other}5p", turned=0, lasts_s=3.0)
    table.discard(3, "9s")
    assert table.hand[1] == Discard(1, Tile(red))
    assert isinstance(table.hand[2], Pung)
    replays(table)


@pytest.mark.parametrize("own", ["5p5p5p", "4p5p6p"])
def test_a_set_without_colours_decides_nothing(own: str) -> None:
    table = dealt()
    table.discard(0, "1m")
    tile = table.discard(1, "5p")
    chow = own == "4p5p6p"
    laid = table.claim(tile, 2, own, turned=0, lasts_s=0.0)
    for one in laid:
        table.seen(one)
    table.show(3.0)
    table.discard(2, "9s")
    assert table.hand[1] == Discard(1, Tile("?"))
    assert isinstance(table.hand[2], Chow if chow else Pung)
    replays(table)


def test_a_person_s_word_decides() -> None:
    table = dealt()
    table.plays((0, "1m"), (1, "5p"))
    unknown: Event = Discard(1, Tile("?"))
    table.correct(table.number(unknown), Discard(1, Tile("0p")))
    table.discard(2, "7z")
    assert table.hand == discards((0, "1m"), (1, "0p"), (2, "7z"))
    replays(table)


def test_a_restart_keeps_what_is_unknown() -> None:
    table = dealt()
    table.plays((0, "1m"), (1, "5p"))
    table.restart()
    table.plays((2, "7z"), (3, "5s"))
    faces = [event.tile for event in table.events if isinstance(event, Discard)]
    assert faces[:2] == [Tile("1m"), Tile("?")]
    replays(table)


def test_a_table_that_was_found_in_the_dark_names_no_five() -> None:
    table = Night("riichi")
    for seat in range(4):
        table.stage.stand(seat, 14 if seat == 0 else 13)
    for seat, face in enumerate(("1m", "5p", "7z", "3s")):
        table.put(seat, face)
    table.show(16.0)
    position = table.hand[0]
    assert isinstance(position, Position)
    assert [river[0].tile for river in position.rivers or ()] == [
        Tile(t) for t in ("1m", "?", "7z", "3s")
    ]
