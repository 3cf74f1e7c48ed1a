"""Han and fu of a riichi hand from the ``mahjong`` package; no other module uses the package.

The package names yaku and counts fu for every reading of the hand. The reading that the table pays
most for is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mahjong.hand_calculating.fu import FuCalculator
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.scores import ScoresCalculator, ScoresResult
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld as PackageMeld

from engine.rules.riichi.tables import YAKU, YAKUMAN
from engine.rules.riichi.win_facts import YAKUMAN_BASE, YAKUMAN_HAN, WinFacts, base_points
from engine.state import EAST, SetKind
from engine.tiles import KINDS, REDS, Tile

Yaku = tuple[tuple[str, int], ...]
"""Ids and han of yaku."""


@dataclass(frozen=True)
class RiichiReading:
    """The reading of a complete hand that pays most."""

    fu: int
    yaku: Yaku
    """Yaku without dora, or yakuman with 13 han each; empty for a hand without yaku."""


def read_hand(
    facts: WinFacts, options: Mapping[str, object], *, renhou: bool, dora: int
) -> RiichiReading | None:
    """Return the best reading; None for an incomplete hand.

    ``renhou``: the hand is a blessing of man, and that is a yakuman. ``dora``: number of dora of
    all sorts, which helps decide which reading pays most.
    """
    hand = hand_of(facts)
    if hand is None:
        return None
    config = _config(
        _circumstances(facts, renhou),
        facts.seat_wind.place,
        facts.round_wind.place,
        bool(options["open_tanyao"]),
        options["thirteen_fan"] == "yakuman",
        bool(options["rounded_mangan"]),
        dora,
    )
    return _reading(*hand, config, options["double_wind_pair"] == SINGLE_PAIR)


_PACKAGE_NAMES: Final = {
    "double_riichi": "daburu_riichi",
    "menzen_tsumo": "tsumo",
    "iipeikou": "iipeiko",
    "seat_wind": "seat_wind_",
    "round_wind": "round_wind_",
    "sanshoku_doujun": "sanshoku",
    "chanta": "chantai",
    "sanshoku_doukou": "sanshoku_douko",
    "honroutou": "honroto",
    "shousangen": "shosangen",
    "ryanpeikou": "ryanpeiko",
    "kokushi_thirteen": "daburu_kokushi",
    "chuuren": "chuuren_poutou",
    "chuuren_nine": "daburu_chuuren_poutou",
    "ryuuiisou": "ryuisou",
    "chinroutou": "chinroto",
    "tsuuiisou": "tsuisou",
    "shousuushii": "shosuushi",
    "daisuushii": "daisuushi",
}
"""The package's names where they differ; a name ending in ``_`` has one for each wind."""

_IDS: Final = {
    known.yaku_id: name
    for name in (*YAKU, *YAKUMAN)
    for attribute, known in vars(YakuConfig()).items()
    if (called := _PACKAGE_NAMES.get(name, name)) == attribute
    or (called.endswith("_") and attribute.startswith(called))
}
_ORDER: Final = {name: place for place, name in enumerate((*YAKU, *YAKUMAN))}
_SETS: Final = {
    SetKind.CHOW: (PackageMeld.CHI, True),
    SetKind.PUNG: (PackageMeld.PON, True),
    SetKind.OPEN_KONG: (PackageMeld.KAN, True),
    SetKind.ADDED_KONG: (PackageMeld.SHOUMINKAN, True),
    SetKind.CLOSED_KONG: (PackageMeld.KAN, False),
}

SINGLE_PAIR: Final = 2
"""Fu of a pair that counts."""
_DOUBLE_PAIR: Final = FuCalculator.DOUBLE_VALUED_PAIR
_HAND_SIZE: Final = 14
_COPIES: Final = 4
_PLACE: Final = {code: Tile(code).kind.place for code in (*KINDS, *REDS)}
"""Index of each tile's kind; a hidden tile has none."""

_Set = tuple[SetKind, tuple[int, ...]]
"""A declared set: its kind, and its tiles as indices of kinds."""
PackageHand = tuple[tuple[int, ...], tuple[_Set, ...], int]
"""Undeclared tiles, declared sets, the winning tile."""


def hand_of(facts: WinFacts) -> PackageHand | None:
    """The tiles as sorted indices of kinds. None where they cannot be a hand."""
    if len(facts.tiles) + 3 * len(facts.melds) != _HAND_SIZE:
        return None
    try:
        tiles = sorted([_PLACE[tile] for tile in facts.tiles])
        tile = _PLACE[facts.tile]
        sets = sorted(
            (meld.kind, tuple(sorted([_PLACE[tile] for tile in meld.tiles])))
            for meld in facts.melds
        )
    except KeyError:
        return None
    if tile not in tiles or any(kind not in _SETS for kind, _ in sets):
        return None
    every = sorted((*tiles, *(place for _, places in sets for place in places)))
    if any(place == other for place, other in zip(every, every[_COPIES:], strict=False)):
        return None
    return tuple(tiles), tuple(sets), tile


def _circumstances(facts: WinFacts, renhou_yakuman: bool) -> tuple[str, ...]:
    """Flags to set in the package's configuration; contradictions of a record are left out."""
    drawn, east = facts.drawn, facts.seat_wind == EAST
    riichi = facts.closed and (facts.riichi or facts.double_riichi)
    first = facts.first_turn and drawn and not facts.melds
    replaced = facts.after_kong and drawn
    robbed = facts.robbed_kong and not drawn
    flags = {
        "is_tsumo": drawn,
        "is_riichi": riichi,
        "is_daburu_riichi": riichi and facts.double_riichi,
        "is_ippatsu": riichi and facts.ippatsu,
        "is_rinshan": replaced,
        "is_chankan": robbed,
        # The last tile does not count if it is a replacement tile (EMA 2016, haitei).
        "is_haitei": facts.last_tile and drawn and not replaced,
        "is_houtei": facts.last_tile and not drawn and not robbed,
        "is_tenhou": first and east,
        "is_chiihou": first and not east,
        "is_renhou": renhou_yakuman,
    }
    return tuple(name for name, is_set in flags.items() if is_set)


@lru_cache(maxsize=1 << 10)
def _config(
    flags: tuple[str, ...],
    seat_wind: int,
    round_wind: int,
    open_tanyao: bool,
    thirteen_is_yakuman: bool,
    rounded_mangan: bool,
    dora: int,
) -> HandConfig:
    """Configure the package; dora are passed as the same number of north tiles set aside."""
    rules = OptionalRules(
        has_open_tanyao=open_tanyao,
        has_double_yakuman=False,
        kazoe_limit=(
            HandConfig.KAZOE_LIMITED if thirteen_is_yakuman else HandConfig.KAZOE_SANBAIMAN
        ),
        kiriage=rounded_mangan,
        renhou_as_yakuman=True,
        limit_to_sextuple_yakuman=False,
    )
    config = HandConfig(
        player_wind=seat_wind, round_wind=round_wind, options=rules, num_nuki_dora=dora
    )
    for flag in flags:
        setattr(config, flag, True)
    return config


class _Ranking(ScoresCalculator):
    """Ranks the readings of a hand by what the table pays."""

    @staticmethod
    def calculate_scores(
        han: int, fu: int, config: HandConfig, is_yakuman: bool = False
    ) -> ScoresResult:
        if is_yakuman:
            base = YAKUMAN_BASE * (han // YAKUMAN_HAN)
        else:
            limited = config.options.kazoe_limit == HandConfig.KAZOE_LIMITED
            base = base_points(han, fu, limited, config.options.kiriage)
        return ScoresResult(
            main=0,
            additional=0,
            main_bonus=0,
            additional_bonus=0,
            kyoutaku_bonus=0,
            total=base,
            yaku_level="",
        )


@lru_cache(maxsize=1 << 12)
def _package_set(declared: _Set) -> PackageMeld:
    kind, places = declared
    name, is_open = _SETS[kind]
    return PackageMeld(name, [_COPIES * place for place in places], opened=is_open)


@lru_cache(maxsize=1 << 15)
def _reading(
    tiles: tuple[int, ...],
    sets: tuple[_Set, ...],
    tile: int,
    config: HandConfig,
    single_wind_pair: bool,
) -> RiichiReading | None:
    """Score the hand with the package.

    ``config`` comes from ``_config``, which makes one object for each combination, so its identity
    can be a cache key. ``single_wind_pair``: a pair of the seat's and the round's wind counts once.
    The package has no such rule; every reading that it compares has the same pair of winds.
    """
    every = sorted((*tiles, *(place for _, places in sets for place in places)))
    # The package numbers the four copies of a kind; any copy will do here.
    numbered = [_COPIES * place + every[:at].count(place) for at, place in enumerate(every)]
    result = HandCalculator.estimate_hand_value(
        numbered,
        _COPIES * tile,
        melds=[_package_set(declared) for declared in sets],
        config=config,
        scores_calculator_factory=_Ranking,
    )
    if result.error == HandCalculator.ERR_NO_YAKU:
        return RiichiReading(0, ())
    if result.error is not None or result.yaku is None or result.fu is None:
        return None
    yaku = sorted(
        (
            (_IDS[counted.yaku_id], counted.han_open if result.is_open_hand else counted.han_closed)
            for counted in result.yaku
            if counted.yaku_id in _IDS
        ),
        key=lambda row: _ORDER[row[0]],
    )
    fu = result.fu
    details = result.fu_details or ()
    if single_wind_pair and any(detail["reason"] == _DOUBLE_PAIR for detail in details):
        fu = -(-(sum(detail["fu"] for detail in details) - SINGLE_PAIR) // 10) * 10
    return RiichiReading(fu, tuple(yaku))
