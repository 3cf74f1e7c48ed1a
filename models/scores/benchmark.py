"""The tracker's benchmark: simulated games in four grades by five rule sets, fixed by their seeds.

    score.py benchmark --labels --out runs/benchmark     # simulated detector, no pictures
    score.py benchmark --films --out runs/benchmark      # filmed and read: takes hours
    score.py benchmark --labels --out runs/benchmark --starts empty dealt --grades ordinary
    score.py benchmark --troubles games/* --out runs/benchmark  # films, spoilt
    score.py benchmark --real real/1 real/2 --out runs/benchmark  # films of real games

Films use tiles of a style that is left out of training. The figures of each game are kept in OUT,
so an interrupted run continues, and ``--most 1`` reads one game at a time. OUT/labels.md and
OUT/films.md hold the tables and the errors, the .json files all figures. ``--starts`` and
``--clutter`` read the same hands as films that begin or end at an odd moment (``games/starts.py``),
and with things on the table (``games/clutter.py``). ``--referee`` reads each hand once more with
somebody who puts right what is wrong (``referee.py``). ``--picture`` draws OUT/labels-sure.png, how
sure the camera lines were and how right. ``--troubles`` reads films of datasets/simulate.py as poor
cameras would have taken them (datasets/studio/camera/troubles.py). Develop with ``--seeds``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from evaluation.faces import draw_reliability
from games.clutter import CLUTTER
from games.figures import figures
from games.films import kept, read_film, shoot
from games.labels import read_labels
from games.outcome import CALM, GameCase, Outcome
from games.referee import mended_labels
from games.report import sure_bands, to_json, to_markdown
from games.starts import ENDS, STARTS

from engine.rules import GAMES
from studio.camera.troubles import KINDS, STRENGTHS

GRADES: Final = ("clean", "ordinary", "hard", "hostile")
REAL: Final = "real"
"""Grade of the films of real games (datasets/real_game.py)."""
RULES: Final = tuple(game.id for game in GAMES)
SEEDS: Final = (61001, 61002, 61003)  # used for every rule set in every grade, and for nothing else
HOSTILE_SEEDS: Final = (61004, 61005, 61006)
"""Seeds of the hostile grade, so that these hands are no copies of those of the other grades."""


def cases(
    grades: Sequence[str] = GRADES,
    rules: Sequence[str] = RULES,
    seeds: Sequence[int] = (),
    odd: Sequence[tuple[str, str]] = (("", ""),),
) -> list[GameCase]:
    """Return games of the benchmark: all grades and rule sets before the next seed.

    ``seeds``: other ones than the benchmark's own. ``odd``: starts and clutter of the games, in
    pairs; both are empty for a whole game at a tidy table.
    """
    return [
        GameCase(grade, rule, hostile if grade == "hostile" else seed, *how)
        for seed, hostile in zip(seeds or SEEDS, seeds or HOSTILE_SEEDS, strict=True)
        for how in odd
        for rule in rules
        for grade in grades
    ]


def run(given: argparse.Namespace) -> None:
    if not given.labels and (given.starts or given.clutter or given.referee):
        raise SystemExit("--starts, --clutter and --referee go with --labels")
    names = {"labels": given.labels, "troubles": given.troubles, REAL: given.real, "films": True}
    name = next(name for name, wanted in names.items() if wanted)
    folder = given.out / name
    folder.mkdir(parents=True, exist_ok=True)
    left = given.most if given.most is not None else sys.maxsize
    odd = [(start, "") for start in given.starts] + [("", kind) for kind in given.clutter]
    real = {real_case(place): place for place in given.real or ()}
    for place in given.troubles or ():
        real |= dict.fromkeys(troubled_cases(place, given.kinds, given.strengths), place)
    # Every film in one trouble before the next trouble, ordinary ones first.
    wanted = sorted(real, key=_trouble_place) if given.troubles else real
    for case in wanted or cases(given.grades, given.rules, given.seeds, odd or [("", "")]):
        path = folder / f"{case.name}.json"
        if kept(path) is not None:
            continue
        if left <= 0:
            break
        left -= 1
        if given.labels:
            done = _labelled(case, given.referee)
        else:
            done = read_film(case, real.get(case) or _shot(case, folder / case.name))
        part = path.with_suffix(".part")
        part.write_text(json.dumps(done.to_json(), indent=1) + "\n", encoding="utf-8")
        part.replace(path)
        print(f"{case.name}: {_words(done)}", file=sys.stderr, flush=True)
    games = _all_kept(folder)
    title = f"Benchmark of {REAL if given.real else 'simulated'} games, {name}"
    (given.out / f"{name}.json").write_text(json.dumps(to_json(games), indent=1) + "\n", "utf-8")
    (given.out / f"{name}.md").write_text(to_markdown(title, games), encoding="utf-8")
    if given.picture:
        draw_reliability(sure_bands(games), given.out / f"{name}-sure.png", "lines")
    print(to_markdown(title, games).split("## ")[0])


def add_options(parser: argparse.ArgumentParser) -> None:
    layer = parser.add_mutually_exclusive_group(required=True)
    layer.add_argument("--labels", action="store_true", help="read from labels, with errors")
    layer.add_argument("--films", action="store_true", help="film, and read the pictures")
    layer.add_argument(
        "--troubles", type=Path, nargs="+", help="folders of datasets/simulate.py, read spoilt"
    )
    layer.add_argument("--real", type=Path, nargs="+", help="folders of datasets/real_game.py")
    parser.add_argument("--out", type=Path, required=True, help="continues in a folder that exists")
    parser.add_argument("--grades", nargs="+", choices=GRADES, default=list(GRADES))
    parser.add_argument("--rules", nargs="+", choices=RULES, default=list(RULES))
    parser.add_argument("--seeds", nargs="+", type=int, default=[], help="other seeds, to develop")
    parser.add_argument("--starts", nargs="+", choices=(*STARTS, *ENDS), default=[])
    parser.add_argument(
        "--clutter", nargs="+", choices=CLUTTER, default=[], help="cluttered tables"
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    parser.add_argument("--strengths", nargs="+", choices=STRENGTHS, default=list(STRENGTHS))
    parser.add_argument("--referee", action="store_true", help="also count the mends a hand needs")
    parser.add_argument("--picture", action="store_true", help="draw how sure and how right it is")
    parser.add_argument("--most", type=int, help="number of games to read now")


def _labelled(case: GameCase, referee: bool) -> Outcome:
    done = read_labels(case)
    if not referee:
        return done
    mended = mended_labels(case)
    return replace(
        done,
        mends=len(mended.mends),
        harmful_mends=mended.harmful,
        wrong_after_mends=mended.wrong_at_end,
    )


def _all_kept(folder: Path) -> list[Outcome]:
    """Return every game that has been read into this folder, in the order of the benchmark."""
    games = [game for path in folder.glob("*.json") if (game := kept(path)) is not None]
    order = ((*GRADES, REAL, "any"), RULES, ("", *STARTS, *ENDS), ("", *CLUTTER))

    def place(game: Outcome) -> tuple[int, ...]:
        names = (game.grade, game.rules, game.start, game.clutter)
        places = (row.index(name) for row, name in zip(order, names, strict=True))
        return (*_trouble_place(game), *places, game.seed)

    return sorted(games, key=place)


def troubled_cases(
    folder: Path, kinds: Sequence[str], strengths: Sequence[str]
) -> Iterator[GameCase]:
    """The game of a folder of datasets/simulate.py, untroubled and in each of these troubles."""
    about = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    for trouble in (CALM, *(f"{kind}:{strength}" for kind in kinds for strength in strengths)):
        yield GameCase(about["grade"], about["rules"], about["seed"], trouble=trouble)


def _trouble_place(game: GameCase | Outcome) -> tuple[int, ...]:
    """Where a game's trouble stands in the table; none first, then the ordinary ones."""
    if game.trouble in ("", CALM):
        return (-1, -1)
    kind, strength = game.trouble.split(":")
    return ("ordinary", "strong", "mild").index(strength), list(KINDS).index(kind)


def real_case(folder: Path) -> GameCase:
    """Return the game of an entry."""
    about = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    return GameCase(REAL, str(about["rules"]), int(about["number"]))


def _shot(case: GameCase, folder: Path) -> Path:
    shoot(case, folder)
    return folder


def _words(game: Outcome) -> str:
    sums = figures([game])
    return (
        f"{sums['events']} events, {len(game.missing)} missed, {len(game.extra)} invented, "
        f"paid right {game.paid_right} of {len(game.paid)}, "
        f"settled tables {game.settled} of {game.moments}, {game.cpu_s:.0f} s of processor"
    )
