"""Measure what a simulated learner gains by each lesson, in points a hand.

    score.py learner --rules hong-kong --hands 200

The learner plays at random, but for wins, and then by one rule after another from the lessons,
on the same walls, against three players who know the game. Intervals are 95 %, by hands.
"""

from __future__ import annotations

import argparse
from itertools import pairwise

from games.learner import RULES, learn

from engine.rules import RULE_SETS


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", nargs="+", required=True, choices=sorted(RULE_SETS))
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lessons", nargs="+", choices=RULES, default=RULES, help="in this order")


def run(given: argparse.Namespace) -> None:
    if given.hands < 2:
        raise SystemExit("an interval needs two hands")
    for rules in given.rules:
        learnt = learn(rules, given.hands, given.lessons, given.seed)
        print(f"{rules}: {learnt[0].mean:.2f} +- {learnt[0].half_interval:.2f} points a hand")
        for before, after in pairwise(learnt):
            gain, half = after.gain(before)
            print(f"   {after.lesson}: {after.mean:.2f}, gains {gain:.2f} +- {half:.2f}")
