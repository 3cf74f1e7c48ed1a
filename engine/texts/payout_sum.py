"""Why a win is worth what it is: the sum, and who pays it, as a beginner follows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod

from engine.announce import Item, Payout
from engine.events import Seat
from engine.rules.riichi.win_facts import YAKUMAN_BASE, YAKUMAN_HAN
from engine.stories import MENDING
from engine.texts.figures import plain
from engine.texts.files import filled

TextOf = Callable[..., str]
"""Returns the text of a key with its gaps filled in."""


def sum_of(payout: Payout, texts: Mapping[str, str], say: TextOf) -> str | None:
    """The sum such as ``1 (own draw) × 2 (banker) = 2``; None where one seat did not win.

    Items in points, factors, han and fu are parts of the sum. All others only explain.
    """
    if payout.seat is None or _mends(payout):
        return None
    by_unit: dict[str, list[Item]] = {}
    for item in payout.items:
        by_unit.setdefault(item.unit, []).append(item)
    points, times = by_unit.get("points", []), by_unit.get("times", [])
    won = payout.deltas[payout.seat]
    if "han" in by_unit:
        return _of_han(by_unit, won - sum(item.value for item in points), won, texts, say)
    value = sum(item.value for item in points) * prod(item.value for item in times)
    if len(points) > 2 and 2 * points[0].value == value:
        points, value = points[1:], points[0].value  # the first names the sum of the others
    parts = [
        say("sum.part", value=item.value, name=say(f"item.{item.name}"))
        for item in (*points, *times)
    ]
    if len(parts) < 2 or (times and len(points) > 1) or not _is_paid(payout, value):
        return None  # limits and liabilities change what is paid: the items tell how
    return say("sum", parts=(" × " if times else " + ").join(parts), value=plain(value))


def limit_of(base: int, texts: Mapping[str, str]) -> str | None:
    """What riichi calls a hand of so many base points; None for one below mangan."""
    if base > YAKUMAN_BASE and f"limit.{base}" not in texts:
        return filled(texts["limit.times"], {"times": base // YAKUMAN_BASE})
    return texts.get(f"limit.{base}")


def _mends(payout: Payout) -> bool:
    """Whether it only changes an earlier payout."""
    return any(item.name in MENDING for item in payout.items)


def _is_paid(payout: Payout, value: int) -> bool:
    losses = [-delta for delta in payout.deltas if delta < 0]
    return value in (max(losses, default=0), sum(losses))


def _of_han(
    by_unit: Mapping[str, Sequence[Item]],
    worth_alone: int,
    won: int,
    texts: Mapping[str, str],
    say: TextOf,
) -> str:
    han = sum(item.value for item in by_unit["han"])
    fu = next((item.value for item in by_unit.get("fu", ())), None)
    base = next((item.value for item in by_unit.get("base", ())), 0)
    limit = limit_of(base, texts)
    if limit and any(item.value >= YAKUMAN_HAN for item in by_unit["han"]):
        worth = say("sum.yakuman", limit=limit, value=plain(worth_alone))
    elif limit:
        worth = say("sum.limit", han=han, limit=limit, value=plain(worth_alone))
    else:
        worth = say("sum.han", han=han, fu=fu, value=plain(worth_alone))
    more = [
        say("sum.more", value=plain(item.value), name=say(f"item.{item.name}"))
        for item in by_unit.get("points", ())
    ]
    return worth if not more else say("sum", parts=worth + "".join(more), value=plain(won))


def _one_pays(payout: Payout, name: Callable[[Seat], str], say: TextOf) -> Iterator[str]:
    """Whom the only payer pays where nobody won, such as for a chombo.

    Deposits that go back hide what each was paid.
    """
    payers = [seat for seat, delta in enumerate(payout.deltas) if delta < 0]
    if len(payers) != 1 or payout.pot:
        return
    for seat, delta in enumerate(payout.deltas):
        if delta > 0:
            yield say("sum.pays", seat=name(payers[0]), winner=name(seat), value=plain(delta))


def who_pays(payout: Payout, name: Callable[[Seat], str], say: TextOf) -> Iterator[str]:
    """One sentence for each amount that somebody pays."""
    if _mends(payout):
        return
    if payout.seat is None:
        yield from _one_pays(payout, name, say)
        return
    payers: dict[int, list[Seat]] = {}
    for seat, delta in enumerate(payout.deltas):
        if delta < 0:
            payers.setdefault(-delta, []).append(seat)
    winner = name(payout.seat)
    for amount, seats in sorted(payers.items(), reverse=True):
        value = plain(amount)
        if len(seats) == 1:
            yield say("sum.pays", seat=name(seats[0]), winner=winner, value=value)
        else:
            listed = say("between").join(map(name, seats))
            yield say("sum.pay_each", payers=listed, winner=winner, value=value)
