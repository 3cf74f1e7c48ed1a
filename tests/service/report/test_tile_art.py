"""The sprite of tiles that pages show."""

from xml.etree import ElementTree

from engine.tiles import CODES, Tile
from service.report.pages import sprite, use


def test_the_sprite_has_a_symbol_for_every_tile_a_page_can_show() -> None:
    symbols = list(ElementTree.fromstring(sprite()))
    drawn = {symbol.get("id"): len(symbol) for symbol in symbols}
    assert set(drawn) == {f"tile-{code}" for code in (*CODES, "unknown", "back")}
    assert min(drawn.values()) >= 2
    assert len({ElementTree.tostring(symbol) for symbol in symbols}) == len(symbols)
    assert 'href="#tile-back"' in use(None)
    assert 'href="#tile-0p"' in use(Tile("0p"))
