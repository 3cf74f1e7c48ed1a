"""Tiles of a game are grouped by face and named together, with made-up embeddings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.gathered_tiles import embed, gathered, tile
from vision.errors import ProfileError
from vision.tile_set.groups import TileGroups, grouped
from vision.tile_set.naming import LEFT_OUT, MOST_QUESTIONS, named
from vision.tile_set.played_set import PlayedSet
from vision.tile_set.profile import PATCH_PX, Profile
from vision.tiles.classes import FACE_INDEX, FACES


def faces(groups: TileGroups, told: dict[int, int] | None = None) -> list[str]:
    return ["-" if face == LEFT_OUT else FACES[face] for face in named(groups, told).faces]


def test_tiles_that_look_alike_are_one_group_and_named_without_a_question() -> None:
    tiles = [tile(1, "1m"), tile(2, "2p"), tile(1, "1m"), tile(3, "7z"), tile(2, "2p")]
    groups = grouped(gathered(tiles), embed)
    assert list(groups.sizes) == [2, 2, 1]
    naming = named(groups)
    assert sorted(faces(groups)) == ["1m", "2p", "7z"]
    assert naming.asked == ()
    assert len(naming.certain) == 3


def test_a_tile_that_moved_is_no_fifth_copy_but_five_at_one_moment_are_two_groups() -> None:
    tiles = [tile(1, "1m") for _ in range(5)]
    assert list(grouped(gathered(tiles, together=False), embed).sizes) == [5]
    at_once = grouped(gathered(tiles), embed)
    assert list(at_once.sizes) == [4, 1]
    assert set(named(at_once).asked) == {0, 1}


def test_a_name_that_two_unlike_groups_claim_is_asked_about_and_an_answer_settles_both() -> None:
    """The white dragon of an odd set is surely read as the one of dots."""
    tiles = [tile(1, "1p"), tile(1, "1p"), tile(2, "1p"), tile(2, "1p"), tile(2, "1p")]
    groups = grouped(gathered(tiles), embed)
    assert set(named(groups).asked) == {0, 1}
    white = FACE_INDEX["5z"]
    assert groups.sizes[0] == 3
    after = named(groups, {0: white})
    assert after.asked == ()
    assert [FACES[face] for face in after.faces] == ["5z", "1p"]


def test_a_hesitant_reading_is_settled_by_the_names_that_are_taken() -> None:
    """Either name would do for both groups, so the surer one keeps its own."""
    both = tile(2, "6m", 0.5, or_else="9m")
    tiles = [tile(1, "6m"), tile(1, "6m"), tile(1, "6m"), both, both, both]
    groups = grouped(gathered(tiles), embed)
    assert sorted(faces(groups)) == ["6m", "9m"]


def test_the_most_telling_question_comes_first_and_there_are_never_too_many() -> None:
    tiles = [tile(1, "1m", 0.1), tile(1, "1m", 0.1), tile(1, "1m", 0.1)]
    tiles += [tile(10 + place, FACES[place + 5], 0.1) for place in range(20)]
    naming = named(grouped(gathered(tiles), embed))
    assert naming.asked[0] == 0
    assert len(naming.asked) == MOST_QUESTIONS
    assert not naming.certain


def test_a_group_that_is_left_out_gives_the_profile_nothing() -> None:
    groups = grouped(gathered([tile(1, "1m"), tile(1, "1m"), tile(2, "2m")]), embed)
    played = PlayedSet(groups, {0: LEFT_OUT})
    assert {FACES[face] for face in played.profile.faces} == {"2m"}


def test_answers_that_make_a_fifth_copy_are_refused_red_fives_counted() -> None:
    tiles = [tile(1, "5p") for _ in range(3)] + [tile(2, "3p"), tile(2, "3p")]
    played = PlayedSet(grouped(gathered(tiles), embed), {})
    with pytest.raises(ProfileError, match="5 such tiles lay on the table at one moment"):
        played.with_pinned({0: FACE_INDEX["5p"], 1: FACE_INDEX["0p"]})


def test_a_played_set_is_kept_and_adds_to_an_earlier_profile(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    tiles = [tile(1, "1p"), tile(1, "1p"), tile(2, "1p"), tile(3, "4s")]
    earlier = Profile(np.full((1, PATCH_PX[1], PATCH_PX[0], 3), 9, np.uint8), np.array([33]))
    first = PlayedSet(grouped(gathered(tiles), embed), {}, earlier)
    first.save(path)
    assert [FACES[face] for face in Profile.load(path).faces] == ["7z", "4s", "4s"]
    again = PlayedSet.load(path)
    assert again is not None
    assert again.mark == first.mark
    assert again.naming == first.naming
    again.with_pinned({again.naming.asked[0]: FACE_INDEX["1p"]}).save(path)
    assert {FACES[face] for face in Profile.load(path).faces} == {"7z", "4s", "1p"}


def test_a_profile_in_which_nothing_has_a_name_yet_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    PlayedSet(grouped(gathered([tile(1, "1m", 0.05)]), embed), {}).save(path)
    with pytest.raises(ProfileError, match="answer its questions"):
        Profile.load(path)
    assert PlayedSet.load(path) is not None


def test_two_recordings_of_a_set_are_put_together() -> None:
    one = gathered([tile(1, "1m"), tile(2, "2m")])
    groups = grouped(one.and_then(one), embed)
    assert list(groups.sizes) == [2, 2]
    assert groups.together.tolist() == [[1, 1], [1, 1]]
