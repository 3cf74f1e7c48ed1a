"""Scripted games keep the rules, are acted as told, and are filmed from any second."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import simulate

from engine import events as ev
from engine.announce import Payout, Problem
from engine.codec import read_record
from engine.game import replay
from engine.tiles import UNKNOWN, parse
from studio.film.game_film import PlannedGame, Settings, plan
from studio.play.scripted_game import play_script
from studio.play.scripts import names, read_script
from studio.play.truth import seen_entries
from studio.scene import Pose

HANDS = 52  # standing tiles between two turns, before anybody has claimed


@cache
def planned(name: str) -> PlannedGame:
    script = read_script(name)
    return plan(Settings(script.rules, script.seed, Path(), grade="ordinary", script=script))


def marks(name: str, *kinds: type[ev.Event]) -> list[float]:
    return [one.t_s for one in planned(name).director.marks if isinstance(one.event, kinds)]


def counts(name: str, pose: Pose, from_s: float, until_s: float) -> Iterator[int]:
    """How many tiles lie or stand like this, five times a second."""
    stage = planned(name).director.stage
    for step in range(round((until_s - from_s) * 5)):
        yield sum(at.pose == pose for _, at in stage.tiles_at(from_s + step / 5))


@pytest.mark.parametrize("name", names())
def test_a_script_keeps_the_rules_but_where_it_says_so_and_somebody_is_paid(name: str) -> None:
    true = planned(name).true_record()
    script = read_script(name)
    fouls = sum(manner.irregular for hand in script.hands for _, manner in hand.play)
    for record in (true, seen_entries(true, (), script.rules)):
        said = replay(record).announcements()
        assert sum(isinstance(one, Problem) for one in said) == fouls
        assert any(any(one.deltas) for one in said if isinstance(one, Payout))
        assert record[0].t == 0.0
        times = [entry.t or 0.0 for entry in record]
        assert times == sorted(times)


def test_quick_players_discard_within_a_second() -> None:
    times = marks("quick-discards", ev.Discard)
    assert times[1] - times[0] < 1.0
    assert times[3] - times[2] < 1.0


def test_a_hand_stays_over_its_discard_until_the_next_one_lies_there() -> None:
    hand_left, second, *_ = marks("covered-discard", ev.Discard)
    assert second == hand_left, "both are seen when the hand leaves"
    (lying,) = counts("covered-discard", "up", hand_left - 0.6, hand_left - 0.4)
    assert lying == 3, "the dora and both discards"


def test_a_win_follows_a_riichi_discard_within_five_seconds() -> None:
    discards, wins = (marks("riichi-then-win", kind) for kind in (ev.Discard, ev.Win))
    assert wins[0] - discards[2] < 5.0


def test_a_claimed_set_is_laid_open_and_taken_back() -> None:
    discard, draw = marks("set-taken-back", ev.Discard)[0], marks("set-taken-back", ev.Draw)[0]
    open_tiles = list(counts("set-taken-back", "up", discard, draw))
    assert (open_tiles[0], max(open_tiles), open_tiles[-1]) == (1, 3, 1)
    assert open_tiles.count(3) >= 15  # three seconds


def test_a_drawn_tile_is_put_back_before_a_pung() -> None:
    discard, pung = marks("pung-over-draw", ev.Discard)[0], marks("pung-over-draw", ev.Pung)[0]
    standing = list(counts("pung-over-draw", "standing", discard, pung))
    assert (standing[0], max(standing)) == (HANDS, HANDS + 1)
    assert standing.index(HANDS, standing.index(HANDS + 1)) > 0


def test_a_hand_is_laid_down_and_taken_up_again() -> None:
    discards = marks("ready-taken-back", ev.Discard)
    standing = list(counts("ready-taken-back", "standing", discards[3], discards[4] - 2.5))
    assert (standing[0], min(standing), standing[-1]) == (HANDS, HANDS - 13, HANDS)


def test_a_table_is_empty_before_its_walls_rise() -> None:
    stage = planned("begins-empty").director.stage
    assert max(at.z_mm for _, at in stage.tiles_at(4.9)) < 0
    assert min(at.z_mm for _, at in stage.tiles_at(8.0)) > 0


def test_dice_lie_on_the_console() -> None:
    things = planned("begins-dealt-dice").director.things_at(0.0)
    assert [thing.upper for thing in things if thing.kind == "die"] == [1, 5]


def test_a_film_that_begins_in_mid_hand_is_told_what_lies_there(tmp_path: Path) -> None:
    arguments = ["--no-video", "--fps", "0.5", "--out", str(tmp_path)]
    assert simulate.main(["--case", "begins-mid-hand", *arguments]) == 0
    seen = [entry.event for entry in read_record((tmp_path / "seen.jsonl").read_text("utf-8"))]
    assert seen[1] == ev.HandStart(dealer=1)
    position = seen[2]
    assert isinstance(position, ev.Position)
    assert position.hands == tuple((UNKNOWN,) * count for count in (13, 13, 10, 13))
    lying = [one.tile for river in position.rivers or () for one in river]
    assert lying == list(parse("1z 4s 2z 3s 1s 9m 7z 3z 2s"))
    first = json.loads((tmp_path / "labels.jsonl").read_text("utf-8").splitlines()[0])
    faces = sorted(tile["tile"] for tile in first["tiles"] if tile["side"] == "face")
    assert faces == sorted([*map(str, lying), "6z", "6z", "6z"])


def test_a_dealt_table_that_nobody_has_played_at_is_a_hand_from_its_beginning() -> None:
    true = planned("begins-dealt").true_record()
    kinds = [type(entry.event) for entry in true[:7]]
    assert kinds == [ev.GameStart, ev.HandStart, *[ev.Deal] * 4, ev.Indicator]
    assert {entry.t for entry in true[:7]} == {0.0}


def test_nothing_is_told_of_a_hand_whose_win_was_not_seen() -> None:
    true = planned("begins-after-win").true_record()
    assert true[1].event == ev.HandStart(dealer=0)
    assert sum(isinstance(entry.event, ev.Win) for entry in true) == 1


def test_a_script_must_name_tiles_that_there_are_and_end() -> None:
    script = read_script("float")
    hand = script.hands[0]
    five_fives = replace(hand, deal=(parse("1111z 1z"), *hand.deal[1:]))
    with pytest.raises(ValueError, match="too many of 1z"):
        play_script(replace(script, hands=(five_fives,)))
    with pytest.raises(ValueError, match="does not end"):
        play_script(replace(script, hands=(replace(hand, play=hand.play[:3]),)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--case", "float", "--rules", "riichi"], "--rules and --seed, or --case"),
        (["--rules", "riichi"], "--rules and --seed, or --case"),
        (["--case", "sink"], "invalid choice: 'sink'"),
    ],
)
def test_what_cannot_be_filmed_is_refused(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        simulate.main([*arguments, "--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err
