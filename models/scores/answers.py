"""Whether an answer explains a hand without its film as reading the film again does, and how soon.

    score.py answers runs/store --only 'labels/*'

Every question that is left at the end of the stored films is answered, by its second choice; where
there are several, all of them together, too.
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
from games.store.answered import answered_twice, kept_of
from games.store.film import load, stored


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="the stored films")
    parser.add_argument("--only", nargs="+", default=["*"], help="patterns of their names")


def run(given: argparse.Namespace) -> int:
    """Print each answer, and the sums; return 1 where a game came out otherwise."""
    answers, sizes = [], list[int]()
    for name, path in stored(given.folder).items():
        if not any(fnmatch(name, pattern) for pattern in given.only):
            continue
        film = load(path)
        kept = kept_of(film)
        sizes += [len(hand.looks) for hand in kept.hands]
        for one in answered_twice(film, kept):
            answers.append(one)
            outcome = "same" if one.same else "OTHER"
            print(
                f"{name}: {outcome}{'' if one.changed else ', as before'}"
                f"{'' if one.shown_same else ', first told otherwise'}, "
                f"{one.shown_s:.2f} s, whole {one.took_s:.2f} s: {one.question}",
                flush=True,
            )
    same = sum(one.same for one in answers)
    print(f"{len(answers)} answers, {same} tell the same game as the film")
    for what, values in (
        ("processor time until an answer is seen, s", [one.shown_s for one in answers]),
        ("processor time until all hands are told, s", [one.took_s for one in answers]),
        ("MB a hand", [size / 1e6 for size in sizes]),
    ):
        if values:
            median, late = np.percentile(values, (50, 99))
            print(f"{what}: median {median:.2f}, 99 % {late:.2f}, most {max(values):.2f}")
    return 0 if same == len(answers) else 1
