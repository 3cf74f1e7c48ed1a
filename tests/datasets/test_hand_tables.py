"""The shipped tables are what their program makes."""

from __future__ import annotations

import lzma

import pytest
from hand_tables import FOLDER, RECIPES, Recipe, packed

SMALL = tuple(recipe for recipe in RECIPES if recipe.ranks == 7)


@pytest.mark.parametrize("recipe", SMALL, ids=lambda recipe: recipe.name)
def test_a_table_is_made_again_as_it_was_shipped(recipe: Recipe) -> None:
    shipped = FOLDER / f"{recipe.name}.xz"
    assert lzma.decompress(shipped.read_bytes()) == packed(recipe)


def test_every_table_is_shipped() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(one.name for one in RECIPES)
