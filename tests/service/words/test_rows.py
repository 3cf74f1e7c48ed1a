"""A payout and a hint told line by line hold the same words as their sentence."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest

from engine.announce import Hint, Item, NotReady, Payout, note
from engine.codec import read_record
from engine.game import replay
from service.words.announcements import explained, ledger, rows, sentence
from service.words.files import LANGUAGES
from tests.support.paths import GAMES

NAMES = ("Anna", "Bo", "Chen", "Dai")


def test_a_payout_is_told_item_by_item() -> None:
    items = (Item("self_draw", 2, "times"), Item("dora", 3, "times"))
    payout = Payout(0, (18, -6, -6, -6), (18, -6, -6, -6), items)
    assert rows(payout, "en", NAMES) == (
        "own draw x2",
        "dora drawn x3",
        "Anna +18",
        "Bo −6",
        "Chen −6",
        "Dai −6",
    )


def test_a_payout_names_seat_0_and_counts_to_none_as_others() -> None:
    """A figure of nothing is a figure; only a note has none."""
    items = (Item("riichi_chombo", 0, "seat"), Item("riichi_noten", 0, "tenpai"), note("refused"))
    said = rows(Payout(None, (0, 0, 0, 0), (0, 0, 0, 0), items))
    assert said[:3] == ("chombo by seat 0", "noten payment, tenpai 0", "refused")


def test_a_chombo_says_whom_it_pays() -> None:
    items = (Item("riichi_chombo", 1, "seat"),)
    payout = Payout(None, (4000, -8000, 2000, 2000), (29000, 17000, 27000, 27000), items)
    assert rows(payout, "en", NAMES)[0] == "chombo by Bo"
    assert explained(payout, "en", NAMES) == (
        "Bo pays 4000 to Anna.",
        "Bo pays 2000 to Chen.",
        "Bo pays 2000 to Dai.",
    )
    assert explained(payout, "en", ("",) * 4)[0] == "Seat 1 pays 4000 to seat 0."


def test_what_has_no_parts_is_told_in_its_sentence() -> None:
    for said in (NotReady(1, ("no_chow",)), Hint(0, (), audience=0)):
        assert rows(said, "en", NAMES) == (sentence(said, "en", NAMES),)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_row_of_a_hint_stands_in_its_sentence(lang: str, game: Path) -> None:
    told = 0
    for said in replay(read_record(game.read_text())[:60]).taught():
        if isinstance(said, Hint):
            whole = sentence(said, lang, NAMES)
            for row in rows(said, lang, NAMES):
                assert row[1:] in whole  # the sentence begins with a capital
                told += 1
    assert told > 0


def payouts(game: Path) -> list[tuple[Payout, str]]:
    """Every payout of a game, and its rule set."""
    played = replay(read_record(game.read_text())).played
    said = ((one, each.state.rules) for each in played for one in each.announcements)
    return [(one, rules) for one, rules in said if isinstance(one, Payout)]


@pytest.mark.parametrize("game", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_rows_of_a_result_add_up_to_its_sum(game: Path) -> None:
    for payout, rules in payouts(game):
        assert sum(payout.deltas) + payout.pot == 0
        lines, worth = ledger(payout, "en", NAMES, rules=rules)
        han = [int(value.split()[0]) for _, value in lines if value.endswith(" han")]
        times = [int(value[1:]) for _, value in lines if value.startswith("x")]
        if worth is None:
            continue
        if han:
            assert worth.startswith(f"{sum(han)} han"), lines
        else:
            points = sum(int(value) for _, value in lines if value.isdecimal())
            assert worth.endswith(f" = {points * prod(times)}"), lines
