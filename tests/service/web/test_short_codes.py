"""Four letters lead where the code beside them leads, for minutes, and are not to be guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.codec import write_record
from engine.errors import NotThere
from service.web.short_codes import (
    ALPHABET,
    LASTS_S,
    LETTERS,
    PAUSE_S,
    SHOWN_S,
    TRIES_ALL,
    TRIES_EACH,
    TRY_S,
    ShortCodes,
    TooManyTries,
)
from tests.support.in_process import asked
from tests.support.keys import KEYS
from tests.support.live_table import in_loop
from tests.support.riichi_sample import ENTRIES, MIDDLE
from tests.support.sittings import DEVICES, ENDED, Evening, evening, sat_down, seat_page, takes


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def opens(key: str) -> bool:
    return key != "ended"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def codes(clock: Clock) -> ShortCodes:
    return ShortCodes(clock)


def wrong_ones(codes: ShortCodes) -> Iterator[str]:
    """Codes that are not handed out."""
    known = {code.word for code in codes._codes}
    letters = (f"BB{one}{two}" for one in ALPHABET for two in ALPHABET)
    return (word for word in letters if word not in known)


def try_wrong(codes: ShortCodes, times: int, address: str = "a") -> None:
    words = wrong_ones(codes)
    for _ in range(times):
        with pytest.raises(NotThere):
            codes.key_of(next(words), address, opens)


def test_a_code_is_four_letters_that_nobody_takes_for_others(codes: ShortCodes) -> None:
    words = {codes.code_of(str(number), once=False) for number in range(300)}
    assert len(words) == 300, "no two keys share one"
    assert {len(word) for word in words} == {LETTERS}
    assert not set("".join(words)) & set("AEIOUYLQ0123456789")
    assert "KTWX" not in repr(codes)
    assert not any(word in repr(codes._codes) for word in words)


@pytest.mark.parametrize(
    "written",
    [
        "{}{}{}{}",
        " {}{} {}{} ",
        "{}-{}-{}-{}",
        "{}.{}.{}.{}",
        "\u201c{}{}\u3000{}{}\u201d",
        "{}{}\u200b{}{}",
    ],
)
def test_it_is_taken_as_people_type_it(codes: ShortCodes, written: str) -> None:
    word = codes.code_of("key", once=False)
    wide = "".join(chr(ord(letter) - ord("A") + ord("\uff21")) for letter in word)
    for letters in (word, word.lower(), wide, wide.lower()):
        assert codes.key_of(written.format(*letters), "a", opens) == "key"


def test_it_is_shown_for_minutes_and_good_for_as_long_again(
    codes: ShortCodes, clock: Clock
) -> None:
    first = codes.code_of("key", once=False)
    clock.now_s += SHOWN_S - 1
    assert codes.code_of("key", once=False) == first
    clock.now_s += 1
    second = codes.code_of("key", once=False)
    assert second != first
    clock.now_s += LASTS_S - SHOWN_S - 1
    assert codes.key_of(first, "a", opens) == "key"
    clock.now_s += 1
    with pytest.raises(NotThere):
        codes.key_of(first, "a", opens)
    assert codes.key_of(second, "a", opens) == "key"


def test_one_for_one_phone_is_used_up_and_another_is_shown(codes: ShortCodes) -> None:
    one, many = codes.code_of("seat", once=True), codes.code_of("guest", once=False)
    assert codes.key_of(one, "a", opens) == "seat"
    with pytest.raises(NotThere):
        codes.key_of(one, "b", opens)
    assert codes.code_of("seat", once=True) != one
    assert [codes.key_of(many, address, opens) for address in "ab"] == ["guest", "guest"]


def test_what_its_key_opens_no_more_it_opens_no_more(codes: ShortCodes) -> None:
    word = codes.code_of("ended", once=False)
    with pytest.raises(NotThere):
        codes.key_of(word, "a", opens)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "    ",
        "BCD",
        "BCDFG",
        "B\u00c7DF",
        "\ud800BCD",
        "BCDA",
        "1234",
        "\u767c\u8ca1\u4e2d\u767d",
    ],
)
def test_what_can_be_no_code_opens_nothing_and_does_not_count(
    codes: ShortCodes, typed: str
) -> None:
    word = codes.code_of("key", once=False)
    for _ in range(2 * TRIES_ALL):
        with pytest.raises(NotThere):
            codes.key_of(typed, "a", opens)
    assert codes.key_of(word, "a", opens) == "key"


def test_one_address_that_guesses_waits_and_nobody_else(codes: ShortCodes, clock: Clock) -> None:
    word = codes.code_of("key", once=False)
    try_wrong(codes, TRIES_EACH)
    for _ in range(3):  # also the right one, and asking on makes it no longer
        with pytest.raises(TooManyTries):
            codes.key_of(word, "a", opens)
    assert codes.key_of(word, "b", opens) == "key"
    clock.now_s += PAUSE_S
    word = codes.code_of("key", once=False)
    assert codes.key_of(word, "a", opens) == "key"


def waits_s(codes: ShortCodes, address: str) -> int:
    """How long an address is told to wait, though it types what is right."""
    with pytest.raises(TooManyTries) as refused:
        codes.key_of(codes.code_of("key", once=False), address, opens)
    minutes = -(-refused.value.wait_s // 60)
    assert str(refused.value).endswith(f"try again in {minutes} min")
    return refused.value.wait_s


def test_many_addresses_that_guess_shut_it_for_all_for_as_long_each_time(
    codes: ShortCodes, clock: Clock
) -> None:
    for number in range(TRIES_ALL):
        try_wrong(codes, 1, f"first {number}")
    for pause in range(20):
        assert waits_s(codes, "another") == TRY_S
        clock.now_s += TRY_S - 1
        assert waits_s(codes, "another") == 1
        clock.now_s += 1
        assert codes.key_of(codes.code_of("key", once=False), "another", opens) == "key"
        try_wrong(codes, 1, f"again {pause}")


def test_an_address_is_told_how_long_it_waits(codes: ShortCodes, clock: Clock) -> None:
    try_wrong(codes, 1)
    clock.now_s += 90.5
    try_wrong(codes, TRIES_EACH - 1)
    assert waits_s(codes, "a") == PAUSE_S - 90


def test_new_codes_let_everybody_type_again(codes: ShortCodes) -> None:
    for number in range(TRIES_ALL // TRIES_EACH):
        try_wrong(codes, TRIES_EACH, str(number))
    assert waits_s(codes, "0") == PAUSE_S
    codes.forgive()
    for address in ("0", "another"):
        assert codes.key_of(codes.code_of("key", once=False), address, opens) == "key"


@pytest.mark.parametrize(
    ("tries", "each_s", "addresses"),
    [
        (1, 10.0, 10**9),  # as soon as it may be, each from an address of its own
        (TRIES_ALL, TRIES_ALL * TRY_S, 3),
        (TRIES_ALL - 1, PAUSE_S, 3),  # one fewer than would shut it
        (TRIES_ALL - 1, PAUSE_S, 4),
        (2, PAUSE_S, 1),
        (1, TRY_S, 2),
    ],
)
def test_who_guesses_all_evening_hardly_ever_finds_one(
    codes: ShortCodes, clock: Clock, tries: int, each_s: float, addresses: int
) -> None:
    """Whoever asks at once, and whoever stays just below what shuts it: five hours of each."""
    counted, number, words = 0, 0, wrong_ones(codes)
    end_s = clock.now_s + 5 * 3600
    while clock.now_s < end_s:
        for _ in range(tries):
            number += 1
            word = next(words, None) or next(words := wrong_ones(codes))
            try:
                codes.key_of(word, str(number % addresses), opens)
            except NotThere:
                counted += 1
            except TooManyTries:
                continue
        clock.now_s += each_s
    most_codes = 2 * 8
    assert counted <= TRIES_ALL + 5 * 3600 / TRY_S == 72
    assert counted * most_codes / len(ALPHABET) ** LETTERS < 1 / 91


async def shown(here: Evening) -> tuple[list[str], dict[str, str]]:
    """The letters of the seats and of the links, as the admin page gets them."""
    _, seats = await here.ask("GET", "/api/seats", here.keys.control)
    _, links = await here.ask("GET", "/api/links", here.keys.control)
    return [one["code"] for one in seats], {role: one["code"] for role, one in links.items()}


async def typed(here: Evening, code: object) -> tuple[int, Any]:
    return await here.ask("POST", "/api/code", "", {"code": code})


@in_loop
async def test_each_code_leads_where_the_one_beside_it_leads_and_is_told_to_the_admin_alone() -> (
    None
):
    with evening(whole=True) as here:
        keys = here.keys
        seats, links = await shown(here)
        for code, key in zip(seats, keys.seats, strict=True):
            assert await typed(here, code) == (200, {"page": f"/seat#{key}"})
        assert (await typed(here, seats[3]))[0] == 404, "a seat's is for one phone"
        pages = {"viewer": f"/#{keys.viewer}", "guest": f"/seat#{keys.guest}"}
        pages["scorer"] = f"/#{keys.scorer}"
        for role, page in pages.items():
            assert await typed(here, links[role]) == (200, {"page": page})
        assert (await typed(here, links["guest"]))[0] == 200, "guests come one after another"
        assert (await typed(here, links["scorer"]))[0] == 404
        for other in (None, keys.viewer, keys.guest, keys.seats[1], keys.scorer):
            for path in ("/api/seats", "/api/links"):
                status, told = await asked(here.app, "GET", path, other)
                assert status in (401, 403)
                assert not [code for code in links.values() if code.encode() in told]


@in_loop
async def test_it_ends_with_its_seat_s_code_and_not_with_the_game() -> None:
    with evening(whole=True) as here:
        seats, _ = await shown(here)
        wish = {"renew": True, "seat": 1}  # the host's one tap for a lost phone
        assert (await here.ask("POST", "/api/keys", here.keys.control, wish))[0] == 200
        assert (await typed(here, seats[1]))[0] == 404
        assert await typed(here, seats[2]) == (200, {"page": f"/seat#{here.keys.seats[2]}"})
        status, _ = await here.ask(
            "POST", "/api/v1/next", here.keys.scorer, {"lines": len(here.table.game.entries)}
        )
        assert status == 200
        again, _ = await shown(here)
        assert again[0] == seats[0]
        assert await typed(here, seats[0]) == (200, {"page": f"/seat#{here.keys.seats[0]}"})


@in_loop
async def test_after_a_restart_and_at_another_table_it_opens_nothing() -> None:
    with evening(whole=True) as here, evening(whole=True) as other:
        seats, links = await shown(here)
        await shown(other)
        for code in (seats[0], links["guest"]):
            assert (await typed(other, code))[0] == 404
        here.open(here.record, restart=True)
        await shown(here)
        assert (await typed(here, seats[0]))[0] == 404
        assert (await typed(here, links["guest"]))[0] == 404


@in_loop
async def test_tries_are_counted_by_the_program_and_told_in_one_line() -> None:
    with evening(whole=True) as here:
        seats, _ = await shown(here)
        for _ in range(TRIES_EACH):
            status, told = await typed(here, "BBBB" if "BBBB" not in seats else "CCCC")
            assert status == 404
            assert "\n" not in told["detail"]
        status, told = await typed(here, seats[0])
        said = "too many wrong codes: scan the code, or try again in 10 min"
        assert (status, told) == (429, {"detail": said})
        _, answer = await asked(here.app, "POST", "/api/code", None, {"code": seats[0]})
        waits = re.search(rb"retry-after\W+(\d+)", answer)
        assert waits is not None
        assert PAUSE_S - 60 < int(waits[1]) <= PAUSE_S
        await here.ask("POST", "/api/keys", here.keys.control, {"renew": True, "seat": 3})
        assert (await typed(here, seats[0]))[0] == 200, "the host lets everybody type again"
        for nonsense in (None, 7, ["B"], "B" * 17):
            assert (await typed(here, nonsense))[0] == 400


@in_loop
async def test_a_lost_phone_opens_nothing_and_the_new_one_comes_in_by_letters() -> None:
    with evening(whole=True) as here:
        old = here.keys.seats[1]
        await sat_down(here, old, DEVICES[0])
        page = await seat_page(here, old)
        wish = {"renew": True, "seat": 1}
        await here.ask("POST", "/api/keys", here.keys.control, wish)
        await page.heard(2)
        assert "websocket.close" in "".join(page.told)
        seats, _ = await shown(here)
        _, told = await typed(here, seats[1])
        new = told["page"].removeprefix("/seat#")
        assert new not in (old, *KEYS.seats)
        await sat_down(here, new, DEVICES[1])
        assert here.keys.seat_of(new) == 1
        assert here.keys.seat_of(old) is None
        assert here.keys.taken[1].device == DEVICES[1]


@in_loop
async def test_nobody_sits_down_where_somebody_plays_until_the_hand_is_over() -> None:
    with evening() as here:
        _, before = await takes(here, 0)
        assert before["playing"] is False
        dealt = here.folder / "dealt.jsonl"  # the next hand
        dealt.write_text(write_record(ENTRIES[: ENDED + MIDDLE]))
        here.open(dealt)
        status, told = await takes(here, 2, DEVICES[1])
        assert (status, told["detail"]) == (
            409,
            "a hand is being played: take a seat when it is over",
        )
        status, told = await takes(here, 2)
        assert status == 409, "nor does anybody move there"
        status, told = await takes(here, None)
        assert (status, told["seat"], told["key"]) == (200, 0, before["key"]), "who sits, stays"
        await sat_down(here, here.keys.seats[2], DEVICES[1])  # the host shows this code to a player
