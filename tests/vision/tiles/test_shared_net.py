"""The runtime of the nets is imported when needed, and Ctrl-C may come during the import."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from vision.tiles.shared_net import runtime


@pytest.mark.parametrize(
    ("cause", "seen"), [("KeyboardInterrupt", KeyboardInterrupt), ("OSError", ImportError)]
)
def test_an_import_that_is_interrupted_ends_like_any_other_work(
    cause: str, seen: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What pybind11 does with an exception while a module is set up.
    (tmp_path / "openvino.py").write_text(f"raise ImportError('no') from {cause}()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "openvino", raising=False)
    with pytest.raises(seen):
        runtime()
