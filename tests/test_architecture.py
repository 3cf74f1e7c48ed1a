"""The picture and the table of docs/architecture.md agree with the imports."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter

from tests.support.documentation import named, read, rows
from tests.support.imports import imported
from tests.support.paths import ROOT

PACKAGES = ("engine", "vision", "service")
PAGE = "docs/architecture.md"


@cache
def room_of(module: str) -> str:
    """``vision/tiles`` for ``vision.tiles.finder``, ``vision`` for ``vision.session``."""
    parts = module.split(".")[:2]
    return "/".join(parts) if (ROOT / "/".join(parts)).is_dir() else parts[0]


def package_of(room: str) -> str:
    return room.split("/")[0]


def imports_between_rooms() -> dict[str, set[str]]:
    """The rooms that each room imports."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        room = room_of(name.removesuffix(".py").replace("/", "."))
        modules = imported(path.read_text("utf-8"), name)
        ours = {room_of(module) for module in modules if module.split(".")[0] in PACKAGES}
        found[room] |= ours - {room}
    return dict(found)


def test_the_table_names_every_room_and_what_it_imports() -> None:
    listed = {
        named(room)[0]: set(imports.split(", ")) - {""}
        for room, _, imports in rows(read(PAGE), "room")
    }
    actual = {
        room: {other.split("/")[-1] for other in others if package_of(other) == package_of(room)}
        for room, others in imports_between_rooms().items()
    }
    assert listed == actual


def test_every_arrow_of_the_picture_joins_rooms_that_know_each_other() -> None:
    picture = read("docs/architecture.svg")
    arrows = re.findall(r'data-from="([^"]+)" data-to="([^"]+)"', picture)
    assert len(arrows) >= 15
    known = imports_between_rooms()
    assert [
        (start, end)
        for start, end in arrows
        if end not in known.get(start, set()) and start not in known.get(end, set())
    ] == []


def test_the_picture_shows_the_rooms_that_a_discard_passes() -> None:
    page, picture = read(PAGE), read("docs/architecture.svg")
    walk = page[page.index("## A discard") : page.index("## A correction")]
    passed = {room for room in named(walk) if "/" in room}
    assert len(passed) >= 7
    assert passed <= set(re.findall(r">([a-z]+/[a-z_]+)<", picture))


def test_no_rooms_import_each_other_in_a_circle() -> None:
    # The files beside the rooms are both the entry, which imports them, and what they share.
    graph = {
        room: {other for other in others if "/" in other}
        for room, others in imports_between_rooms().items()
        if "/" in room
    }
    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)
