"""One hand by every rule set, read from its settled tables without a mistake."""

from __future__ import annotations

import pytest

from engine.events import Entry
from engine.rules import RULE_SETS
from studio.settled import Planned, observations, planned
from studio.truth import seen_entries
from vision.compare import compare
from vision.decode import Decoder

HANDS = (
    ("harbin-hlr", 13),  # closed kongs, laid down with a claim, a hand shown after the win
    ("harbin-treasure", 132),  # a rush: won with the treasure that was looked at
    ("hangzhou", 19),  # a fortune, a white dragon in a chow, a closed kong of four backs
    ("wsom", 72),  # an open kong, a pung
    ("riichi", 26),  # a turned discard, kan and ura indicators, a red five in a set
    ("riichi-2016", 19),  # a win after a closed kong whose two inner tiles lie face down
    ("riichi-tenhou", 150),  # two win on one discard
    ("riichi-tenhou", 143),  # called off after four kongs
)


def read(rules: str, game: Planned) -> list[Entry]:
    decoder = Decoder(rules, game.place.view)
    entries = [entry for seen in observations(game) for entry in decoder.observe(seen)]
    return [*entries, *decoder.close()]


def test_there_is_a_hand_of_every_rule_set() -> None:
    assert {rules for rules, _ in HANDS} == set(RULE_SETS)


@pytest.mark.parametrize(("rules", "seed"), HANDS)
def test_a_hand_is_read_as_it_was_played_and_paid(rules: str, seed: int) -> None:
    game = planned(rules, seed)
    report = compare(seen_entries(game.entries, False, rules), read(rules, game))
    assert (report.missing, report.extra) == ((), ())
    assert [hand.read for hand in report.hands] == [hand.true for hand in report.hands]
