"""A decoder whose parts are looked into: for the tests of these parts alone."""

from __future__ import annotations

from tests.support.seen import Seen
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.table_evidence import TableEvidence


class SeenInside(Seen):
    """What is believed of a stage, though it may not be told yet; reviewed after every look."""

    def show(self, lasts_s: float = 1.2) -> None:
        for observation in self.stage.shown(lasts_s):
            self.decoder.observe(observation)
            self.decoder.search.review(self.table)

    @property
    def best(self) -> Hypothesis:
        return self.decoder.search.best

    @property
    def table(self) -> TableEvidence:
        return self.decoder.evidence()
