"""Measure one task: ``python models/score.py TASK ...``. ``TASK --help`` tells its options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

TASKS = sorted(path.stem for path in (Path(__file__).parent / "scores").glob("*.py"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("options", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    task = import_module(f"scores.{given.task}")
    options = argparse.ArgumentParser(
        prog=f"score.py {given.task}",
        description=task.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    task.add_options(options)
    status = task.run(options.parse_args(given.options))
    return int(status or 0)


if __name__ == "__main__":
    sys.exit(main())
