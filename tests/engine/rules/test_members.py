"""A rule set asks no more of a game than the engine and the programs use.

A member is asked for by the name of its part (``rules.claims.rank``), or by the part itself.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Final

import pytest

from engine.rules.base import RuleSet
from engine.rules.installed import PARTS
from tests.support.members import SELF, members
from tests.support.paths import ROOT

CODE: Final = "\n".join(
    path.read_text("utf-8")
    for folder in ("engine", "vision", "service", "datasets", "models")
    for path in (ROOT / folder).rglob("*.*")
    if path.suffix in (".py", ".js")
)
"""Pages ask for some of them."""
ASKED: Final = set(re.findall(r"(\w+|\])(?=\.(\w+))", CODE))
ALSO_CALLED: Final = {SELF: ("rules", "]"), "page": ("page", "shows")}
"""What a part is called where it is asked, if not by its field: ``RULE_SETS[id]``, and what a page
is told it shows."""


def is_asked_for(part: str, name: str) -> bool:
    kind = RuleSet if part == SELF else PARTS[part]
    own = Path(inspect.getfile(kind)).read_text("utf-8")
    by_others = any((called, name) in ASKED for called in ALSO_CALLED.get(part, (part,)))
    return by_others or re.search(rf"\bself\.{name}\b", own) is not None


def test_every_member_of_a_rule_set_and_its_parts_is_asked_for() -> None:
    unasked = [one[:2] for one in members() if not is_asked_for(*one[:2])]
    assert unasked == []


@pytest.mark.parametrize(
    ("part", "name"),
    [("claims", "codes"), ("hands", "over"), ("indicators", "kinds"), ("teaching", "shape")],
)
def test_a_common_word_is_no_question_for_a_member(part: str, name: str) -> None:
    assert any(word == name for _, word in ASKED)
    assert not is_asked_for(part, name)


def test_the_list_names_who_sets_a_member() -> None:
    found = {f"{one.part}.{one.name}": one.games for one in members()}
    assert found["wall.hand_size"] == ("taiwan",)
    assert found["judge.missing"] == ("harbin-hlr", "harbin-treasure", "riichi")
    assert found["wall.used_up"] == ()
