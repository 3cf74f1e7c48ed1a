"""Whole games and the transcripts that they must produce, one for each rule set."""

from __future__ import annotations

import pytest

from engine.announce import Payout, Problem
from engine.codec import read_record, write_record
from engine.game import Game, replay
from service.commands.replay import run
from tests.support.golden import WITH_GAME, golden
from tests.support.paths import GAMES

every_rule_set = pytest.mark.parametrize("rules", WITH_GAME)


@every_rule_set
def test_a_whole_game_is_told_as_it_was(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    # After a wanted change: tilesight replay tests/games/ID.jsonl > tests/games/ID.txt
    assert run(str(GAMES / f"{rules}.jsonl"), "en", False, None) == 1
    assert capsys.readouterr().out == (GAMES / f"{rules}.txt").read_text("utf-8")


@every_rule_set
def test_the_game_is_written_in_the_one_form(rules: str) -> None:
    text = (GAMES / f"{rules}.jsonl").read_text("utf-8")
    assert write_record(read_record(text)) == text


@every_rule_set
def test_the_game_played_live_ends_as_its_replay(rules: str) -> None:
    record = golden(rules)
    live = Game()
    for entry in record:
        live.submit(entry)
    assert live.state == replay(record).state
    assert live.announcements() == replay(record).announcements()


@every_rule_set
def test_the_game_has_much_to_tell(rules: str) -> None:
    game = replay(golden(rules))
    said = game.announcements()
    items = {item.name for one in said if isinstance(one, Payout) for item in one.items}
    problems = {one.code for one in said if isinstance(one, Problem)}
    assert len(items) >= 8
    assert len(problems) >= 4
    assert any(one.impossible for one in said if isinstance(one, Problem))
