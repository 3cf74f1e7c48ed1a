"""Write measured figures beside the weights and into the model card.

    python models/card.py --photos runs/report/photos --photos2 runs/report/photos2 \
        [--photos-any runs/report/photos-any] [--photos2-any runs/report/photos2-any] \
        [--held-out runs/report/held-out] [--fronts runs/report/fronts] \
        [--webcam runs/report/webcam] [--sets runs/report/sets] [--weights vision/weights] \
        [--readme models/README.md]

The reports are folders of models/score.py pictures. Their figures go into finder.json and
recogniser.json; their tables go into the card between two marker lines, below one that has a row
for each kind of picture, and the figures of finder.json into the metadata at its top, which model
hubs read. evaluation/by_eye.json says how much a person reads of what was not named right, and when
it was counted, with the marks of the weights and of what they had left unread: of a report with
others the column stays empty, because of other tiles it says nothing. The reliability curves and
the ten worst confusions on the held-out style are copied beside the card.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import yaml
from evaluation.metrics import COLUMNS, cell, table_row, tables

ROOT = Path(__file__).parent.parent
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
FENCE = "---\n"
HUB_METRICS = (
    ("recall", "faces found", "recall"),
    ("accuracy", "found faces named right", "named_right_of_found"),
    ("accuracy", "faces found and named right", "found_and_named_right"),
)
"""Name in the hub's list of metrics, what it is here, name in metrics.json."""
TITLES = {
    "photos": "Real photos, never trained on",
    "photos2": "Photos of other sets and tables, never trained on",
    "photos-any": "Real photos, never trained on",
    "photos2-any": "Photos of other sets and tables, never trained on",
    "held-out": "Rendered tables of a drawn style left out of training",
    "fronts": "Rendered tables of photographed faces left out of training, seen low",
    "webcam": "Photos of other sets and tables, spoilt like a webcam's",
    "plain": "Rendered tables of drawn sets, read plainly",
    "enrolled": "Rendered tables of drawn sets, each enrolled from two pictures",
}


@dataclass(frozen=True)
class Kind:
    """A row of the table by kind of picture."""

    name: str
    report: str
    group: str
    """Of the report, ..."""
    row: str
    """... and its row there."""


KINDS = (
    Kind("lying: phone photos", "photos", "by_side", "face"),
    Kind("phone photos, size of the tiles not given", "photos-any", "by_side", "face"),
    Kind("lying and in hands: photos of other sets", "photos2", "by_side", "face"),
    Kind("photos of other sets, size of the tiles not given", "photos2-any", "by_side", "face"),
    Kind("lying, in full sight: photographed faces, rendered", "fronts", "faces_by_pose", "lying"),
    Kind("standing, in full sight: fronts of the same", "fronts", "faces_by_pose", "standing, all"),
    Kind("a webcam's: photos of other sets, spoilt", "webcam", "by_side", "face"),
    Kind("drawn: style left out", "held-out", "by_side", "face"),
    Kind("drawn, in full sight", "held-out", "faces_by_state", "plain"),
    Kind("not enrolled, in full sight: drawn sets", "plain", "faces_by_state", "plain"),
    Kind("enrolled, in full sight: drawn sets", "enrolled", "faces_by_state", "plain"),
)
BY_EYE = Path(__file__).parent / "evaluation" / "by_eye.json"
MARKS = ("weights", "unread")
"""Of a report: what a count by eye must have been made on."""
EYE_COLUMNS = (
    "a person reads (of those not surely named right)",
    "in sight when something was chosen",
)
SHOWN_OF_A_KIND = {
    *("recall", "named_right_of_found", "found_and_named_right"),
    *("tiles", "unsure", "wrong_and_sure"),
}
KIND_COLUMNS = tuple(column for column in COLUMNS if column[1] in SHOWN_OF_A_KIND)

SIZE_GIVEN = " (size of the tiles given)"
KEPT = frozenset(
    {
        *("source", "pictures", "threshold", "size_given", "webcam", "precise", "date", *MARKS),
        *("by_side", "map50", "map50_95"),
    }
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--photos", type=Path, help="report on photos/evaluate")
    parser.add_argument("--photos2", type=Path, help="report on photos2/evaluate")
    parser.add_argument("--photos-any", type=Path, help="the same, the size not given")
    parser.add_argument("--photos2-any", type=Path)
    parser.add_argument("--held-out", type=Path, help="report on the style left out")
    parser.add_argument("--fronts", type=Path, help="report on rendered tables seen low")
    parser.add_argument("--webcam", type=Path, help="report on photos spoilt like a webcam's")
    parser.add_argument("--sets", type=Path, help="report on whole sets: plain/ and enrolled/")
    parser.add_argument("--weights", type=Path, default=ROOT / "vision" / "weights")
    parser.add_argument("--readme", type=Path, help="the model card; unchanged if not given")
    args = parser.parse_args()
    folders = {"photos": args.photos, "photos2": args.photos2}
    folders |= {"photos-any": args.photos_any, "photos2-any": args.photos2_any}
    folders |= {"held-out": args.held_out}
    folders |= {"fronts": args.fronts, "webcam": args.webcam}
    if args.sets is not None:
        folders |= {name: args.sets / name for name in ("plain", "enrolled")}
    folders = {name: folder for name, folder in folders.items() if folder is not None}
    reports = {name: read_report(folder) for name, folder in folders.items()}
    if not reports:
        sys.exit("give a report: --photos, --held-out or --sets")
    write_metrics(args.weights, reports)
    if args.readme is not None:
        write_card(args.readme, reports)
        write_front_matter(args.readme, args.weights)
        show(args.readme.parent, folders)


def read_report(folder: Path) -> dict[str, Any]:
    path = folder / "metrics.json"
    if not path.exists():
        sys.exit(f"{folder} holds no report of models/score.py pictures")
    report: dict[str, Any] = json.loads(path.read_text())
    return report


def title(name: str, report: dict[str, Any]) -> str:
    """What was measured on, and whether the detector was told the size of the tiles."""
    return TITLES[name] + (SIZE_GIVEN if report.get("size_given") else "")


def kept(report: dict[str, Any]) -> dict[str, Any]:
    """What stands beside the weights: the figures by side. The card has all tables."""
    return {name: value for name, value in report.items() if name in KEPT}


def write_metrics(weights: Path, reports: dict[str, dict[str, Any]]) -> None:
    """Write the figures by side to finder.json, and those of faces to recogniser.json."""
    finder = weights / "finder.json"
    about = json.loads(finder.read_text())
    about["metrics"] = {title(name, report): kept(report) for name, report in reports.items()}
    _replace(finder, json.dumps(about, indent=1) + "\n")
    recogniser = weights / "recogniser.json"
    about = json.loads(recogniser.read_text())
    about["metrics"] = (about.get("metrics") or {}) | {
        title(name, report): report["by_side"].get("face", {}) for name, report in reports.items()
    }
    _replace(recogniser, json.dumps(about, indent=1) + "\n")


def write_card(readme: Path, reports: dict[str, dict[str, Any]]) -> None:
    """Replace the tables between the two marker lines."""
    text = readme.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{readme} needs the lines {BEGIN} and {END}, once each")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    parts = [f"### By kind of picture\n\n{kinds(reports)}"]
    parts += [f"### {title(name, report)}\n\n{tables(report)}" for name, report in reports.items()]
    _replace(readme, f"{head}{BEGIN}\n\n" + "\n".join(parts) + f"\n{END}{tail}")


def kinds(reports: dict[str, dict[str, Any]]) -> str:
    """Return a table with a row for each kind of picture that was measured."""
    by_eye: dict[str, dict[str, Any]] = json.loads(BY_EYE.read_text())
    head = ["kind", *(heading for heading, _, _ in KIND_COLUMNS), *EYE_COLUMNS]
    lines = [table_row(head), table_row(["---"] * len(head))]
    for kind in KINDS:
        values = reports.get(kind.report, {}).get(kind.group, {}).get(kind.row)
        if values is not None:
            cells = [cell(name, form, values) for _, name, form in KIND_COLUMNS]
            seen = _by_eye(by_eye.get(kind.name), values, reports[kind.report])
            lines.append(table_row([kind.name, *cells, *seen]))
    return "\n".join(lines) + "\n"


def _by_eye(
    seen: dict[str, Any] | None, values: dict[str, Any], report: dict[str, Any]
) -> tuple[str, str]:
    """Return how much a person reads of all faces, and what was in sight when nets were chosen.

    What a person read of tiles says nothing of a report that left other ones unread.
    """
    if seen is None:
        return "", ""
    marks = [seen.get(name) for name in MARKS]
    if None in marks or marks != [report.get(name) for name in MARKS]:
        return "", str(seen["in_sight"])
    right = values["recall"] * (1 - values["unsure"] - values["wrong_and_sure"])
    share = right + (1 - right) * seen["read"] / seen["looked_at"]
    counted = f"{seen['read']} of {seen['looked_at']}, {seen['date']}"
    return f"{share:.1%} ({counted})", str(seen["in_sight"])


def write_front_matter(readme: Path, weights: Path) -> None:
    """Replace the metadata at the top of the card."""
    text = readme.read_text()
    if text.startswith(FENCE):
        _, _, text = text.split(FENCE, 2)
    _replace(readme, front_matter(weights) + text.lstrip("\n"))


def front_matter(weights: Path) -> str:
    """Return the card's metadata for model hubs, from that beside the weights.

    https://huggingface.co/docs/hub/model-cards#model-card-metadata. The field ``datasets`` is left
    out: it takes names of the hub, and the sets that the nets were trained on are elsewhere.
    """
    about = json.loads((weights / "finder.json").read_text())
    content = {
        "license": "agpl-3.0",
        "library_name": "openvino",
        "pipeline_tag": "object-detection",
        "tags": ["mahjong", "object-detection", "oriented-bounding-boxes", "onnx", "openvino"],
        "metrics": sorted({metric for metric, _, _ in HUB_METRICS}),
        "model-index": [
            {
                "name": "tilesight",
                "results": [_hub_result(*each) for each in about["metrics"].items()],
            }
        ],
    }
    written = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=100)
    return f"{FENCE}{written}{FENCE}\n"


def _hub_result(title: str, report: dict[str, Any]) -> dict[str, Any]:
    face = report["by_side"]["face"]
    figures = [
        {"type": metric, "name": name, "value": face[key]} for metric, name, key in HUB_METRICS
    ]
    figures += [
        {"type": "mean_average_precision", "name": name, "value": report[key]}
        for name, key in (("mAP50", "map50"), ("mAP50-95", "map50_95"))
    ]
    return {
        "task": {"type": "object-detection", "name": "Tiles and their faces"},
        # The hub wants an id, too; these pictures are on none.
        "dataset": {"name": title, "type": re.sub(r"\W+", "-", title.lower())},
        "metrics": figures,
    }


def show(out: Path, folders: dict[str, Path]) -> None:
    """Copy the pictures beside the card."""
    for name, folder in folders.items():
        if name in ("photos", "held-out"):
            shutil.copy(folder / "reliability.png", out / f"reliability-{name}.png")
    worst = folders.get("held-out", Path()) / "confusions.png"
    image = cv2.imread(str(worst)) if worst.exists() else None
    if image is not None:
        cv2.imwrite(str(out / "confusions.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 85])


def _replace(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)


if __name__ == "__main__":
    main()
