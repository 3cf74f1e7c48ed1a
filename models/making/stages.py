"""The stages of the training: a table of commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.held_out import is_kept_out


@dataclass(frozen=True)
class Scale:
    """The size of a training."""

    hours: float
    """Total of the three trainings."""
    parts: int
    """Folders of rendered training pictures, each with its own seed."""
    pictures: int
    """In each part."""
    measured: int
    """In each folder for calibration or measuring."""
    styles: int
    """Drawn sets for the recogniser."""
    share: float
    """Share of the recogniser's composed tiles that is made."""
    sets: int
    """Sets of each kind that are enrolled to fit the confidence of enrolled sets."""
    tables: int
    """Pictures of tables with each of them."""
    dice_steps: int
    """Steps of the dice net's training."""
    dice: int
    """Drawn pictures to fit from when on it is believed."""


FULL: Final = Scale(8.0, 10, 600, 96, 500, 1.0, 6, 8, 9000, 6000)
TINY: Final = Scale(0.05, 2, 8, 4, 1, 0.01, 2, 2, 20, 40)


@dataclass(frozen=True)
class TrainingPlan:
    """Inputs and outputs of a training."""

    data: Path
    out: Path
    hours: float
    seed: int
    threads: int
    scale: Scale
    start: Path | None = None
    """Folder with finder.pt and recogniser.pt to train on from; None: from random weights."""
    device: str = "cpu"
    workers: int = 1
    """Processes that prepare samples, where the device is not the processor."""

    def minutes(self, share: float) -> float:
        """Return a share of the hours, in minutes."""
        return round(60 * self.hours * share, 2)


@dataclass(frozen=True)
class TrainingStage:
    """A row of the table; {braces} are filled in from the plan."""

    name: str
    does: str
    command: str
    parts: bool = False
    """Run once for each part, {part} from 1 on."""
    share: float = 0.0
    """Share of the hours of training, {minutes}."""


@dataclass(frozen=True)
class TrainingStep:
    """A command to run in the root of the repository."""

    stage: str
    name: str
    does: str
    command: tuple[str, ...]


_TABLES = "datasets/render.py crops --count {measured} --textures {data}/textures/ambientcg"
_TRAIN = (
    "models/train.py --data {out}/crops --seed {seed} --threads {threads} --minutes {minutes} "
    "{finder_on} --steps 1000000 --save-every {save_every}"
)
_EVALUATE = "models/score.py pictures --weights {out}/weights --known-size --precise"
_SETS = "datasets/render.py sets --sets {sets} --tables {tables}"
PHOTOS: Final = "{data}/photos/train.json {data}/photos2/train.json {data}/photos2/none.json"
"""Labels of the photos that are trained on, but for those kept out; the last ones show no face."""
SEEN: Final = (
    "{data}/art/mahjong-graphic {data}/art/gl-mahjongtile-svg "
    "{data}/art/fluffystuff {data}/art/rutopio"
)
"""Folders of drawn faces that are trained on, besides the simulator's own."""
UNSEEN: Final = "{data}/art/chinese-official-helper/Resources/tiles"
"""Drawn faces for fitting the confidence; nothing is trained on them."""

STAGES: Final = (
    TrainingStage("art", "drawn faces as PNG files", "models/art.py {data}/art --out {out}/art"),
    TrainingStage(
        "render",
        "pictures of tables to train on",
        "datasets/render.py crops --count {pictures} --seed {part_seed} --out {out}/crops/{part} "
        f"--photos {{data}}/faces --photo-part train --faces {SEEN} "
        "--textures {data}/textures/ambientcg",
        parts=True,
    ),
    TrainingStage(
        "finder-first",
        "a finder from rendered pictures alone",
        f"{_TRAIN} {{finder_init}} --out {{out}}/finder-first",
        share=0.1,
    ),
    TrainingStage(
        "export-first",
        "that finder as a file to find tiles with",
        "models/export.py {out}/finder-first/last.pt --out {out}/weights-first",
    ),
    TrainingStage(
        "complete",
        "outlines of the tiles in photos, by that finder's eyes",
        f"models/complete_photos.py {PHOTOS} --weights {{out}}/weights-first "
        "--out {out}/photos.jsonl",
    ),
    TrainingStage(
        "photo-faces",
        "faces of real sets, cut out of the photos",
        "datasets/photo_faces.py {out}/photos.jsonl --out {out}/photo-faces",
    ),
    TrainingStage(
        "render-photos",
        "pictures of tables with these sets",
        "datasets/render.py crops --count {pictures} --seed {real_seed} --out {out}/crops/real "
        "--photos {out}/photo-faces --photo-part train --photo-share 1 "
        "--textures {data}/textures/ambientcg",
    ),
    TrainingStage(
        "finder",
        "the finder, from rendered pictures and photos",
        f"{_TRAIN} --photos {{out}}/photos.jsonl --photo-share 0.3 --coarse-share 0.05 "
        "--init {out}/finder-first/last.pt --out {out}/finder",
        share=0.5,
    ),
    TrainingStage(
        "export-finder",
        "the finder that ships",
        "models/export.py {out}/finder/last.pt --out {out}/weights",
    ),
    TrainingStage(
        "recogniser",
        "the recogniser",
        "models/train_recogniser.py --data {data} --photos {out}/photos.jsonl --art {out}/art "
        "--cache {out}/patches "
        "--crops {crops} --drawn {styles} --share {share} --seed {seed} --threads {threads} "
        "{recogniser_init} {recogniser_on} --minutes {minutes} --out {out}/recogniser",
        share=0.4,
    ),
    TrainingStage(
        "tables-known",
        "tables to fit the confidence by, of styles trained on",
        f"{_TABLES} --seed 9001 --out {{out}}/tables/known --photos {{data}}/faces "
        "--photo-part train",
    ),
    TrainingStage(
        "tables-unseen",
        "tables to fit the confidence by, of styles never trained on",
        f"{_TABLES} --seed 9002 --out {{out}}/tables/unseen --photo-share 1 --faces {UNSEEN}",
    ),
    TrainingStage(
        "export-recogniser",
        "the recogniser that ships, and how sure it may be",
        "models/export_recogniser.py {out}/recogniser/best.pt --cache {out}/patches "
        "--crops {crops} --textures {data}/textures --share {share} "
        "--finder {out}/weights/finder.onnx --tables {out}/tables/known {out}/tables/unseen "
        f"--photos {PHOTOS} --out {{out}}/weights",
    ),
    TrainingStage(
        "sets-known",
        "sets laid out and on tables, of styles trained on",
        f"{_SETS} --seed 31 --out {{out}}/sets/known "
        "--styles chinese japanese hongkong american modern",
    ),
    TrainingStage(
        "sets-unseen",
        "the same of a style never trained on",
        f"{_SETS} --seed 32 --out {{out}}/sets/unseen --faces {UNSEEN}",
    ),
    TrainingStage(
        "fit-enrolled",
        "how sure readings of an enrolled set may be",
        "models/fit_enrolled.py {out}/sets/known {out}/sets/unseen --weights {out}/weights "
        "--known-size",
    ),
    TrainingStage(
        "dice",
        "the dice net, from drawn pictures",
        "models/train_dice.py --seed {seed} --threads {threads} --steps {dice_steps} "
        "--save-every {save_every} --out {out}/dice",
    ),
    TrainingStage(
        "export-dice",
        "the dice net that ships, and from when on it is believed",
        "models/export_dice.py {out}/dice/last.pt --pictures {dice} --out {out}/weights",
    ),
    TrainingStage(
        "tables-held-out",
        "tables of the style that is left out of everything, to measure on",
        f"{_TABLES} --seed 9003 --out {{out}}/tables/held-out --styles taiwanese",
    ),
    TrainingStage(
        "tables-fronts",
        "tables of photographed faces left out of training, seen low, to measure on",
        f"{_TABLES} --seed 9004 --out {{out}}/tables/fronts --before-hands 0.7 "
        "--photos {data}/faces --photo-part held-out",
    ),
    TrainingStage(
        "sets-measured-known",
        "sets to measure on, of styles trained on",
        f"{_SETS} --seed 9005 --out {{out}}/measured/known --styles chinese japanese",
    ),
    TrainingStage(
        "sets-measured-unseen",
        "the same of a style never trained on",
        f"{_SETS} --seed 9006 --out {{out}}/measured/unseen --faces {UNSEEN}",
    ),
    TrainingStage(
        "report-photos",
        "the accuracy on photos, with every error",
        f"{_EVALUATE} {{data}}/photos/evaluate.json --out {{out}}/report/photos",
    ),
    TrainingStage(
        "report-photos2",
        "the same on photos of other sets and tables",
        f"{_EVALUATE} {{data}}/photos2/evaluate.json --out {{out}}/report/photos2",
    ),
    TrainingStage(
        "report-held-out",
        "the accuracy on the style left out, with every error",
        f"{_EVALUATE} {{out}}/tables/held-out --out {{out}}/report/held-out",
    ),
    TrainingStage(
        "report-fronts",
        "the accuracy on tables seen low, with every error",
        f"{_EVALUATE} {{out}}/tables/fronts --out {{out}}/report/fronts",
    ),
    TrainingStage(
        "report-webcam",
        "the accuracy on photos that are spoilt like a webcam's",
        f"{_EVALUATE} {{data}}/photos2/evaluate.json --webcam --out {{out}}/report/webcam",
    ),
    TrainingStage(
        "report-sets",
        "the accuracy on sets, without and with their own pictures",
        f"{_EVALUATE} {{out}}/measured --out {{out}}/report/sets",
    ),
    TrainingStage(
        "card",
        "the figures written beside the weights",
        "models/card.py --weights {out}/weights --photos {out}/report/photos "
        "--photos2 {out}/report/photos2 --held-out {out}/report/held-out "
        "--fronts {out}/report/fronts --webcam {out}/report/webcam --sets {out}/report/sets",
    ),
)


def steps(plan: TrainingPlan) -> Iterator[TrainingStep]:
    """Yield every command, in order."""
    numbers = range(1, plan.scale.parts + 1)
    values = {
        "data": str(plan.data),
        "out": str(plan.out),
        "seed": str(plan.seed),
        "threads": str(plan.threads),
        "pictures": str(plan.scale.pictures),
        "real_seed": str(plan.seed * 10_000),
        "measured": str(plan.scale.measured),
        "styles": str(plan.scale.styles),
        "share": str(plan.scale.share),
        "sets": str(plan.scale.sets),
        "tables": str(plan.scale.tables),
        "dice_steps": str(plan.scale.dice_steps),
        "dice": str(plan.scale.dice),
        "save_every": "250" if plan.scale is FULL else "5",
    }
    card = plan.device != "cpu"
    on = ["--device", plan.device, "--workers", str(plan.workers)]
    lists = {
        "{finder_on}": [*on, "--batch", "96", "--rate", "0.002", "--decoded", "6000"] * card,
        "{recogniser_on}": [
            *("--device", plan.device, "--batch", "3072", "--rate", "0.004", "--save-every", "500"),
            *("--draw", str(max(1, plan.workers // 2)), "--render", str(max(1, plan.workers // 2))),
        ]
        * card,
        "{crops}": [f"{plan.out}/crops/{part}" for part in (*numbers, "real")],
        **{
            f"{{{net}_init}}": ["--init", f"{plan.start}/{net}.pt"] if plan.start else []
            for net in ("finder", "recogniser")
        },
    }
    for stage in STAGES:
        values["minutes"] = str(plan.minutes(stage.share))
        for number in numbers if stage.parts else (0,):
            values["part"] = str(number)
            # Never a seed from 9001 on: those are for measuring.
            values["part_seed"] = str(plan.seed * 10_000 + number)
            # Split before filling in: folders may have spaces in their names.
            words = [
                word
                for piece in stage.command.split()
                for word in (lists[piece] if piece in lists else [piece.format(**values)])
            ]
            name = f"{stage.name} {number}" if stage.parts else stage.name
            yield TrainingStep(stage.name, name, stage.does, tuple(words))


TINY_PHOTOS = {
    "photos/train": 12, "photos/evaluate": 4,
    "photos2/train": 6, "photos2/evaluate": 2, "photos2/none": 2,
}  # fmt: skip


def tiny_data(data: Path, out: Path) -> Path:
    """Return a folder like ``data`` with a few of its photos, all linked."""
    for part in ("faces", "art", "textures"):
        _link(out / part, data / part)
    for name, count in TINY_PHOTOS.items():
        rows = json.loads((data / f"{name}.json").read_text())
        _link(out / name, data / name)
        # Keep some held-out photos: confidence is fitted on them.
        out_of_it = [row for row in rows if is_kept_out(row)]
        within = [row for row in rows if not is_kept_out(row)]
        some = within[:: len(within) // count][:count] + out_of_it[: count // 3]
        (out / f"{name}.json").write_text(json.dumps(some))
    return out


def _link(place: Path, there: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.is_symlink():
        place.symlink_to(there)
