"""A public type name means one thing in the whole tree."""

import ast
import re
from collections import defaultdict

from tests.support.paths import ROOT

PACKAGES = ("engine", "vision", "service", "models", "datasets")


def defined(node: ast.stmt) -> str:
    """The type that a statement defines: a class, or an alias such as ``Seat = int``."""
    match node:
        case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name if re.fullmatch(r"(?:[A-Z][a-z0-9]*)+", name) and not name.isupper() else ""
    return ""


def public_types() -> dict[str, list[str]]:
    """Modules that define each public type at their top level."""
    found: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if name := defined(node):
                    found[name].append(str(path.relative_to(ROOT)))
    return found


def test_public_type_names_are_unique() -> None:
    types = public_types()
    assert len(types) > 300, "the tree was not found"
    shared = {name: modules for name, modules in types.items() if len(modules) > 1}
    assert not shared, "rename one of each"
