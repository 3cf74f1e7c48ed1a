"""A rehearsal of a plain game: its cards, when each was done, what was told, the set laid out."""

from __future__ import annotations

import json
from datetime import date

import numpy as np

from engine.rehearsal import SILVER, Share, cards_of
from engine.rules import RULE_SETS
from engine.tiles import KINDS
from service.table.certificate import Conditions, TableCertificate
from tests.support.harbin_game import RECORD
from vision.detect import Detection
from vision.tile_set.enroll import LaidOutSet
from vision.tiles.classes import FACE_INDEX, FACES, Side

RULES = "sichuan"
"""Its cards: discards, pung, arms, river, open_hand, wash."""
IDS = [card.id for card in cards_of(RULE_SETS[RULES])]
BEGUN = [1.0, 14.0, 16.0, 21.0, 23.0, 25.0, 35.0]
"""When each card is done in a film of ``FILM_S`` seconds."""
FILM_S = 36
LINES = """
{"type":"game_start","rules":"sichuan","t":0.5,"source":"camera"}
{"type":"hand_start","t":1,"source":"camera"}
""" + "\n".join(
    json.dumps({"type": "discard", "seat": n % 4, "tile": f"{1 + n % 9}m", "t": 2.0 + n * 0.9,
                "source": "camera"})
    for n in range(12)
) + """
{"type":"discard","seat":0,"tile":"9p","t":14.2,"source":"camera"}
{"type":"pung","seat":2,"from":0,"tile":"9p","own":["9p","9p"],"t":14.8,"source":"camera"}
{"type":"discard","seat":2,"tile":"8p","t":15.6,"source":"camera"}
{"type":"reveal","seat":3,"tiles":["1s","1s"],"t":23.5,"source":"camera"}
"""  # fmt: skip


def laid(wrong: int = 0) -> LaidOutSet:
    """A set laid out of which the first tiles are read as another kind."""
    tiles, faces = [], []
    for number, kind in enumerate(KINDS):
        x, y = 10 + 30 * (number % 9), 10 + 40 * (number // 9)
        corners = np.array([[x, y], [x + 20, y], [x + 20, y + 30], [x, y + 30]], np.float32)
        shares = np.zeros(len(FACES), np.float32)
        shares[FACE_INDEX["7z" if number < wrong else kind]] = 1.0
        tiles.append(Detection(Side.FACE, corners, 0.9, shares, 0.5))
        faces.append(FACE_INDEX[kind])
    return LaidOutSet(tuple(tiles), tuple(faces), ())


TODAY = date(2026, 11, 29)
CORNERS = ((0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9))
WAS = Conditions("camera 0", "", "064273f391265147", CORNERS, 20.0, 180.0, 0.3, "harbin-hlr")
HOLDS = TableCertificate(TODAY, SILVER, Share(22, 23), Share(34, 34), 0.8, WAS)
"""A certificate that holds."""

CHANGE = "opened@0.7@0,100"


def told(confidence: float) -> list[str]:
    """A hand that a camera saw won, line by line; it is so sure of the win."""
    lines = RECORD.splitlines()[:9]
    lines[-1] = lines[-1].removesuffix("}") + (
        f',"confidence":{confidence},"source":"camera","change":"{CHANGE}"}}'
    )
    return lines
