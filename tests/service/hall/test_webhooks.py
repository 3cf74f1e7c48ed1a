"""A hall tells other programs what happens: signed, and nothing hidden."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from engine.errors import Refused
from service.hall import hall as hall_module
from service.hall.webhooks import WebhookSettings
from tests.support.documentation import read
from tests.support.halls import LINES, hall_at, on_sqlite
from tests.support.patience import until
from tests.support.served import serving
from tests.support.webhook_listener import TROUBLE, listening, post_game, settings


def test_hands_and_games_are_told_once_and_signed(database: str, tmp_path: Path) -> None:
    with listening() as (listener, url):
        told = settings(tmp_path, url)
        with hall_at(database, webhooks=told) as hall:
            hall.add("north", title="North")
            post_game(hall)
            assert hall.post("north", LINES[-50:], len(LINES) - 50).status == 200  # sent again
            until(lambda: "game.ended" in listener.kinds())
    # What a table needs is told beside what it records.
    kinds = [kind for kind in listener.kinds() if kind != "needs"]
    assert kinds[0] == "game.started"
    assert kinds.count("hand.started") == kinds.count("hand.ended") == 5
    assert kinds[-1] == "game.ended"
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


def test_a_need_that_is_refused_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    with listening() as (listener, url):
        listener.refused, listener.refuses_with = 1, 400
        database = str(tmp_path / "hall.sqlite3")
        with hall_at(database, webhooks=settings(tmp_path, url), say=said.append) as hall:
            key = hall.add("north")
            hall.told("POST", "tables/north/condition", TROUBLE, key)
            until(lambda: said)
    assert said == ["the webhook 127.0.0.1 refused to be told who is needed at north"]


@on_sqlite
def test_that_nobody_is_needed_any_more_is_told_after_a_restart(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "LOOK_S", 0.05)
    with listening() as (listener, url):
        told = settings(tmp_path, url)
        with hall_at(database, webhooks=told) as hall:
            key = hall.add("north")
            hall.told("POST", "tables/north/condition", TROUBLE, key)
            until(lambda: listener.data("needs"))
        assert listener.data("needs")[-1]["needs"] != []
        monkeypatch.setattr(hall_module, "SILENT_S", 0.0)
        with hall_at(database, webhooks=told):
            until(lambda: listener.data("needs")[-1]["needs"] == [])


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
        hall.told("POST", "tables/north/condition", TROUBLE, key)
        until(lambda: {"corrected", "needs"} <= set(listener.kinds()))
    assert listener.data("corrected")[0]["of"] == 0
    assert listener.data("needs")[-1]["needs"][0]["what"] == "trouble"
    drawn = [one["told"]["en"] for one in listener.data("event") if one["event"] == "Draw"]
    assert drawn
    assert all("tile" not in str(parts) or "?" in str(parts) for parts in drawn)


@pytest.mark.parametrize(
    ("url", "secret", "sentence"),
    [
        ("ftp://example.org", None, "expects an address such as https://example.org, not ftp"),
        ("http://", None, "expects an address such as"),
        ("https://[::1", None, "expects an address such as"),
        ("https://example.org:99999", None, "expects an address such as"),
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
