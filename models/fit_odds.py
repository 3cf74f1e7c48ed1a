"""Fit the curves by which ``engine/odds`` tells the chances of a discard, and measure them.

    python models/fit_odds.py riichi --logs ARCHIVE.tar.gz --games 416
    python models/fit_odds.py harbin-hlr --games 160 --hands 6 --seed 100

Riichi is fitted on public logs of people, which an archive holds in order of their dates; the other
games on simulated play. The last quarter of the games is held out: no curve sees it, and every
figure comes from it. Without the archive nothing is fitted.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from odds.cases import Cases, Collected, collect, joined
from odds.choices import Choice, choices, kept_weights
from odds.fit import Numbers, base_rate, picture
from odds.report import DANGERS, Figures, agreement, figures, fitted_curves

from engine.codec import read_record
from engine.events import Entry
from engine.odds.curves import parsed
from engine.odds.danger import LOSS_FEATURES, TILE_FEATURES
from engine.odds.own_hand import (
    FARTHEST,
    KEPT_FEATURES,
    POINT_FEATURES,
    REST_FEATURES,
    WIN_FEATURES,
)
from engine.rules import GAMES
from studio.play.players import play_game

ROOT = Path(__file__).parent.parent
FITTED = ROOT / "engine" / "odds" / "fitted"
HELD_OUT = 0.25
KEPT = 0.25
"""Share of the decisions that are used while nobody is ready."""
SHARE = 0.12
"""Share of the decisions of every third game that weigh what a discard keeps."""
JUDGED = 0.15
"""Share of the held-out decisions that agreement is measured on."""
SKILLS = (1.0, 0.8)
"""How well the simulated tables play a hand; the other skills are there for long films."""
LOGGED = frozenset(rules.id for rules in GAMES if rules.page.exports)
"""Games of which there are public logs; the others are simulated."""
FEATURES = {
    "danger": TILE_FEATURES,
    "danger_ready": TILE_FEATURES,
    "loss": LOSS_FEATURES,
    "points": POINT_FEATURES,
    "points_ready": POINT_FEATURES,
    "rest": REST_FEATURES,
    "kept": KEPT_FEATURES,
    **{f"win_{steps}": WIN_FEATURES for steps in range(FARTHEST + 1)},
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=[rules.id for rules in GAMES])
    parser.add_argument("--logs", type=Path, help="riichi: archive of logs, or folder of records")
    parser.add_argument("--games", type=int, default=400, help="simulated games, or most logs")
    parser.add_argument("--hands", type=int, default=8, help="most hands of a simulated game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FITTED, help="folder of the curves")
    parser.add_argument("--picture", type=Path, help="where the reliability is drawn (.svg)")
    given = parser.parse_args(arguments)
    if given.game not in LOGGED:
        games = simulated(given.game, given.games, given.hands, given.seed)
        data = f"{given.games} simulated games of {given.game}, up to {given.hands} hands each"
    elif given.logs is None or not given.logs.exists():
        print("fit_odds: no archive of logs, so nothing is fitted", file=sys.stderr)
        return 0
    else:
        games = logged(given.logs, given.games)
        data = f"{given.logs.name}, the first {given.games} games at most"
    about: Figures = {
        "source": "logs" if given.game in LOGGED else "simulated",
        "data": data,
        "seed": given.seed,
        "commit": _commit(),
        "made": datetime.now(UTC).date().isoformat(),
        "licence": "AGPL-3.0-or-later",
    }
    told = fit(list(games), about, given.out / f"{given.game}.json")
    print(json.dumps(told, indent=1))
    if given.picture is not None:
        drawn = {name: told[name]["reliability"] for name in DANGERS if name in told}
        given.picture.write_text(picture(drawn), "utf-8")
    return 0


def fit(games: Sequence[Sequence[Entry]], about: Figures, path: Path) -> Figures:
    """Fit on the first games, write the curves, and measure them on the others."""
    held_from = round(len(games) * (1 - HELD_OUT))
    cases = gathered(games)
    known = {name: part.take(part.games < held_from) for name, part in cases.items()}
    held = {name: part.take(part.games >= held_from) for name, part in cases.items()}
    curves = fitted_curves(known)
    told = figures(curves, known, held)
    about |= {"fitted on": held_from, "held out": len(games) - held_from}
    if about["source"] == "logs":
        curves["kept"] = kept_weights(
            made(games, range(0, held_from, 3), SHARE, _written(about, curves))
        )
        judged = made(games, range(held_from, len(games)), JUDGED, _written(about, curves))
        told["agreement"] = agreement(judged)
    for name in DANGERS:
        if name in curves and told[name]["gain on base rate"][1] <= 0:
            about["source"] += "_base"
            curves[name] = base_rate(known[name])
    about["metrics"] = {
        name: {key: value for key, value in part.items() if key != "reliability"}
        for name, part in told.items()
    }
    path.write_text(json.dumps(_written(about, curves), indent=1) + "\n", "utf-8")
    return told


def _written(about: Figures, curves: Mapping[str, Numbers]) -> Figures:
    """The file of the curves: a weight for each named feature."""
    return {
        "about": about,
        "curves": {
            name: {
                feature: float(f"{weight:.5g}")
                for feature, weight in zip(FEATURES[name], weights, strict=True)
            }
            for name, weights in curves.items()
        },
    }


def made(
    games: Sequence[Sequence[Entry]], numbers: range, share: float, written: Figures
) -> list[Choice]:
    """What the players of these games chose, with the changes that the curves tell."""
    curves = parsed(written)
    return [
        choice for number in numbers for choice in choices(games[number], number, share, curves)
    ]


def gathered(games: Sequence[Sequence[Entry]]) -> dict[str, Cases]:
    parts = []
    for number, entries in enumerate(games):
        collected = Collected()
        collect(entries, number, collected, KEPT)
        parts.append(collected.cases())
    return joined(parts)


def logged(archive: Path, most: int) -> Iterator[Sequence[Entry]]:
    """The games of an archive of logs, by the program's own import, or of a folder of records."""
    if archive.is_dir():
        for path in sorted(archive.glob("*.jsonl"))[:most]:
            yield read_record(path.read_text("utf-8"))
        return
    with tarfile.open(archive) as packed:
        names = sorted(name for name in packed.getnames() if name.endswith((".xml", ".mjson")))
        for name in names[:most]:
            member = packed.extractfile(name)
            assert member is not None, "the names are of files"
            told = subprocess.run(
                [sys.executable, "-c", "from service.main import main; main()", "import", "-"],
                input=member.read(), capture_output=True, check=True, cwd=ROOT,
            )  # fmt: skip
            yield read_record(told.stdout.decode())


def simulated(rules: str, games: int, hands: int, seed: int) -> Iterator[Sequence[Entry]]:
    """Games of the simulator's players."""
    for number in range(games):
        start, played, end = play_game(rules, 1000 * seed + number, hands, skills=SKILLS)
        events = (start, *(event for hand in played for event in hand.events), end)
        yield [Entry(event) for event in events]


def _commit() -> str:
    told = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return told.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
