"""What the script of a saved page shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast

from service.report.saved_views import SavedReport


def saved_in(report: Path) -> SavedReport:
    found = re.search(
        r'(?s)<script type="application/json" id="report">(.*?)</script>', report.read_text("utf-8")
    )
    assert found is not None, "a saved page has its data"
    return cast(SavedReport, json.loads(found[1]))
