"""Short logs of other programs, whole and in parts."""

from __future__ import annotations

import json

SEED = 'seed="0,0,0,1,2,135" ten="250,250,250,250" oya="0"'

HANDS = " ".join(
    f'hai{seat}="{",".join(str(4 * kind + seat) for kind in range(13))}"' for seat in range(4)
)
"""Each seat holds one to nine of characters and one to four of dots."""

INIT = f"<INIT {SEED} {HANDS}/>"

START = '{"type":"start_game","names":["A","B","C","D"]}\n'

DEALT = [["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "2p", "3p", "4p"]] * 4

HAND = (
    json.dumps(
        {
            "type": "start_kyoku",
            "bakaze": "E",
            "kyoku": 1,
            "honba": 0,
            "kyotaku": 0,
            "oya": 0,
            "dora_marker": "C",
            "scores": [25000] * 4,
            "tehais": DEALT,
        }
    )
    + "\n"
)

LIVE = START + HAND


def xml(inside: str, game_type: int = 9) -> str:
    return f'<mjloggm ver="2.3"><GO type="{game_type}"/>{inside}</mjloggm>'


def rounds(**changes: object) -> str:
    """A tenhou.net/6 log of one hand, drawn as soon as it is dealt, with these parts changed."""
    dealt = [11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24]
    parts: dict[str, object] = {
        "start": [0, 0, 0],
        "points": [25000] * 4,
        "dora": [47],
        "under": [],
        "takes": [37],
        "gives": [],
        "result": ["九種九牌"],
        "last": dealt,
    } | changes
    hand = [parts["start"], parts["points"], parts["dora"], parts["under"]]
    hand += [dealt, parts["takes"], parts["gives"], dealt, [], [], dealt, [], []]
    hand += [parts["last"], [], [], parts["result"]]
    names = ["A", "B", "C", "D"]
    game = {"name": names, "rule": {"disp": "般南喰赤", "aka": 1}, "log": [hand]}
    return json.dumps(game, ensure_ascii=False)
