"""What a source file imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def imported(source: str, path: str) -> Iterator[str]:
    """Every module that the source names in an import, wherever it stands."""
    for node in ast.walk(ast.parse(source, path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are flat"
            yield node.module or ""
