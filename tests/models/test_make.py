"""The training's stages stand in a table, are done in order, and are gone on with."""

from __future__ import annotations

from pathlib import Path

import pytest
from making.stages import FULL, TINY, TrainingPlan, steps

from tests.support.paths import ROOT

MADE_BY = ("--out", "--cache")


def plan(
    out: Path = Path("/out of here"), data: Path = Path("/some data"), device: str = "cpu"
) -> TrainingPlan:
    return TrainingPlan(data, out, 10.0, 7, 2, TINY, device=device)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_every_command_is_one_of_the_programs_with_options_that_it_has(device: str) -> None:
    for step in steps(plan(device=device)):
        program = ROOT / step.command[0]
        parts = {
            "train.py": ("training",),
            "train_recogniser.py": ("training",),
            "train_dice.py": ("training",),
            "score.py": (f"scores/{step.command[1]}",),
            "render.py": (f"renders/{step.command[1]}", "renders/labelled"),
        }.get(program.name, ())
        sources = [program, *(program.parent / f"{part}.py" for part in parts)]
        text = "".join(source.read_text() for source in sources)
        options = [word for word in step.command if word.startswith("--")]
        assert [option for option in options if f'"{option}"' not in text] == [], step.name


@pytest.mark.parametrize("seed", [0, 1, 9, 90])
def test_no_table_that_is_measured_by_is_trained_on(seed: int) -> None:
    here = TrainingPlan(Path("/data"), Path("/out"), 10.0, seed, 2, FULL)
    seeds: dict[bool, set[str]] = {True: set(), False: set()}
    for step in steps(here):
        if step.command[:2] == ("datasets/render.py", "crops"):
            number = step.command[step.command.index("--seed") + 1]
            seeds[step.stage.startswith("render")].add(number)
    assert len(seeds[False]) == 4
    assert not seeds[True] & seeds[False]


def test_what_a_stage_reads_was_made_by_one_before_it() -> None:
    made: list[str] = []
    for step in steps(plan()):
        ours = [word for word in step.command if word.startswith("/out of here")]
        outs = [step.command[i + 1] for i, word in enumerate(step.command) if word in MADE_BY]
        for word in ours:
            known = any(word.startswith(place) or place.startswith(word) for place in made)
            assert word in outs or known, (step.name, word)
        made += outs


def test_the_style_left_out_is_only_measured_on() -> None:
    names = [step.stage for step in steps(plan()) if "taiwanese" in step.command]
    assert names == ["tables-held-out"]
    users = [s.stage for s in steps(plan()) if any("tables/held-out" in w for w in s.command)]
    assert users == ["tables-held-out", "report-held-out"]
    readers = [s.stage for s in steps(plan()) if any("evaluate.json" in w for w in s.command)]
    assert readers == ["report-photos", "report-photos2", "report-webcam"]


def test_no_set_that_is_measured_by_has_the_seed_of_one_that_a_curve_is_fitted_on() -> None:
    rendered = [s.command for s in steps(plan()) if s.command[:2] == ("datasets/render.py", "sets")]
    seeds = [command[command.index("--seed") + 1] for command in rendered]
    assert len(set(seeds)) == len(seeds) == 4


def test_the_card_is_written_from_every_report_that_is_made() -> None:
    made = [step.command[-1] for step in steps(plan()) if step.stage.startswith("report-")]
    card = next(step for step in steps(plan()) if step.stage == "card")
    assert set(made) <= set(card.command)
