"""An example of a request and its answer for each address of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.rules import DEFAULT
from service.report.public import Json, page_needs
from service.words.catalogue import rules_title, rules_titles


@dataclass(frozen=True)
class Example:
    """A request to a table whose record has 13 lines, and the answer."""

    answer: Json
    asked: Json | None = None
    """None for requests without a body."""


def _written(number: int, corrected: int | None = None) -> Json:
    return {"number": number, "lines": number + 1, "corrected": corrected, "said": []}


_DISCARD: Final[Json] = {"type": "discard", "seat": 2, "tile": "4p"}
_HAPPENED: Final[Json] = {
    "number": 12,
    "place": 0,
    "by_person": False,
    "t": 4.0,
    "confidence": 0.5,
    "event": {"type": "discard", "seat": 1, "tile": "5m"},
    "seat": 1,
    "parts": ["Bo discards", {"tile": "5m"}],
    "told": {"en": ["Bo discards", {"tile": "5m"}]},
}
_PLAYER: Final[Json] = {
    "hand": ["?"] * 13,
    "shown": False,
    "ready": False,
    "melds": [],
    "river": [{"tile": "5m", "ready": False, "claimed_by": None}],
}
_STEP: Final[Json] = {
    "number": 0,
    "t": 0.0,
    "event": "GameStart",
    "hand": None,
    "told": {"en": ["a game begins"]},
}

EXAMPLES: Final[Mapping[tuple[str, str], Example]] = {
    ("GET", "events"): Example({"lines": 13, "events": [_HAPPENED]}),
    ("POST", "events"): Example(_written(13), {"event": _DISCARD, "lines": 13}),
    ("POST", "corrections"): Example(
        _written(13, corrected=12), {"of": 12, "do": "replace", "events": [_DISCARD], "lines": 13}
    ),
    ("POST", "undo"): Example(_written(14, corrected=13), {"lines": 14}),
    ("POST", "redo"): Example(_written(15, corrected=14), {"lines": 15}),
    ("GET", "fouls"): Example({"lines": 13, "fouls": []}),
    ("POST", "fouls"): Example(
        _written(14, corrected=13), {"of": 13, "do": "confirm", "lines": 14}
    ),
    ("GET", "questions"): Example({"lines": 13, "questions": []}),
    ("POST", "answers"): Example({"lines": 14}, {"id": "12-1", "choice": 0}),
    ("POST", "reread"): Example(
        {
            "picture": 31,
            "tiles": [
                {
                    "tile": "9m",
                    "likely": [{"tile": "9m", "share": 0.81}, {"tile": "8m", "share": 0.12}],
                }
            ],
            "part": "data:image/jpeg;base64,",
        },
        {"of": 12, "place": 0},
    ),
    ("GET", "table"): Example(
        {
            "rules": DEFAULT,
            "phase": "to_draw",
            "hand": 2,
            "round": "1z",
            "dealer": 1,
            "staying": 1,
            "honba": 0,
            "turn": 2,
            "wall_left": 59,
            "points": [-3, -1, 5, -1],
            "pot": 0,
            "names": ["Anna", "Bo", "Chen", "Dana"],
            "winners": [],
            "indicators": [],
            "wild": [],
            "last_discard": {"seat": 1, "tile": "5m"},
            "players": [_PLAYER, _PLAYER, _PLAYER, _PLAYER],
            "shows": page_needs(DEFAULT),
        }
    ),
    ("GET", "hands"): Example(
        {
            "lines": 13,
            "games": [
                {
                    "rules": DEFAULT,
                    "rules_title": rules_title(DEFAULT),
                    "rules_titles": rules_titles(DEFAULT),
                    "shows": page_needs(DEFAULT),
                    "names": ["Anna", "Bo", "Chen", "Dana"],
                    "start": [0, 0, 0, 0],
                    "hands": [],
                    "points": [-3, -1, 5, -1],
                    "places": None,
                    "ended": False,
                }
            ],
        }
    ),
    ("GET", "replay"): Example({"lines": 13, "steps": [_STEP]}),
    ("GET", "replay/{step}"): Example(
        {"number": 3, "t": 0.2, "table": {}, "said": [], "picture": None}
    ),
    ("GET", "events/{number}/ways"): Example(
        {
            "lines": 13,
            "problems": 1,
            "ways": [
                {
                    "do": "replace",
                    "problems": 0,
                    "events": [_DISCARD],
                    "parts": [["Chen discards", {"tile": "4p"}]],
                    "told": [{"en": ["Chen discards", {"tile": "4p"}]}],
                }
            ],
        }
    ),
    ("GET", "events/{number}/pictures"): Example(
        {"t": 4.0, "pictures": [{"number": 31, "t": 3.8}]}
    ),
    ("GET", "stream"): Example({"address": "http://localhost:8000/stream#KEY", "watching": ""}),
    ("GET", "standings"): Example(
        {"people": [{"name": "Anna", "games": 2, "average": 1.5, "points": 12}]}
    ),
}
