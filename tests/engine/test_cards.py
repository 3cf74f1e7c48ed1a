"""The patterns that a hand could become: each is one that the rules pay for these tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from engine.cards import MOST, Cards, cards
from engine.events import Seat
from engine.game import replay
from engine.play import IN_PLAY
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.state import State
from engine.texts.catalogue import texts_for
from engine.visibility import concealed
from tests.support.properties import every_rule_set
from tests.support.random_games import hidden, played

EVERY_SO_MANY = 37
HARBIN = ("harbin-hlr", "harbin-treasure")

Told = tuple[RuleSet, State, Seat, Cards]


@cache
def told_of(rules: str) -> tuple[Told, ...]:
    return tuple(_told_of(rules))


def _told_of(rules: str) -> Iterator[Told]:
    known = RULE_SETS[rules]
    for seed in range(2):
        for step in played(rules, seed).played[8 + seed :: EVERY_SO_MANY]:
            if step.state.phase in IN_PLAY and step.state.turn not in step.state.retired:
                seat = step.state.turn
                yield known, step.state, seat, cards(known, step.state, seat)


@every_rule_set
def test_a_card_is_made_of_the_own_tiles_and_of_tiles_that_are_left(rules: str) -> None:
    count = 0
    for known, state, seat, told in told_of(rules):
        hand = Counter(state.players[seat].hand)
        for card in told.cards:
            assert Counter(card.held) <= hand
            assert len(card.plan.needs) == card.plan.distance + 1
            assert all(wait.left > 0 for wait in card.plan.needs)
            whole = known.wall.waiting(len(state.players[seat].melds)) + 1
            assert len(card.held) + len(card.plan.needs) == whole
            count += 1
    assert count or rules in HARBIN


@every_rule_set
def test_each_pattern_is_on_one_card_and_paid_by_the_rules_for_its_hand(rules: str) -> None:
    for known, _, _, told in told_of(rules):
        named = [name for card in told.cards for name in card.patterns]
        assert len(named) == len(set(named)) <= MOST
        assert all(f"item.{name}" in texts_for(known.id, "en") for name in named)
        for card in told.cards:
            assert card.patterns
            assert set(card.patterns) <= set(card.plan.patterns)
        far = [card.plan.distance for card in told.cards]
        assert far == sorted(far)


@every_rule_set
def test_conditions_are_met_as_the_rules_say(rules: str) -> None:
    for known, state, seat, told in told_of(rules):
        lacking = known.teaching.lacking(state, seat, state.players[seat].hand)
        for condition in told.conditions:
            assert condition.met == (condition.code not in lacking)


@every_rule_set
def test_cards_show_nothing_of_other_hands(rules: str) -> None:
    known, game = RULE_SETS[rules], played(rules, 1)
    for at, step in list(enumerate(game.played))[9::EVERY_SO_MANY]:
        seat = step.state.turn
        if step.state.phase in IN_PLAY and seat not in step.state.retired:
            others = [other for other in range(4) if other != seat]
            unseen = replay(hidden(game.entries, others, draws=True)).played[at].state
            assert cards(known, unseen, seat) == cards(known, step.state, seat)
            assert cards(known, concealed(unseen, known), seat) == Cards()


def test_harbin_tells_its_limiting_conditions() -> None:
    for rules in HARBIN:
        codes = [
            condition.code for _, _, _, told in told_of(rules) for condition in told.conditions
        ]
        assert {"not_open", "no_terminal_or_dragon", "no_pung", "no_chow", "one_suit"} <= set(codes)


def test_the_same_hand_is_told_in_some_games_by_several_patterns() -> None:
    sizes = [len(card.patterns) for _, _, _, told in told_of("riichi") for card in told.cards]
    assert max(sizes) > 1
