from __future__ import annotations

import pytest
from games.labels import read_labels
from games.outcome import GameCase


@pytest.mark.parametrize(("grade", "rules"), [("ordinary", "wsom"), ("clean", "hangzhou")])
def test_a_film_that_ends_a_second_after_the_win_tells_it_and_ends_the_hand(
    grade: str, rules: str
) -> None:
    """In one of them two tiles of the hand were not found by then: which they are stays open."""
    told = read_labels(GameCase(grade, rules, 97201, "won"))
    assert (told.missing, told.extra) == ([], [])
