"""Whether two readings of a win agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.codec import BadRecord, read_record, write_record
from engine.events import Correct, Entry, Event, Indicator, Kong, Position, ReadAgain, Win
from engine.game import Game, replay
from engine.second_reading import as_read_before, compare, compared, not_read_again
from engine.tiles import Tile, parse
from engine.visibility import events_seen
from tests.support.harbin_game import RECORD
from tests.support.tables import chow, pung
from tests.support.twice_read import SECRET

WIN = Win(1, 1, Tile("5p"), parse("123m 456m 789s 5p"))


@pytest.mark.parametrize(
    ("event", "read", "says"),
    [
        (WIN, "5p 987s 123m 465m 5p", []),
        (WIN, "123m 456m 789s 55p ?", []),  # one lay beside them and was not read: it is none of it
        (WIN, "122m 456m 789s 55p", [("3m", "2m")]),
        (WIN, "122m 456m 789s 5p ?", [("3m", "2m")]),  # another face, whatever is not seen
        (WIN, "123m 456m 788s 54p", [("5p", "4p"), ("9s", "8s")]),
        (WIN, "123m 456m 789s 5p ?", None),
        (WIN, "123m 456m 789s 5p", None),
        (WIN, "", None),
        (WIN, "123m 456m 789s 55p 1z", None),  # a tile that the hand does not hold
        (replace(WIN, hand=None), "123m 456m 789s 55p", None),  # nobody knows the hand
        (chow(0, 3, "5s", "67s"), "756s", []),
        (chow(0, 3, "5s", "67s"), "0s67s", [("5s", "0s")]),  # a red five pays
        (pung(0, 2, "3m"), "332m", [("3m", "2m")]),
        (pung(0, 2, "3m"), "33m", None),
        (Kong(0, "closed", Tile("7z")), "77z", []),  # two lie face down
        (Kong(0, "added", Tile("7z")), "7z", []),
        (Kong(0, "closed", Tile("7z")), "76z", [("7z", "6z")]),
        (Kong(0, "closed", Tile("7z")), "", None),
        (Kong(0, "open", Tile("5s"), 1, parse("550s")), "5550s", []),
        (Kong(0, "open", Tile("5s"), 1, parse("550s")), "5555s", [("0s", "5s")]),
        (Kong(0, "open", Tile("5s"), 1, parse("550s")), "555s", None),  # the red one is not seen
        (Indicator(Tile("9m"), "dora"), "9m", []),
        (Indicator(Tile("9m"), "dora"), "8m", [("9m", "8m")]),
        (Indicator(Tile("9m"), "dora"), "?", None),
    ],
)
def test_tiles_are_compared_in_any_order(
    event: Event, read: str, says: Sequence[tuple[str, str]] | None
) -> None:
    assert compare(event, parse(read)) == says


CHANGES = {4: "opened@0.3@0,1", 8: "opened@0.7@0,100"}
"""What the camera calls the changes of the set and of the win in this game."""
SET, HAND = 4, 8
ALIKE = {SET: "999m", HAND: "123p456789s77z"}
PAYS = 3
"""What one player pays at most."""


RIICHI = """
{"type":"game_start","rules":"riichi-2016","t":0,"source":"camera"}
{"type":"hand_start","dealer":0,"t":1,"source":"camera"}
{"type":"indicator","tile":"1z","kind":"dora","t":2,"source":"camera","change":"put@2.0@0,0"}
{"type":"discard","seat":0,"tile":"9p","ready":true,"t":3,"source":"camera"}
{"type":"discard","seat":1,"tile":"8m","t":4,"source":"camera"}
{"type":"discard","seat":2,"tile":"7m","t":5,"source":"camera"}
{"type":"discard","seat":3,"tile":"6m","t":6,"source":"camera"}
{"type":"win","seat":0,"from":0,"tile":"2p","hand":["2m","3m","4m","3p","4p","5p","6s","7s","8s","5s","6s","7s","2p"],\
"t":9,"source":"camera","change":"opened@9.0@0,300"}
{"type":"indicator","tile":"1p","kind":"ura_dora","t":10,"source":"camera","change":"put@10.0@9,0"}
""".strip()


TWO_WINS = """
{"type":"game_start","rules":"sichuan","t":0,"source":"camera"}
{"type":"hand_start","t":1,"source":"camera"}
{"type":"discard","seat":0,"tile":"9m","t":2,"source":"camera"}
{"type":"discard","seat":1,"tile":"1s","t":3,"source":"camera"}
{"type":"win","seat":2,"from":1,"tile":"1s","hand":["1s","2s","3s","4s","5s","6s","7s","8s","9s","1p","1p","2s","3s"],\
"t":4,"source":"camera","change":"opened@4.0@0,1"}
{"type":"discard","seat":3,"tile":"2p","t":6,"source":"camera"}
{"type":"win","seat":1,"from":3,"tile":"2p","hand":["2p","3p","3p","3p","4p","4p","4p","5p","5p","5p","6p","6p","6p"],\
"t":7,"source":"camera","change":"opened@7.0@0,1"}
""".strip()


def paid_by_one(game: Game) -> int:
    return -min(game.state.paid)


def lines(read: dict[int, str] | None = None) -> list[Entry]:
    """A hand that a camera saw won; ``read``: what a second reading saw, by line."""
    entries = read_record("\n".join(RECORD.splitlines()[:9]))
    for number, change in CHANGES.items():
        entries[number] = replace(entries[number], source="camera", change=change)
    if read is not None:
        again = tuple(ReadAgain(CHANGES[number], parse(tiles)) for number, tiles in read.items())
        entries[HAND] = replace(entries[HAND], again=again)
    return entries


def test_a_payout_that_was_read_twice_alike_is_certain() -> None:
    (one,) = compared(replay(lines(ALIKE)))
    assert one.agrees
    assert compared(replay(lines())) == []


def test_a_set_that_reads_otherwise_is_named() -> None:
    (one,) = compared(replay(lines({**ALIKE, SET: "998m"})))
    assert [(each.of.number, each.told, each.read) for each in one.otherwise] == [(4, "9m", "8m")]
    assert not one.unseen


def test_what_was_not_seen_again_is_not_certain() -> None:
    (one,) = compared(replay(lines({HAND: ALIKE[HAND]})))
    assert [each.number for each in one.unseen] == [SET]
    assert [each.number for each in compared(replay(lines({})))[0].unseen] == [SET, HAND]


def test_a_correction_is_compared_anew() -> None:
    read = {**ALIKE, HAND: "123p456788s77z"}
    game = replay(lines(read))
    assert not compared(game)[0].agrees
    win = game.entries[HAND]
    assert isinstance(win.event, Win)
    hand = parse("13p456788s77z")
    told_anew = replace(win, event=replace(win.event, hand=hand))
    (one,) = compared(
        game.with_lines(Entry(Correct(HAND, (told_anew,), "reread"), source="camera"))
    )
    assert one.agrees


@pytest.mark.parametrize("number", [SET, HAND])
def test_what_a_person_confirmed_is_not_compared(number: int) -> None:
    game = replay(lines({SET: "998m", HAND: "123p456788s77z"}))
    person = replace(game.entries[number], source="person")
    game = game.with_lines(Entry(Correct(number, (person,)), source="person"))
    left = compared(game)
    assert [each.of.number for one in left for each in one.otherwise] == (
        [8] if number == 4 else []
    )


@pytest.mark.parametrize(("least", "asked"), [(PAYS, [HAND]), (PAYS + 1, [])])
def test_a_win_is_read_again_from_the_limit_on(least: int, asked: list[int]) -> None:
    assert [one.number for one in not_read_again(replay(lines()), least, 0)] == asked
    assert not_read_again(replay(lines({})), least, 0) == []


def test_what_a_person_wrote_and_what_is_older_is_not_read_again() -> None:
    entries = lines()
    assert not_read_again(replay(entries), PAYS, HAND + 1) == []
    entries[HAND] = replace(entries[HAND], source="person")
    assert not_read_again(replay(entries), PAYS, 0) == []


def test_a_payout_that_grows_after_the_win_is_read_again_then() -> None:
    """An indicator below the others is turned up once the hand lies open."""
    lines = read_record(RIICHI)
    before, after = replay(lines[:-1]), replay(lines)
    least = paid_by_one(before) + 1
    assert paid_by_one(after) >= least
    assert not_read_again(before, least, 0) == []
    assert [type(one.entry.event) for one in not_read_again(after, least, 0)] == [Win]


def test_an_indicator_that_comes_after_the_second_reading_is_read_alone() -> None:
    lines = read_record(RIICHI)
    win = next(at for at, one in enumerate(lines) if isinstance(one.event, Win))
    dora = ReadAgain("put@2.0@0,0", parse("1z"))
    lines[win] = replace(lines[win], again=(ReadAgain("opened@9.0@0,300", ()), dora))
    asked = not_read_again(replay(lines), 1, 0)
    assert [one.entry.event for one in asked] == [Indicator(Tile("1p"), "ura_dora")]


def test_the_record_keeps_it() -> None:
    entries = lines(ALIKE)
    assert read_record(write_record(entries)) == entries
    assert '"again"' not in write_record(lines())


@pytest.mark.parametrize("wrong", ['[{"change":"a"}]', '["a"]', '[{"change":"a","tiles":["x"]}]'])
def test_a_second_reading_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(BadRecord):
        read_record(f'{{"type":"hand_end","again":{wrong}}}')


def test_nobody_is_shown_it_while_the_hand_is_played() -> None:
    """It may name an indicator that only ready players know."""
    entries = lines(ALIKE)
    shown = [one.entry.again for one in events_seen(replay(entries))]
    assert shown[HAND] is not None
    held = [*entries[:3], replace(entries[3], again=entries[HAND].again)]
    assert all(one.entry.again is None for one in events_seen(replay(held)))


@pytest.mark.parametrize(("least", "asked"), [(1, [4, 6]), (2, [6]), (16, [6]), (17, [])])
def test_a_small_payout_is_not_read_again_for_a_large_one_of_its_hand(
    least: int, asked: list[int]
) -> None:
    game = replay(read_record(TWO_WINS))
    assert [one.number for one in not_read_again(game, least, 0)] == asked


def test_what_a_secret_indicator_was_read_as_is_not_public() -> None:
    (one,) = compared(replay(read_record(SECRET)))
    assert [(each.told, each.public) for each in one.otherwise] == [("5p", False)]
    (one,) = compared(replay(lines({**ALIKE, SET: "998m"})))
    assert [each.public for each in one.otherwise] == [True]


def test_it_is_hidden_inside_a_correction_that_corrects_nothing() -> None:
    win = lines(ALIKE)[HAND]
    held = [*lines()[:4], Entry(Correct(99, (win,)), source="person")]
    shown = events_seen(replay(held))[-1].entry.event
    assert isinstance(shown, Correct)
    assert [one.again for one in shown.events] == [None]


def test_what_was_read_again_stays_with_its_change() -> None:
    read = lines(ALIKE)
    win = read[HAND]
    other = replace(win, event=replace(WIN, seat=2, from_seat=0), again=None)
    corrects = Entry(Correct(HAND, (other,), "reread"), source="camera")
    for told in (other, corrects):
        (line,) = as_read_before(read, [told])
        event = line.event
        (inside,) = event.events if isinstance(event, Correct) else (line,)
        assert inside.again == win.again
        assert as_read_before(read, [told], {win.change}) == [told]
        assert as_read_before(lines(), [told]) == [told]
    person = replace(other, source="person")
    assert as_read_before(read, [person]) == [person]


@pytest.mark.parametrize(
    ("joined", "asked"),
    [
        (Position(), False),
        (Position(sets=((), (pung(1, 0, "3m"),), (), ())), False),  # of another seat
        (Position(sets=((), (), (pung(2, 0, "3m"),), ())), True),
        (Position(indicators=(Indicator(Tile("1z"), "dora"),)), True),
    ],
)
def test_what_lay_there_when_a_hand_was_joined_was_not_read_again(
    joined: Position, asked: bool
) -> None:
    entries = lines(ALIKE)
    entries[2] = Entry(joined, t=0.15, source="camera", change="found@0.1@0,0")
    read = (*(entries[HAND].again or ()), ReadAgain("found@0.1@0,0", ()))
    entries[HAND] = replace(entries[HAND], again=read)
    (one,) = compared(replay(entries))
    assert [type(each.entry.event) for each in one.unseen] == [Position] * asked
