"""What is told of hands that are over: results, a replay, downloads; and what is not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from engine.codec import read_record
from engine.game import replay
from engine.texts.files import LANGUAGES
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES, MIDDLE, table_of
from tests.support.served import Served, served


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES), KEYS) as server:
        server.wait_for_end()
        yield server


def test_every_hand_is_told_with_what_it_paid_and_who_deals_next(server: Served) -> None:
    (game,) = server.json("/api/hands")["games"]
    assert (len(game["hands"]), game["ended"]) == (12, True)
    assert sorted(game["places"]) == [1, 2, 3, 4]
    points = game["start"]
    for hand in game["hands"]:
        before, points = points, hand["points"]
        moved = [after - own for after, own in zip(points, before, strict=True)]
        assert moved == hand["deltas"]
        assert bool(hand["wins"]) is not bool(hand["drawn"])
        assert hand["payouts"]
    won = next(hand for hand in game["hands"] if hand["wins"])
    (win,) = won["wins"]
    tiles = win["hand"] + [tile for meld in win["melds"] for tile in meld["tiles"]]
    assert len(tiles) - sum(len(meld["tiles"]) == 4 for meld in win["melds"]) == 13
    assert len(won["payouts"][-1]["rows"]) >= 2
    texts = []
    for lang in LANGUAGES:
        (game,) = server.json(f"/api/hands?lang={lang}")["games"]
        texts.append([hand["next"]["text"] for hand in game["hands"] if hand["next"] is not None])
    assert len({str(said) for said in texts}) == len(LANGUAGES) - 1, "a variant says the same"


def test_the_replay_shows_every_moment_as_everybody_saw_it(server: Served) -> None:
    steps = server.json("/api/replay")["steps"]
    assert len(steps) == len(ENTRIES)
    last = server.json(f"/api/replay/{len(steps) - 1}")
    assert last["table"]["points"] == list(replay(ENTRIES).state.points)
    first = server.json(f"/api/replay/{MIDDLE}")
    then = replay(ENTRIES[: MIDDLE + 1]).state
    rivers = [[str(one.tile) for one in player.river] for player in then.players]
    shown = [[one["tile"] for one in player["river"]] for player in first["table"]["players"]]
    assert shown == rivers
    assert first["picture"] is None
    for step in range(0, len(steps), 40):
        for player in server.json(f"/api/replay/{step}")["table"]["players"]:
            assert player["shown"] or set(player["hand"]) <= {"?"}
    for bad in (-1, len(steps)):
        assert server.get(f"/api/replay/{bad}").status == 404
    refused = server.get("/api/replay/first")
    assert refused.status == 422
    assert json.loads(refused.text)["detail"] == '"step" in the address: expected a whole number'


def test_a_moment_of_the_replay_is_the_view_that_was_shown_then(server: Served) -> None:
    with served(table_of(ENTRIES[: MIDDLE + 1]), KEYS) as earlier:
        earlier.wait_for_end()
        with earlier.socket("/ws") as socket:
            then = json.loads(socket.recv(timeout=10))
    again = server.json(f"/api/replay/{MIDDLE}")
    assert again.keys() == then.keys()
    own = {"lines", "acts", "said", "happened", "announced"}
    assert {name for name in then if again[name] != then[name]} <= own
    assert again["lines"] == len(ENTRIES), "a correction is meant for the whole record"
    assert again["happened"] == then["happened"][-1:]
    assert again["announced"] == then["announced"][-1:]
    last = again["happened"][-1]["number"]
    assert again["said"] == [one for one in then["announced"] if one["of"] == last]


def test_a_game_that_no_viewer_reads_is_refused_in_words() -> None:
    record = '{"type":"game_start","rules":"harbin-hlr"}\n{"type":"hand_start"}\n'
    with served(table_of(read_record(record), "harbin-hlr"), KEYS) as server:
        server.wait_for_end()
        answer = server.get("/api/download/tenhou6", key=KEYS.control)
        assert answer.status == 422
        assert "riichi" in json.loads(answer.text)["detail"]


def test_a_table_on_which_nothing_has_happened_has_no_hands() -> None:
    with served(table_of([]), KEYS) as server:
        server.wait_for_end()
        assert server.json("/api/hands")["games"] == []
        assert server.json("/api/replay")["steps"] == []
        assert server.get("/api/download/csv").status == 200
