"""Count what a person must mend: the oracle referee reads games and puts right what is wrong.

    score.py referee --grades ordinary hard --seeds 1 2 3
    score.py referee --films runs/game7 runs/game8 --show

Three seconds after a line was written the referee compares the record with the true one. It
corrects, removes and inserts, and the decoder is told of each mend. ``--without`` mends the record
alone, and the decoder goes on as if nobody had said anything. A mend is harmful if more is wrong
after it than it accounts for; at the end of a game nothing may be wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.intervals import of_ratio
from games.referee import Mended, mended_film, mended_labels
from scores.benchmark import GRADES, RULES, cases


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--films", nargs="+", type=Path, help="folders of datasets/simulate.py")
    parser.add_argument("--interrupted", default="", help="as which evening the films are read")
    parser.add_argument("--grades", nargs="+", choices=GRADES, default=list(GRADES))
    parser.add_argument("--rules", nargs="+", choices=RULES, default=list(RULES))
    parser.add_argument("--seeds", nargs="+", type=int, default=[], help="of label games")
    parser.add_argument("--without", action="store_true", help="the decoder hears of no mend")
    parser.add_argument("--show", action="store_true", help="print every mend")


def run(given: argparse.Namespace) -> None:
    for folder in given.films or ():
        if not (folder / "seen.jsonl").is_file() or not (folder / "video.mp4").is_file():
            raise SystemExit(f"{folder} holds no film; make one with datasets/simulate.py")
    done: dict[str, list[Mended]] = {}
    for group, name, mended in _games(given):
        done.setdefault(group, []).append(mended)
        print(f"{name}: {_words(mended)}", flush=True)
        for mend in mended.mends if given.show else ():
            harm = f", HARMFUL: {mend.wrong_after} wrong" if mend.harmful else ""
            print(f"   {mend.time_s:6.1f} s  {mend.why}{harm}")
        for wrong in mended.wrong_at_end:
            print(f"   at the end: {wrong}")
    for group, games in done.items():
        print(f"{group}: {_sums(games)}")


def _games(given: argparse.Namespace) -> Iterator[tuple[str, str, Mended]]:
    if given.films:
        for folder in given.films:
            mended = mended_film(folder, not given.without, given.interrupted)
            yield "films", folder.name, mended
    else:
        for case in cases(given.grades, given.rules, given.seeds):
            yield case.grade, case.name, mended_labels(case, not given.without)


def _words(mended: Mended) -> str:
    return (
        f"{len(mended.mends)} mends in {mended.hands} hands, {mended.harmful} harmful, "
        f"{len(mended.wrong_at_end)} wrong at the end"
    )


def _sums(games: Sequence[Mended]) -> str:
    hands, mends = [game.hands for game in games], [len(game.mends) for game in games]
    low, high = of_ratio(mends, hands) or (0.0, 0.0)
    return (
        f"{sum(mends) / max(1, sum(hands)):.2f} mends a hand ({low:.2f} to {high:.2f}), "
        f"{sum(hands)} hands, {sum(game.harmful for game in games)} mends harmful, "
        f"{sum(not game.wrong_at_end for game in games)} of {len(games)} games right at the end"
    )
