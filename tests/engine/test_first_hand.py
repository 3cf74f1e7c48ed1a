"""The steps of a first hand: each is what the rules allow, and none of them gives a hand away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given

from engine import events as ev
from engine.announce import Problem
from engine.events import Discard, Draw, Entry, Event, GameStart, HandStart, Kong, Pung, Seat
from engine.first_deal import (
    OPTION_STEPS,
    Counted,
    Move,
    before_first_turn,
    broken_at,
    cleared,
    counted_wrong,
    reached,
    stacks_of,
    takes_next,
    total_stacks,
)
from engine.first_hand import (
    SECRET_WIN,
    laid_wrong,
    miscounted,
    mistakes,
    move_of,
    steps,
    turned_place,
    with_secret,
)
from engine.game import Game, replay
from engine.play import IN_PLAY
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile
from engine.visibility import concealed
from tests.support.golden import WITH_GAME
from tests.support.properties import every_rule_set, seeds, some
from tests.support.random_games import hidden, played

HANDS = -(-100 // len(WITH_GAME))
"""Of each game: a hundred in all."""
_KEPT_BY_THE_RECORD = (ev.Deal, ev.Dice, ev.Reveal, ev.GameEnd)
"""What a record tells, and nobody does as a step of play."""


def before_each(game: Game) -> Iterator[tuple[State, Event]]:
    """Every event of play, with the state that it found."""
    for before, after in zip(game.played, game.played[1:], strict=False):
        event = after.event.entry.event
        if before.state.phase in (*IN_PLAY, Phase.SETTLED) and not isinstance(
            event, _KEPT_BY_THE_RECORD
        ):
            yield before.state, event


def allowed(rules: RuleSet, state: State, viewer: Seat | None = None) -> set[Move]:
    return {move for step in steps(rules, state, viewer) for move in step.moves}


def moves_of(rules: RuleSet, state: State) -> set[Move]:
    events = rules.legal(state)
    return {move_of(event) for event in events if not isinstance(event, ev.Deal)}


@every_rule_set
def test_whatever_happens_next_was_among_what_the_table_was_told(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS):
        for state, event in before_each(played(rules, seed)):
            assert move_of(event) in allowed(known, state), (seed, event)


@every_rule_set
def test_every_step_is_what_the_rules_allow_whoever_sees_no_hand(rules: str) -> None:
    known = RULE_SETS[rules]
    under = {Move("Indicator")} if known.layout.under_kind else set[Move]()
    for seed in range(HANDS):
        for state, _ in before_each(played(rules, seed)):
            seen = moves_of(known, concealed(state, known)) | under
            for step in steps(known, state):
                assert step.moves <= seen | by_secret(known, state), (seed, step)


def by_secret(rules: RuleSet, state: State) -> set[Move]:
    """The own wins that are regular if the secret tile, which nobody sees, is one or another."""
    return {
        move_of(event)
        for known in with_secret(rules, concealed(state, rules))
        if any(player.ready for player in known.players)
        for event in rules.legal(known)
        if isinstance(event, ev.Win) and event.seat == event.from_seat
    }


@pytest.mark.parametrize("rules", ["harbin-hlr", "harbin-treasure"])
def test_the_secret_tile_is_asked_of_whom_it_lets_win_now_and_of_nobody_else(rules: str) -> None:
    known, told = RULE_SETS[rules], 0
    for seed in range(3):
        for state, _ in before_each(played(rules, seed)):
            if state.phase not in IN_PLAY:
                continue
            asked = {
                move
                for step in steps(known, state)
                if step.code == SECRET_WIN
                for move in step.moves
            }
            assert asked == by_secret(known, state)
            acts = [entry.event for _, entry in state.history.entries]
            if asked and not any(isinstance(act, ev.Indicator) for act in acts[-3:]):
                assert isinstance(state.history.last_move, Draw | Kong | Discard)
            told += len(asked)
            claimed = isinstance(state.history.last_move, ev.Chow | Pung)
            assert not (claimed and asked), "who has just claimed wins by no tile"
    assert told


@every_rule_set
def test_a_seat_that_knows_its_hand_is_told_all_that_it_may_do_and_nothing_else(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS // 3):
        for state, _ in before_each(played(rules, seed)):
            if state.phase not in IN_PLAY:
                continue
            legal = moves_of(known, state)
            for seat in range(4):
                own = {move for move in allowed(known, state, seat) if move.seat == seat}
                assert own == {move for move in legal if move.seat == seat}, (seed, seat)


@every_rule_set
@given(seed=seeds)
@some
def test_what_a_viewer_is_told_depends_on_no_hand_that_it_cannot_see(rules: str, seed: int) -> None:
    known, game = RULE_SETS[rules], played(rules, seed)
    for viewer in (None, seed % 4):
        others = [seat for seat in range(4) if seat != viewer]
        unseen = replay(hidden(game.entries, others, draws=True))
        for full, covered in zip(game.played, unseen.played, strict=True):
            if full.state.phase in IN_PLAY:
                told = steps(known, covered.state, viewer)
                assert steps(known, full.state, viewer) == told, (viewer, full.event.entry.event)


@every_rule_set
def test_no_step_contradicts_what_lies_on_the_table(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS):
        for state, _ in before_each(played(rules, seed)):
            told = {step.code: step for step in steps(known, state)}
            draws = told.keys() & {"draw", "draw_after", "draw_tail"}
            throws = told.keys() & {"discard", "discard_drawn"}
            if "first_turn" in told:
                assert state.untouched
                assert told["first_turn"].seat == state.turn == state.dealer
                continue
            if state.phase is Phase.TO_DISCARD:
                assert len(throws) == 1
                assert not draws
            elif state.phase is Phase.TO_DRAW:
                assert not throws
                assert bool(draws) != known.wall.used_up(state)
            for code in (*draws, *throws):
                assert told[code].seat == state.turn
            if "thrown" in told:
                last = state.last_discard
                assert last is not None
                assert told["thrown"].tiles == ((last.tile,),)
            if "discard" in told:
                rest = len(state.players[state.turn].hand) - 1
                assert told["discard"].values["count"] == rest
            for step in told.values():
                if step.code.startswith("lay_") and step.turned is not None:
                    meld = state.players[state.turn].melds[-1]
                    assert Counter(step.tiles[0]) == Counter(meld.tiles)
                    assert step.tiles[0][step.turned] == meld.claimed


@every_rule_set
def test_each_seat_is_told_what_to_do_or_to_wait(rules: str) -> None:
    known = RULE_SETS[rules]
    for state, _ in before_each(played(rules, 1)):
        for seat in range(4):
            assert steps(known, state, seat), state.phase


# --- before the first turn ---


def begun(rules: str, options: dict[str, object] | None = None) -> State:
    return replay([Entry(GameStart(rules, options or {}))]).state


@every_rule_set
@pytest.mark.parametrize("dealer", range(4))
def test_the_walls_and_the_dealt_tiles_are_those_of_the_rule_set(rules: str, dealer: Seat) -> None:
    known, state = RULE_SETS[rules], replace(begun(rules), dealer=dealer)
    stacks = stacks_of(known, state.options, dealer)
    assert 2 * sum(stacks) == sum(known.wall.under(state.options).values())
    assert max(stacks) - min(stacks) <= 1
    told = {step.code: step for step in before_first_turn(known, state)}
    rounds = told["take"].values["count"]
    singles = told["take_single"].values["singles"] if "take_single" in told else 0
    assert rounds + singles == known.wall.hand_size == told["sort"].values["count"]
    assert told["one_more"].values == {"count": rounds + singles + 1, "others": rounds + singles}
    assert told["one_more"].seat == told["first_turn"].seat == dealer
    assert ("lay_flowers" in told) == bool(known.wall.flowers(state.options))
    # The hand begins as the last step says.
    hand = replay([Entry(GameStart(rules)), Entry(HandStart(dealer=dealer))]).state
    first = next(step for step in steps(known, hand) if step.code == "first_turn")
    assert first.seat == dealer


@pytest.mark.parametrize(
    ("rules", "options", "told", "not_told"),
    [
        ("riichi", {}, {"turn_up", "kept_back", "sit"}, {"kept_secret", "exchange"}),
        ("hangzhou", {}, {"turn_up"}, {"kept_secret"}),
        ("hangzhou", {"permanent_fortune": True}, set(), {"turn_up"}),
        ("harbin-hlr", {}, {"kept_secret", "sit_plain"}, {"turn_up", "lay_flowers", "sit"}),
        ("harbin-treasure", {}, {"kept_secret"}, {"turn_up"}),
        ("hong-kong", {"flowers": True}, {"lay_flowers"}, {"turn_up"}),
        ("hong-kong", {}, set(), {"lay_flowers"}),
        ("taiwan", {}, {"lay_flowers", "kept_back_flowers"}, {"take_single"}),
        ("sichuan", {}, {"build_uneven"}, {"exchange", "void_suit", "build"}),
        ("sichuan", {"exchange": True, "void_suit": True}, {"exchange", "void_suit"}, set()),
    ],
)  # fmt: skip
def test_games_and_house_rules_differ_in_their_steps(
    rules: str, options: dict[str, object], told: set[str], not_told: set[str]
) -> None:
    codes = {step.code for step in before_first_turn(RULE_SETS[rules], begun(rules, options))}
    assert told <= codes
    assert not codes & not_told


def test_every_house_rule_with_a_step_is_one_of_some_game() -> None:
    names = {option.name for rules in RULE_SETS.values() for option in rules.options}
    assert OPTION_STEPS.keys() <= names


@pytest.mark.parametrize(
    ("dealer", "dice", "seat"),
    [(0, (1, 1), 1), (0, (3, 2), 0), (2, (6, 6), 1), (3, (2,), 0), (1, (1, 2, 4), 3)],
)
def test_the_dice_say_whose_wall_is_opened(dealer: Seat, dice: tuple[int, ...], seat: Seat) -> None:
    assert broken_at(dealer, dice) == seat


@pytest.mark.parametrize(
    ("standing", "taker"),
    [
        ((0, 0, 0, 0), None),
        ((0, 4, 0, 0), (2, 4)),
        ((4, 4, 4, 4), (1, 4)),
        ((4, 8, 8, 4), (3, 4)),
        ((12, 12, 12, 12), (1, 1)),
        ((12, 13, 13, 12), (3, 1)),
        ((13, 13, 13, 13), (1, 1)),
        ((13, 14, 13, 13), None),
        ((4, None, 4, 4), None),
    ],
)
def test_who_takes_tiles_next_is_counted(
    standing: tuple[int | None, ...], taker: tuple[Seat, int] | None
) -> None:
    assert takes_next(RULE_SETS["riichi"], 1, standing) == taker


@every_rule_set
def test_dealing_by_the_steps_gives_everybody_their_tiles(rules: str) -> None:
    known, dealer = RULE_SETS[rules], 2
    held = [0, 0, 0, 0]
    held[dealer] = 4  # the first who takes: nobody is named while nothing stands
    while (taker := takes_next(known, dealer, tuple(held))) is not None:
        assert not counted_wrong(
            known, replace(begun(rules), dealer=dealer), Counted(standing=tuple(held)), still=True
        )
        held[taker[0]] += taker[1]
    size = known.wall.hand_size
    assert held == [size, size, size + 1, size]


@every_rule_set
def test_the_counted_tiles_say_how_far_the_deal_is(rules: str) -> None:
    known, state = RULE_SETS[rules], begun(rules)
    whole, size = stacks_of(known, state.options, 0), known.wall.hand_size
    assert reached(known, state, Counted()) is None
    assert reached(known, state, Counted(stacks=(0, 0, 0, 0))) is None
    short = (whole[0] - 1, *whole[1:])
    assert sum(short) == total_stacks(known, state.options) - 1
    assert reached(known, state, Counted(stacks=short)) == "build"
    # As many backs as a whole wall has stacks are no wall: they are washed, or spread wrongly.
    washed = (whole[0] + 3, whole[1] - 3, whole[2] + 9, whole[3])
    assert sum(washed) > total_stacks(known, state.options)
    assert reached(known, state, Counted(stacks=washed)) == "build"
    spread = (whole[0] + 3, whole[1] - 3, *whole[2:])
    assert reached(known, state, Counted(stacks=spread)) == "build"
    assert reached(known, state, Counted(stacks=whole)) == "dice"
    assert reached(known, state, Counted(stacks=whole, dice=(3, 4))) == "take"
    assert reached(known, state, Counted(standing=(4, 0, 0, 0))) == "take"
    assert reached(known, state, Counted(standing=(size + 1, size, size, size))) == "sort"


# --- planted mistakes: each is told once, by its rule ---


def hand_of(rules: str, seed: int, wanted: type[Event]) -> tuple[list[Entry], int]:
    """A hand in which such an event happens, with its place in the record."""
    for each in range(seed, seed + 60):
        entries = list(played(rules, each).entries)
        for at, entry in enumerate(entries):
            if isinstance(entry.event, wanted) and at > 12:
                return entries[: at + 1], at
    raise AssertionError(f"no {wanted.__name__} in {rules}")


def told_of(entries: list[Entry]) -> list[Problem]:
    """All mistakes of a record, by the event that shows them."""
    return [
        problem for event in replay(entries).played for problem in mistakes(event.announcements)
    ]


def planted(rules: str, kind: str) -> tuple[list[Entry], str]:
    """A record with one mistake at its end, and the code by which the rules know it."""
    entries, at = hand_of(rules, 0, Discard)
    state = replay(entries).state
    last = entries[at].event
    assert isinstance(last, Discard)
    unknown = hidden(entries, range(4), draws=True)  # nobody sees the hands at a real table
    after, across = state.turn, (last.seat + 2) % 4
    other = Tile("1p") if last.tile.kind != "1p" else Tile("2p")
    own, thrown = (UNKNOWN, UNKNOWN), last.tile
    events: dict[str, tuple[Event, str]] = {
        "discard out of turn": (Discard(across, Tile("5p")), "out_of_turn"),
        "two discards": (Discard(last.seat, Tile("5p")), "out_of_turn"),
        "draw out of turn": (Draw(across, UNKNOWN), "out_of_turn"),
        "claim of another tile": (Pung(across, last.seat, other, own), "nothing_to_claim"),
        "claim of the own discard": (Pung(last.seat, last.seat, thrown, own), "nothing_to_claim"),
        "wrong number of tiles": (ev.Foul(after, "wrong_tile_count"), "wrong_tile_count"),
        "a hand that does not win": (ev.Foul(after, "false_win"), "false_win"),
    }  # fmt: skip
    event, code = events[kind]
    return [*unknown, Entry(event)], code


MISTAKES = (
    "discard out of turn",
    "two discards",
    "draw out of turn",
    "claim of another tile",
    "claim of the own discard",
    "wrong number of tiles",
    "a hand that does not win",
)


@pytest.mark.parametrize("kind", MISTAKES)
@every_rule_set
def test_a_planted_mistake_is_told_once(rules: str, kind: str) -> None:
    entries, code = planted(rules, kind)
    before = Counter(problem.code for problem in told_of(entries[:-1]))
    now = told_of(entries)
    assert [problem.code for problem in now if not before[problem.code]] == [code]
    mistake = next(problem for problem in now if problem.code == code)
    assert mistake.source
    # It is told with its own event, and no more with the next one.
    assert mistakes(replay(entries).played[-1].announcements) == (mistake,)


@pytest.mark.parametrize("rules", [game for game in WITH_GAME if RULE_SETS[game].claims.chows])
def test_a_chow_from_another_seat_than_the_left_one_is_told(rules: str) -> None:
    known = RULE_SETS[rules]
    lines = [Entry(GameStart(rules)), Entry(HandStart())]
    if known.layout.indicator_at == "wall":
        kind = known.layout.indicator_kinds[0]
        lines.append(Entry(ev.Indicator(Tile("9s"), kind)))
    lines += [Entry(Draw(0, UNKNOWN)), Entry(Discard(0, Tile("4p")))]
    chow = ev.Chow(2, 0, Tile("4p"), (Tile("5p"), Tile("6p")))
    assert [one.code for one in told_of([*lines, Entry(chow)])] == ["not_left_neighbour"]
    right = replace(chow, seat=1)
    assert told_of([*lines, Entry(right)]) == []


@every_rule_set
def test_a_wall_that_is_too_short_is_told_to_who_built_it(rules: str) -> None:
    known, state = RULE_SETS[rules], begun(rules)
    whole = stacks_of(known, state.options, 0)
    assert counted_wrong(known, state, Counted(stacks=whole), still=True) == ()
    short = (*whole[:2], whole[2] - 1, whole[3])
    assert counted_wrong(known, state, Counted(stacks=short), still=False) == ()
    (told,) = counted_wrong(known, state, Counted(stacks=short), still=True)
    assert (told.code, told.seat) == ("wall_short", 2)
    assert told.values == {"count": whole[2] - 1, "wanted": whole[2]}
    long = (*whole[:3], whole[3] + 2)
    assert [
        each.code for each in counted_wrong(known, state, Counted(stacks=long), still=True)
    ] == ["wall_long"]
    spread = (whole[0] + 1, whole[1] - 1, *whole[2:])
    if sorted(spread) != sorted(whole):
        told_now = counted_wrong(known, state, Counted(stacks=spread), still=False)
        assert [(each.code, each.seat) for each in told_now] == [
            ("wall_long", 0),
            ("wall_short", 1),
        ]
    for still in (False, True):
        building = Counted(stacks=(5, 9, 12, 3))
        assert counted_wrong(known, state, building, still=still) == ()
    # A wall of which a part is hidden, or still being built, is no mistake.
    assert counted_wrong(known, state, Counted(stacks=(*short[:3], None)), still=True) == ()
    assert counted_wrong(known, state, Counted(stacks=(*short[:3], 0)), still=True) == ()


def test_whoever_builds_one_stack_more_all_tiles_are_there() -> None:
    sichuan, state = RULE_SETS["sichuan"], begun("sichuan")
    assert counted_wrong(sichuan, state, Counted(stacks=(13, 14, 13, 14)), still=True) == ()


@every_rule_set
def test_tiles_too_many_or_too_few_after_the_deal_are_told(rules: str) -> None:
    known, state = RULE_SETS[rules], begun(rules)
    size = known.wall.hand_size
    right = (size + 1, size, size, size)
    assert counted_wrong(known, state, Counted(standing=right), still=True) == ()
    for seat, count, code in (
        (1, size + 1, "too_many"),
        (0, size + 2, "too_many"),
        (3, size - 1, "too_few"),
    ):
        standing = tuple(count if each == seat else right[each] for each in range(4))
        (told,) = counted_wrong(known, state, Counted(standing=standing), still=False)
        assert (told.code, told.seat, told.values["count"]) == (code, seat, count)


def test_the_dealer_may_take_the_last_two_tiles_at_once() -> None:
    known, state = RULE_SETS["riichi"], begun("riichi")
    for standing in ((14, 12, 12, 12), (14, 13, 12, 12)):
        assert counted_wrong(known, state, Counted(standing=standing), still=False) == ()
        told = counted_wrong(known, state, Counted(standing=standing), still=True)
        assert {each.code for each in told} == {"too_few"}
    (told_now,) = counted_wrong(known, state, Counted(standing=(14, 13, 13, 12)), still=False)
    assert (told_now.code, told_now.seat) == ("too_few", 3)
    # A game in which everybody's last tiles come four at a time has no such jump.
    taiwan = begun("taiwan")
    assert (
        len(
            counted_wrong(
                RULE_SETS["taiwan"], taiwan, Counted(standing=(17, 15, 16, 16)), still=False
            )
        )
        == 1
    )


@pytest.mark.parametrize(
    ("counted", "is_cleared"),
    [
        (Counted(), False),
        (Counted(standing=(13, 14, 13, 13)), False),
        (Counted(standing=(13, None, None, None)), False),
        (Counted(standing=(0, 0, None, None)), False),
        (Counted(standing=(0, 0, 0, 0)), True),
        (Counted(standing=(0, None, 0, 0)), True),
        (Counted(stacks=(9, 4, 20, 7)), True),
        (Counted(stacks=(9, 4, 20, 7), standing=(13, 0, 0, 0)), False),
    ],
)
def test_hands_of_before_stand_until_the_table_is_bare_or_washed(
    counted: Counted, is_cleared: bool
) -> None:
    assert cleared(counted) == is_cleared


@every_rule_set
def test_a_draw_that_was_skipped_and_a_tile_too_many_show_in_the_standing_hands(rules: str) -> None:
    known = RULE_SETS[rules]
    entries, at = hand_of(rules, 0, Discard)
    state = replay(entries).state
    held = [len(player.hand) for player in state.players]
    assert miscounted(known, state, Counted(standing=tuple(held))) == ()
    last = entries[at].event
    assert isinstance(last, Discard)
    skipped = tuple(count - (seat == last.seat) for seat, count in enumerate(held))
    shown = state.players[last.seat]
    told = miscounted(known, state, Counted(standing=skipped))
    quiet = shown.ready or shown.shown
    assert [(one.code, one.seat) for one in told] == ([] if quiet else [("too_few", last.seat)])
    across = (state.turn + 1) % 4
    fourteen = tuple(count + (seat == across) for seat, count in enumerate(held))
    player = state.players[across]
    told = miscounted(known, state, Counted(standing=fourteen))
    quiet = player.ready or player.shown
    assert [(one.code, one.seat) for one in told] == ([] if quiet else [("too_many", across)])
    # A hand of which nothing stands was not seen.
    assert miscounted(known, state, Counted(standing=(0, 0, 0, 0))) == ()
    # Whoever's turn it is may have drawn already.
    drawn = tuple(count + (seat == state.turn) for seat, count in enumerate(held))
    assert miscounted(known, state, Counted(standing=drawn)) == ()


@every_rule_set
def test_a_set_with_the_wrong_tile_sideways_is_told(rules: str) -> None:
    known = RULE_SETS[rules]
    entries, _ = hand_of(rules, 0, Pung)
    claim = entries[-1].event
    assert isinstance(claim, Pung)
    state, seat = replay(entries).state, claim.seat
    index = len(state.players[seat].melds) - 1
    right = turned_place(known.layout, seat, claim.from_seat, 3)
    assert laid_wrong(known, state, {(seat, index): right}) == ()
    assert laid_wrong(known, state, {(seat, index): None}) == ()
    if right is not None:
        wrong = (right + 1) % 3
        (told,) = laid_wrong(known, state, {(seat, index): wrong})
        assert (told.code, told.seat) == ("laid_wrong", seat)
        assert told.values == {"place": wrong, "wanted": right, "from": claim.from_seat}


@pytest.mark.parametrize(
    ("rules", "from_seat", "count", "place"),
    [("riichi", 0, 3, 0), ("riichi", 3, 3, 1), ("riichi", 2, 3, 2), ("riichi", 2, 4, 3),
     ("hangzhou", 3, 3, None), ("hangzhou", 0, 3, 0), ("taiwan", 3, 4, 1)],
)  # fmt: skip
def test_the_sideways_tile_says_who_threw_it(
    rules: str, from_seat: Seat, count: int, place: int | None
) -> None:
    assert turned_place(RULE_SETS[rules].layout, 1, from_seat, count) == place


def test_after_a_kong_the_tile_comes_from_the_other_end() -> None:
    for rules in WITH_GAME:
        for state, event in before_each(played(rules, 2)):
            last = state.history.last_move
            if isinstance(event, Draw) and isinstance(last, Kong) and state.last_discard is None:
                codes = {step.code for step in steps(RULE_SETS[rules], state)}
                assert "draw_tail" in codes


def test_a_drawn_hand_ends_for_each_reason_by_its_own_step() -> None:
    known = RULE_SETS["riichi"]
    winds = [Entry(GameStart("riichi")), Entry(HandStart())]
    winds.append(Entry(ev.Indicator(Tile("9s"), "dora")))
    for seat in range(4):
        winds += [Entry(Draw(seat, UNKNOWN)), Entry(Discard(seat, Tile("1z")))]
    codes = {step.code for step in steps(known, replay(winds).state)}
    assert "ends_four_winds" in codes
    assert not codes & {"wall_empty", "wall_empty_after"}
    for rules in WITH_GAME:
        for state, event in before_each(played(rules, 5)):
            if not isinstance(event, ev.DrawnHand):
                continue
            told = [step.code for step in steps(RULE_SETS[rules], state)]
            may_claim = {"may_win", "may_kong", "may_pung", "may_chow"} & set(told)
            assert told[-1] == ("wall_empty_after" if may_claim else "wall_empty")


@every_rule_set
def test_after_a_drawn_hand_nobody_is_told_to_lay_tiles_that_won(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(6):
        for state, _ in before_each(played(rules, seed)):
            if state.phase is Phase.SETTLED:
                (step,) = steps(known, state)
                assert step.code == ("settle" if state.winners else "settle_drawn")


def test_no_tile_is_to_be_turned_up_where_those_that_lie_there_are_unknown() -> None:
    for indicators, is_told in ((None, False), ((), True)):
        lines = [
            Entry(GameStart("riichi")),
            Entry(HandStart()),
            Entry(ev.Position(wall_left=60, turn=0, indicators=indicators)),
        ]
        codes = {step.code for step in steps(RULE_SETS["riichi"], replay(lines).state)}
        assert ("turn_up_now" in codes) == is_told
        assert "wall_empty" not in codes


@every_rule_set
def test_kongs_of_a_hand_and_tiles_added_to_a_pung_are_told_apart(rules: str) -> None:
    known = RULE_SETS[rules]
    for seed in range(HANDS):
        for state, _ in before_each(played(rules, seed)):
            for step in steps(known, state):
                if step.code == "own_kong_added":
                    melds = state.players[state.turn].melds
                    assert any(
                        not meld.is_kong and len({tile.kind for tile in meld.tiles}) == 1
                        for meld in melds
                    )
