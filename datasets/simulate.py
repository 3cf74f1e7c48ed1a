"""Play a game by any rule set and film it from above, with its true record and labels.

python datasets/simulate.py --rules harbin-hlr --seed 7 --out build/game7
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.rules import RULE_SETS
from studio.film.game_film import Settings, make
from studio.film.grades import GRADES
from vision.table.view import SIDES

LABELS = ("every", "settled", "none")


def settings_of(arguments: Sequence[str]) -> Settings:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", required=True, choices=sorted(RULE_SETS))
    parser.add_argument("--seed", required=True, type=int)
    parser.add_argument("--out", required=True, type=Path, help="a folder, made if need be")
    parser.add_argument("--hands", type=int, default=1)
    parser.add_argument("--size", default="1280x720", help="pixels, such as 1920x1080")
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--pace", type=float, default=1.0, help="2 is half as fast")
    parser.add_argument(
        "--crf", type=int, default=23, help="H.264 quality, 0 to 51, less is better"
    )
    parser.add_argument("--faces", type=Path, help="a folder of tile faces to use")
    parser.add_argument("--style", help="family of drawn faces; any if left out")
    parser.add_argument("--seat0", choices=SIDES, default="bottom", help="side of the picture")
    parser.add_argument("--labels", choices=LABELS, default="every")
    parser.add_argument("--open-hands", action="store_true", help="hands lie face up")
    parser.add_argument(
        "--grade", choices=list(GRADES), default="any", help="how hard the film is to read"
    )
    parser.add_argument(
        "--seat-camera",
        type=int,
        action="append",
        choices=range(4),
        default=[],
        help="film the standing hand of this seat too, by a camera of its own; may be repeated",
    )
    parser.add_argument(
        "--seat-shift", type=float, default=0.0, help="seconds by which those films begin later"
    )
    parser.add_argument(
        "--dice", action="store_true", help="dice are rolled on the table and show their pips"
    )
    parser.add_argument("--no-video", action="store_true", help="records and labels only: fast")
    given = parser.parse_args(arguments)
    try:
        width, height = (int(side) for side in given.size.lower().split("x"))
    except ValueError:
        parser.error(f"--size expects WIDTHxHEIGHT such as 1280x720, got {given.size!r}")
    for name in ("hands", "fps", "pace"):
        if getattr(given, name) <= 0:
            parser.error(f"--{name} must be above 0, got {getattr(given, name):g}")
    if width < 64 or height < 64 or width % 2 or height % 2:
        parser.error(f"--size needs even sides of 64 or more, got {given.size}")
    if given.faces is not None and not given.faces.is_dir():
        parser.error(f"--faces expects a folder, {given.faces} is none")
    return Settings(
        rules=given.rules,
        seed=given.seed,
        out=given.out,
        hands=given.hands,
        width_px=width,
        height_px=height,
        fps=given.fps,
        pace=given.pace,
        crf=given.crf,
        faces=given.faces,
        style=given.style,
        seat0=given.seat0,
        labels=given.labels,
        open_hands=given.open_hands,
        video=not given.no_video,
        grade=given.grade,
        seat_cameras=tuple(sorted(set(given.seat_camera))),
        seat_shift_s=given.seat_shift,
        dice=given.dice,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    settings = settings_of(sys.argv[1:] if arguments is None else arguments)
    try:
        for line in progress(make(settings)):
            print(line, file=sys.stderr)
    except (ValueError, OSError) as error:
        print(f"simulate: {error}", file=sys.stderr)
        return 2
    return 0


def progress(steps: Iterator[tuple[float, str]]) -> Iterator[str]:
    """A line for every tenth of the work."""
    said = -1
    for share, words in steps:
        tenth = int(share * 10)
        if tenth != said:
            said = tenth
            yield f"{share:4.0%} {words}"


if __name__ == "__main__":
    sys.exit(main())
