"""What holds for every rule set, whatever comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import log
from engine.announce import GameResult, Payout, Problem
from engine.codec import read_record, write_record
from engine.events import Correct, Discard, Draw, Entry, Event, GameEnd, GameStart, HandStart, Win
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.state import State
from engine.texts.announcements import with_text
from engine.tiles import UNKNOWN, Tile
from tests.support.events_of_all_kinds import (
    all_events,
    corrections,
    entries,
    game_starts,
    in_hand,
    options,
)
from tests.support.properties import every_rule_set, seeds, some
from tests.support.random_games import hidden, played, shown

often = settings(max_examples=4 * some.max_examples)


def faces(state: State) -> Counter[Tile]:
    """Every known tile of the table, counted apart from the engine's own count."""
    found: Counter[Tile] = Counter()
    for player in state.players:
        found.update(player.hand)
        found.update(thrown.tile for thrown in player.river if thrown.claimed_by is None)
        for meld in player.melds:
            found.update(meld.tiles)
    found.subtract(state.lent)
    del found[UNKNOWN]
    return found


def check(game: Game, rules: str) -> None:
    """What must hold of any game in any state."""
    state = game.state
    wall = RULE_SETS[state.rules or rules].wall.under(state.options)
    # Several winners show the one tile that they claimed; a rush wins with an indicated one.
    twice = Counter(win.tile for win in state.wins[1:] if win.from_seat != win.seat)
    twice.update(state.lent)
    assert all(count <= wall.get(tile, 0) for tile, count in (faces(state) - twice).items())
    assert not moved_from_nowhere(game)
    for said in game.announcements():
        assert with_text(said)["text"]
        if isinstance(said, Payout):
            assert sum(said.deltas) + said.pot == 0


def moved_from_nowhere(game: Game) -> list[Event]:
    """Events in force that changed the sum of points and pot.

    A game starts with points, and a hand may start with deposits that lie there already.
    """
    found: list[Event] = []
    again, total = Game(), 0
    for standing in log.in_force(game.entries):
        event = standing.entry.event
        if isinstance(event, Correct):  # of nothing, or of itself
            continue
        again.submit(standing.entry)
        before, total = total, sum(again.state.points) + again.state.pot
        if before != total and not isinstance(event, GameStart | HandStart):
            found.append(event)
    return found


@every_rule_set
@given(data=st.data())
@often
def test_nothing_that_can_be_read_makes_the_engine_fail(rules: str, data: st.DataObject) -> None:
    start = [Entry(data.draw(game_starts(rules))), Entry(HandStart())]
    event = st.one_of(in_hand, in_hand, all_events(rules), corrections(rules))
    record = start + data.draw(st.lists(entries(event), max_size=30))
    live = Game()
    for entry in record:
        expected = live.preview([entry])
        said = live.submit(entry)
        assert (expected.state, expected.announcements) == (live.state, said)
        assert isinstance(live.legal(), tuple)
    again = replay(record)
    assert again.state == live.state
    assert again.announcements() == live.announcements()
    check(live, rules)


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_a_game_with_foreign_events_in_it_never_makes_the_engine_fail(
    rules: str, seed: int, data: st.DataObject
) -> None:
    record = list(played(rules, seed).entries)
    for _ in range(data.draw(st.integers(1, 5))):
        record.insert(
            data.draw(st.integers(2, len(record))),
            data.draw(st.sampled_from(record) | entries(in_hand | corrections(rules))),
        )
    live = Game()
    for entry in record:
        live.submit(entry)
        assert isinstance(live.legal(), tuple)
    assert replay(record).state == live.state
    check(live, rules)


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_what_the_rules_call_regular_is_played_without_a_problem(
    rules: str, seed: int, data: st.DataObject
) -> None:
    game = played(rules, seed, hands=2, options=data.draw(options(rules)))
    assert not [said for said in game.announcements() if isinstance(said, Problem)]
    assert sum(isinstance(said, GameResult) for said in game.announcements()) == 1
    check(game, rules)
    assert read_record(write_record(game.entries)) == list(game.entries)


def moved(game: Game) -> list[int]:
    """What was paid in all; a hand shown late is paid late, with what had been paid before."""
    paid = [said.deltas for said in game.announcements() if isinstance(said, Payout)]
    return [sum(deltas[seat] for deltas in paid) for seat in range(4)]


@every_rule_set
@given(seed=seeds, seats=st.sets(st.integers(0, 3), min_size=1), draws=st.booleans())
@some
def test_hiding_hands_changes_no_payment_once_the_winner_shows(
    rules: str, seed: int, seats: set[int], draws: bool
) -> None:
    game = played(rules, seed)
    seen = replay(hidden(shown(game), sorted(seats), draws=draws))
    assert not [said for said in seen.announcements() if isinstance(said, Problem)]
    if seen.state.lent == game.state.lent:  # else a win whose draw nobody saw was read as a rush
        assert moved(seen) == moved(game)
        assert seen.state.points == game.state.points
    if not seen.state.lent:  # a rush may come after a draw that nobody saw
        assert seen.state.wall_left == game.state.wall_left


def sentences(game: Game) -> Sequence[object]:
    return [with_text(said) for said in game.announcements()]


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_a_correction_that_restores_an_event_restores_every_announcement(
    rules: str, seed: int, data: st.DataObject
) -> None:
    record = list(played(rules, seed).entries)
    game = replay(record)
    before, state = sentences(game), game.state
    place = data.draw(st.integers(0, len(record) - 1))
    wrong = data.draw(st.lists(entries(in_hand), max_size=2))
    game.submit(Entry(Correct(place, tuple(wrong)), source="person"))
    game.submit(Entry(Correct(place, (record[place],)), source="person"))
    assert sentences(game) == before
    assert game.state == state


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_one_misread_tile_is_put_right_by_one_correction(
    rules: str, seed: int, data: st.DataObject
) -> None:
    record = list(played(rules, seed).entries)
    places = [at for at, entry in enumerate(record) if isinstance(entry.event, Draw | Discard)]
    place = data.draw(st.sampled_from(places))
    misread = data.draw(entries(in_hand))
    live = Game()
    for at, entry in enumerate(record):
        live.submit(misread if at == place else entry)
    live.submit(Entry(Correct(place, (record[place],))))
    right = replay(record)
    assert sentences(live) == sentences(right)
    assert live.state == right.state


@every_rule_set
def test_the_games_above_have_wins_of_every_kind_and_drawn_hands(rules: str) -> None:
    names: set[str] = set()
    kinds: set[type] = set()
    for seed in range(25):
        game = played(rules, seed)
        kinds |= {type(entry.event) for entry in game.entries}
        for said in game.announcements():
            if isinstance(said, Payout):
                names |= {item.name for item in said.items}
        if {Win, GameStart, GameEnd, Discard} <= kinds and len(names) >= 5:
            return
    raise AssertionError(f"only {names} in games with {kinds}")


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_what_is_suggested_can_take_the_place_of_the_event(
    rules: str, seed: int, data: st.DataObject
) -> None:
    record = list(played(rules, seed).entries)
    place = data.draw(st.integers(2, len(record) - 2))
    foreign = data.draw(st.sampled_from(record[2:]) | entries(in_hand))
    game = replay([*record[:place], foreign])
    for said in game.announcements():
        for way in said.suggestions if isinstance(said, Problem) else ():
            tried = replay(game.entries)
            again = tried.submit(Entry(Correct(said.of, way)))
            assert not [one for one in again if isinstance(one, Problem) and one.impossible], way
