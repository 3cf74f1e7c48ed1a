"""The engine is a library of its own: it runs where nothing else is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from engine.texts.announcements import sentence
from engine import RULE_SETS, Game, GameStart, HandStart, Position, Win, read_record, replay
for name in ("hong-kong", "wsom"):
    game = Game()
    for event in (GameStart(name), HandStart(), Position(turn=1, wall_left=60)):
        game.submit(event)
    [payout] = game.submit(Win(1, 1, "8p", "234p 567p 222p 55p 67p"))
    assert payout.deltas[1] > 0, payout
    assert sentence(payout).startswith("Seat 1 wins: "), sentence(payout)
for record in sys.argv[2:]:
    game = replay(read_record(open(record, encoding="utf-8").read()))
    assert game.legal() and game.announcements()
    assert game.hint(0).seat == 0
import engine.logs.formats, engine.lessons, engine.drill, engine.odds.own_hand
outside = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(sorted(outside - {"engine", "__main__"}), len(RULE_SETS))
"""


def test_the_engine_runs_where_nothing_else_is_installed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "engine", tmp_path / "engine")
    records = [ROOT / "tests" / "games" / f"{name}.jsonl" for name in ("sichuan", "hangzhou")]
    ran = subprocess.run(
        # Without the folder of installed packages, the user's, or the one it starts in.
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(tmp_path), *map(str, records)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    outside, count = ran.stdout.rsplit(maxsplit=1)
    assert outside == "[]"
    assert int(count) > 5
