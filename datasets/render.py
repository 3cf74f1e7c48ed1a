"""Render labelled pictures: ``python datasets/render.py KIND ...``. ``KIND --help`` tells more.

All kinds write OUT/00000.jpg ... and OUT/labels.jsonl with one line for each picture: {"file",
"seed", "faces", "width", "height", "tiles": [{"tile", "side", "corners": [[x, y] x4], "visible"}]}.
Corners are those of a tile's upper side in pixels, clockwise from the tile's own top left. In
``crops`` a standing tile has a second label where its face is turned to the camera: "face", or
"front" where it is foreshortened to less than a half. The same
seed gives the same pictures. Bad input ends with exit code 2 and one line that says why.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

KINDS = ("crops", "ring", "rooms", "sets", "unseen")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("options", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    kind = import_module(f"renders.{given.kind}")
    options = argparse.ArgumentParser(
        prog=f"render.py {given.kind}",
        description=kind.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--out", type=Path, required=True, help="a folder, created if missing")
    options.add_argument("--seed", type=int, default=1)
    kind.add_options(options)
    wanted = options.parse_args(given.options)
    try:
        wanted.out.mkdir(parents=True, exist_ok=True)
        kind.run(wanted)
    except (OSError, ValueError) as error:
        print(f"render {given.kind}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
