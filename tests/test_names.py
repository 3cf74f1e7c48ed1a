"""A public class name means one thing in the whole tree."""

import ast
from collections import defaultdict

from tests.support.paths import ROOT

PACKAGES = ("engine", "vision", "service", "models", "datasets")


def public_classes() -> dict[str, list[str]]:
    """Modules that define each public class at their top level."""
    found: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(path.relative_to(ROOT)))
    return found


def test_public_class_names_are_unique() -> None:
    classes = public_classes()
    assert len(classes) > 300, "the tree was not found"
    shared = {name: modules for name, modules in classes.items() if len(modules) > 1}
    assert not shared, "rename one of each"
