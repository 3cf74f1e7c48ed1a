"""Write measured figures beside the weights and into the model card.

    python models/card.py --photos runs/report/photos --held-out runs/report/held-out \
        [--sets runs/report/sets] [--weights vision/weights] [--readme models/README.md]

The reports are folders of models/evaluate.py. Their figures go into finder.json and
recogniser.json; their tables go into the card between two marker lines. The reliability curves and
the ten worst confusions on the held-out style are copied beside the card.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import cv2
from evaluation.metrics import tables

ROOT = Path(__file__).parent.parent
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
TITLES = {
    "photos": "Real photos, never trained on",
    "held-out": "Rendered tables of a drawn style left out of training",
    "plain": "Sets of that style, read plainly",
    "enrolled": "The same sets, each enrolled from two pictures",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--photos", type=Path, help="report on photos/evaluate")
    parser.add_argument("--held-out", type=Path, help="report on the style left out")
    parser.add_argument("--sets", type=Path, help="report on whole sets: plain/ and enrolled/")
    parser.add_argument("--weights", type=Path, default=ROOT / "vision" / "weights")
    parser.add_argument("--readme", type=Path, help="the model card; unchanged if not given")
    args = parser.parse_args()
    folders = {"photos": args.photos, "held-out": args.held_out}
    if args.sets is not None:
        folders |= {name: args.sets / name for name in ("plain", "enrolled")}
    folders = {name: folder for name, folder in folders.items() if folder is not None}
    reports = {name: read_report(folder) for name, folder in folders.items()}
    if not reports:
        sys.exit("give a report: --photos, --held-out or --sets")
    write_metrics(args.weights, reports)
    if args.readme is not None:
        write_card(args.readme, reports)
        show(args.readme.parent, folders)


def read_report(folder: Path) -> dict[str, Any]:
    path = folder / "metrics.json"
    if not path.exists():
        sys.exit(f"{folder} holds no report of models/evaluate.py")
    report: dict[str, Any] = json.loads(path.read_text())
    return report


def write_metrics(weights: Path, reports: dict[str, dict[str, Any]]) -> None:
    """Write all figures to finder.json, and those of faces to recogniser.json."""
    finder = weights / "finder.json"
    about = json.loads(finder.read_text())
    about["metrics"] = {TITLES[name]: report for name, report in reports.items()}
    _replace(finder, json.dumps(about, indent=1) + "\n")
    recogniser = weights / "recogniser.json"
    about = json.loads(recogniser.read_text())
    about["metrics"] = (about.get("metrics") or {}) | {
        TITLES[name]: report["by_side"].get("face", {}) for name, report in reports.items()
    }
    _replace(recogniser, json.dumps(about, indent=1) + "\n")


def write_card(readme: Path, reports: dict[str, dict[str, Any]]) -> None:
    """Replace the tables between the two marker lines."""
    text = readme.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{readme} needs the lines {BEGIN} and {END}, once each")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    parts = [f"### {TITLES[name]}\n\n{tables(report)}" for name, report in reports.items()]
    _replace(readme, f"{head}{BEGIN}\n\n" + "\n".join(parts) + f"\n{END}{tail}")


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
