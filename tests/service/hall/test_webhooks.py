"""A hall tells other programs what happens: signed, repeated until taken, nothing hidden."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from engine.errors import Refused
from service.hall import webhooks
from service.hall.database import open_database
from service.hall.watched_table import WatchedTable
from service.hall.webhooks import AT_ONCE, MessageQueue, WebhookSettings
from service.web import background
from tests.support.documentation import read
from tests.support.halls import LINES, HallServed, hall_at, on_sqlite
from tests.support.patience import PATIENCE_S, until
from tests.support.peers import dripping, handling
from tests.support.served import serving


class Listener:
    """Takes what is posted to it; it refuses the first ``refused`` messages."""

    def __init__(self) -> None:
        self.refused = 0
        self.refuses_with = 503
        self.asked = 0
        self.taken: list[tuple[dict[str, str], str]] = []

    def kinds(self) -> list[str]:
        return [json.loads(body)["type"] for _, body in self.taken]

    def data(self, kind: str) -> list[dict[str, Any]]:
        told = [json.loads(body) for _, body in self.taken]
        return [one["data"] for one in told if one["type"] == kind]


@contextmanager
def listening() -> Iterator[tuple[Listener, str]]:
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            listener.asked += 1
            refuses = listener.asked <= listener.refused
            if not refuses:
                listener.taken.append(
                    ({name.lower(): value for name, value in self.headers.items()}, body)
                )
            self.send_response(listener.refuses_with if refuses else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with handling(Handler) as url:
        yield listener, url


def settings(folder: Path, *urls: str, every: bool = False) -> WebhookSettings:
    return WebhookSettings.read(urls, folder / "webhook.secret", every)


def post_game(hall: HallServed, record: str = "a.jsonl") -> None:
    for first in range(0, len(LINES), 100):
        assert hall.post("north", LINES[first : first + 100], first, record=record).status == 200


def test_hands_and_games_are_told_once_and_signed(database: str, tmp_path: Path) -> None:
    with listening() as (listener, url):
        told = settings(tmp_path, url)
        with hall_at(database, webhooks=told) as hall:
            hall.add("north", title="North")
            post_game(hall)
            assert hall.post("north", LINES[-50:], len(LINES) - 50).status == 200  # sent again
            until(lambda: "game.ended" in listener.kinds())
    kinds = listener.kinds()
    assert kinds[0] == "game.started"
    assert kinds.count("hand.started") == kinds.count("hand.ended") == 5
    assert [kind for kind in kinds if kind != "needs"][-1] == "game.ended"
    assert len({headers["webhook-id"] for headers, _ in listener.taken}) == len(listener.taken)
    for headers, body in listener.taken:
        assert Webhook(told.secret).verify(body, headers) == json.loads(body)
        with pytest.raises(WebhookVerificationError):
            Webhook(told.secret).verify(body.replace("North", "South"), headers)
    ended = listener.data("game.ended")[0]
    assert (ended["table"], ended["title"], ended["record"]) == ("north", "North", "a.jsonl")
    assert ended["points"] == [20600, 34000, 16000, 29400]
    hands = listener.data("hand.ended")[0]["hand"]
    said = [str(hands[lang]["payouts"][-1]["rows"]) for lang in ("en", "zh", "ja")]
    assert len(set(said)) == 3


def test_the_receiver_of_the_documentation_prints_messages_like_the_one_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = read("docs/hall.md")
    text = text[text.index("## Webhooks") :]
    (sample,) = re.findall(r"```json\n(.*?)```", text, re.S)
    receiver = re.findall(r"```python\n(.*?)```", text, re.S)[0]
    own = [line for line in receiver.splitlines() if line and "import" not in line]
    assert len(own) <= 5
    settings(tmp_path)
    monkeypatch.chdir(tmp_path)
    printed: list[str] = []
    known: dict[str, Any] = {"print": lambda message: printed.append(str(message))}
    exec(receiver, known)
    with serving(known["app"]) as server:
        told = settings(tmp_path, server.url + "/")
        with hall_at(str(tmp_path / "hall.sqlite3"), webhooks=told) as hall:
            hall.add("north", title="North")
            post_game(hall)

            until(lambda: any("game.ended" in line for line in printed))
    messages = [ast.literal_eval(line) for line in printed]
    (true,) = [message for message in messages if message["type"] == "game.ended"]
    shown = json.loads(sample)
    assert (shown.keys(), shown["data"].keys()) == (true.keys(), true["data"].keys())
    assert shown["data"]["points"] == true["data"]["points"]


@on_sqlite
def test_what_is_not_taken_is_posted_again_also_by_the_next_program(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "AGAIN_S", (0.0,) * 9)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    with listening() as (listener, url):
        listener.refused = 3
        said: list[str] = []
        with hall_at(
            database, webhooks=settings(tmp_path, "http://127.0.0.1:9/"), say=said.append
        ) as hall:
            hall.add("north")
            post_game(hall)
            until(lambda: said)
            assert said[0].startswith("the webhook 127.0.0.1: it took no message: [Errno ")
            (failing,) = hall.server.json("/health")["background"]
            assert failing["name"] == "the webhook 127.0.0.1"
        with hall_at(database, webhooks=settings(tmp_path, url)) as hall:
            assert hall.post("north", LINES, record="b.jsonl").status == 200
            until(lambda: "game.ended" in listener.kinds())
    assert {one["record"] for one in listener.data("hand.ended")} == {"b.jsonl"}, (
        "messages for an address that is no longer given are dropped"
    )
    assert listener.asked == 3 + len(listener.taken)


def test_an_address_that_never_answers_holds_up_no_other_nor_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "ANSWER_S", 10 * PATIENCE_S)
    with dripping() as peer, listening() as (listener, url):
        told = settings(tmp_path, peer.url, url)
        with hall_at(str(tmp_path / "hall.sqlite3"), webhooks=told) as hall:
            hall.add("north")
            post_game(hall)
            until(lambda: "game.ended" in listener.kinds())
            assert peer.came.is_set()
            assert not peer.left.is_set()
        assert peer.left.wait(PATIENCE_S)


def test_a_message_that_is_refused_holds_up_no_other(tmp_path: Path) -> None:
    said: list[str] = []
    with listening() as (listener, url):
        listener.refused, listener.refuses_with = 1, 400
        told = settings(tmp_path, url)
        database = str(tmp_path / "hall.sqlite3")
        with hall_at(database, webhooks=told, say=said.append) as hall:
            hall.add("north")
            post_game(hall)
            until(lambda: "game.ended" in listener.kinds())
    assert said == []


def test_a_table_whose_news_cannot_be_made_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    made = webhooks.news_of

    def news_of(watched: WatchedTable, *given: Any) -> Any:
        if watched.table.name == "north":
            raise RuntimeError("a fault of the program")
        return made(watched, *given)

    monkeypatch.setattr(webhooks, "news_of", news_of)
    with listening() as (listener, url):
        hall_of_two = hall_at(str(tmp_path / "hall.sqlite3"), webhooks=settings(tmp_path, url))
        with hall_of_two as hall:
            for name in ("north", "south"):
                hall.add(name)
                assert hall.post(name, LINES[:100], 0).status == 200
            until(lambda: listener.data("hand.started"))
    assert {one["table"] for one in listener.data("hand.started")} == {"south"}


def test_an_address_waits_as_a_whole_and_by_itself(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    queue = MessageQueue(engine)
    queue.add([(f"{number:03}", "{}") for number in range(60)], ["a", "b"], None)
    assert len(queue.due("a")) == len(queue.due("b")) == AT_ONCE
    assert queue.postpone("a", only="007") == 0
    assert "007" not in {row.id for row in queue.due("a")}
    assert queue.postpone("a") == 0
    assert (queue.due("a"), len(queue.due("b"))) == ([], AT_ONCE)
    queue.add([("new", "{}")], ["a"], None)
    assert [row.id for row in queue.due("a")] == ["new"]
    monkeypatch.setattr(webhooks, "AGAIN_S", (0.0,))
    queue.postpone("b")
    queue.add([("new", "{}")], ["b"], None)
    assert queue.postpone("b") == 60, "they had their last attempt"
    assert [row.id for row in queue.due("b")] == ["new"]
    queue.forget_others(["a"])
    assert queue.due("b") == []
    engine.dispose()


@on_sqlite
def test_a_correction_and_a_need_are_told_and_nothing_hidden_is(
    database: str, tmp_path: Path
) -> None:
    named = LINES[0] | {"players": ["A", "B", "C", "D"]}
    with (
        listening() as (listener, url),
        hall_at(database, webhooks=settings(tmp_path, url, every=True)) as hall,
    ):
        key = hall.add("north")
        assert hall.post("north", LINES[:60]).status == 200
        correction = {"type": "correct", "of": 0, "events": [named]}
        assert hall.post("north", [correction], 60).status == 200
        trouble = {"trouble": "no picture comes", "trouble_kind": "gone"}
        hall.told("POST", "tables/north/condition", trouble, key)
        until(lambda: {"corrected", "needs"} <= set(listener.kinds()))
    assert listener.data("corrected")[0]["of"] == 0
    assert listener.data("needs")[-1]["needs"][0]["what"] == "trouble"
    drawn = [one["told"]["en"] for one in listener.data("event") if one["event"] == "Draw"]
    assert drawn
    assert all("tile" not in str(parts) or "?" in str(parts) for parts in drawn)


@on_sqlite
def test_messages_of_one_moment_are_posted_in_order(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    queue = MessageQueue(engine)
    monkeypatch.setattr("service.hall.webhooks.time.time", lambda: 1.8e9)
    ids = ["9-hand.ended", "9-game.ended", "10-hand.started"]
    queue.add([(name, "{}") for name in ids], ["a", "b"], None)
    monkeypatch.setattr("service.hall.webhooks.time.time", lambda: 1.8e9 + 1)
    assert [row.id for row in queue.due("a")] == [row.id for row in queue.due("b")] == ids
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "secret", "sentence"),
    [
        ("ftp://example.org", None, "expects an address such as https://example.org, not ftp"),
        ("http://", None, "expects an address such as"),
        ("https://example.org", "%%%", "holds no secret"),
        ("https://example.org", "", "holds no secret"),
    ],
)
def test_settings_that_cannot_work_are_refused(
    tmp_path: Path, url: str, secret: str | None, sentence: str
) -> None:
    file = tmp_path / "webhook.secret"
    if secret is not None:
        file.write_text(secret)
    with pytest.raises(Refused, match=sentence):
        WebhookSettings.read([url], file, every=False)


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first, again = (settings(tmp_path, "https://example.org") for _ in range(2))
    assert first.secret == again.secret
    assert first.secret.startswith("whsec_")
    assert (tmp_path / "webhook.secret").stat().st_mode & 0o077 == 0
    assert first.secret not in repr(first)
