"""From what lies on the table to the record: hands played on a hand-made table."""

from __future__ import annotations

import pytest

from engine.events import Claim, Discard, GameStart, HandStart, Kong, Win
from engine.tiles import Tile, parse
from tests.support.recorded import Recorded
from tests.support.seen import Seen
from tests.support.tables import chow, discards, pung, shares, won

SURE = 0.95
"""What is told with less is asked about."""

CLAIMS: dict[str, tuple[str, int, Claim]] = {
    "pung": ("555p", 1, pung(3, 1, "5p")),
    "kong": ("5555p", 1, Kong(3, "open", Tile("5p"), 1, parse("555p"))),
    "chow": ("546p", 0, chow(2, 1, "5p", "46p")),
}


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("read", ["5p", "3s", None])
def test_a_set_tells_what_was_discarded_whether_it_was_read_misread_or_unseen(
    seen: Seen, name: str, read: str | None
) -> None:
    tiles, turned, claim = CLAIMS[name]
    seen.discard(0, "9s")
    tile = None if read is None else seen.discard(1, read)
    seen.claim(tile, claim.seat, tiles, turned, 2.5)
    assert seen.events == [*discards((0, "9s"), (1, "5p")), claim]
    seen.discard(claim.seat, "2m", 2)
    assert seen.events[3:] == discards((claim.seat, "2m")), "nobody between is asked"


@pytest.mark.parametrize("lasts_s", [0.2, 0.4])
def test_a_discard_is_claimed_at_once(seen: Seen, lasts_s: float) -> None:
    """It lies there for one or two looks."""
    seen.discard(0, "9s")
    tile = seen.stage.put(1, 0, 90, "5p")
    seen.show(lasts_s)
    seen.claim(tile, 3, "555p", 1, 2.5)
    assert seen.events == [*discards((0, "9s"), (1, "5p")), CLAIMS["pung"][2]]


def test_two_discards_in_a_row_are_not_seen_before_one_is_claimed(seen: Seen) -> None:
    seen.discard(0, "9s")
    seen.claim(None, 3, "435p", 0, 2.5)
    claim = chow(3, 2, "4p", "35p")
    assert seen.events == [*discards((0, "9s"), (1, "?"), (2, "4p")), claim]


def test_two_backs_and_two_faces_are_a_closed_kong(seen: Seen) -> None:
    seen.claim(None, 0, "?88m?", turned=-1)
    assert seen.events == [Kong(0, "closed", Tile("8m"), own=parse("8888m"))]


@pytest.mark.parametrize(
    ("early", "backs", "stand", "ready", "sure"),
    [
        (0, 10, 0, True, True),
        (0, 4, 0, True, False),
        (0, 12, 10, False, True),
        (7, 10, 0, False, True),
    ],
    ids=["all of it", "few, as under an arm", "read twice where it stands", "misread by and by"],
)
def test_a_hand_laid_down_after_a_discard_claims_ready(
    seen: Seen, early: int, backs: int, stand: int, ready: bool, sure: bool
) -> None:
    seen.claim(seen.discard(0, "5p"), 1, "555p")
    for place, (seat, face) in enumerate(((1, "9s"), (2, "9s"), (3, "9m"), (0, "1p"))):
        seen.discard(seat, face, place)
    for place in range(early):
        seen.stage.put(1, -170 + 30 * place, 385)
    seen.show(6.0)
    seen.discard(1, "2s", 4)
    seen.stage.stand(1, stand)
    for place in range(early, backs):
        seen.stage.put(1, -170 + 30 * place, 385)
    seen.show(1.6)
    told = seen.decoder.decoding().told[-1]
    assert told.event == Discard(1, Tile("2s"), ready=ready)
    assert ((told.confidence or 0.0) > SURE) is sure


def test_a_hand_laid_down_claims_nothing_where_the_rules_turn_a_discard_for_it() -> None:
    """Standing tiles were taken for backs under an arm, and the picture stood still over it."""
    table = Seen("riichi")
    table.deal()
    table.discard(0, "9p")
    table.stage.stand(0, 0)
    table.stage.lay(0, "????", -170)
    table.show(1.6)
    assert table.events == discards((0, "9p"))


def test_a_face_that_is_seen_for_a_moment_only_is_forgotten(seen: Seen) -> None:
    seen.discard(0, "1m")
    ghost = seen.stage.put(1, 0, 120, "9p")
    seen.stage.change(ghost, looks=2)
    seen.show(0.4)
    seen.stage.take(ghost)
    seen.show(0.8)
    seen.discard(1, "4s", 1)
    assert seen.events == discards((0, "1m"), (1, "4s"))


def test_the_start_of_a_game_is_sure() -> None:
    table = Recorded()
    table.deal()
    assert [type(line.event) for line in table.lines] == [GameStart, HandStart]
    assert table.lines[0].confidence == 1.0
    assert 0.9 < (table.lines[1].confidence or 0.0) <= 1.0


# --- wins ---

HAND = "23m 123s 777p 99m 4m"
"""It wins with the last tile."""
ROUND = ((2, "9p"), (3, "1s"), (0, "4m"))


@pytest.fixture
def ready(seen: Seen) -> list[int]:
    """Seat 1 has a pung and its hand laid down; the ids of its tiles."""
    seen.claim(seen.discard(0, "5p"), 1, "555p")
    seen.discard(1, "9s")
    seen.stage.stand(1, 0)
    row = seen.stage.lay(1, "?" * 10, -170)
    seen.show(1.6)
    return row


FOUR = ((2, "4m"),)
WINS: dict[str, tuple[tuple[tuple[int, str], ...], bool, int, float, int]] = {
    "claimed": (FOUR, True, 0, 20, 2),
    "noise leaves backs beside a whole hand: nobody holds more than that": (FOUR, True, 4, 20, 2),
    "claimed by the next seat, and not drawn by it": (ROUND, True, 0, 20, 0),
    "drawn, for the discard still lies there": (ROUND, False, 0, 20, 1),
    "nobody saw the discard: it is of whose turn it was": ((), False, 0, 20, 2),
    "so far apart that a tile may be missing between": ((), False, 0, 45, 2),
    "in the row": ((), False, 0, 0, 2),
}
"""Discards, whether the last is gone, backs that are left, how far apart it lies, who gave it."""


@pytest.mark.parametrize("name", WINS)
def test_a_ready_hand_laid_open_wins(seen: Seen, ready: list[int], name: str) -> None:
    thrown, gone, backs, gap_mm, giver = WINS[name]
    tiles = [seen.discard(seat, face, 2) for seat, face in thrown]
    seen.stage.take(*ready[backs:], *(tiles[-1:] if gone else ()))
    seen.stage.lay(1, HAND, -190, gap_mm)
    seen.show(6.0)
    assert won(seen.events[-1]) == (1, giver, "4m")
    assert seen.events[-2] == Discard(0 if giver == 1 else giver, Tile("4m"))
    if thrown:
        assert pung(1, 0, "5p", ready=True) in seen.events
    if thrown == ROUND and gone:
        assert all(question.place.what != "opened" for question in seen.decoder.questions())


def test_a_hand_may_be_opened_before_its_discard_is_seen(seen: Seen, ready: list[int]) -> None:
    for place, (seat, face) in enumerate(((2, "9p"), (3, "4m"), (0, "8s"), (1, "1p"), (2, "6p"))):
        seen.discard(seat, face, place)
    seen.stage.take(*ready)
    seen.stage.lay(1, HAND.removesuffix(" 4m"), -190)
    seen.show(0.8)
    seen.stage.put(3, 60, 90, "4m")
    seen.show(2.0)
    assert seen.events[-2] == Discard(3, Tile("4m"))
    assert won(seen.events[-1]) == (1, 3, "4m")


def shown_unsurely(seen: Seen, ready: list[int], faces: dict[int, tuple[str, float, str]]) -> Win:
    """The win of the hand of which these places are read as a face, or another."""
    seen.stage.take(*ready, seen.discard(2, "4m", 1))
    row = seen.stage.lay(1, HAND, -190, 20)
    for place, read in faces.items():
        seen.stage.change(row[place], probabilities=shares(*read))
    seen.show(6.0)
    event = seen.events[-1]
    assert won(event)[:2] == (1, 2)
    assert isinstance(event, Win)
    return event


def test_a_hand_of_doubtful_tiles_is_read_as_rules_have_it(seen: Seen, ready: list[int]) -> None:
    """The one that was misread is surer than others: a dozen readings are likelier."""
    unsure = {5: ("7p", 0.6, "8p"), 6: ("7p", 0.6, "6p"), 7: ("7p", 0.6, "9p")}
    win = shown_unsurely(seen, ready, {**unsure, 2: ("1s", 0.6, "7s"), 3: ("8s", 0.9, "2s")})
    assert [str(tile) for tile in win.hand or () if tile.suit == "s"] == ["1s", "2s", "3s"]


def test_a_hand_that_wins_by_no_rule_was_misread(seen: Seen, ready: list[int]) -> None:
    """None of them is likelier another one: which tile was misread cannot be said."""
    misread = {place: (face, 0.8, "7z") for place, face in enumerate(("1m", "5m", "9s"))}
    win = shown_unsurely(seen, ready, misread)
    assert win.hand is None
    # What it pays nobody knows: it is asked.
    assert win in [question.choices[0].events[-1] for question in seen.decoder.questions()]


@pytest.mark.parametrize("read", ["5p", None], ids=["seen", "unseen"])
@pytest.mark.parametrize("between_s", [0.0, 1.0, 2.0])
def test_the_tile_drawn_after_an_open_kong_wins(between_s: float, read: str | None) -> None:
    """The set and the hand may come to lie there within one change."""
    table = Seen("wsom")
    table.deal()
    table.discard(0, "9s")
    tile = None if read is None else table.discard(1, read)
    table.claim(tile, 3, "5555p", 1, between_s)
    table.stage.stand(3, 0)
    table.stage.lay(3, HAND, -190, 20)
    table.show(6.0)
    assert table.events[:3] == [*discards((0, "9s"), (1, "5p")), CLAIMS["kong"][2]]
    assert won(table.events[3]) == (3, 3, "4m")


def test_a_winning_tile_was_misread_when_it_was_discarded(seen: Seen) -> None:
    seen.discard(0, "9s")
    seen.stage.take(seen.discard(1, "7z", sure=0.7, other="4m"))
    seen.stage.stand(3, 0)
    seen.stage.lay(3, f"111p {HAND}", -230, 20)
    seen.show(2.0)
    assert seen.events[:2] == discards((0, "9s"), (1, "4m"))
    seen.show(2.5)  # a hand that breaks a rule may lack tiles: it is looked at for four seconds
    assert won(seen.events[-1]) == (3, 1, "4m")
