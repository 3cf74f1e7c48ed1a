"""A rule set asks no more of a game than the engine and the programs use."""

from __future__ import annotations

import re

from tests.support.members import members
from tests.support.paths import ROOT

CODE = "\n".join(
    path.read_text("utf-8")
    for folder in ("engine", "vision", "service", "datasets", "models")
    for path in (ROOT / folder).rglob("*.*")
    if path.suffix in (".py", ".js")
)
"""Pages ask for some of them."""


def test_every_member_of_a_rule_set_and_its_parts_is_asked_for() -> None:
    asked = set(re.findall(r"\.(\w+)", CODE))
    assert [f"{one.part}.{one.name}" for one in members() if one.name not in asked] == []


def test_the_list_names_who_sets_a_member() -> None:
    found = {f"{one.part}.{one.name}": one.games for one in members()}
    assert found["wall.hand_size"] == ("taiwan",)
    assert found["judge.missing"] == ("harbin-hlr", "harbin-treasure", "riichi")
    assert found["wall.used_up"] == ()
