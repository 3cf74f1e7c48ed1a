"""The training's stages stand in a table, are done in order, and are gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import make
import pytest
from making.stages import FULL, STAGES, TINY, TrainingPlan, TrainingStep, steps

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
        assert program.is_file(), step.command[0]
        text = program.read_text()
        options = [word for word in step.command if word.startswith("--")]
        assert [option for option in options if f'"{option}"' not in text] == [], step.name


def test_every_part_is_rendered_with_a_seed_of_its_own_and_used() -> None:
    done = list(steps(plan()))
    renders = [step.command for step in done if step.stage == "render"]
    assert len(renders) == TINY.parts
    seeds = [command[command.index("--seed") + 1] for command in renders]
    assert len(set(seeds)) == len(seeds)
    (recogniser,) = (step.command for step in done if step.stage == "recogniser")
    for command in renders:
        assert command[command.index("--out") + 1] in recogniser


@pytest.mark.parametrize("seed", [0, 1, 9, 90])
def test_no_table_that_is_measured_by_is_trained_on(seed: int) -> None:
    here = TrainingPlan(Path("/data"), Path("/out"), 10.0, seed, 2, FULL)
    seeds: dict[bool, set[str]] = {True: set(), False: set()}
    for step in steps(here):
        if step.command[0] == "datasets/crops.py":
            number = step.command[step.command.index("--seed") + 1]
            seeds[step.stage.startswith("render")].add(number)
    assert len(seeds[False]) == 3
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
    assert readers == ["report-photos", "report-photos2"]


def step(tmp_path: Path, code: str, name: str = "one") -> TrainingStep:
    program = tmp_path / f"{name}.py"
    program.write_text(code)
    return TrainingStep(name, name, "a test", (str(program),))


def data_folder(folder: Path, photos: int = 60) -> Path:
    parts = [f"{pack}/{name}" for pack in ("photos", "photos2") for name in ("train", "evaluate")]
    for part in (*parts, "photos2/none", "faces", "art", "textures"):
        (folder / part).mkdir(parents=True)
    rows = [{"file": f"{i}.jpg", "photo": f"photo {i}", "tiles": [{}]} for i in range(photos)]
    for part in (*parts, "photos2/none"):
        (folder / f"{part}.json").write_text(json.dumps(rows))
    return folder


def test_the_first_step_that_fails_ends_the_run_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    data = data_folder(tmp_path / "data")
    done: list[str] = []

    def pretend(here: TrainingPlan, one: TrainingStep) -> int:
        done.append(one.name)
        return 1 if one.name == "finder-first" else 0

    monkeypatch.setattr(make, "carry_out", pretend)
    command = ["--data", str(data), "--out", str(tmp_path / "run"), "--tiny"]
    assert make.main(command) == 1
    assert done == ["art", "render 1", "render 2", "finder-first"]
    assert "continues from here" in capfd.readouterr().err


def test_what_was_made_from_a_step_that_is_done_anew_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out = data_folder(tmp_path / "data"), tmp_path / "run"
    done: list[str] = []

    def pretend(here: TrainingPlan, one: TrainingStep) -> int:
        done.append(one.stage)
        row: dict[str, object] = {"step": one.name, "command": list(one.command)}
        make.write_made(here, [*make.made(here), row])
        return 0

    monkeypatch.setattr(make, "carry_out", pretend)
    out.mkdir()
    command = ["--data", str(data), "--out", str(out)]
    assert make.main(command) == 0
    done.clear()
    assert make.main(command) == 0
    assert done == []
    longer = [*command, "--hours", "9"]
    assert make.main([*longer, "--until", "finder-first"]) == 0
    assert make.main(longer) == 0
    stages = [stage.name for stage in STAGES]
    assert done == stages[stages.index("finder-first") :]
