"""A rehearsal: its cards, what was told beside them, and what its counts can carry."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import comb

import pytest

from engine.codec import read_record
from engine.events import Correct, Discard, Entry
from engine.rehearsal import (
    BRONZE,
    GOLD,
    GRADES,
    SILVER,
    CardDone,
    CardResult,
    Change,
    NotACard,
    RehearsalCard,
    Rehearsed,
    Share,
    at_least,
    cards_of,
    compare,
    read_cards,
)
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.texts.files import LANGUAGES, base_of
from engine.tiles import KINDS, UNKNOWN, Tile

SAY = {"en": "Do it."}
PUNG = RehearsalCard("pung", SAY, told={"pung": 1}, may=frozenset({"discard"}))
QUIET = RehearsalCard("arms", SAY, lasts_s=10)
TWO_EACH = RehearsalCard("discards", SAY, each={"discard": 2})
PLAYED = read_record(
    """
{"type":"game_start","rules":"riichi","t":0}
{"type":"hand_start","t":1}
{"type":"discard","seat":0,"tile":"9m","t":10,"source":"camera"}
{"type":"discard","seat":1,"tile":"5z","t":14,"source":"camera"}
{"type":"discard","seat":2,"tile":"9p","t":18,"source":"camera"}
{"type":"discard","seat":3,"tile":"1z","t":22,"source":"camera"}
{"type":"discard","seat":0,"tile":"2z","t":26,"source":"camera"}
{"type":"discard","seat":1,"tile":"3z","t":30,"source":"camera"}
{"type":"discard","seat":2,"tile":"4z","t":34,"source":"camera"}
{"type":"discard","seat":3,"tile":"1s","t":38,"source":"camera"}
{"type":"discard","seat":0,"tile":"7z","t":52,"source":"camera"}
{"type":"pung","seat":1,"from":0,"tile":"7z","own":["7z","7z"],"t":54,"source":"camera"}
{"type":"discard","seat":1,"tile":"1m","t":56,"source":"camera"}
""".strip()
)
ALL_DONE = (
    CardDone("discards", 5, 50),
    CardDone("pung", 50, 60),
    CardDone("arms", 60, 70),
)
CARDS = (TWO_EACH, PUNG, QUIET)
THROWN = Discard(1, Tile("2z"))
ALL_FACES = dict.fromkeys(map(Tile, KINDS), True)


def rehearsed(*more: Entry, faces: dict[Tile, bool] = ALL_FACES) -> Rehearsed:
    entries = (*PLAYED, *more)
    told_s = [None if one.t is None else one.t + 0.5 for one in entries]
    return compare(CARDS, ALL_DONE, entries, told_s, faces)


def test_what_is_told_as_the_cards_say_is_right() -> None:
    seen = rehearsed()
    assert [(one.card, one.good, one.of) for one in seen.cards] == [
        ("discards", 8, 8),
        ("pung", 1, 1),
        ("arms", 1, 1),
    ]
    assert seen.events_share == Share(10, 10)
    assert seen.delay_s == pytest.approx(0.5)
    assert seen.changes() == ()


def test_what_is_told_while_nothing_happens_counts_against_the_table() -> None:
    seen = rehearsed(replace(PLAYED[-1], t=65.0))
    assert seen.cards[-1] == CardResult("arms", 0, 0, {}, {"discard": 1})
    assert seen.events_share == Share(9, 10)
    assert seen.changes() == (Change("card", "arms"),)


def test_one_seat_does_not_stand_in_for_another() -> None:
    moved = [replace(one, event=THROWN) if one.t == 26 else one for one in PLAYED]
    seen = compare(CARDS, ALL_DONE, moved, (), ALL_FACES)
    assert (seen.cards[0].missing, seen.cards[0].extra) == ({"discard": 1}, {"discard": 1})
    assert (seen.cards[0].good, seen.cards[0].of) == (7, 9)


def test_what_nobody_could_read_or_a_person_wrote_was_not_told() -> None:
    hidden = Discard(0, UNKNOWN)
    unread = [replace(one, event=hidden) if one.t == 26 else one for one in PLAYED]
    by_hand = [replace(one, source="person") if one.t == 26 else one for one in PLAYED]
    for entries in (unread, by_hand):
        seen = compare(CARDS, ALL_DONE, entries, (), ALL_FACES)
        assert seen.cards[0].missing == {"discard": 1}


def test_what_is_read_otherwise_later_was_told_then() -> None:
    other = Entry(Discard(3, Tile("2s")), t=38.0, source="camera")
    entries = [*PLAYED, Entry(Correct(9, (other,)), source="camera")]
    told_s = [*(None if one.t is None else one.t + 0.5 for one in PLAYED), 48.0]
    seen = compare(CARDS, ALL_DONE, entries, told_s, ALL_FACES)
    assert seen.events_share == Share(10, 10)
    assert max(seen.delays_s) == pytest.approx(10.0)


def test_half_a_rehearsal_has_no_grade_and_says_what_is_missing() -> None:
    seen = compare(CARDS, ALL_DONE[:1], PLAYED, (1.0,) * len(PLAYED), ALL_FACES)
    assert (seen.missing, seen.grade, seen.whole) == (("pung", "arms"), None, False)
    tapped_through = (*ALL_DONE[:2], CardDone("arms", 60, 69.9))
    quick = compare(CARDS, tapped_through, PLAYED, (1.0,) * len(PLAYED), ALL_FACES)
    assert (quick.missing, quick.grade) == (("arms",), None), "silence alone shows nothing"
    no_set = compare(CARDS, ALL_DONE, PLAYED, (1.0,) * len(PLAYED))
    assert (no_set.missing, no_set.grade, no_set.whole) == ((), None, False)


@pytest.mark.parametrize(
    ("right", "of", "bound"),
    [
        (0, 0, 0.0),
        (0, 5, 0.0),
        (1, 1, 0.05),
        (10, 10, 0.7411),
        (23, 23, 0.8779),
        (22, 23, 0.8098),
        (59, 59, 0.9505),
        (299, 299, 0.9900),
        (1, 20, 0.0026),
        (500, 1000, 0.4735),
        (1500, 2000, 0.7336),
        (99_000, 100_000, 0.9895),
    ],
)
def test_few_events_give_a_weak_bound(right: int, of: int, bound: float) -> None:
    assert at_least(right, of) == pytest.approx(bound, abs=5e-5)


@pytest.mark.parametrize(("right", "of"), [(7, 9), (20, 23), (33, 34)])
def test_so_many_are_seen_at_the_bound_with_a_probability_of_one_in_twenty(
    right: int, of: int
) -> None:
    share = at_least(right, of)
    tail = sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(right, of + 1))
    assert tail == pytest.approx(0.05)


def _shown(events: tuple[int, int], wrong_faces: int, delay_s: float, margin: float) -> Rehearsed:
    right, of = events
    missing = {"discard": of - right} if of > right else {}
    faces = {Tile(kind): number >= wrong_faces for number, kind in enumerate(KINDS)}
    card = CardResult("discards", of, right, missing, {})
    return Rehearsed((card,), (), faces, (delay_s,), {"blur": margin})


@pytest.mark.parametrize(
    ("seen", "grade"),
    [
        (_shown((23, 23), 0, 1.0, 2.0), GOLD),
        (_shown((23, 23), 0, 1.0, 0.0), GOLD),
        (_shown((23, 23), 0, 1.0, -0.1), None),  # a picture so bad proves nothing of tomorrow
        (_shown((17, 17), 0, 1.0, 2.0), GOLD),  # the cards of the plainest games
        (_shown((22, 23), 0, 1.0, 2.0), SILVER),
        (_shown((10, 10), 0, 1.0, 2.0), SILVER),  # all right, but few
        (_shown((23, 23), 1, 1.0, 2.0), SILVER),
        (_shown((23, 23), 0, 9.0, 2.0), SILVER),
        (_shown((15, 23), 0, 1.0, 2.0), BRONZE),
        (_shown((5, 23), 0, 1.0, 2.0), None),
    ],
)
def test_a_grade_is_what_all_of_it_reaches(seen: Rehearsed, grade: object) -> None:
    assert seen.grade == grade


def test_grades_ask_for_less_and_less() -> None:
    for better, worse in pairwise(GRADES):
        assert better.events > worse.events
        assert better.faces > worse.faces
        assert better.delay_s < worse.delay_s


def test_three_things_are_to_be_changed_first_the_worst_before_the_others() -> None:
    seen = replace(
        _shown((20, 23), 2, 1.0, -0.5), margins={"light": 0.4, "blur": -0.5, "glare": -2.0}
    )
    assert seen.changes() == (
        Change("picture", "glare"),
        Change("picture", "blur"),
        Change("faces"),
    )
    assert seen.changes(9)[3:] == (Change("card", "discards"), Change("picture", "light"))


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_every_game_has_its_cards_in_every_language(rules: RuleSet) -> None:
    cards = cards_of(rules)
    assert {"discards", "pung", "arms", "river", "open_hand", "wash"} <= {one.id for one in cards}
    assert cards[-1].id == "wash"
    for card in cards:
        assert card.say.keys() >= {lang for lang in LANGUAGES if base_of(lang) is None}
    assert sum(4 * sum(one.each.values()) + sum(one.told.values()) or 1 for one in cards) >= 17


def test_a_club_adds_its_own_card_and_says_another_in_its_words() -> None:
    own = read_cards(
        """
        [[card]]
        id = "kong"
        told = { kong = 1 }
        may = ["discard"]
        say.en = "Lay a kong."

        [[card]]
        id = "pung"
        told = { pung = 2 }
        say.en = "Two pungs."
        """,
        "club.toml",
    )
    cards = {one.id: one for one in cards_of(RULE_SETS["riichi"], *own)}
    assert [*cards][-3:] == ["kong", "open_hand", "wash"]
    assert cards["pung"].told == {"pung": 2}
    assert cards["kong"].text("ja") == cards["kong"].text("en-native") == "Lay a kong."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "no file of cards"),
        ("", "has no [[card]]"),
        ("[[card]]", "card 1 has no id"),
        ('[[card]]\nid = "a"', "needs texts"),
        ('[[card]]\nid = "a"\nsay.ja = "a"', "text in English"),
        ('[[card]]\nid = "a"\nsay.en = "a"\ntold = { pong = 1 }', "no kind 'pong'"),
        ('[[card]]\nid = "a"\nsay.en = "a"\neach = { pung = 0 }', "expected 1 to 99"),
        ('[[card]]\nid = "a"\nsay.en = "a"\neach = { pung = true }', "expected 1 to 99"),
        ('[[card]]\nid = "a"\nsay.en = "a"\nmay = "pung"', "list of kinds"),
        ('[[card]]\nid = "a"\nsay.en = "a"\nmay = [["pung"]]', "no kind"),
        ('[[card]]\nid = "a"\nsay.en = "a"\nwhat = 1', "unknown key 'what'"),
        ('[[card]]\nid = "a"\nsay.en = "a"\n' * 2, "two cards 'a'"),
        (f'[[card]]\nid = "a"\nsay.en = "a"\ntold = {{ pung = {"9" * 5000} }}', "no file of cards"),
        ("a = " + "[" * 5000, "no file of cards"),
        ('[[card]]\nid = "a"\nsay.en = "a"\neach = { drawn_hand = 1 }', "no seat does drawn_hand"),
        ('[[card]]\nid = "a"\nsay.en = "a"\neach = { hand_end = 1 }', "no seat does hand_end"),
        ('[[card]]\nid = "a"\nsay.en = "a"\neach = { pung = 1 }\ntold = { pung = 4 }',
         "of every seat and in all"),
        ('[[card]]\nid = "a"\nsay.en = "a"\nlasts_s = -1', "lasts_s is 0 to 600"),
        ('[[card]]\nid = "a"\nsay.en = "a"\nlasts_s = nan', "lasts_s is 0 to 600"),
        ('[[card]]\nid = "a"\nsay.en = "a"\nlasts_s = true', "lasts_s is 0 to 600"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_list_of_cards_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(NotACard) as refused:
        read_cards(text, "club.toml")
    assert said in str(refused.value)
    assert "club.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("rules", "kind", "has"),
    [
        ("sichuan", "chow", False),
        ("sichuan", "flower", False),
        ("sichuan", "ready", False),
        ("riichi", "ready", True),
        ("riichi", "flower", False),
        ("hong-kong", "flower", True),
        ("sichuan", "kong", True),
    ],
)
def test_a_card_asks_for_nothing_that_its_game_does_not_have(
    rules: str, kind: str, has: bool
) -> None:
    card = RehearsalCard("own", SAY, told={kind: 1})
    if has:
        assert card in cards_of(RULE_SETS[rules], card)
        return
    with pytest.raises(NotACard, match=f"asks for {kind}, which {rules} does not have"):
        cards_of(RULE_SETS[rules], card)


@pytest.mark.parametrize(("right", "of"), [(2000, 2000), (1000, 2000), (5000, 10_000)])
def test_the_bound_of_many_events_is_known_too(right: int, of: int) -> None:
    share = right / of
    wald = share - 1.645 * (share * (1 - share) / of) ** 0.5
    assert at_least(right, of) == pytest.approx(min(wald, 0.05 ** (1 / of)), abs=5e-4)


def test_what_the_tiles_bring_and_how_a_hand_is_broken_off_counts_against_no_table() -> None:
    hong_kong, sichuan = (
        {card.id: card for card in cards_of(RULE_SETS[name])} for name in ("hong-kong", "sichuan")
    )
    assert "flower" in hong_kong["discards"].may
    assert "flower" in hong_kong["chow"].may
    assert "flower" not in hong_kong["arms"].may, "nobody draws while arms are held out"
    assert "flower" not in sichuan["discards"].may
    assert "drawn_hand" in sichuan["wash"].may
    asked = RehearsalCard("own", SAY, told={"flower": 1}, may=frozenset({"discard"}))
    cards = {card.id: card for card in cards_of(RULE_SETS["hong-kong"], asked)}
    assert "flower" not in cards["own"].may
