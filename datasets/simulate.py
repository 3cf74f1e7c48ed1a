"""Play a game by any rule set and film it from above, with its true record and labels.

python datasets/simulate.py --rules harbin-hlr --seed 7 --out build/game7
python datasets/simulate.py --case robbed-kong --out build/robbed-kong
python datasets/simulate.py --rehearsal --rules riichi --seed 1 --out build/rehearsal
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.rules import RULE_SETS
from studio.camera.troubles import trouble_of
from studio.film.game_film import Settings, make
from studio.film.grades import GRADES
from studio.play.scripts import names, read_script
from vision.table.view import SIDES

LABELS = ("every", "settled", "none")


def house_rules(text: str) -> dict[str, object]:
    """Read house rules as a record writes them; raise ``ValueError`` for anything else."""
    options = json.loads(text)
    if not isinstance(options, dict):
        raise ValueError(f"expected an object, got {text}")
    return options


def settings_of(arguments: Sequence[str]) -> Settings:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--rules", choices=sorted(RULE_SETS))
    add("--seed", type=int)
    add("--case", choices=names(), help="a scripted game, in place of --rules and --seed")
    add(
        "--rehearsal",
        action="store_true",
        help="play what the cards of a rehearsal ask for, in place of --hands",
    )
    add(
        "--options",
        type=house_rules,
        default={},
        help="house rules of the game, such as '{\"flowers\": true}'",
    )
    add("--out", required=True, type=Path, help="a folder, created if missing")
    add("--hands", type=int, default=1)
    add("--size", default="1280x720", help="pixels, such as 1920x1080")
    add("--fps", type=float, default=10.0)
    add("--pace", type=float, default=1.0, help="2 is half as fast")
    add("--crf", type=int, default=23, help="H.264 quantiser, 0 to 51; less is better")
    add("--faces", type=Path, help="a folder of tile faces to use")
    add("--style", help="family of drawn faces; default: any")
    add("--seat0", choices=SIDES, default="bottom", help="side of the picture")
    add("--labels", choices=LABELS, default="every")
    add(
        "--open-hand",
        dest="open_hands",
        type=int,
        action="append",
        choices=range(4),
        default=[],
        help="this seat's hand lies face up; repeatable",
    )
    add("--grade", choices=list(GRADES), default="any", help="how hard the film is to read")
    add(
        "--seat-camera",
        dest="seat_cameras",
        type=int,
        action="append",
        choices=range(4),
        default=[],
        help="film this seat's standing hand too, from its own camera; repeatable",
    )
    add(
        "--seat-shift",
        dest="seat_shift_s",
        type=float,
        default=0.0,
        help="seconds by which those films begin later",
    )
    add(
        "--trouble",
        metavar="KIND[:STRENGTH]",
        help="film with a poor camera (studio/camera/troubles.py); the labels stay where a good "
        "camera sees the tiles",
    )
    add("--dice", action="store_true", help="roll dice on the table in sight of the camera")
    add("--no-video", dest="video", action="store_false", help="records and labels only: fast")
    given = vars(parser.parse_args(arguments))  # fmt: skip
    size, case, trouble = (given.pop(name) for name in ("size", "case", "trouble"))
    told = [given[name] is not None for name in ("rules", "seed")]
    if any(told) or given["rehearsal"] if case is not None else not all(told):
        parser.error("expected either --rules and --seed, or --case")
    script = None if case is None else read_script(case)
    if script is not None:
        given |= {"rules": script.rules, "seed": script.seed}
    if trouble is not None:
        try:
            given["trouble"] = trouble_of(trouble)
        except ValueError as error:
            parser.error(f"--trouble: {error}")
    try:
        width, height = (int(side) for side in size.lower().split("x"))
    except ValueError:
        parser.error(f"--size expects WIDTHxHEIGHT such as 1280x720, got {size!r}")
    for name in ("hands", "fps", "pace"):
        if given[name] <= 0:
            parser.error(f"--{name} must be above 0, got {given[name]:g}")
    if width < 64 or height < 64 or width % 2 or height % 2:
        parser.error(f"--size needs even sides of 64 or more, got {size}")
    if given["faces"] is not None and not given["faces"].is_dir():
        parser.error(f"--faces expects a folder, got {given['faces']}")
    for name in ("seat_cameras", "open_hands"):
        given[name] = tuple(sorted(set(given[name])))
    return Settings(**given, width_px=width, height_px=height, script=script)


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
    """Yield a line for each tenth of the work."""
    said = -1
    for share, words in steps:
        tenth = int(share * 10)
        if tenth != said:
            said = tenth
            yield f"{share:4.0%} {words}"


if __name__ == "__main__":
    sys.exit(main())
