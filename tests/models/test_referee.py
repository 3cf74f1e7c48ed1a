"""The oracle referee mends a game as a person at the table would."""

from __future__ import annotations

from games.outcome import GameCase
from games.referee import mended_labels

from engine.events import GameEnd


def test_a_whole_game_is_right_once_it_is_mended() -> None:
    mended = mended_labels(GameCase("hard", "harbin-treasure", 97301), told=True)
    assert mended.mends
    assert not mended.harmful
    assert mended.hands == 1
    assert not mended.wrong_at_end
    assert any(isinstance(line.event, GameEnd) for line in mended.lines)
