"""The program that keeps everything the program says: it asks every address, and sees a change."""

from __future__ import annotations

import asyncio
from pathlib import Path

from service.web.rights import VERSION
from tests.support.goldens import evening, tables, writing
from tests.support.goldens.__main__ import main
from tests.support.goldens.kept import Goldens
from tests.support.goldens.same_each_time import same_each_time
from tests.support.harbin_game import ENTRIES

LONG = [*ENTRIES, *ENTRIES[1:], *ENTRIES[1:]]
"""Longer than the lines that come while everybody listens."""


def kept_in(folder: Path) -> Goldens:
    folder.mkdir()
    return Goldens(folder, {str(folder): "FOLDER"})


def table_goldens(folder: Path) -> set[str]:
    """Keep what a short game says; returns the addresses that nobody asked."""
    kept = kept_in(folder)
    with same_each_time():
        missing = asyncio.run(tables.read_game(kept, "short", LONG, "harbin-hlr"))
        missing &= asyncio.run(tables.play_game(kept, "short", LONG, "harbin-hlr"))
        missing &= asyncio.run(tables.same_for_others(kept, LONG, "harbin-hlr"))
        for prefix in ("/api", VERSION):
            missing &= asyncio.run(writing.write_and_rule(kept, folder, prefix))
    return missing


def test_every_address_of_a_table_has_a_golden_and_says_the_same_again(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert table_goldens(one) == table_goldens(other) == set()
    assert main(["compare", str(one), str(other)]) == 0


def test_every_address_of_set_up_and_phone_has_a_golden(tmp_path: Path) -> None:
    kept = kept_in(tmp_path / "kept")
    with same_each_time():
        assert asyncio.run(evening.set_up(kept, tmp_path)) == set()
        assert asyncio.run(evening.phone(kept)) == set()


def test_what_was_lost_came_or_changed_is_told(tmp_path: Path) -> None:
    one, other = kept_in(tmp_path / "one"), kept_in(tmp_path / "other")
    for kept, points in ((one, 3), (other, 4)):
        kept.keep("table", {"names": ["Anna"], "points": points})
        kept.keep("page", "at 2026-05-01T20:00:00Z from 127.0.0.1:4321")
    one.keep("old", "")
    other.keep("new", "")
    assert main(["compare", str(one.folder), str(other.folder)]) == 1
    assert (one.folder / "page.txt").read_text() == "at DATE from 127.0.0.1:PORT"
