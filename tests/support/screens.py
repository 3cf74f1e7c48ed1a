"""The pages of a table and of a hall, for tests that look at every one of them."""

from __future__ import annotations

from service.web.keys import seat_address, table_address
from tests.support.keys import KEYS

LINES = 200
"""Of the riichi sample: a hand that is under way."""
PAGES = {
    "table": (table_address("", KEYS.control), "#table .mendable"),
    "seat": (seat_address("", KEYS.seats[1]), "#table svg"),
    "game": (f"/game#{KEYS.control}", "#hands button"),
    "drill": (f"/drill#{KEYS.seats[1]}", "#hand button"),
    "learn": (f"/learn#{KEYS.seats[1]}", "#games button"),
    "learn-pays": (f"/learn?rules=riichi&page=pays#{KEYS.seats[1]}", "#rows li"),
    "lessons": (f"/lessons#{KEYS.seats[1]}", "#offers button"),
    "stream": ("/stream#table=1", "#bar li"),
}
"""Of a table: the address, and what is there once the page has come."""
HALL_PAGES = {
    "": ".card",
    "tables/north": "#table svg",
    "players": "#everybody li",
    "archive": "#search",
    "players/1": "#games td",
    "leagues/1": "#people li",
    "watch": "#watched svg",
}
"""Of a hall."""
