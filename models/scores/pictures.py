"""Measure the detector on labelled pictures and show every error.

    score.py pictures .../photos/evaluate.json --out runs/report   # real photos
    score.py pictures runs/held_out --out runs/report              # folder of render.py crops
    score.py pictures runs/sets --out runs/report                  # folder of render.py sets
    score.py pictures runs/rooms --out runs/report --known-size    # tile size is given
    score.py pictures .../evaluate.json --webcam --known-size --out runs/report   # spoilt photos

Writes into OUT: index.html (the figures, and every error enlarged, confident errors first),
metrics.json, metrics.md (tables for the model card), reliability.png, confusions.png (the worst)
and errors/*.jpg (every picture with an error, outlined). The tables of render.py sets are measured
twice: plainly (OUT/plain), and after enrolling each set from its laid-out pictures (OUT/enrolled).

A detection is right if its box and the label's have an intersection over union of at least one
half; upright labels are compared as upright boxes. How such labels are drawn differs from photo to
photo, so mAP is also given with boxes drawn as the photo's other labels are (convention.py). Photos
of a game in progress label only some tiles: ``precision`` counts every detection there,
``precision_where_labelled`` only those inside the outline of the labelled tiles.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import cv2
from evaluation.convention import as_labelled
from evaluation.errors import ErrorGallery, outlined
from evaluation.faces import NamedFaces, draw_reliability
from evaluation.labels import LabelledPicture, read_labelled
from evaluation.match import matched
from evaluation.metrics import AveragePrecision, Tallies, left_unread, tables
from evaluation.webcam import by_webcam

from vision.camera.pictures import read_picture
from vision.detect import SHIPPED, Detector, TileReader
from vision.errors import ProfileError
from vision.tile_set.agreement import agreeing
from vision.tile_set.enroll import laid_out, profile_of
from vision.tile_set.set_corrector import fit

BELIEF = ("temperature", "threshold", "threshold_in_company", "confidence")
"""What recogniser.json tells of how sure its readings are."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", type=Path, help="label file of photos, or folder of rendered crops"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path, help="folder; default: the shipped ones")
    parser.add_argument("--most", type=int, default=10**9, help="number of pictures")
    parser.add_argument(
        "--known-size", action="store_true", help="give the detector the size of the tiles"
    )
    parser.add_argument(
        "--webcam", action="store_true", help="spoil each picture as a webcam's, tiles 24 px wide"
    )
    parser.add_argument(
        "--precise",
        action="store_true",
        help="compute in 32-bit floats where the processor would use shorter ones",
    )


def run(given: argparse.Namespace) -> None:
    if not given.source.exists():
        sys.exit(f"no pictures to measure at {given.source}")
    detector = Detector.load(given.weights, precise=given.precise)
    threshold = detector.recogniser.threshold
    conditions = {
        "size_given": given.known_size,
        "webcam": given.webcam,
        "precise": given.precise,
        "date": datetime.now(UTC).date().isoformat(),
    }
    if sets := sorted(folder.parent for folder in given.source.rglob("laid")):
        for name in ("plain", "enrolled"):
            work = (
                (
                    detector if name == "plain" else enrolled(folder, given.weights, given.precise),
                    read_labelled(folder / "table", f"set {folder.relative_to(given.source)}"),
                )
                for folder in sets
            )
            about = {"source": f"{given.source.name}, {name}", "threshold": threshold}
            if name == "enrolled":
                about["threshold"] = detector.recogniser.threshold_of_enrolled
            about |= {"weights": marks_of(given.weights, name == "enrolled")}
            measure(about | conditions, work, given.out / name)
        return
    pictures = read_labelled(given.source)
    measured = [(detector, pictures[: given.most])]
    # Every file of labels is called evaluate.json.
    photos = f"{given.source.parent.name}/{given.source.stem}"
    about = {"source": photos if given.source.is_file() else given.source.name}
    about |= {"threshold": threshold}
    about |= {"weights": marks_of(given.weights)}
    measure(about | conditions, measured, given.out)


def marks_of(weights: Path | None, enrolled: bool = False) -> str:
    """Return 12 digits that change with the nets and with what is believed of their readings."""
    folder = weights or SHIPPED
    about = json.loads((folder / "recogniser.json").read_text())
    belief = [about.get(name) for name in BELIEF]
    if enrolled:
        own = about.get("enrolled") or {}
        belief += [own.get("threshold"), own.get("confidence")]
    marks = hashlib.sha256(json.dumps(belief, sort_keys=True).encode())
    for net in ("finder", "recogniser"):
        marks.update((folder / f"{net}.onnx").read_bytes())
    return marks.hexdigest()[:12]


def mark_of_unread(names: Sequence[str]) -> str:
    """Return 12 digits that change with the faces that are not surely named right, in any order.

    They change with the nets, with any rule of what is read, and with the labels.
    """
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:12]


def enrolled(folder: Path, weights: Path | None, precise: bool = False) -> Detector:
    """Return a detector fitted to the set in FOLDER/laid, as ``tilesight enroll`` does it."""
    detector = Detector.load(weights, precise=precise)
    pictures = []
    for path in sorted((folder / "laid").glob("*.jpg")):
        image = read_picture(path)
        try:
            pictures.append((image, laid_out(detector, image)))
        except ProfileError as error:
            print(f"{path}: {error}", file=sys.stderr)
    recogniser, nobody = detector.recogniser, [()] * len(pictures)
    pictures = agreeing(pictures, lambda crops: recogniser.plainly(crops)[1], nobody)
    fit(recogniser, profile_of(pictures))
    return detector


def measure(
    about: Mapping[str, object],
    work: Iterable[tuple[TileReader, list[LabelledPicture]]],
    out: Path,
) -> None:
    """Read every picture and write the report into ``out``.

    ``about`` is what the report says of them: ``source``, ``threshold``, the least confidence of a
    believed reading, and the conditions. With ``size_given`` the detector is given the size of the
    labelled tiles; with ``webcam`` each picture is spoilt before.
    """
    (out / "errors").mkdir(parents=True, exist_ok=True)
    tallies, faces = Tallies(), NamedFaces()
    precision, by_labels = AveragePrecision(), AveragePrecision()
    errors, count = ErrorGallery(out), 0
    unread: list[str] = []
    for detector, pictures in work:
        for picture in pictures:
            image = read_picture(picture.path)
            if about.get("webcam"):
                picture, image = by_webcam(picture, image, seed=count)
            tile_px = picture.tile_px if about.get("size_given") else None
            detections = detector.read(image, tile_px=tile_px)
            read = matched(picture, image, detections)
            tallies.add(read)
            unread += left_unread(read)
            precision.add(picture, detections)
            by_labels.add(picture, as_labelled(read))
            for tile, detection in read.tiles():
                if detection is not None and tile.face is not None and tile.wanted:
                    faces.add(image, tile.face, detection)
            shown = f"{count:05d}-{picture.path.stem}.jpg"
            errors.add(read, shown)
            drawing = outlined(read)
            if drawing is not None:
                cv2.imwrite(str(out / "errors" / shown), drawing)
            count += 1
    report: dict[str, object] = {**about, "pictures": count, "unread": mark_of_unread(unread)}
    report |= tallies.metrics() | precision.metrics() | {"reliability": faces.reliability()}
    if (as_drawn := by_labels.metrics()) != precision.metrics():
        report |= {f"{name}_as_labelled": value for name, value in as_drawn.items()}
    draw_reliability(faces.bands(), out / "reliability.png")
    faces.show_worst(out / "confusions.png")
    errors.write_page(str(about["source"]), report, ["reliability.png", "confusions.png"])
    (out / "metrics.md").write_text(tables(report))
    (out / "metrics.json").write_text(json.dumps(report, indent=1) + "\n")
    print(tables(report))
    print(f"{out / 'index.html'}: {len(errors.found)} errors with their pictures")
