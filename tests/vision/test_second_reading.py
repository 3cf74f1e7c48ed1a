"""Some tiles are read a second time, from other pictures and at other scales."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.rules import RULE_SETS
from engine.tiles import parse
from tests.support.evening import COLOURS_BGR
from tests.support.tables import SMALL_VIEW
from tests.support.won_film import RULES, TRUE, ByPlace, pictures
from vision.camera.pictures import Picture, Region
from vision.decoder.table_evidence import in_play
from vision.detect import Detection
from vision.second_reading import MOST_PICTURES, MOST_S, ReadFace, Shown, read_again

GAME = in_play(RULE_SETS[RULES], RULE_SETS[RULES].all_options())


class OneAfterTheOther(ByPlace):
    """Reads each picture as another hand."""

    def __init__(self, *hands: str) -> None:
        super().__init__()
        self._hands = iter(hands)

    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        self.faces = [*map(str, parse(next(self._hands)))]
        return super().found(image_bgr, region)


def faces(read: Sequence[ReadFace]) -> list[str]:
    return [str(one.tile) for one in read]


def hand(*first: str) -> str:
    """The true hand with another first tile."""
    return TRUE.replace("234m", f"{first[0]} 34m")


def shown(count: int = 9) -> Iterator[Shown]:
    return pictures(count)


def test_two_pictures_that_agree_are_enough() -> None:
    nets = ByPlace()
    assert faces(read_again(nets, shown(), GAME)) == [*map(str, parse(TRUE))]
    assert len(nets.read_px) == 2
    assert nets.read_px[0][0] > nets.read_px[1][0]  # the second one at another scale


def test_most_pictures_decide_where_they_differ() -> None:
    read = read_again(OneAfterTheOther(*map(hand, ("5m", "2m", "2m", "2m", "2m"))), shown(), GAME)
    assert faces(read)[0] == "2m"
    assert 0.5 < read[0].sure < 0.97


def test_what_no_half_of_them_shows_is_not_read() -> None:
    read = read_again(OneAfterTheOther(*map(hand, ("5m", "2m", "3m", "4m", "6m"))), shown(), GAME)
    assert faces(read)[0] == "?"
    assert faces(read)[1:] == [*map(str, parse(TRUE))][1:]


def test_a_tile_that_is_found_in_no_picture_is_not_read() -> None:
    read = read_again(ByPlace(hand("?")), shown(), GAME)
    assert read[0] == ReadFace(parse("?")[0], 0.0)


def test_a_red_five_is_a_plain_one_where_the_game_has_none() -> None:
    assert faces(read_again(ByPlace(hand("0m")), shown(), GAME))[0] == "5m"


def test_without_a_picture_nothing_is_read() -> None:
    assert read_again(ByPlace(), iter(()), GAME) == []


def test_pictures_and_seconds_are_bounded() -> None:
    nets = ByPlace(hand("?"))
    read_again(nets, shown(), GAME)
    assert len(nets.read_px) == MOST_PICTURES
    nets = ByPlace(hand("?"))
    seconds = iter(np.arange(0.0, 99.0, MOST_S - 1.0))
    read_again(nets, shown(), GAME, clock=lambda: float(next(seconds)))
    assert len(nets.read_px) == 2


def test_the_pictures_show_what_they_are_said_to() -> None:
    one = next(shown())
    (width, height), outlines = SMALL_VIEW.picture_px, one.corners_px
    assert one.image_bgr.shape == (height, width, 3)
    x, y = outlines[0].mean(axis=0).astype(int)
    assert np.abs(one.image_bgr[y, x].astype(int) - COLOURS_BGR[1]).max() < 60


def test_one_picture_alone_is_not_enough() -> None:
    assert set(faces(read_again(ByPlace(), shown(1), GAME))) == {"?"}
    once = OneAfterTheOther(hand("2m"), *[hand("?")] * 4)
    assert faces(read_again(once, shown(), GAME))[0] == "?"
