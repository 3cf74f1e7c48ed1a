"""Public games replayed: what the engine says beside what was really paid.

``python -m tests.support.log_corpus`` replays every game that the shared data holds, prints each
difference and the counts; ``python -m tests.support.log_corpus 10`` every tenth game.
"""

from __future__ import annotations

import os
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.announce import GameResult, HandResult, Payout, Problem
from engine.events import DrawnHand, HandStart, Reveal
from engine.game import Game
from engine.logs.logged_games import LoggedHand, played_games, worth_of
from engine.logs.mjlog import read_mjlog
from engine.state import State

SHARED = os.environ.get("TILESIGHT_SHARED")
ARCHIVE = "phoenix_hanchan_jan1-4.tar.gz"
_TAG = re.compile(r"<(INIT|AGARI|RYUUKYOKU) ([^>]*)>")
_FIELD = re.compile(r'(\w+)="([^"]*)"')


YAKU = (
    *("menzen_tsumo", "riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei", "pinfu"),
    *("tanyao", "iipeikou"),
    *("seat_wind",) * 4,
    *("round_wind",) * 4,
    *("haku", "hatsu", "chun", "double_riichi", "chiitoitsu", "chanta", "ittsu"),
    *("sanshoku_doujun", "sanshoku_doukou", "sankantsu", "toitoi", "sanankou", "shousangen"),
    *("honroutou", "ryanpeikou", "junchan", "honitsu", "chinitsu", "renhou", "tenhou", "chiihou"),
    *("daisangen", "suuankou", "suuankou_tanki", "tsuuiisou", "ryuuiisou", "chinroutou"),
    *("chuuren", "chuuren_nine", "kokushi", "kokushi_thirteen", "daisuushii", "shousuushii"),
    *("suukantsu", "riichi_dora", "ura_dora", "red_five"),
)
"""By the site's numbers."""


@dataclass(frozen=True)
class Win:
    """One win as the log has it."""

    seat: int
    from_seat: int
    deltas: tuple[int, ...]
    yaku: tuple[tuple[str, int], ...]
    """With the fan of each; 13 for a yakuman."""
    fu: int | None
    """None for a yakuman."""
    points: int
    """Without counters and deposits."""


@dataclass(frozen=True)
class Told:
    """One hand as the log has it, read without the importer."""

    dealer: int
    round: int
    """0 east, 1 south."""
    honba: int
    deposits: int
    deltas: tuple[int, ...]
    """What the result moved."""
    points: tuple[int, ...]
    """Totals after the hand."""
    wins: tuple[Win, ...]
    tenpai: frozenset[int] | None
    """Hands shown after a wall that was used up; None for any other end."""
    final: tuple[int, ...] | None
    """Totals at the end of the game, of its last hand only."""


@dataclass
class Found:
    """What a replay led to."""

    hands: int = 0
    wins: int = 0
    drawn: int = 0
    events: int = 0

    def __post_init__(self) -> None:
        self.differences: list[str] = []


def logs() -> Iterator[tuple[str, str]]:
    """Name and text of every game."""
    with tarfile.open(Path(SHARED or "") / "data" / "riichi" / "logs" / ARCHIVE) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            file = archive.extractfile(member) if member.name.endswith(".xml") else None
            if file is not None:
                yield Path(member.name).stem, file.read().decode("utf-8")


def told(text: str) -> list[Told]:
    """Every hand of a log."""
    hands: list[Told] = []
    start: Mapping[str, str] = {}
    results: list[tuple[str, Mapping[str, str]]] = []

    def close() -> None:
        if start:
            hands.append(_hand(start, results))

    for tag, fields in _TAG.findall(text):
        given = dict(_FIELD.findall(fields))
        if tag == "INIT":
            close()
            start, results = given, []
        else:
            results.append((tag, given))
    close()
    return hands


def _hand(start: Mapping[str, str], results: list[tuple[str, Mapping[str, str]]]) -> Told:
    seed = [int(part) for part in start["seed"].split(",")]
    moved = [[int(part) for part in given["sc"].split(",")] for _, given in results]
    deltas = tuple(100 * sum(sc[2 * seat + 1] for sc in moved) for seat in range(4))
    before = moved[0]
    last = results[-1][1]
    exhausted = results[-1][0] == "RYUUKYOKU" and "type" not in last
    shown = frozenset(seat for seat in range(4) if f"hai{seat}" in last)
    owari = last.get("owari")
    return Told(
        dealer=int(start["oya"]),
        round=seed[0] // 4,
        honba=seed[1],
        deposits=seed[2],
        deltas=deltas,
        points=tuple(100 * before[2 * seat] + deltas[seat] for seat in range(4)),
        wins=tuple(_win(given) for tag, given in results if tag == "AGARI"),
        tenpai=shown if exhausted else None,
        final=tuple(100 * int(part) for part in owari.split(",")[::2]) if owari else None,
    )


def _win(given: Mapping[str, str]) -> Win:
    pairs = _numbers(given.get("yaku", ""))
    listed = [(YAKU[one], fan) for one, fan in zip(pairs[::2], pairs[1::2], strict=True) if fan]
    yakuman = [(YAKU[number], 13) for number in _numbers(given.get("yakuman", ""))]
    fu, points, _ = _numbers(given["ten"])
    return Win(
        seat=int(given["who"]),
        from_seat=int(given["fromWho"]),
        deltas=tuple(100 * moved for moved in _numbers(given["sc"])[1::2]),
        yaku=tuple(sorted(yakuman or listed)),
        fu=None if yakuman else fu,
        points=points,
    )


def _numbers(written: str) -> list[int]:
    return [int(part) for part in written.split(",") if part]


def _won(hand: LoggedHand) -> tuple[Win, ...]:
    """The wins of a hand as we pay them, in the log's terms."""
    wins = []
    for paid in hand.wins:
        seat, from_seat = paid.win.seat, paid.win.from_seat
        worth = worth_of(hand.start, paid)
        wins.append(
            Win(
                seat,
                from_seat,
                paid.deltas,
                tuple(sorted((item.name, item.value) for item in worth.yaku)),
                None if worth.limit else worth.fu,
                worth.total(seat == hand.start.dealer, seat == from_seat),
            )
        )
    return tuple(wins)


def compare(name: str, text: str, found: Found) -> None:
    """Replay one game and add what differs from the log."""
    hands = told(text)
    game = Game()
    number = -1
    points: tuple[int, ...] = ()

    def differ(what: str, expected: object, got: object) -> None:
        if expected != got:
            hand = hands[number]
            where = f"{'ESWN'[hand.round]}{hand.dealer + 1}-{hand.honba}"
            found.differences.append(
                f"{name} hand {number} ({where}), {what}: the log has {expected}, we {got}"
            )

    entries = read_mjlog(text).entries
    (played,) = played_games(entries)
    for entry in entries:
        event = entry.event
        before = game.state
        said = game.submit(entry)
        found.events += 1
        if isinstance(event, HandStart):
            number += 1
            found.hands += 1
            found.wins += len(hands[number].wins)
            differ("wins", hands[number].wins, _won(played.hands[number]))
            found.drawn += not hands[number].wins
        if isinstance(event, DrawnHand) and hands[number].tenpai is not None:
            differ("ready at the end", sorted(hands[number].tenpai or ()), _ready(game, before))
        for one in said:
            match one:
                case Problem():
                    told_of = f"{one.code} of seat {one.seat} at {type(event).__name__}"
                    differ("problem", None, told_of)
                case Payout():
                    points = one.points
                case HandResult():
                    differ("deltas", hands[number].deltas, game.state.paid)
                    differ("points", hands[number].points, points)
                    if number + 1 < len(hands):
                        following = hands[number + 1]
                        expected = (
                            following.dealer,
                            following.round,
                            following.honba,
                            following.deposits,
                        )
                        got = (one.dealer, one.round.rank - 1, one.honba, one.deposits)
                        differ("next dealer, round, counters, deposits", expected, got)
                case GameResult():
                    final = hands[-1].final or ()
                    differ("final points", final, one.points)
                    differ("places", _places(final), one.places)
        if isinstance(event, Reveal) and hands[number].tenpai is not None:
            differ("shown hand", True, game.state.players[event.seat].shown)


def _ready(game: Game, state: State) -> list[int]:
    """Seats whose hands wait for a tile, furiten or not."""
    rules = game.rules
    assert rules is not None
    return [seat for seat in range(4) if rules.waits(state, seat)]


def _places(points: tuple[int, ...]) -> tuple[int, ...]:
    """Ties go to who sat nearer to the first dealer."""
    order = sorted(range(4), key=lambda seat: (-points[seat], seat))
    return tuple(order.index(seat) + 1 for seat in range(4))


def report(every: int = 1) -> Found:
    """Replay every so manieth game."""
    found = Found()
    for place, (name, text) in enumerate(logs()):
        if place % every == 0:
            compare(name, text, found)
    return found


def main() -> None:
    found = report(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    kinds = Counter(line.split(", ")[1].split(":")[0] for line in found.differences)
    print(*found.differences, sep="\n")
    print(f"{found.hands} hands, {found.wins} wins, {found.drawn} drawn, {found.events} events")
    print(f"{len(found.differences)} differences: {dict(kinds)}")


if __name__ == "__main__":
    main()
