"""Start the program: ``tilesight``, or ``python -m tilesight``.

Its import names ``engine``, ``vision`` and ``service`` are common words: another distribution, or a
folder that is searched earlier, may have one of them. The name of this module is its own, so that
it can say in one line what would end in a traceback.
"""

from __future__ import annotations

import sys
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

OWN = ("engine", "vision", "service")
ALONE = "install tilesight in an environment of its own: pipx, uv tool, or python3 -m venv"


def main() -> None:
    """Run the program with the arguments of the process, if all of it is found."""
    cannot = why_not()
    if cannot is not None:
        print(f"tilesight: {cannot}", file=sys.stderr)
        sys.exit(2)
    from service.main import main as run_main

    run_main()


def why_not() -> str | None:
    """What keeps the program from starting here, and what to do."""
    if sys.maxsize < 1 << 32:
        return "this Python has 32 bits: install one that has 64, from python.org or your system"
    here = Path(__file__).resolve().parent
    for name in OWN:
        if not (here / name / "__init__.py").exists():
            return f"its package {name} is gone from {here}: install tilesight again"
        spec = find_spec(name)
        found = Path(spec.origin).resolve() if spec and spec.origin else here
        if found != here / name / "__init__.py":
            return (
                f"{found.parent} has the name of tilesight's package {name} and is searched "
                f"earlier: leave that folder out of PYTHONPATH, or {ALONE}"
            )
    return _overwritten(here)


def _overwritten(folder: Path) -> str | None:
    """Whether another distribution has put a package of these names in place of ours."""
    for one in distributions(path=[str(folder)]):
        # To parse these lists takes longer than the program needs to start.
        files = f"\n{one.read_text('RECORD') or ''}"
        name = one.metadata["Name"]
        taken = [own for own in OWN if f"\n{own}/__init__.py," in files]
        if taken and name.lower() != "tilesight":
            return f"{name} has a package {taken[0]}, too, in {folder}: {ALONE}"
    return None


if __name__ == "__main__":
    main()
