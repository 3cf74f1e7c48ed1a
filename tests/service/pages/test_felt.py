"""The drawn table has one geometry: in the worst cases that play can bring, nothing overlaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.events import Entry, GameStart
from engine.game import replay
from service.report.public import public_table
from tests.support.browsing import opened
from tests.support.live_table import played
from tests.support.modules import name_exports
from tests.support.served import served

Json = dict[str, object]

SQUARE: Final = {"width": 1000, "height": 1000}
NAMES: Final = ("Anna-Maria Wolkenstein", "Bo", "西園寺エリザベート花子", "Dan")
KAN: Final = {"kind": "open_kong", "tiles": ["1m"] * 4, "claimed": "1m"}
ADDED: Final = {"kind": "added_kong", "tiles": ["0p", "5p", "5p", "5p"], "claimed": "5p"}
CLOSED: Final = {"kind": "closed_kong", "tiles": ["back", "7z", "7z", "back"]}
CHOW: Final = {"kind": "chow", "tiles": ["1s", "2s", "3s"], "claimed": "2s"}
FLOWERS: Final = [{"kind": "flower", "tiles": [f"{rank}f"]} for rank in range(8, 0, -1)]
DORA: Final = [{"kind": "dora", "tile": "1m"}, *[{"kind": "kan_dora", "tile": "9p"}] * 4]
URA: Final = [{"kind": "ura_dora", "tile": "5z"}] * 5


def player(
    discards: int = 24,
    sets: tuple[Mapping[str, object], ...] = (),
    hand: int = 14,
    ready: int | None = None,
    **shown: object,
) -> Json:
    """A player who has so many tiles in the river and in the hand."""
    river = [
        {"tile": f"{at % 9 + 1}p", "ready": at == ready, "claimed_by": None}
        for at in range(discards)
    ]
    melds = [{"claimed": None, "from": None, **each} for each in sets]
    own: Json = {"hand": ["2m"] * hand, "drawn": None, "shown": False, "ready": ready is not None}
    return {**own, "melds": melds, "river": river, **shown}


def fed(kind: Mapping[str, object], *givers: int) -> tuple[Mapping[str, object], ...]:
    return tuple({**kind, "from": giver} for giver in givers)


MIXED: Final = (*fed(CHOW, 3), *fed(ADDED, 2, 1), CLOSED)
CASES: Final[dict[str, list[Json]]] = {
    "nothing yet": [player(0, hand=0)] * 4,
    "dealt": [player(0, hand=13)] * 4,
    "a tile drawn": [player(5)] * 4,
    "24 discards": [player(24)] * 4,
    "riichi in every row": [player(24, ready=at) for at in (3, 8, 14, 23)],
    "four open kongs": [
        player(24, fed(KAN, *([seat] * 4)), hand=2, ready=20) for seat in (1, 2, 3, 0)
    ],
    "four added kongs": [
        player(24, fed(ADDED, *([(seat + 1) % 4] * 4)), hand=2) for seat in range(4)
    ],
    "all kinds of sets": [player(24, MIXED, hand=2)] * 4,
    "eight flowers": [player(24, tuple(FLOWERS), hand=14)] * 4,
    "eight flowers and four kongs": [player(24, (*fed(KAN, 1, 2, 3, 1), *FLOWERS), hand=2)] * 4,
    "four open hands": [player(24, shown=True, drawn="2m", ready=17)] * 4,
    "open hands and sets": [player(24, MIXED[:2], hand=8, shown=True, drawn="2m")] * 4,
}

OVERLAPS: Final = """() => {
  const near = 0.6, found = [];
  const felt = document.querySelector("#table svg").getBoundingClientRect();
  const part = (from, to) => ({
    left: felt.left + from * felt.width, right: felt.left + to * felt.width,
    top: felt.top + from * felt.height, bottom: felt.top + to * felt.height,
  });
  const within = (one, other) =>
    one.left > other.left - near && one.right < other.right + near &&
    one.top > other.top - near && one.bottom < other.bottom + near;
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > near &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > near;
  const boxes = [...document.querySelectorAll(
    "#table :is(.piece > use, .standing, .stick), #table :is(.plate, .middle) text"
  )].map((element) => {
    const { left, right, ...line } = element.getBoundingClientRect().toJSON();
    const ink = element.matches("text") ? [0.16, 0.12] : [0, 0]; // a line is higher than letters
    const group = element.closest("g");
    return {
      left, right, top: line.top + ink[0] * line.height,
      bottom: line.bottom - ink[1] * line.height,
      is: `${group.getAttribute("class")} ${element.textContent || group.dataset.code}`,
      river: element.closest(".river"), edge: element.closest(".edge"), set: group.dataset.set,
      inConsole: element.closest(".plate, .middle") !== null || element.matches(".stick"),
    };
  });
  boxes.forEach((one, at) => {
    if (!within(one, part(0, 1))) found.push(`${one.is} leaves the felt`);
    const placed = one.inConsole ? within(one, part(0.32, 0.68)) : !meet(one, part(0.32, 0.68));
    if (!placed) found.push(`${one.is} crosses the edge of the console`);
    for (const other of boxes.slice(at + 1)) {
      // The last row of a long river is squeezed, and the fourth tile of a kong lies on the third.
      const squeezed = one.river !== null && one.river === other.river;
      const added = one.edge !== null && one.edge === other.edge && one.set === other.set;
      if (!squeezed && !(added && one.set !== undefined) && meet(one, other)) {
        found.push(`${one.is} on ${other.is}`);
      }
    }
  });
  return [...new Set(found)];
}"""
"""What lies upon something else, or where it does not belong."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    complaints: list[str] = []
    with served(played([], "riichi")) as server:
        server.wait_for_end()
        page = opened(browser, server.url, SQUARE, complaints)
        expect(page.locator("#table svg")).to_be_visible()
        page.add_style_tag(
            content="#table { position: fixed; inset: 0; width: 1000px !important; "
            "height: 1000px !important }"
        )
        name_exports(page, "shared/elements", "shared/felt", "shared/words")
        yield page
        page.close()
    assert complaints == []


def table_of(players: list[Json], **rest: object) -> Json:
    table = dict(public_table(replay([Entry(GameStart("riichi"))]).state, NAMES))
    counts: Json = {"honba": 12, "pot": 4000, "points": [-123400, 25000, 8000, 100], "hand": 7}
    counts |= {"tiles_left": 122, "indicators": [*DORA, *URA], "phase": "to_discard", "turn": 1}
    return {**table, **counts, "players": players, **rest}


def drawn(page: Page, table: Json, lang: str = "en") -> list[str]:
    page.evaluate(
        "async ([table, lang]) => {"
        "  if (lang !== language) await loadWords(lang);"
        "  redraw($('table'), table); }",
        [table, lang],
    )
    return list(page.evaluate(OVERLAPS))


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
@pytest.mark.parametrize("name", CASES)
def test_nothing_overlaps(page: Page, name: str, lang: str) -> None:
    assert drawn(page, table_of(CASES[name]), lang) == []


def test_nothing_overlaps_where_somebody_has_won(page: Page) -> None:
    wins = [{"seat": 0, "from": 2, "tile": "6p"}, {"seat": 1, "from": 2, "tile": "6p"}]
    winner = player(24, shown=True, drawn="6p") | {"hand": ["1s"] * 13 + ["6p"]}
    players = [winner, winner, player(24), player(23)]
    table = table_of(players, wins=wins, winners=[0, 1], phase="settled")
    assert drawn(page, table) == []
    won = page.locator("#table .won")
    assert won.evaluate_all("(all) => all.map((one) => one.dataset.code)") == ["6p"] * 3
    assert page.locator("#table .lit").count() == 2


WIDE: Final = "(tile) => tile.getAttribute('width')"
FILLED: Final = """() => [...document.querySelectorAll(
  "#table :is(.piece > use, .standing, .console)"
)].reduce((sum, each) => {
  const { width, height } = each.getBoundingClientRect();
  return sum + width * height;
}, 0) / 1e6"""
"""The share of the felt that is not empty; nothing of it lies on anything else."""


def test_from_afar_rivers_are_half_as_large_again_as_long_as_they_fit(page: Page) -> None:
    tile = page.locator("#table .river use").first
    page.evaluate("document.body.classList.add('tv')")
    for ready in (None, 3, 11):
        players = [player(12, MIXED, hand=2, ready=ready), *[player(12, hand=13, ready=ready)] * 3]
        assert drawn(page, table_of(players)) == []
        assert tile.evaluate(WIDE) == "90"
    drawn(page, table_of([player(8, hand=13)] * 4))
    assert 1 - page.evaluate(FILLED) <= 0.55
    assert drawn(page, table_of([player(13, hand=13), *[player(12, hand=13)] * 3])) == []
    assert tile.evaluate(WIDE) == "60"
    page.evaluate("document.body.classList.remove('tv')")


def test_a_draw_moves_no_tile_of_the_hand(page: Page) -> None:
    places = []
    for hand in (13, 14):
        drawn(page, table_of([player(3, hand=hand)] * 4))
        standing = page.locator("#table .side").first.locator(".standing")
        places.append(standing.evaluate_all("(all) => all.map((one) => one.getAttribute('x'))"))
    assert places[0] == places[1][:13]
    assert (places[0][0], places[1][13]) == ("215", "803")


def test_sets_never_move(page: Page) -> None:
    """The first lies outermost; each further one only comes beside it."""
    before: list[str] = []
    for count in range(5):
        sets = MIXED[:count]
        drawn(page, table_of([player(9, sets, hand=13 - 3 * count)] * 4))
        pieces = page.locator("#table .side").first.locator(".melds .piece")
        places = pieces.evaluate_all("(all) => all.map((one) => one.getAttribute('transform'))")
        assert places[: len(before)] == before
        before = places


def test_a_claimed_tile_leaves_the_river(page: Page) -> None:
    one = player(8, ready=2)
    river = one["river"]
    assert isinstance(river, list)
    river[2]["claimed_by"] = 1
    drawn(page, table_of([one] * 4))
    tiles = page.locator("#table .side").first.locator(".river .piece")
    places = tiles.evaluate_all("(all) => all.map((one) => one.getAttribute('transform'))")
    # The next one that stays is turned.
    assert ["rotate" in place for place in places] == [at == 2 for at in range(7)]
    page.evaluate("() => $('table').replaceChildren(drawTable(drawn.get($('table')), 0, true))")
    assert tiles.count() == 8
    assert page.locator("#table .claimed").count() == 4
