"""A public type name means one thing in its folder."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from tests.support.paths import ROOT

PACKAGES = ("engine", "vision", "service", "models", "datasets")


def defined(node: ast.stmt) -> str:
    """The type that a statement defines: a class, or an alias such as ``Seat = int``."""
    match node:
        case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name if re.fullmatch(r"(?:[A-Z][a-z0-9]*)+", name) and not name.isupper() else ""
    return ""


def public_types() -> dict[tuple[Path, str], list[str]]:
    """Modules of a folder that define each public type at their top level."""
    found: dict[tuple[Path, str], list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if name := defined(node):
                    found[path.parent, name].append(path.name)
    return found


def test_public_type_names_are_unique() -> None:
    types = public_types()
    assert len(types) > 300, "the tree was not found"
    shared = {place: modules for place, modules in types.items() if len(modules) > 1}
    assert not shared, "rename one of each"
