"""What a source file imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache


@cache
def imported(source: str, path: str) -> tuple[str, ...]:
    """Every module that the source names in an import, wherever it stands.

    Several tests ask for the same files, and reading one takes milliseconds.
    """
    return tuple(_imported(ast.parse(source, path)))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are flat"
            yield node.module or ""
        elif isinstance(node, _HOLDS_STATEMENTS):
            yield from _imported(node)


_HOLDS_STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)
"""An import is a statement, and no expression holds one: most nodes need not be visited."""
