"""A record of many hands: what pages are told of it costs no more than of a short one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from engine.announce import Announcement, Turn
from engine.codec import read_record
from engine.events import Correct, Entry
from engine.game import Game, replay
from service.live import page_messages
from service.live.page_messages import REMEMBERED, lately, new_to_all, words
from service.live.retold import Retold, happened_in
from service.telling.public import Json, public_announcements
from tests.service.harbin_game import RECORD

EVENING = read_record(RECORD) * 40


@pytest.fixture(scope="module")
def evening() -> Game:
    return replay(EVENING)


def test_pages_are_told_what_was_said_last(evening: Game) -> None:
    spoken = words(evening.announcements(), evening, "en")
    assert len(spoken) > 2 * REMEMBERED
    assert lately(evening, "en")["announced"] == spoken[-REMEMBERED:]


def test_only_what_is_told_is_put_into_words(
    evening: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded: list[int] = []

    def counted(said: Iterable[Announcement], lang: str, names: Sequence[str]) -> list[Json]:
        worded.append(len([one for one in said if not isinstance(one, Turn)]))
        return []

    monkeypatch.setattr(page_messages, "worded", counted)
    lately(evening, "en")
    assert worded == [REMEMBERED]


def test_a_record_is_told_again_without_being_played_again(evening: Game) -> None:
    retold = Retold()
    before = happened_in(retold.games(evening))
    longer = evening.with_lines(EVENING[0])
    after = happened_in(retold.games(longer))
    assert len(after) == len(before) + 1
    assert all(one.state is played.state for one, played in zip(after, longer.played, strict=True))
    assert all(one.state is other.state for one, other in zip(before, after, strict=False))


def test_what_a_correction_changes_is_told_whatever_was_said_before(evening: Game) -> None:
    game = evening.with_lines()
    before = game.announcements()
    said = game.submit(Entry(Correct(len(EVENING) - 3, ()), source="person"))
    expected = [one for one in said if _shown(one) not in map(_shown, before)]
    assert new_to_all(said, before) == expected


def _shown(one: Announcement) -> str:
    return repr(next(iter(public_announcements([one])), one))
