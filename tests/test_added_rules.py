"""A rule set of another package is played, filmed, read, paid and shown without a change here.

It is the package of ``tests/plugin``: a game that goes on after the first win.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Final

import pytest
from games.recorded import RecordedDecoder

from engine.announce import Payout, Problem
from engine.codec import read_record
from engine.events import (
    Discard,
    DrawnHand,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Position,
    Pung,
    Seat,
    Win,
)
from engine.game import Game, replay
from engine.hands import wins
from engine.rules import BUILT_IN, RULE_SETS
from engine.rules.indicators import Indicators, Wild
from engine.rules.installed import former_member
from engine.rules.layout import TableLayout
from engine.rules.payment import ONE_WINNER, Winners
from engine.rules.turns import Turns
from engine.state import Phase, State
from engine.texts.files import LANGUAGES
from engine.tiles import KINDS, Tile, parse
from service.main import run
from service.report.public import public_table
from service.table.view import Edits, correctable
from service.texts.catalogue import rule_sets, rules_titles, texts_of
from service.texts.pages import catalogue_script
from studio.play.settled_tables import observations, planned
from studio.play.truth import seen_entries
from tests.support.added_rules import SOURCE, install, known, metadata
from tests.support.paths import ROOT
from vision.compare import compare

ID = "bloody"
RECORD = SOURCE / "bloody.jsonl"
GAMES = ROOT / "tests" / "games"
SIMULATE = ROOT / "datasets" / "simulate.py"
SEED = 142
"""One hand of three winners, of whom two win on one discard."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("added"))


@pytest.fixture
def added(site: Path) -> Iterator[None]:
    with known(site):
        yield


def started(site: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """What Python does with the packages of this folder."""
    environment = os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )


def tilesight(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return started(site, "-c", "import sys; from service.main import main; main()", *words)


def test_the_installed_package_is_played_by_the_program(site: Path) -> None:
    # After a wanted change: replay it with the package installed, and keep what is printed.
    done = tilesight(site, "replay", str(RECORD))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == RECORD.with_suffix(".txt").read_text("utf-8")


def test_nobody_knows_it_where_it_is_not_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(RECORD)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.usefixtures("added")
def test_a_win_that_displaces_a_pung_leaves_earlier_payments_alone() -> None:
    five, six = Tile("5m"), Tile("6m")
    game = replay(
        Entry(event)
        for event in (
            GameStart(ID),
            HandStart(dealer=0),
            Discard(0, five),
            Win(1, 0, five),
            Discard(2, six),
            Pung(3, 2, six, (six, six)),
            Win(0, 2, six),
        )
    )
    paid = [said.deltas for said in game.announcements() if isinstance(said, Payout)]
    assert paid == [(-1, 1, 0, 0), (1, 0, -1, 0)]
    assert game.state.points == (0, 1, -1, 0)
    assert game.state.retired == (1, 0)
    assert (game.state.turn, game.state.phase) == (2, Phase.TO_DRAW)
    assert not game.state.players[3].melds


@pytest.mark.usefixtures("added")
def test_a_game_may_go_round_the_other_way() -> None:
    class Clockwise(Turns):
        def next_seat(self, state: State, seat: Seat) -> Seat:
            return (seat - 1) % 4

    bloody = RULE_SETS[ID]

    class OneWinner(type(bloody.payment)):  # type: ignore[misc]
        def winners(self, state: State) -> Winners:
            return ONE_WINNER

    clockwise = replace(bloody, turns=Clockwise(), payment=OneWinner())
    five, six = Tile("5m"), Tile("6m")
    begun: list[Event] = [GameStart(ID), HandStart(dealer=0), Discard(0, five), Discard(3, six)]
    claims = [Pung(1, 3, six, (six, six)), Pung(2, 3, six, (six, six))]
    for both in (claims, claims[::-1]):
        game = replay((Entry(event) for event in (*begun, *both)), {ID: clockwise})
        assert game.state.turn == 2
        (problem,) = (said for said in game.announcements() if isinstance(said, Problem))
        assert (problem.code, problem.seat) == ("outranked", 1)


ONE: Final = Tile("1m")
TWO: Final = Tile("2m")


class OneIsWild(Indicators):
    """The ones of a suit are wild, and another kind counts as twos."""

    def wild(self, state: State) -> Wild | None:
        return Wild(frozenset({ONE}), {Tile("9s"): TWO})


@pytest.mark.usefixtures("added")
@pytest.mark.parametrize(
    "hand",
    [
        "1m 345m 678m 123p 567s",
        "9s 345m 678m 123p 567s",
        "9s 1m 34m 678m 123p 567s",
        "9m 345m 678m 123p 567s",
        "147m 147p 147s 258m 2p",
    ],
)
def test_what_makes_a_hand_with_wild_tiles_whole_wins(hand: str) -> None:
    rules = replace(RULE_SETS[ID], indicators=OneIsWild())
    held = Position(turn=1, hands=((), parse(hand), (), ()), wall_left=40)
    game = replay([Entry(event) for event in (GameStart(ID), HandStart(), held)], {ID: rules})
    told = rules.waits(game.state, 1)
    assert told is not None
    kinds = [Tile(kind) for kind in KINDS if kind[1] != "z"]
    winning = [kind for kind in kinds if whole((*parse(hand), kind))]
    assert [wait.tile for wait in told if wait.refused is None] == winning
    assert len(told) == len(winning)
    for kind in kinds:
        step = rules.attempt(game.state, Entry(Win(1, 1, kind, parse(hand))), len(game.entries))
        assert step is not None
        paid = any(isinstance(said, Payout) and any(said.deltas) for said in step.announcements)
        assert paid is (kind in winning), kind


def whole(tiles: Sequence[Tile]) -> bool:
    """Whether they win with the ones as some kinds."""
    read = [TWO if tile == Tile("9s") else tile for tile in tiles if tile != ONE]
    kinds = [Tile(kind) for kind in KINDS if kind[1] != "z"]
    ones = combinations_with_replacement(kinds, len(tiles) - len(read))
    return any(wins((*read, *stand_for)) for stand_for in ones)


@pytest.mark.usefixtures("added")
def test_while_nobody_knows_what_is_wild_no_win_is_refused() -> None:
    class Follows(Indicators):
        def wild(self, state: State) -> Wild | None:
            turned = frozenset(indicator.tile for indicator in state.indicators)
            return Wild(turned) if turned else None

    layout = TableLayout(indicator_at="wall", indicator_kinds=("fortune",))
    rules = replace(RULE_SETS[ID], indicators=Follows(), layout=layout)
    held = Position(turn=1, wall_left=40)
    win = Win(1, 1, Tile("9p"), parse("1m 345m 678m 123p 567s"))
    begun: list[Event] = [GameStart(ID), HandStart(), held]
    for turned, refused in (None, False), (Tile("1m"), False), (Tile("2m"), True):
        seen = [] if turned is None else [Indicator(turned, "fortune")]
        game = replay((Entry(event) for event in (*begun, *seen, win)), {ID: rules})
        codes = [said.code for said in game.announcements() if isinstance(said, Problem)]
        assert ("not_a_win" in codes) is refused


@pytest.mark.usefixtures("added")
def test_a_film_shows_the_hands_of_all_three_winners(site: Path, tmp_path: Path) -> None:
    small = ("--size", "320x180", "--fps", "1", "--pace", "0.3", "--no-video")
    wanted = ("--rules", ID, "--seed", str(SEED), "--out", str(tmp_path), "--labels", "settled")
    done = started(site, str(SIMULATE), *wanted, *small)
    assert done.returncode == 0, done.stderr
    game = replay(read_record((tmp_path / "record.jsonl").read_text("utf-8")))
    assert not any(isinstance(said, Problem) for said in game.announcements())
    won = [entry.event for entry in game.entries if isinstance(entry.event, Win)]
    assert len(won) == 3
    labels = (tmp_path / "labels.jsonl").read_text("utf-8").splitlines()
    lying = Counter(tile["tile"] for tile in json.loads(labels[-1])["tiles"])
    hands = Counter(tile for win in won for tile in win.hand or ())
    assert hands <= lying


@pytest.mark.usefixtures("added")
def test_a_hand_of_three_winners_is_read_from_its_tables_as_it_was_played_and_paid() -> None:
    game = planned(ID, SEED)
    events = [entry.event for entry in game.entries]
    wins = [place for place, event in enumerate(events) if isinstance(event, Win)]
    assert len(wins) == 3
    assert any(isinstance(event, Discard) for event in events[wins[0] : wins[1]])
    decoder = RecordedDecoder(ID, game.place.view)
    read = [entry for seen in observations(game) for entry in decoder.observe(seen)]
    report = compare(seen_entries(game.entries, (), ID), [*read, *decoder.close()])
    assert (report.missing, report.extra) == ((), ())
    assert [hand.read for hand in report.hands] == [hand.true for hand in report.hands]


@pytest.mark.usefixtures("added")
def test_the_page_offers_it_and_shows_its_table_and_its_tiles() -> None:
    (offered,) = (rules for rules in rule_sets() if rules["id"] == ID)
    assert offered["options"] == [
        {"name": "ante", "default": 1, "values": [1, 2, 5], "numbers": False, "group": "others"}
    ]
    titles = {"en": "Bloody mahjong", "zh": "血战到底", "ja": "血戦麻雀"}
    # It has no words for the variant of English, which then says what English says.
    assert rules_titles(ID) == titles | {"en-native": titles["en"]}
    assert f'"rules.{ID}.title":"{titles["zh"]}"' in catalogue_script("zh")
    game = Game()
    for entry in read_record(RECORD.read_text("utf-8")):
        game.submit(entry)
        if len(game.state.winners) == 3:
            break
    table = public_table(game.state, ("A", "B", "C", "D"))
    assert (table["rules"], table["winners"]) == (ID, list(game.state.winners))
    assert table["shows"] == {
        "hand_size": 13,
        "ready_word": "ready",
        "vocabulary": "",
        "round": False,
        "honba": False,
        "staying_from": 2,
        "exports": (),
    }
    tiles = correctable(game, Edits())["tiles"]
    assert (len(tiles), {tile[1] for tile in tiles}) == (27, {"m", "p", "s"})


@pytest.mark.usefixtures("added")
def test_pages_explain_it_in_every_language() -> None:
    stakes = {}
    for lang in LANGUAGES:
        lines = catalogue_script(lang).splitlines()
        *_, words, terms = (json.loads(line.split(" = ")[1].strip(";")) for line in lines)
        assert terms[ID][-1] == "out_of_play"
        stakes[lang] = words["option.ante"]
    assert stakes == {"en": "Stake", "zh": "底分", "ja": "賭け点", "en-native": "Stake"}


def test_a_package_without_texts_is_told_of_in_codes(site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "site")
    shutil.rmtree(tmp_path / "site" / "tilesight_bloody" / "texts")
    with known(tmp_path / "site"):
        assert rules_titles(ID)["zh"] == ID
        assert texts_of("en")["option.ante"] == "ante"
        assert run(["replay", str(RECORD), "--lang", "ja"]) == 1


@pytest.mark.usefixtures("added")
def test_pages_hide_an_indicator_that_the_rule_set_keeps_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    aside = TableLayout(indicator_at="aside", indicator_kinds=("treasure",))
    monkeypatch.setitem(RULE_SETS[ID].__dict__, "layout", aside)
    turned = Indicator(Tile("1m"), "treasure")
    events: list[Event] = [GameStart(ID), HandStart(dealer=0), turned]
    for ending, shown in ((), "?"), ((DrawnHand("exhausted"),), "1m"):
        state = replay(Entry(event) for event in (*events, *ending)).state
        assert public_table(state, [""] * 4)["indicators"] == [{"kind": "treasure", "tile": shown}]


def with_texts(site: Path, folder: Path, lang: str, change: Callable[[str], str]) -> Path:
    """The package with other texts in one language."""
    shutil.copytree(site, folder / "site")
    translation = folder / "site" / "tilesight_bloody" / "texts" / f"{lang}.po"
    translation.write_text(change(translation.read_text("utf-8")), "utf-8")
    return folder / "site"


def test_texts_that_cannot_be_read_cost_one_line(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with known(with_texts(site, tmp_path, "zh", lambda text: "half a line")):
        assert run(["replay", str(GAMES / "wsom.jsonl"), "--lang", "zh"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("tilesight: the texts of the package tilesight_bloody are left out: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("text", ["{0.__class__}", "{", "{seat:>99999999}", "{seat!r}", "{nosuch}"])
def test_a_text_with_odd_gaps_stops_nothing(
    site: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(texts: str) -> str:
        return re.sub(
            r'(msgid "item\.\S+"\nmsgstr) ".*"', lambda m: f'{m[1]} "{text}"', texts, count=1
        )

    with known(with_texts(site, tmp_path, "en", change)):
        assert run(["replay", str(RECORD)]) in (0, 1)
    assert len(capsys.readouterr().err) < 200


def test_its_texts_replace_none_of_the_program(site: Path, tmp_path: Path) -> None:
    mine = '\nmsgid "item.self_draw"\nmsgstr "mine"\n'
    with known(with_texts(site, tmp_path, "en", lambda text: text + mine)):
        assert texts_of("en")["item.self_draw"] == "own draw"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("broken", "no_such_module:RULES", "ModuleNotFoundError"),
        ("mistyped", "not valid!!", "expected MODULE:OBJECT"),
        ("leaves", "added_that_exits:RULES", "SystemExit: 3"),
        ("wordless", "added_without_texts:RULES", "the package of its texts, ''"),
        ("classy", "tilesight_bloody:BloodyHands", "is a class"),
        ("empty", "tilesight_bloody:HOUSE", "is no rule set"),
        ("other", "tilesight_bloody:BLOODY", "calls itself 'bloody'"),
        ("wsom", "tilesight_bloody:BLOODY", "tilesight has a rule set of this id"),
        ("bloody", "tilesight_bloody:BLOODY", "another package adds one of this id"),
    ],
)
def test_a_package_that_cannot_be_used_costs_one_line(
    site: Path, tmp_path: Path, name: str, value: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    metadata(tmp_path, "house-rules", name, value)
    (tmp_path / "added_that_exits.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "added_without_texts.py").write_text(
        "from dataclasses import replace\nfrom tilesight_bloody import BLOODY\n"
        "RULES = replace(BLOODY, id='wordless', texts='')\n"
    )
    with known(tmp_path), known(site):
        fault = RULE_SETS.faults[name]
        assert fault.startswith(f"rule set {name!r} of the package ")
        assert says in fault
        assert "\n" not in fault
        assert [*RULE_SETS][: len(BUILT_IN)] == [rules.id for rules in BUILT_IN]
        assert (ID in RULE_SETS) is (name != ID)
        assert run(["score", "film.mp4", "--rules", name]) == 2
        assert capsys.readouterr().err == f"tilesight: {fault}\n"
        assert run(["replay", str(GAMES / "wsom.jsonl")]) == 1


@pytest.mark.parametrize(
    ("part", "value", "says"),
    [
        ("wall", "{'1m': 4}", "its wall is no object of engine.rules.wall.Wall"),
        (
            "hands",
            "BloodyHands",
            "its hands is no object of engine.rules.between_hands.BetweenHands",
        ),
        ("payment", "BloodyPayment", "its payment is no object of engine.rules.payment.Payment"),
        ("claims", "BloodyClaims", "its claims is no object of engine.rules.claims.ClaimRules"),
        ("turns", "None", "its turns is no object of engine.rules.turns.Turns"),
        ("judge", "print", "its judge is no object of engine.rules.verdict.Judge"),
        ("indicators", "()", "its indicators is no object of engine.rules.indicators.Indicators"),
        ("teaching", "''", "its teaching is no object of engine.rules.teaching.Teaching"),
        ("layout", "'rows'", "its layout is no object of engine.rules.layout.TableLayout"),
        ("page", "{}", "its page is no object of engine.rules.base.PageNeeds"),
    ],
)
def test_a_part_of_another_type_is_refused_before_a_game(
    site: Path, tmp_path: Path, part: str, value: str, says: str
) -> None:
    module = f"added_with_odd_{part}"
    metadata(tmp_path, "house-rules", "odd", f"{module}:RULES")
    (tmp_path / f"{module}.py").write_text(
        "from dataclasses import replace\nfrom tilesight_bloody import *\n"
        f"RULES = replace(BLOODY, id='odd', {part}={value})\n"
    )
    with known(tmp_path), known(site):
        assert "odd" not in RULE_SETS
        assert RULE_SETS.faults["odd"].endswith(f" is not used: {module}:RULES: {says}")


@pytest.mark.parametrize(
    ("part", "base", "name"),
    [
        ("turns", "engine.rules.turns.Turns", "lying_open"),
        ("claims", "engine.rules.claims.ClaimRules", "codes"),
        ("claims", "engine.rules.claims.ClaimRules", "most_kongs"),
        ("judge", "engine.rules.verdict.Judge", "completing"),
        ("indicators", "engine.rules.indicators.Indicators", "visible_to"),
        ("hands", "tilesight_bloody.BloodyHands", "left_undone"),
        ("teaching", "engine.rules.teaching.Teaching", "must_open"),
        ("layout", "engine.rules.layout.TableLayout", "rolls_in_play"),
    ],
)
def test_a_rule_set_for_an_earlier_version_is_refused_and_not_played_by_other_rules(
    site: Path, tmp_path: Path, part: str, base: str, name: str
) -> None:
    module = f"added_with_former_{name}"
    metadata(tmp_path, "house-rules", "former", f"{module}:RULES")
    of, class_name = base.rsplit(".", 1)
    (tmp_path / f"{module}.py").write_text(
        f"from dataclasses import replace\nfrom tilesight_bloody import *\n"
        f"from {of} import {class_name}\n"
        f"class Mine({class_name}):\n    def {name}(self, *_):\n        return ()\n"
        f"RULES = replace(BLOODY, id='former', {part}=Mine())\n"
    )
    with known(tmp_path), known(site):
        fault = RULE_SETS.faults.get("former", "")
    assert f"{module}:RULES: its {part} has {name}, which nobody asks for any more; now " in fault
    assert "\n" not in fault


def test_what_a_rule_set_says_in_the_way_of_an_earlier_version_is_not_read_as_something_else(
    site: Path, tmp_path: Path
) -> None:
    module = f"added_with_{tmp_path.name}"
    metadata(tmp_path, "house-rules", "former", f"{module}:RULES")
    (tmp_path / f"{module}.py").write_text(
        "from dataclasses import replace\nfrom tilesight_bloody import *\n"
        "from engine.rules.pattern_game import FourRounds\n"
        "RULES = replace(BLOODY, id='former', hands=FourRounds(('dealer', 'honba')))\n"
    )
    with known(tmp_path), known(site):
        fault = RULE_SETS.faults.get("former", "")
    assert "FourRounds.__init__() takes 1 positional argument but 2 were given" in fault
    assert "\n" not in fault


@pytest.mark.parametrize(
    ("follows", "says"),
    [
        ("{'3': {}}", "its option 'ante' has no value '3'"),
        ("{'2': {'win_refused': 7}}", "expected names in payments, glossary, problems and options"),
        ("{'2': 'win_refused'}", "AttributeError"),
        ("None", "TypeError"),
    ],
)
def test_consequences_by_an_option_are_checked_before_a_game(
    site: Path, tmp_path: Path, follows: str, says: str
) -> None:
    module = f"added_with_{tmp_path.name}"
    metadata(tmp_path, "house-rules", "odd", f"{module}:RULES")
    (tmp_path / f"{module}.py").write_text(
        "from dataclasses import replace\nfrom tilesight_bloody import *\n"
        f"ANTE = replace(BLOODY.options[0], follows={follows})\n"
        "RULES = replace(BLOODY, id='odd', options=(ANTE,))\n"
    )
    with known(tmp_path), known(site):
        assert says in RULE_SETS.faults.get("odd", "")


def test_a_house_rule_can_be_a_key() -> None:
    for rules in BUILT_IN:
        assert len({*rules.options}) == len(rules.options)


def test_no_former_member_of_a_part_has_come_back() -> None:
    assert [rules.id for rules in BUILT_IN if former_member(rules) is not None] == []
