"""A change of the table is explained: what it may have been, at what price, with its picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.codec import write_record
from engine.events import Discard, HandStart
from engine.tiles import Tile
from service.main import run
from service.table.reader_maker import ReaderMaker
from tests.support.detectors import Blind
from tests.support.films import film
from tests.support.recorded import Recorded
from vision.camera.frames import Frame
from vision.decoder.decoder import Decoder
from vision.pipeline import TableReader


class Played(TableReader):
    """A reader of films that has seen a hand-made table."""

    def __init__(self, table: Recorded) -> None:
        super().__init__(Blind(), table.rules)
        self.table = table

    @property
    def decoder(self) -> Decoder:
        return self.table.decoder.decoder

    def read(self, frames: Iterable[Frame]) -> Iterator[SimpleNamespace]:  # type: ignore[override]
        return (SimpleNamespace(frame=frame) for frame in frames)


@pytest.fixture
def table() -> Recorded:
    dealt = Recorded()
    dealt.deal()
    dealt.discard(0, "9m", sure=0.6)
    return dealt


def test_hypotheses_have_shares_and_prices(table: Recorded) -> None:
    found = table.decoder.decoder.weighing(2.4)
    assert found is not None
    first, *others = found.hypotheses
    assert first.events == (Discard(0, Tile("9m")),)
    assert first.share > 0.5
    assert sum(hypothesis.share for hypothesis in found.hypotheses) <= 1.001
    nothing = next(one for one in others if not one.events and not one.elsewhere)
    assert nothing.pays["clutter"] > first.pays.get("clutter", 0.0)
    other = next(one for one in others if one.events)
    assert isinstance(other.elsewhere[0], HandStart)
    assert other.pays["not_dealer"] > 5.0


def test_what_was_weighed_is_printed(
    table: Recorded,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(ReaderMaker, "__call__", lambda self: Played(table))
    record, video = tmp_path / "record.jsonl", film(tmp_path / "friday.mp4", frames=8, fps=2)
    record.write_text(write_record(tuple(table.lines)))
    out = tmp_path / "tiles.jpg"
    options = ["--film", str(video), "--out", str(out), "--lang", "en"]
    assert run(["dev", "explain", str(tmp_path), "--at", "2.4", *options]) == 0
    place, first, *_ = capsys.readouterr().out.splitlines()
    assert place.startswith("put@2.6@")
    assert place.endswith("Seat 0 discards 9m")
    assert "Seat 0 discards 9m" in first
    assert out.read_bytes()[:2] == b"\xff\xd8"
    assert run(["dev", "explain", str(record), "--at", "60", *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (
        run(["dev", "explain", str(record), "--at", "2", "--film", str(tmp_path / "none.mp4")]) == 2
    )
    assert capsys.readouterr().err.count("\n") == 1
