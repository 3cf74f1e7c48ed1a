"""Count what a live table announces and takes back again, over the films of a store.

    score.py store make runs/store --kinds live
    score.py announced runs/store --out runs/announced.json --show
    score.py store make runs/store --kinds clean
    score.py announced runs/store --only 'clean/*' --show

The store's ten ``live`` evenings have three games each, by different rule sets, seen by cameras of
four grades. An announcement is what everybody is told: who is ready, payments, problems, results.
It is taken back where the record no longer leads to it in the same words. Beside that stand the
events that pages list, and which of them were shown otherwise later. Delays count from what
happened to its announcement. Nobody says anything meanwhile, and no question is answered.
At the end stand the problems that were announced and the questions that were put, and how many of
them a page opens by itself, by rule set: in the store's ``clean`` evenings nobody breaks a rule, so
that each problem is a false alarm.
"""

from __future__ import annotations

import argparse
import json
from fnmatch import fnmatch
from pathlib import Path

from games.announced import Announced, TakenBack, alarms, announced, figures
from games.store.film import load, stored


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="of a store")
    parser.add_argument("--only", nargs="+", default=["live/*"], help="films whose names match")
    parser.add_argument("--out", type=Path, help="keep what was announced and taken back")
    parser.add_argument("--show", action="store_true", help="print all that did not stay")


def run(given: argparse.Namespace) -> int:
    found = stored(given.folder)
    films = {name: at for name, at in found.items() if any(fnmatch(name, o) for o in given.only)}
    if not films:
        raise SystemExit(f"{given.folder} holds no film that matches; make some with store make")
    games: list[Announced] = []
    for name, path in films.items():
        games.append(announced(load(path)))
        told, back = sum(games[-1].told.values()), games[-1].back
        print(f"{name}: {len(back)} of {told} announcements taken back", flush=True)
        for one in (*back, *games[-1].changed) if given.show else ():
            print(f"   {_words(one)}")
        for alarm in (*games[-1].problems, *games[-1].asked) if given.show else ():
            print(f"   {alarm.at_s:.1f} s, {alarm.loss:.3f}: {json.dumps(alarm.what)}")
    if given.out is not None:
        given.out.write_text(json.dumps([game.to_json() for game in games]), encoding="utf-8")
    print(*figures(games), *alarms(games), sep="\n")
    return 0


def _words(one: TakenBack) -> str:
    now = " and ".join(map(json.dumps, one.now)) or "nothing"
    return f"{one.told_s:.1f} s to {one.back_s:.1f} s: {json.dumps(one.was)}, now {now}"
