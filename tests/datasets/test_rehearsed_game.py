"""A rehearsal that is played by its cards: each game does what its own cards ask for."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from simulate import main as simulate

from engine.events import Entry
from engine.rehearsal import CardDone, RehearsalCard, cards_of, compare, read_cards
from engine.rules import GAMES, RULE_SETS
from engine.rules.base import RuleSet
from service.table.rehearsal import read_moments
from studio.play.played_hand import SimulatedHand
from studio.play.rehearsed_game import OVER, play_rehearsal


def begun(hands: list[SimulatedHand]) -> list[tuple[str, int]]:
    """The cards in the order in which they are done, each with the number of its first event."""
    found, before = [], 0
    for hand in hands:
        for number, manner in sorted(hand.manners.items()):
            cards = [getattr(gesture, "card", "") for gesture in manner.first]
            found += [(card, before + number) for card in cards if card]
        before += len(hand.events)
    return found


def done(rules: RuleSet, cards: tuple[RehearsalCard, ...], seed: int) -> None:
    """Play the cards, and find what they ask for in the events."""
    _, hands, _ = play_rehearsal(rules.id, seed, cards)
    starts = begun(hands)
    assert [card for card, _ in starts] == [*(card.id for card in cards), OVER]
    spans = [CardDone(card, since, until) for (card, since), (_, until) in pairwise(starts)]
    events = [event for hand in hands for event in hand.events]
    entries = [Entry(event, t=float(number)) for number, event in enumerate(events)]
    # An event takes no time here; how long a card lasts is told by the film.
    seen = compare([replace(card, lasts_s=0.0) for card in cards], spans, entries)
    assert [(one.card, one.missing, one.extra) for one in seen.cards] == [
        (card.id, {}, {}) for card in cards
    ]


@pytest.mark.parametrize("rules", GAMES, ids=[rules.id for rules in GAMES])
def test_every_game_plays_what_its_own_cards_ask_for(rules: RuleSet) -> None:
    done(rules, cards_of(rules), 3)


def test_a_card_of_a_club_is_played_too() -> None:
    own = read_cards(
        """
        [[card]]
        id = "kong"
        told = { kong = 1 }
        may = ["discard"]
        say.en = "Lay a kong."
        """,
        "club.toml",
    )
    done(RULE_SETS["sichuan"], cards_of(RULE_SETS["sichuan"], *own), 5)


def test_cards_that_no_tiles_allow_are_refused() -> None:
    seven = RehearsalCard("kongs", {"en": "Lay seven kongs."}, told={"kong": 17})
    with pytest.raises(ValueError, match="the cards of sichuan cannot be played"):
        play_rehearsal("sichuan", 1, (seven,))


def test_the_simulator_writes_when_each_card_is_done(tmp_path: Path) -> None:
    asked = ["--rehearsal", "--rules", "wsom", "--seed", "1", "--no-video", "--labels", "none"]
    assert simulate([*asked, "--out", str(tmp_path)]) == 0
    cards = cards_of(RULE_SETS["wsom"])
    times = read_moments(tmp_path / "cards.json", cards)
    assert len(times) == len(cards) + 1
    for card, (since_s, until_s) in zip(cards, pairwise(times), strict=True):
        assert until_s - since_s >= card.lasts_s, card.id


@pytest.mark.parametrize("besides", [["--case", "pung-ready"], ["--rules", "wsom"], []])
def test_a_rehearsal_needs_a_game_and_a_seed(
    tmp_path: Path, besides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        simulate(["--rehearsal", *besides, "--out", str(tmp_path)])
    assert refused.value.code == 2
    assert "expected either --rules and --seed, or --case" in capsys.readouterr().err
