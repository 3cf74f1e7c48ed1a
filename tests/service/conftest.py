"""What several tests of the program share, for it takes seconds to make."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "datasets"))

import own_sets

from studio.renderer import NoOpenGL


@pytest.fixture(scope="session")
def own_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of a whole set laid out, and two of tables on which it is played with.

    On the first, dark and noisy, nobody can read a tile.
    """
    out = tmp_path_factory.mktemp("sets")
    given = {"sets": 1, "seed": 5, "styles": "japanese", "laid": 1, "tables": 2, "out": out}
    try:
        own_sets.main([word for name, value in given.items() for word in (f"--{name}", str(value))])
    except NoOpenGL:
        pytest.skip("this machine has no OpenGL without a screen")
    return out / "0"
