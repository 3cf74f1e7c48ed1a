"""What a rule set consists of: the members of ``RuleSet`` and its parts, and which games set each.

``python -m tests.support.members`` prints them. A member is a public field, property or method of
the class itself, inherited ones of ``Mapping`` and the like left out. A game sets a field if its
value differs from the default, and a method if a class of its own defines it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field
from typing import Final, NamedTuple

from engine.rules import GAMES
from engine.rules.base import RuleSet
from engine.rules.installed import PARTS

SELF: Final = "RuleSet"


class Member(NamedTuple):
    """One public name of a part, and the games that set it."""

    part: str
    name: str
    games: tuple[str, ...]


def members() -> Iterator[Member]:
    """Every member, in the order in which the code has them."""
    for part, kind in {SELF: RuleSet, **PARTS}.items():
        for name in names_of(kind):
            users = (game.id for game in GAMES if _sets(game, part, kind, name))
            yield Member(part, name, tuple(users))


def names_of(kind: type) -> list[str]:
    """The public names that a class and its annotations define."""
    own = dict.fromkeys((*inspect.get_annotations(kind), *vars(kind)))
    return [name for name in own if not name.startswith("_")]


def _sets(game: RuleSet, part: str, kind: type, name: str) -> bool:
    told: object = game if part == SELF else getattr(game, part)
    fields: Mapping[str, Field[object]] = getattr(kind, "__dataclass_fields__", {})
    if name in fields:
        return bool(getattr(told, name) != _default(fields[name]))
    return _defined(told, name) is not vars(kind).get(name)


def _default(field: Field[object]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _defined(told: object, name: str) -> object:
    if name in vars(told):
        return vars(told)[name]
    return next((vars(kind)[name] for kind in type(told).__mro__ if name in vars(kind)), None)


def main() -> None:
    every = list(members())
    for member in every:
        games = ", ".join(member.games) if len(member.games) < len(GAMES) else "all"
        print(f"{member.part}.{member.name}: {games or 'none'}")
    parts = {member.part for member in every}
    one = sum(len(member.games) == 1 for member in every)
    print(f"{len(every)} members of {len(parts)} classes, {one} set by one game")


if __name__ == "__main__":
    main()
