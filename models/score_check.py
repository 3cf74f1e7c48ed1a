"""Whether ``tilesight check`` foretells how a film with a poor camera is read.

python models/score_check.py games/* --out runs/benchmark

OUT is the folder of ``benchmark.py --troubles``. Each of its films is checked as its first minute,
and OUT/check.md holds, for each trouble and strength, the verdicts, what was found bad or poor and
what the reader then read. OUT/check/NAME.json keeps a verdict; that film is not checked again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from benchmark import troubled_cases
from games.films import PoorCamera, kept
from games.outcome import GameCase

from studio.camera.troubles import KINDS, STRENGTHS
from vision.detect import Detector
from vision.source_check import SourceCheck
from vision.table.quality import QualityGrade, good_enough

SECONDS: Final = 60.0
HEAD: Final = (
    "trouble", "strength", "films", "said not to play", "bad", "poor", "events right", "paid right",
)  # fmt: skip


def verdict(case: GameCase, folder: Path, detector: Detector, seconds: float) -> dict[str, Any]:
    """What the command finds in the film, as this case's camera takes it."""
    check = SourceCheck(detector, None, None)
    with closing(PoorCamera(case, folder).frames()) as frames:
        for frame in frames:
            if frame.time_s > seconds:
                break
            check.take(frame)
    found = check.findings()
    return {
        "good": check.view is not None and good_enough(found),
        "table": check.view is not None,
        "findings": [[one.name, round(one.value, 3), one.grade.value] for one in found],
    }


def rows(out: Path, cases: Sequence[GameCase]) -> Iterator[list[str]]:
    """One line for each trouble and strength, of the films that were checked and read."""
    for trouble in dict.fromkeys(case.trouble for case in cases):
        names = [case.name for case in cases if case.trouble == trouble]
        checks = [out / "check" / f"{name}.json" for name in names]
        pairs = [
            (json.loads(path.read_text(encoding="utf-8")), game)
            for path in checks
            if path.exists() and (game := kept(out / "troubles" / path.name)) is not None
        ]
        if not pairs:
            continue
        found = {
            grade: Counter(
                name for told, _ in pairs for name, _, here in told["findings"] if here == grade
            )
            for grade in (QualityGrade.BAD, QualityGrade.POOR)
        }
        matched = sum(game.matched for _, game in pairs)
        events = matched + sum(len(game.missing) for _, game in pairs)
        kind, _, strength = trouble.partition(":")
        yield [
            kind, strength, str(len(pairs)), str(sum(not told["good"] for told, _ in pairs)),
            *(", ".join(f"{name} {n}" for name, n in of.items()) for of in found.values()),
            f"{matched} of {events}",
            f"{sum(g.paid_right for _, g in pairs)} of {sum(len(g.paid) for _, g in pairs)}",
        ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("films", type=Path, nargs="+", help="folders of datasets/simulate.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    parser.add_argument("--strengths", nargs="+", choices=STRENGTHS, default=list(STRENGTHS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each film")
    given = parser.parse_args(arguments)
    (given.out / "check").mkdir(parents=True, exist_ok=True)
    detector, cases = Detector.load(), []
    for folder in given.films:
        for case in troubled_cases(folder, given.kinds, given.strengths):
            cases.append(case)
            path = given.out / "check" / f"{case.name}.json"
            if not path.exists():
                told = verdict(case, folder, detector, given.seconds)
                path.write_text(json.dumps(told) + "\n", encoding="utf-8")
                print(f"{case.name}: {json.dumps(told)}", file=sys.stderr, flush=True)
    lines = [HEAD, ["---"] * len(HEAD), *rows(given.out, cases)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
    (given.out / "check.md").write_text(table, encoding="utf-8")
    print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
