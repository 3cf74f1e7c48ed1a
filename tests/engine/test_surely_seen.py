"""A foul is called out only where the camera surely saw what it rests on."""

from __future__ import annotations

import pytest

from engine.announce import Problem
from engine.announce_codec import announcement_to_json
from engine.events import Correct, Discard, DrawnHand, Entry, Event, Foul, GameStart, HandStart
from engine.game import Game, replay
from engine.news import News
from engine.surely_seen import MOST_WEAK, RECENT, SURE, WELL_SEEN
from engine.texts.announcements import Speaker
from engine.tiles import UNKNOWN, Tile

FOUL = Foul(2, "two_discards", (Tile("9s"),))


def seen(event: Event, confidence: float | None = 1.0, source: str = "camera") -> Entry:
    return Entry(event, confidence=confidence, source=source)  # type: ignore[arg-type]


def played(foul: Entry, weak: int = 0, weak_event: Discard | None = None) -> Game:
    """A hand of ten discards, so many of the last of which were hardly seen, and then a foul."""
    lines = [seen(GameStart("wsom")), seen(HandStart(0))]
    for at in range(10):
        discard = Discard(at % 4, Tile(f"{1 + at // 2}m"))
        hardly = at >= 10 - weak
        if hardly and weak_event is not None:
            lines.append(seen(Discard(at % 4, weak_event.tile)))
        else:
            lines.append(seen(discard, WELL_SEEN - 0.01 if hardly else WELL_SEEN))
    return replay([*lines, foul])


def fouls(game: Game) -> list[Problem]:
    return [one for one in game.announcements() if isinstance(one, Problem)]


def certain(game: Game) -> bool:
    (foul,) = fouls(game)
    return foul.certain


@pytest.mark.parametrize(
    ("foul", "weak", "is_certain"),
    [
        (seen(FOUL), 0, True),
        (seen(FOUL, SURE), 0, True),
        (seen(FOUL, SURE - 0.01), 0, False),
        (seen(FOUL), MOST_WEAK, True),
        (seen(FOUL), MOST_WEAK + 1, False),
        (seen(FOUL, 0.2, "person"), MOST_WEAK + 1, True),
        (seen(FOUL, None, "import"), MOST_WEAK + 1, True),
        (Entry(FOUL), MOST_WEAK + 1, True),
    ],
)
def test_it_is_certain_where_it_and_the_acts_before_it_were_seen(
    foul: Entry, weak: int, is_certain: bool
) -> None:
    assert certain(played(foul, weak)) is is_certain


def test_discards_of_which_nobody_saw_the_face_were_hardly_seen() -> None:
    assert not certain(played(seen(FOUL), MOST_WEAK + 1, Discard(0, UNKNOWN)))


def test_only_the_last_acts_of_the_hand_count() -> None:
    game = played(seen(FOUL), MOST_WEAK + 1)
    later = [seen(Discard(at % 4, Tile(f"{at}p"))) for at in range(2, 2 + RECENT)]
    game = game.with_lines(*later, seen(FOUL))
    assert [one.certain for one in fouls(game)] == [False, True]


def test_a_drawn_hand_that_nobody_saw_accuses_nobody() -> None:
    """The camera only inferred that a hand was drawn, long before the wall was used up."""
    game = played(seen(DrawnHand("exhausted"), 0.2))
    assert [(one.code, one.certain) for one in fouls(game)] == [("wall_not_used_up", False)]
    assert certain(played(seen(DrawnHand("exhausted"))))


def test_what_is_not_certain_waits_and_is_called_out_once_a_person_confirms_it() -> None:
    game = played(seen(FOUL), MOST_WEAK + 1)
    lines = game.entries
    now = replay(lines[:-1])
    news = News(lambda: now)
    news.changes(lines[-1])
    now = game
    assert not any(isinstance(one, Problem) for one in news.new().said)
    news.told()
    confirmed = Correct(len(lines) - 1, (seen(FOUL, None, "person"),))
    line = Entry(confirmed, source="person")
    news.changes(line)
    now = game.with_lines(line)
    new = news.new()
    (said,) = (one for one in new.said if isinstance(one, Problem))
    assert said.certain
    assert not any(isinstance(one, Problem) for one in new.gone)


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_its_words_say_that_it_is_not_certain(lang: str) -> None:
    names = ("A", "B", "C", "D")
    sure, unsure = (
        Speaker(lang, names, None, "wsom").sentence(fouls(played(seen(FOUL), weak))[0])
        for weak in (0, MOST_WEAK + 1)
    )
    assert sure != unsure
    assert "certain" not in announcement_to_json(fouls(played(seen(FOUL)))[0])
    assert announcement_to_json(fouls(played(seen(FOUL), 2))[0])["certain"] is False
