"""What a table answers to people who correct, rule, answer and agree, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.codec import event_to_json
from engine.events import Discard, Event, Indicator
from engine.tiles import Tile
from service.app import create_app
from service.pages.settings import PageSettings
from service.table.dispute import Dispute
from service.table.live_table import LiveTable, TableSettings
from service.table.pictures import Pictures
from service.web.rights import VERSION
from tests.support.discard_film import Looker, filmed
from tests.support.goldens.asking import Asking, running
from tests.support.goldens.kept import Goldens
from tests.support.goldens.tables import RECORD, new_keys, roles, until_ended
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines
from tests.support.told_reader import AskingTold
from vision.decoder.question import AnswerChoice, EventPlace, Question, QuestionTile
from vision.table.view import TableView

VIEW: Final = TableView(
    ((100.0, 20.0), (540.0, 20.0), (540.0, 340.0), (100.0, 340.0)), (800, 800), (640, 360)
)
CORNERS: Final = [[0.2, 0.1], [0.8, 0.1], [0.8, 0.9], [0.2, 0.9]]
FOUL_LINE: Final = 19
"""The line in which the foul is told below."""
DEVICE: Final = "a browser's random word"


def _question(what: str, time_s: float, *choices: Sequence[Event]) -> Question:
    tile = QuestionTile(((0.4, 0.4), (0.45, 0.4), (0.45, 0.52), (0.4, 0.52)), True, 0.0)
    told = tuple(AnswerChoice(tuple(each), 0.6 / (1 + at)) for at, each in enumerate(choices))
    return Question(EventPlace(what, time_s, round(100 * time_s), 20), told, 3, (tile,))


QUESTIONS: Final = (
    _question("laid", 0.2, [Discard(0, Tile("9m"))], [Discard(0, Tile("8m"))], []),
    _question("laid", 1.1, [Discard(1, Tile("6m"))], [Discard(1, Tile("5m"))]),
    _question("turned", 0.5, [Indicator(Tile("1m"), "dora")], [Indicator(Tile("2m"), "dora")]),
)
_THROWN: Final = {"type": "discard", "seat": 2, "tile": "4p"}
_CHOW: Final = {"type": "chow", "seat": 3, "from": 2, "tile": "4p", "own": ["3p", "5p"]}
_FOUL: Final = {"type": "foul", "seat": 1, "offence": "exposed_tile", "tiles": ["1m"]}


async def write_and_rule(kept: Goldens, folder: Path, prefix: str) -> set[str]:
    """Keep what is answered at ``/api`` or at the addresses for other programs."""
    pictures = Pictures.kept_in(folder / "pictures")
    settings = TableSettings("harbin-hlr", "game.mp4", record_name=RECORD, pictures=pictures)
    table = LiveTable(AskingTold(ENTRIES, QUESTIONS, VIEW), filmed(), KeptLines(), settings)
    keys = new_keys()
    pages = PageSettings(keys=keys, dispute=Dispute(pictures, Looker), without_key=None)
    app = create_app(table, pages)
    own = prefix == "/api"
    async with running(app):
        await until_ended(table)
        asking = Asking(app, kept, "tables/written" if own else "tables/written-by-programs")
        async with asking.socket("/ws", keys.viewer, "viewer") as page:
            await page.heard(1)
            for path in _pictures(prefix):
                await asking.read(path, roles(keys))
            if own:
                await _sockets(asking, keys.viewer)
            for number, (path, body) in enumerate(_changes(own)):
                for who, key in roles(keys).items():
                    # Others are refused, or what they do would be done twice.
                    if number == 0 or who in ("viewer", "scorer"):
                        lines = len(table.game.entries)
                        sent = {**body, "lines": lines} if _needs_lines(path) else body
                        await asking.change("POST", f"{prefix}/{path}", sent, key)
            for path, body in _taught():
                for who in (keys.seats[0], keys.teacher, keys.viewer):
                    await asking.change("POST", f"{prefix}/{path}", body, who)
            for path, body in _run_by_admin(own):
                await asking.change("POST", f"{prefix}/{path}", body, keys.viewer)
                await asking.change("POST", f"{prefix}/{path}", body, keys.control)
                if path == "highlights":  # nothing is kept of this table
                    await asking.change("DELETE", f"{prefix}/{path}", None, keys.viewer)
                    await asking.change("DELETE", f"{prefix}/{path}", None, keys.control)
                if path == "agreed":
                    await asking.read(f"{prefix}/events/3/clip", {"viewer": keys.viewer})
        return asking.missing()


def _pictures(prefix: str) -> list[str]:
    of_questions = [
        f"questions/{question.id}/{what}" for question in QUESTIONS for what in ("picture", "tiles")
    ]
    shown = ("pictures/0", "events/3/pictures", "events/3/crop", "questions", "agreed")
    return [f"{prefix}/{path}" for path in (*shown, *of_questions)]


async def _sockets(asking: Asking, key: str) -> None:
    async with asking.socket("/ws/picture", key, "viewer") as page:
        page.say({})
        await page.heard(1)
    async with asking.socket("/ws/stream", key, "viewer") as page:
        page.say({"delay_s": 30})
        await page.heard(1)
    async with asking.socket(f"{VERSION}/listen", key, "viewer") as page:
        await page.heard(1)


def _needs_lines(path: str) -> bool:
    return path.split("/")[0] in ("events", "corrections", "undo", "redo", "fouls", "next")


def _changes(own: bool) -> list[tuple[str, dict[str, Any]]]:
    """What people ask for, in the order of an evening; the first by every role."""
    first = event_to_json(Discard(1, Tile("6m")))
    return [
        *([("enter", {})] if own else []),
        ("events/preview", {"event": _THROWN}),
        ("events", {"event": _THROWN}),
        ("events", {"event": {"type": "dance"}}),
        ("corrections/preview", {"of": 8, "do": "remove", "leftovers": True}),
        ("corrections", {"of": 12, "do": "replace", "events": [first | {"tile": "7m"}]}),
        ("corrections", {"of": 12, "do": "confirm", "ruled_by": "Referee"}),
        ("corrections", {"of": 99, "do": "remove"}),
        ("undo", {}),
        ("redo", {}),
        ("events", {"event": _CHOW}),
        ("events", {"event": _FOUL}),
        ("fouls", {"of": FOUL_LINE, "place": 0, "do": "confirm"}),
        ("fouls", {"of": FOUL_LINE, "place": 0, "do": "cancel"}),
        ("fouls", {"of": 99, "place": 0, "do": "cancel"}),
        ("answers", {"id": QUESTIONS[0].id, "choice": 1}),
        ("answers", {"id": "none", "choice": 1}),
        ("reread", {"of": 3}),
        ("corners", {"corners": CORNERS}),
        ("next", {}),
        ("events", {"event": {"type": "drawn_hand", "reason": "exhausted"}}),
        ("events", {"event": {"type": "hand_end"}}),
        ("next", {"names": ["Anna", "Bo", "Chen", "Zoe"]}),
        ("agreed", {"clips": True}),
        ("agreed", {"clips": False}),
    ]


def _taught() -> list[tuple[str, dict[str, Any]]]:
    """What a player shares, and what the teacher asks for then."""
    return [
        ("sharing", {"on": True}),
        ("teacher", {"device": DEVICE}),
        ("teacher/report", {"device": DEVICE}),
        ("practice", {"rules": "wsom"}),
        ("sharing", {"on": False}),
    ]


def _run_by_admin(own: bool) -> list[tuple[str, dict[str, Any]]]:
    of_the_machine: list[tuple[str, dict[str, Any]]] = [
        ("network", {"serve": True}),
        ("keys", {"renew": True, "seat": 1}),
        ("keys", {"renew": True}),
        ("code", {"code": "ABC"}),
    ]
    return [
        ("agreed", {"spectators": True, "clips": True}),
        ("highlights", {}),
        ("lessons", {"topics": ["waits"]}),
        ("lessons", {"topics": []}),
        ("first-hand", {"on": True}),
        ("first-hand", {"at": 2}),
        ("first-hand", {"on": False}),
        ("shadow", {"moved": [3, -1, -1, -1]}),
        ("rehearsal", {"done": 0}),
        ("games", {"number": 0}),
        ("guest", {"device": DEVICE}),
        ("guest", {"device": DEVICE, "seat": 1}),
        *(of_the_machine if own else []),
    ]
