"""What the documentation says of yaku is so."""

from __future__ import annotations

from mahjong.hand_calculating.yaku_config import YakuConfig

from engine.rules.riichi import han_fu as riichi_score
from engine.rules.riichi.tables import YAKU, YAKUMAN
from engine.rules.riichi.yaku import DORA, YAKUMAN_HAN
from tests.support.documentation import named, read, rows

TOLD = {named(row[0])[0]: row[1:3] for row in rows(read("docs/riichi.md"), "yaku")}


def test_every_yaku_is_told_and_no_other() -> None:
    assert list(TOLD) == [*YAKU, *YAKUMAN, *DORA]


def test_the_fan_of_closed_and_open_hands_are_told() -> None:
    # The package counts waits that some tables double as two yakuman until it is told otherwise.
    counted = {
        riichi_score._IDS[one.yaku_id]: [one.han_closed, one.han_open]
        for one in vars(YakuConfig()).values()
        if one.yaku_id in riichi_score._IDS
    }
    assert {name: TOLD[name] for name in counted} == {
        name: [str(min(han, YAKUMAN_HAN) or "-") for han in both] for name, both in counted.items()
    }
    assert set(counted) == {*YAKU, *YAKUMAN}
