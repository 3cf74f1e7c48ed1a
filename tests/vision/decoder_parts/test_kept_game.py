"""A game is explained again from what was kept of it, as when its film is read with the answers."""

from __future__ import annotations

import contextlib
import lzma
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from engine.events import Discard, Entry, Event, HandStart
from tests.support.rows import watched
from tests.support.seen import Seen
from tests.support.tables import VIEW
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptGame, KeptHand
from vision.decoder.kept_looks import (
    MOST_TILES,
    Begun,
    DamagedLooks,
    Step,
    packed_looks,
    unpacked_looks,
)
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
from vision.dice.rolls import Roll
from vision.seat_camera.witness import SeatWitness, Witness
from vision.tracking.observe import Observation

RULES = "harbin-hlr"
HANDS: Sequence[Sequence[tuple[int, str, str]]] = (
    ((0, "9s", ""), (1, "5p", "6p"), (2, "1m", ""), (3, "2m", "3m")),
    ((0, "4s", "5s"), (1, "9p", ""), (2, "8m", "7m")),
    ((0, "1p", ""), (1, "2s", "3s")),
)
"""The discards of three hands, each with the face that it may be as well."""


@cache
def filmed() -> Sequence[Step]:
    """Three hands that are cleared away, with tiles that are hardly told apart."""
    seen = Seen(RULES)
    steps: list[Step] = [Begun(RULES, VIEW)]
    seen.decoder.given = steps
    for discards in HANDS:
        seen.deal()
        for place, (seat, face, other) in enumerate(discards):
            seen.discard(seat, face, place // 4, 0.52 if other else 0.97, other or "5z")
        seen.stage.clear()
        seen.show(6.0)
    return steps


def decoded(answers: Sequence[Answer] = ()) -> Decoding:
    """What is told when the film is read with these answers."""
    return _decoded(tuple(answers))


@cache
def _decoded(answers: tuple[Answer, ...]) -> Decoding:
    decoder = Decoder(RULES, VIEW)
    if answers:
        decoder.hear(Pins(1, answers=answers))
    for step in filmed():
        decoder.play(step)
    return decoder.close()


@cache
def kept_hands() -> Sequence[KeptHand]:
    """The film as a reader keeps it: a part ends when the end of a hand is told."""
    decoder = Decoder(RULES, VIEW)
    decoder.given, told, hands = list[Step](filmed()[:1]), tuple[Entry, ...](), list[KeptHand]()
    for step in filmed():
        decoding = decoder.play(step)
        if decoding is not None and decoding.ends_hand(told):
            ends_s = step.time_s if isinstance(step, Observation) else 0.0
            hands.append(KeptHand(packed_looks(decoder.given), ends_s))
            decoder.given = []
        told = told if decoding is None else decoding.told
    return [*hands, KeptHand(packed_looks(decoder.given), 1e9)]


def kept_game(hands: Sequence[KeptHand] | None = None) -> KeptGame:
    return KeptGame(kept_hands() if hands is None else hands)


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    """What tests compare with is there before they count what is played."""
    decoded()
    kept_hands()


def last(game: KeptGame, answers: Sequence[Answer]) -> Decoding:
    *_, decoding = game.explain(answers)
    assert decoding is not None
    return decoding


def alike(one: Decoding, other: Decoding) -> None:
    assert (one.told, one.questions, one.answered) == (other.told, other.questions, other.answered)


def answer(question: Question, choice: int = 1) -> Answer:
    return Answer(question.place, question.choices[choice].events)


def test_the_film_has_several_hands_and_questions_in_each() -> None:
    starts = [one.t or 0.0 for one in decoded().told if isinstance(one.event, HandStart)]
    assert len(starts) == len(HANDS)
    assert len(kept_hands()) == len(HANDS) + 1, "the end of the last hand is seen, too"
    for begun_s, ended_s in pairwise([*starts, 1e9]):
        assert any(begun_s < one.place.time_s < ended_s for one in decoded().questions)


def test_every_answer_gives_the_game_that_the_film_gives_with_it() -> None:
    for question in decoded().questions:
        for choice in range(len(question.choices)):
            said = [answer(question, choice)]
            alike(last(kept_game(), said), decoded(said))


def test_an_answer_after_an_answer_and_its_undo_give_what_the_film_gives() -> None:
    game, answers = kept_game(), [answer(question) for question in decoded().questions]
    orders = [answers[-1:], answers, answers[:1], [], answers[1:], answers[:1] + answers[-1:]]
    for said in orders:
        alike(last(game, said), decoded(said) if said else decoded())


def times_played(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The times of all that a decoder is shown from now on."""
    times, observe = list[float](), Decoder.observe

    def noted(self: Decoder, seen: Observation) -> Decoding | None:
        times.append(seen.time_s)
        return observe(self, seen)

    monkeypatch.setattr(Decoder, "observe", noted)
    return times


def test_only_hands_from_the_answered_one_on_are_explained_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = kept_game()
    last(game, [])
    played = times_played(monkeypatch)
    doubtful = [one for one in decoded().questions if one.place.what == "put"]
    last(game, [answer(doubtful[-1])])
    assert min(played) > kept_hands()[1].ends_s


def test_an_explanation_that_is_given_up_halfway_spoils_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.decoder.kept_game.PAUSE_LOOKS", 20)
    game = kept_game()
    assert next(game.explain([answer(decoded().questions[0])])) is None
    said = [answer(decoded().questions[-1])]
    alike(last(game, said), decoded(said))


def test_what_seat_cameras_saw_is_known_after_it() -> None:
    witness = Witness({1: SeatWitness(watched((0.0, 2.0, "1m 2m 3m")), 1.25)})
    hand = KeptHand(packed_looks([Begun(RULES, VIEW, witness=witness), *filmed()[1:]]), 1e9)
    game = KeptGame([hand])
    told, seat = last(game, []).told, game.witness.seats[1]
    assert (seat.shift_s, seat.given) == (1.25, True)
    assert [one.change for one in told] == [one.change for one in decoded().told]


def test_what_was_explained_is_kept_for_whoever_goes_on_with_its_answers() -> None:
    early, late = answer(decoded().questions[0]), answer(decoded().questions[-1])
    again = KeptGame(kept_hands(), [early])
    alike(last(again, [early, late]), decoded([early, late]))


def test_looks_come_back_exactly_with_all_that_reaches_a_decoder() -> None:
    seen = [one for one in filmed() if isinstance(one, Observation)][:40]
    strange = replace(
        seen[-1],
        busy=frozenset({1, 3}),
        sticks=frozenset({2}),
        unrest=0.1 + 0.2,
        rolled=Roll(8.1, (3, 6), 0.93),
        held=True,
        frame=1234,
    )
    moved = replace(VIEW, corners_px=tuple((x + 0.1, y) for x, y in VIEW.corners_px))
    steps: list[Step] = [
        Begun(RULES, VIEW, 3, options={"flowers": True}),
        *seen,
        "blinded",
        moved,
        strange,
        replace(seen[0], placed=()),
    ]
    again = list(unpacked_looks(packed_looks(steps)))
    assert len(again) == len(steps)
    for one, back in zip(steps, again, strict=True):
        if isinstance(one, Begun):
            assert isinstance(back, Begun)
            assert (back.rules, back.view, back.first_dealer) == (RULES, VIEW, 3)
            assert back.options == {"flowers": True}
        if not isinstance(one, Observation):
            assert isinstance(one, Begun) or back == one
            continue
        assert isinstance(back, Observation)
        for name in ("time_s", "busy", "sticks", "unrest", "rolled", "held", "frame"):
            assert getattr(back, name) == getattr(one, name)
        for tile, same in zip(one.placed, back.placed, strict=True):
            np.testing.assert_array_equal(tile.probabilities, same.probabilities)
            known = (replace(each, probabilities=tile.probabilities) for each in (tile, same))
            was, now = (vars(each) | {"probabilities": None} for each in known)
            assert {name: now[name] for name in now} == {name: was[name] for name in now}


def test_what_seat_cameras_saw_is_kept_with_the_shift_that_was_given() -> None:
    hands = watched((0.0, 2.0, "1m 2m 3m"))
    witness = Witness({1: SeatWitness(hands, 1.25), 2: SeatWitness(hands, 0.5, given=False)})
    (begun,) = unpacked_looks(packed_looks([Begun(RULES, VIEW, witness=witness)]))
    assert isinstance(begun, Begun)
    for seat, shift_s in ((1, 1.25), (2, None)):
        seen = begun.witness.seats[seat]
        assert (seen.shift_s, seen.given) == (shift_s, shift_s is not None)
        assert [one.tiles for one in seen.hands.stood] == [one.tiles for one in hands.stood] != []


def test_a_tile_that_lies_as_it_lay_is_written_once() -> None:
    seen = [one for one in filmed() if isinstance(one, Observation)][-1]
    many = [replace(seen, time_s=seen.time_s + 0.2 * at) for at in range(300)]
    assert len(packed_looks(many)) < 3 * len(packed_looks(many[:1]))


@pytest.mark.parametrize(
    "damaged",
    [
        lambda _: b"",
        lambda _: b"no looks",
        lambda looks: looks[:-9],
        lambda looks: looks[:200] + b"?" + looks[201:],
        lambda _: lzma.compress(b"no arrays"),
    ],
    ids=["empty", "text", "cut off", "a byte", "no arrays"],
)
def test_damaged_looks_are_refused(damaged: Callable[[bytes], bytes]) -> None:
    first, *others = kept_hands()
    hands = [replace(first, looks=damaged(first.looks)), *others]
    with pytest.raises(DamagedLooks):
        last(kept_game(hands), [answer(decoded().questions[0])])


def nowhere(step: Step) -> Step:
    """With the tiles at no place."""
    if not isinstance(step, Observation):
        return step
    return replace(step, placed=tuple(replace(one, x_mm=math.nan) for one in step.placed))


@pytest.mark.parametrize(
    "invented",
    [
        lambda steps: [Begun("nope", VIEW), *steps[1:]],
        lambda steps: [Begun(RULES, VIEW), *steps],
        lambda steps: [*steps[:1], *map(nowhere, steps[1:])],
        lambda steps: [*steps[:1], *steps[:0:-1]],
    ],
    ids=["of no rules", "begun twice", "nowhere", "backwards"],
)
def test_looks_that_nobody_saw_are_explained_or_refused_and_nothing_else(
    invented: Callable[[Sequence[Step]], Sequence[Step]],
) -> None:
    hand = KeptHand(packed_looks(invented(filmed())), 1e9)
    with contextlib.suppress(DamagedLooks):
        last(KeptGame([hand]), [answer(decoded().questions[0])])


def test_looks_with_more_tiles_than_any_table_has_are_refused_before_all_are_made() -> None:
    seen = next(one for one in filmed() if isinstance(one, Observation) and one.placed)
    many = tuple(replace(seen.placed[0], id=at) for at in range(MOST_TILES + 1))
    steps = unpacked_looks(packed_looks([filmed()[0], seen, replace(seen, placed=many)]))
    assert [type(next(steps)) for _ in range(2)] == [Begun, Observation]
    with pytest.raises(DamagedLooks):
        next(steps)


def test_looks_of_another_format_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.decoder.kept_looks.FORMAT", 0)
    other = packed_looks(filmed()[:3])
    monkeypatch.undo()
    with pytest.raises(DamagedLooks):
        next(unpacked_looks(other))


def test_discards_are_named_by_the_answers() -> None:
    said = [answer(question) for question in decoded().questions]
    wanted = [one for each in said for one in each.events if isinstance(one, Discard)]
    told = [one.event for one in last(kept_game(), said).told]
    assert wanted
    assert all(any(_same(one, other) for other in told) for one in wanted)


def _same(one: Discard, other: object) -> bool:
    return isinstance(other, Discard) and (one.seat, one.tile) == (other.seat, other.tile)


def explained(game: KeptGame, answers: Sequence[Answer]) -> list[Decoding]:
    """All that is told on the way, the whole game last."""
    return [told for told in game.explain(answers) if told is not None]


def events(decoding: Decoding) -> list[tuple[str | None, Event]]:
    return [(one.change, one.event) for one in decoding.told]


def asked_until(decoding: Decoding, time_s: float) -> set[str]:
    return {one.id for one in decoding.questions if one.place.time_s <= time_s}


def test_the_answered_hand_is_told_before_the_later_ones_are_explained_again() -> None:
    game = kept_game()
    last(game, [])
    for question in (one for one in decoded().questions if one.place.what == "put"):
        ends_s = next(hand.ends_s for hand in kept_hands() if hand.ends_s > question.place.time_s)
        said = [answer(question)]
        *early, whole = explained(game, said)
        alike(whole, decoded(said))
        assert len(early) == (question.place.time_s < kept_hands()[-2].ends_s), question.id
        for told in early:
            assert events(told) == events(whole)
            assert (told.more, whole.more) == (True, False)
            assert asked_until(told, ends_s) >= asked_until(whole, ends_s)
        (whole,) = explained(game, [])
        alike(whole, decoded())


def test_what_is_foreseen_or_taken_back_is_told_without_being_explained_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = kept_game()
    ways = [[answer(one)] for one in decoded().questions if one.place.what == "put"]
    true = [decoded(said) for said in ways]
    last(game, [])
    assert list(game.foresee(ways))
    alike(last(game, []), decoded())
    played = times_played(monkeypatch)
    for said, film in zip(ways, true, strict=True):
        told = next(one for one in game.explain(said) if one is not None)
        assert events(told) == events(film) != events(decoded())
        alike(last(game, []), decoded())
    assert played == []
    for said, film in zip(ways, true, strict=True):
        alike(last(game, said), film)


def test_what_is_foreseen_takes_no_place_of_what_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.decoder.kept_game.KEPT_LOOKS", 5)
    game, answers = kept_game(), [answer(one) for one in decoded().questions]
    true = decoded(answers[-1:])
    last(game, [])
    most = game.kept_bytes + 100_000
    monkeypatch.setattr("vision.decoder.kept_game.KEPT_BYTES", most)
    played = times_played(monkeypatch)
    assert list(game.foresee([one] for one in (*answers, *answers)))
    assert game.kept_bytes <= most
    assert max(played) < answers[-1].place.time_s, "there was no room for the last one"
    played.clear()
    alike(last(game, []), decoded())
    assert played == []
    alike(last(game, answers[-1:]), true)
    assert min(played) > answers[-1].place.time_s - 3.0


def test_a_foresight_ends_with_the_hand_of_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    game = kept_game()
    last(game, [])
    washed = next(one for one in decoded().questions if one.place.what == "washed")
    ends_s = next(hand.ends_s for hand in kept_hands() if hand.ends_s > washed.place.time_s)
    said = [answer(washed)]
    true = decoded(said)
    played = times_played(monkeypatch)
    assert list(game.foresee([said, said]))
    assert max(played) == ends_s < kept_hands()[-2].ends_s
    played.clear()
    alike(last(game, said), true)
    assert min(played) > ends_s, "the answered hand is explained already"


def test_an_answer_with_which_looks_cannot_be_explained_spoils_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = kept_game()
    last(game, [])
    first, late = ([answer(one)] for one in decoded().questions if one.place.what == "put")
    foresee = Decoder.foresee

    def foreseen(self: Decoder, pins: Pins) -> None:
        if list(pins.answers) == first:
            raise ZeroDivisionError
        foresee(self, pins)

    monkeypatch.setattr(Decoder, "foresee", foreseen)
    assert list(game.foresee([first, late]))
    true = decoded(late)
    played = times_played(monkeypatch)
    told = next(one for one in game.explain(late) if one is not None)
    assert (events(told), played) == (events(true), [])


@pytest.mark.parametrize("part", ["restored", "_followed_as_before"])
def test_whatever_fails_in_an_explanation_is_damage_of_the_looks(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = kept_game()
    last(game, [])
    put = next(one for one in decoded().questions if one.place.what == "put")
    monkeypatch.setattr(f"vision.decoder.kept_game.{part}", lambda *_: 1 / 0)
    with pytest.raises(DamagedLooks):
        last(game, [answer(put)])


def test_what_was_foreseen_from_another_game_is_told_as_the_film_tells_it() -> None:
    """The game that was told last has changed meanwhile."""
    game, answers = kept_game(), [answer(question) for question in decoded().questions]
    last(game, [])
    assert list(game.foresee([one] for one in answers))
    for said in (answers[:1], answers[1:2], answers[:2], answers[-1:], answers[:1]):
        *_, told = explained(game, said)
        alike(told, decoded(said))


def test_nothing_is_told_early_with_an_answer_whose_undo_was_given_up_halfway(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.decoder.kept_game.PAUSE_LOOKS", 20)
    first, late = (one for one in decoded().questions if one.place.what == "put")
    assert first.place.time_s < kept_hands()[1].ends_s < late.place.time_s < kept_hands()[2].ends_s
    game = kept_game()
    last(game, [answer(late)])
    assert next(game.explain([])) is None
    said = [answer(first)]
    for told in explained(game, said):
        assert events(told) == events(decoded(said))


def test_nothing_is_told_early_where_the_hands_of_a_part_are_not_over() -> None:
    """A part of the film may end with the end of a hand that is taken back later."""
    steps = list(unpacked_looks(kept_hands()[1].looks))
    question = next(one for one in decoded().questions if one.place.time_s > kept_hands()[0].ends_s)
    looks = [one for one in steps if isinstance(one, Observation)]
    cut = next(one for one in looks if one.time_s > question.place.time_s + 3.0)
    parts = steps[: steps.index(cut)], steps[steps.index(cut) :]
    halves = (
        KeptHand(packed_looks(part), ends_s)
        for part, ends_s in zip(parts, (cut.time_s - 0.01, kept_hands()[1].ends_s), strict=True)
    )
    game = kept_game([kept_hands()[0], *halves, *kept_hands()[2:]])
    last(game, [])
    said = [answer(question)]
    for told in explained(game, said):
        assert events(told) == events(decoded(said))


def test_nothing_is_told_early_where_a_hand_passes_something_else_on() -> None:
    game = kept_game()
    last(game, [])
    ends = next(one for one in decoded().questions if one.place.what == "washed")
    (whole,) = explained(game, [answer(ends)])
    assert whole.told != decoded().told


def test_an_answer_begins_in_the_middle_of_its_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.decoder.kept_game.KEPT_LOOKS", 5)
    game = kept_game()
    last(game, [])
    played = times_played(monkeypatch)
    for question in decoded().questions:
        played.clear()
        said = [answer(question)]
        told = last(game, said)
        assert question.place.time_s - 3.0 < min(played) < question.place.time_s
        alike(told, decoded(said))
        last(game, [])


def test_what_was_explained_with_other_answers_is_forgotten_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.decoder.kept_game.KEPT_BYTES", 200_000)
    game = kept_game()
    for question in decoded().questions:
        said = [answer(question)]
        alike(last(game, said), decoded(said))
        assert game.kept_bytes <= 200_000
    played = times_played(monkeypatch)
    last(game, [answer(decoded().questions[-1])])
    assert played == []
    last(game, [answer(decoded().questions[0])])
    assert played != []


def test_the_game_is_kept_with_so_many_different_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.decoder.kept_game.KEPT_COURSES", 2)
    game = kept_game()
    first, late = ([answer(one)] for one in decoded().questions if one.place.what == "put")
    last(game, [])
    played = times_played(monkeypatch)
    assert list(game.foresee([late, first]))
    for said, kept in (([], True), (late, True), (first, False)):
        played.clear()
        next(one for one in game.explain(said) if one is not None)
        assert (played == []) == kept


@pytest.mark.parametrize("most", [0, 150_000])
def test_decoders_that_are_kept_within_hands_take_no_more_than_a_bound(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("vision.decoder.kept_game.KEPT_LOOKS", 5)
    monkeypatch.setattr("vision.decoder.kept_game.KEPT_BYTES", most)
    game = kept_game()
    last(game, [])
    assert (game.kept_bytes > 0) == (most > 0)
    assert game.kept_bytes <= most
    said = [answer(decoded().questions[-1])]
    alike(last(game, said), decoded(said))


def test_no_looks_are_unpacked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked = list[bytes]()

    def noted(looks: bytes) -> Iterator[Step]:
        unpacked.append(looks)
        return unpacked_looks(looks)

    monkeypatch.setattr("vision.decoder.kept_game.unpacked_looks", noted)
    last(kept_game(), [])
    assert unpacked == [hand.looks for hand in kept_hands()]
