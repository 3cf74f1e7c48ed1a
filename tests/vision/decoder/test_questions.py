"""Where the video does not decide a person is asked, and what is answered holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.events import Chow, Correct, Discard
from engine.tiles import UNKNOWN, Tile, parse
from tests.support.recorded import Recorded
from tests.support.seen import Seen
from tests.support.tables import VIEW, discards, pung, shares
from vision.decoder.question import Answer, AnswerChoice, EventPlace, Question


def asked(seen: Seen) -> list[Question]:
    return seen.decoder.questions()


def test_what_is_sure_is_not_asked(seen: Seen) -> None:
    seen.plays((0, "1m"), (1, "9p"), (2, "7z"), (3, "3s"), place=2)
    assert asked(seen) == []


def test_a_doubtful_face_is_asked_with_its_likeliest_readings(seen: Seen) -> None:
    seen.discard(0, "7s", sure=0.6, other="8s")
    seen.discard(1, "9p", 1)
    (question,) = asked(seen)
    assert [choice.events for choice in question.choices] == [
        (Discard(0, Tile("7s")),),
        (Discard(0, Tile("8s")),),
    ]
    assert 0.5 < question.choices[0].share < 0.8
    assert seen.told[question.number].event == Discard(0, Tile("7s"))
    (tile,) = question.tiles
    middle = VIEW.to_image(np.array([[-90.0, 90.0]]), VIEW.lying_mm)[0] / VIEW.picture_px
    assert np.mean(tile.corners, axis=0) == pytest.approx(middle, abs=1e-4)


def test_an_answer_holds_whatever_is_seen_later(seen: Seen) -> None:
    seen.discard(0, "7s", sure=0.6, other="8s")
    (question,) = asked(seen)
    seen.answer(Answer(question.place, question.choices[1].events))
    assert seen.events == [Discard(0, Tile("8s"))]
    assert asked(seen) == []
    seen.discard(1, "9p", 1)
    assert seen.events == discards((0, "8s"), (1, "9p"))


def test_an_answer_settles_what_depended_on_it(seen: Seen) -> None:
    """Which tile a chow claimed follows from which tile was discarded."""
    seen.claim(seen.discard(0, "5m", sure=0.5, other="6m"), 1, "657m", turned=-1)
    question = next(q for q in asked(seen) if q.place.what == "put")
    other = Tile("6m") if seen.events[0] == Discard(0, Tile("5m")) else Tile("5m")
    seen.answer(Answer(question.place, (Discard(0, other),)))
    own = tuple(tile for tile in parse("567m") if tile != other)
    assert seen.events[0] == Discard(0, other)
    claim = seen.events[1]
    assert isinstance(claim, Chow)
    assert (claim.tile, tuple(sorted(claim.own))) == (other, own)


def test_an_answer_may_come_before_the_video_is_read_again(seen: Seen) -> None:
    seen.discard(0, "7s", sure=0.6, other="8s")
    (question,) = asked(seen)
    again = Seen()
    place = EventPlace.of_id(question.id)
    assert place is not None
    again.answer(Answer(place, (Discard(0, Tile("9s")),)))
    again.deal()
    again.discard(0, "7s", sure=0.6, other="8s")
    assert again.events == [Discard(0, Tile("9s"))]


def test_a_person_may_say_that_nothing_happened(seen: Seen) -> None:
    seen.discard(0, "1m")
    seen.discard(1, "7s", 1, sure=0.6, other="8s")
    (question,) = asked(seen)
    seen.answer(Answer(question.place, ()))
    seen.discard(1, "2p", 2)
    assert seen.events == discards((0, "1m"), (1, "2p"))


def test_a_discard_that_nobody_saw_is_asked() -> None:
    seen = Seen("wsom")
    seen.deal()
    seen.plays((0, "1m"), (2, "9p"), (3, "3s"), place=2)
    assert seen.events[1] == Discard(1, UNKNOWN)
    (question,) = asked(seen)
    assert isinstance(seen.told[question.number].event, Discard)
    assert len(question.choices) == 3


def test_questions_are_few_however_much_is_doubtful(seen: Seen) -> None:
    for turn in range(24):
        face = f"{turn % 8 + 1}{'mps'[turn // 8]}"
        seen.discard(turn % 4, face, turn, sure=0.6, other=f"{turn % 8 + 2}{'mps'[turn // 8]}")
    assert len(asked(seen)) == 1


def test_an_answer_is_a_correction_with_its_reason() -> None:
    table = Recorded()
    table.deal()
    tile = table.put(0, "7s")
    table.stage.change(tile, probabilities=shares("7s", 0.6, "8s"))
    table.show(4.0)
    (question,) = table.decoder.questions()
    (line,) = table.decoder.answer(Answer(question.place, (Discard(0, Tile("8s")),)))
    assert isinstance(line.event, Correct)
    assert line.event.reason == "answer"
    table.lines.append(line)
    assert table.hand == discards((0, "8s"))


def test_an_id_names_its_place() -> None:
    place = EventPlace("put", 12.3, -40, 7)
    assert EventPlace.of_id(place.id) == place
    assert EventPlace.of_id("put at once") is None


def test_a_claim_keeps_its_answered_discard(seen: Seen) -> None:
    tile = seen.discard(0, "2p", sure=0.6, other="3p")
    (question,) = asked(seen)
    seen.answer(Answer(question.place, (Discard(0, Tile("3p")),)))
    seen.claim(tile, 1, "333p")
    assert seen.events[-1] == pung(1, 0, "3p")


def test_two_discards_that_nobody_saw_are_answered_each_by_its_seat() -> None:
    """Though only the discard after them has a place, also before the video is read again."""

    def play(seen: Seen) -> None:
        seen.deal()
        seen.plays((0, "1m"), (3, "9p"), place=2)
        seen.discard(0, "3s", 3)

    seen, unseen, again = Seen("riichi"), discards((1, "?"), (2, "?")), Seen("riichi")
    play(seen)
    assert seen.events[1:4] == [*unseen, Discard(3, Tile("9p"))]
    (question,) = asked(seen)
    assert seen.told[question.number].event == unseen[0]
    assert question.choices[0].events == (unseen[0],)
    place = EventPlace.of_id(question.id)
    assert place == question.place
    said = discards((1, "8s"), (2, "7s"))
    answers = [
        Answer(replace(place, seat=1), (said[0],)),
        Answer(replace(place, seat=2), (said[1],)),
    ]
    for answer in reversed(answers):
        seen.answer(answer)
    assert asked(seen) == []
    seen.discard(1, "2p", 3)
    for answer in answers:
        again.answer(answer)
    play(again)
    for table in (seen, again):
        assert table.events[1:4] == [*said, Discard(3, Tile("9p"))]


# --- the record's line, and the hands that are over ---


def doubtful(table: Recorded, seat: int = 0) -> None:
    tile = table.put(seat, "7s")
    table.stage.change(tile, probabilities=shares("7s", 0.6, "8s"))
    table.stage.stand(seat, 13)
    table.show(4.0)


def of_discards(table: Recorded) -> list[Question]:
    """What is asked, but for why a hand is over that was cleared away."""
    return [one for one in table.decoder.questions() if one.place.what == "put"]


def asked_after(end: str, people_wrote: bool = False) -> tuple[Recorded, Question]:
    """A question about the first of four discards, when their hand is over."""
    table = Recorded()
    table.deal()
    doubtful(table)
    table.plays((1, "9p"), (2, "1m"), (3, "3m"), place=1)
    if people_wrote:
        table.correct(table.number(Discard(2, Tile("1m"))), Discard(2, Tile("2m")))
    if end == "frames":
        table.lines += table.decoder.close()
    else:
        table.clear()
    if end == "next hand":
        table.deal()
    (question,) = of_discards(table)
    return table, question


@pytest.mark.parametrize("end", ["hand", "next hand", "frames"])
@pytest.mark.parametrize("people_wrote", [False, True])
@pytest.mark.parametrize("choice", [0, 1])
def test_an_answer_after_the_hand_keeps_the_event_that_it_is_about(
    end: str, people_wrote: bool, choice: int
) -> None:
    table, question = asked_after(end, people_wrote)
    rest = [event for event in table.events if isinstance(event, Discard)][1:]
    table.lines += table.decoder.answer(Answer(question.place, question.choices[choice].events))
    thrown = [event for event in table.events if isinstance(event, Discard)]
    assert thrown == [Discard(0, Tile("78"[choice] + "s")), *rest]
    assert of_discards(table) == []
    if end == "next hand":
        table.plays((0, "4p"), (1, "5p"))
        assert [event for event in table.events if isinstance(event, Discard)][:4] == thrown
    table.check()


@pytest.mark.parametrize("end", ["hand", "next hand", "frames"])
def test_what_a_person_corrected_is_not_asked_any_more(end: str) -> None:
    table, _ = asked_after(end)
    table.correct(table.number(Discard(0, Tile("7s"))), Discard(0, Tile("9s")))
    assert of_discards(table) == []


def test_a_question_begins_with_what_the_record_says() -> None:
    """It may have been told before another reading became likelier."""
    seven, eight, nine = discards((0, "7s"), (0, "8s"), (3, "7s"))
    choices = (AnswerChoice((seven,), 0.6), AnswerChoice((eight,), 0.3))
    question = Question(EventPlace("put", 1.0), choices, 0)
    assert question.told([seven]) is question
    assert question.told([eight]).choices == (choices[1], choices[0])
    told = question.told([nine]).choices
    assert [choice.events for choice in told] == [(nine,), (seven,)]
    assert told[0].share == pytest.approx(0.4)
    assert question.told([Discard(0, Tile("7s"), drawn=True)]) is question
