"""Declares the addresses of a hall's programming interface, with descriptions and examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import quote

from fastapi import Depends, FastAPI, Request, Response, Security
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from engine.rules import GAMES
from service.access.gate import in_english
from service.hall.access import NO_DATABASE, refuse_all_but_admin
from service.pages.api_v1 import KEY, UNREADABLE, VERSION, Example, described
from service.report.public import Json, page_needs
from service.words.catalogue import rules_title, rules_titles

FILES: Final = {
    "tables/{name}/record": "application/jsonl",
    "leagues/{number}/csv": "text/csv",
    "players/csv": "text/csv",
    "archive/hands/csv": "text/csv",
    "archive/readings/{number}/files/{name:path}": "application/octet-stream",
}
"""Addresses that answer with a file instead of JSON, and its content type."""
Handler = Callable[..., Any]


async def _by_admin(request: Request) -> None:
    refuse_all_but_admin(request)


class Routes:
    """Adds addresses with their descriptions and examples to an application."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def __call__(
        self,
        method: str,
        path: str,
        takes: type[BaseModel] | None = None,
        *,
        admin: bool = False,
        example: Example | None = None,
    ) -> Callable[[Handler], Handler]:
        """``takes``: the body of a route that reads it itself; ``example``: its own."""
        files = [FILES[path]] if path in FILES else []
        schema = None if takes is None else takes.model_json_schema()
        return self._app.api_route(
            VERSION + path,
            methods=[method],
            response_class=Response if files else JSONResponse,
            responses={422: UNREADABLE, 503: {"description": in_english(NO_DATABASE)}},
            openapi_extra=described(example or EXAMPLES.get((method, path)), schema, files),
            dependencies=[Security(KEY), *([Depends(_by_admin)] if admin else [])],
        )


def file_of(name: str, text: str, media_type: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return Response(text, media_type=media_type, headers={"Content-Disposition": disposition})


_GAME: Final = GAMES[-1]
_RULES: Final[Json] = {
    "rules": _GAME.id,
    "rules_title": rules_title(_GAME.id),
    "rules_titles": rules_titles(_GAME.id),
}
_LEAGUE: Final[Json] = {"id": 1, "name": "Club league", "season": "2026", **_RULES}
_STANDING: Final[Json] = {
    "rank": 1,
    "player": 1,
    "name": "Anna",
    "games": 2,
    "points": 31_400,
    "average_points": 15_700.0,
    "average_place": 1.5,
    "places": [1, 1, 0, 0],
}
_KEY: Final[Json] = {
    "id": 1,
    "role": "table",
    "table": "north",
    "label": "North table",
    "made_s": 1_790_000_000.0,
    "revoked_s": None,
}
_ROW: Final[Json] = {
    "name": "north",
    "title": "North table",
    "league": None,
    "record": "friday.jsonl",
    "lines": 2,
    **_RULES,
    "phase": "to_discard",
    "hand": 1,
    "round": "1z",
    "shows": page_needs(_GAME.id),
    "dealer": 0,
    "names": ["Anna", "Bo", "Chie", "Dan"],
    "points": [30_000, 30_000, 30_000, 30_000],
    "said": [],
    "since_line_s": 4.2,
    "needs": [],
}
_PAGE: Final[Json] = {
    "name": "north",
    "title": "North table",
    **_RULES,
    "lines": 2,
    "table": {},
    "happened": [],
    "announced": [],
}
_GAME_START: Final[Json] = {
    "type": "game_start",
    "rules": _GAME.id,
    "players": ["Anna", "Bo", "Chie", "Dan"],
}

_COUNTS: Final[Json] = {
    "hands": 20,
    "wins": 5,
    "self_draws": 2,
    "dealt_in": 3,
    "won_points": 24_000,
    "paid_points": 11_700,
    "called": 7,
    "ready": 4,
    "decisions": 160,
    "mistakes": 12,
}
_PERSON: Final[Json] = {
    "id": 1,
    "name": "Anna",
    "rank": 1,
    "rating": 1_562.4,
    "games": 2,
    "points": 31_400,
    "average_place": 1.5,
    "places": [1, 1, 0, 0],
    **_COUNTS,
    "average_won": 4_800.0,
    "average_paid": 3_900.0,
}
_PLAYED: Final[Json] = {
    "table": "North table",
    "record": "friday.jsonl",
    "ended_s": 1_790_000_000.0,
    "rules": _GAME.id,
    "place": 1,
    "points": 21_000,
    "rating": 1_562.4,
    **_COUNTS,
    "rules_titles": rules_titles(_GAME.id),
}

EXAMPLES: Final[Mapping[tuple[str, str], Example]] = {
    ("GET", "tables"): Example({"type": "hall", "tables": [_ROW]}),
    ("POST", "tables"): Example(
        {"name": "north", "key": "a-long-random-word"}, {"name": "north", "title": "North table"}
    ),
    ("GET", "tables/{name}"): Example(_PAGE),
    ("PUT", "tables/{name}"): Example({"name": "north"}, {"title": "North table", "league": None}),
    ("GET", "tables/{name}/lines"): Example({"record": "friday.jsonl", "lines": 2}),
    ("POST", "tables/{name}/lines"): Example(
        {"record": "friday.jsonl", "lines": 2},
        {"record": "friday.jsonl", "from": 0, "lines": [_GAME_START, {"type": "hand_start"}]},
    ),
    ("POST", "tables/{name}/condition"): Example(
        {"name": "north"},
        {"trouble": "no picture comes from the camera", "trouble_kind": "gone", "questions": 1},
    ),
    ("GET", "tables/{name}/records"): Example(
        {"records": [{"id": 1, "name": "friday.jsonl", "lines": 2, "league": None}]}
    ),
    ("PUT", "tables/{name}/league"): Example(
        {"record": "friday.jsonl", "league": 1}, {"record": "friday.jsonl", "league": 1}
    ),
    ("GET", "keys"): Example({"keys": [_KEY]}),
    ("POST", "keys"): Example(
        {"role": "viewer", "key": "a-long-random-word"},
        {"role": "viewer", "label": "screen in the hall"},
    ),
    ("DELETE", "keys/{number}"): Example({"id": 1}),
    ("GET", "rules"): Example({"rules": [_GAME.id], "titles": [rules_titles(_GAME.id)]}),
    ("GET", "leagues"): Example({"leagues": [_LEAGUE]}),
    ("POST", "leagues"): Example(
        _LEAGUE, {"name": "Club league", "season": "2026", "rules": _GAME.id}
    ),
    ("GET", "players"): Example(
        {
            "people": [_PERSON],
            "rules": [{"rules": _GAME.id, "rules_titles": rules_titles(_GAME.id)}],
        }
    ),
    ("GET", "players/{number}"): Example(
        {"person": _PERSON, "names": ["Anna", "Anna K."], "games": [_PLAYED]}
    ),
    ("PUT", "players/{number}"): Example({"id": 1}, {"name": "Anna"}),
    ("POST", "players/{number}/join"): Example({"id": 1}, {"other": 2}),
    ("POST", "players/{number}/part"): Example({"id": 1}, {"name": "Anna K."}),
    ("DELETE", "players/{number}"): Example({"id": 1}),
    ("GET", "leagues/{number}"): Example({"league": _LEAGUE, "people": [_STANDING], "games": []}),
}
