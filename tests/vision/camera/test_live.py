"""Live sources say why they cannot be opened."""

from __future__ import annotations

import pytest

from vision.camera.live import open_live
from vision.camera.pictures import SourceError


def test_an_address_that_does_not_answer_is_refused_without_its_password() -> None:
    with pytest.raises(SourceError, match="does not answer") as raised:
        open_live("rtsp://owner:secret@127.0.0.1:9/table")
    assert "secret" not in str(raised.value)
    assert str(raised.value).startswith("127.0.0.1 does not answer")
