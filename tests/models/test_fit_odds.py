"""The curves of the chances are fitted on games, and measured on games that they never saw."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import numpy as np
import pytest
from fit_odds import logged, main, simulated
from odds.cases import Cases
from odds.choices import Choice, kept_weights
from odds.fit import amounts, base_rate, chances, interval, reliability, told_amount, told_chance

from engine.events import GameStart, Win
from engine.logs.mjai import write_mjai
from engine.odds.curves import parsed
from engine.odds.danger import TILE_FEATURES
from tests.support.golden import golden


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("curves")
    picture = out / "told.svg"
    amount = ["--games", "8", "--hands", "2"]
    assert main(["harbin-hlr", *amount, "--out", str(out), "--picture", str(picture)]) == 0
    assert picture.read_text().startswith("<svg")
    return out / "harbin-hlr.json"


def test_a_few_simulated_games_give_curves_with_their_origin(written: Path) -> None:
    told = json.loads(written.read_text())
    about = told["about"]
    assert (about["fitted on"], about["held out"], about["source"]) == (6, 2, "simulated")
    assert {"data", "seed", "commit", "made", "licence", "metrics"} <= about.keys()
    assert list(told["curves"]["danger_ready"]) == list(TILE_FEATURES)
    assert about["metrics"]["danger_ready"]["Brier"][0] <= 1
    assert parsed(told).source == "simulated"


def test_nothing_is_fitted_without_the_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--logs", str(tmp_path / "none.tar.gz")]):
        assert main(["riichi", "--out", str(tmp_path), *more]) == 0
        assert "nothing is fitted" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_logs_of_an_archive_are_read_in_their_order(tmp_path: Path) -> None:
    archive, log = tmp_path / "logs.tar.gz", tmp_path / "b.mjson"
    log.write_text(write_mjai(golden("riichi-tenhou")))
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(log, "b.mjson")
        packed.add(log, "a.mjson")
    first, second = logged(archive, 2)
    assert first == second
    assert isinstance(first[0].event, GameStart)
    assert any(isinstance(entry.event, Win) for entry in first)


def test_the_same_seed_plays_the_same_games() -> None:
    one, other = (list(simulated("hangzhou", 1, 1, 3)) for _ in range(2))
    assert one == other
    assert len(one) == 1


def cases(outcomes: object, inputs: object, count: int) -> Cases:
    return Cases(
        np.asarray(inputs, np.float32),
        np.asarray(outcomes, np.float64),
        np.arange(count) // 20,
        np.ones(count, bool),
    )


def test_what_is_told_comes_true_and_signs_are_kept() -> None:
    rng = np.random.default_rng(1)
    inputs = np.column_stack([np.ones(8000), rng.normal(size=(8000, 2))])
    true = 1 / (1 + np.exp(2 - inputs[:, 1] + 0.5 * inputs[:, 2]))
    made = cases(rng.random(8000) < true, inputs, 8000)
    told = told_chance(chances(made), made)
    assert all(abs(one - other) < 0.04 for one, other, _ in reliability(told, made.outcomes))
    kept = chances(made, np.array([0.0, 1.0, 1.0]))
    assert kept[2] == 0
    assert kept[1] > 0.5
    mean, low, high = interval(made.outcomes, made.games)
    assert low < mean < high
    points = cases(rng.exponential(np.exp(8 + 0.3 * inputs[:, 1])), inputs, 8000)
    assert told_amount(amounts(points), points).mean() == pytest.approx(
        points.outcomes.mean(), rel=0.02
    )


def test_a_curve_that_tells_nothing_is_drawn_to_the_base_rate() -> None:
    rng = np.random.default_rng(3)
    inputs = np.column_stack([np.ones(900), rng.normal(size=(900, 20))])
    made = cases(rng.random(900) < 0.1, inputs, 900)
    share = made.outcomes.mean()
    assert told_chance(base_rate(made), made) == pytest.approx(share)
    told = told_chance(chances(made), made)
    assert told.mean() == pytest.approx(share, abs=0.002)
    assert told.std() < 0.02


def test_choices_tell_what_players_keep() -> None:
    rng = np.random.default_rng(2)
    made = []
    for game in range(600):
        changes, kept = rng.normal(size=6) * 500, rng.normal(size=(6, 2))
        slopes = np.full(6, 1000.0)
        liked = 2 * (changes + slopes * (kept @ (0.5, -0.25))) / 1000 + rng.gumbel(size=6)
        made.append(Choice(game, False, int(liked.argmax()), changes, slopes, kept, -changes))
    assert kept_weights(made) == pytest.approx([0.5, -0.25], abs=0.12)
    one = made[0]
    assert one.places(np.zeros(6)) == pytest.approx((1 / 6, 1 / 2))
