"""The server's metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import FastAPI, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service.table.live_table import LiveTable


class ServerMetrics:
    """The metrics of one application."""

    def __init__(self, numbers: Collector | None = None) -> None:
        """``numbers`` are those of what is served; memory, files and time are added."""
        self._registry = CollectorRegistry()
        if numbers is not None:
            self._registry.register(numbers)
        ProcessCollector(registry=self._registry)
        self.requests = Counter(
            "tilesight_requests",
            "Requests that were answered.",
            ("method", "status"),
            registry=self._registry,
        )
        self.seconds = Histogram(
            "tilesight_request_seconds",
            "How long an answer took.",
            buckets=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
            registry=self._registry,
        )
        self.sockets = Gauge(
            "tilesight_sockets", "WebSockets that are open now.", registry=self._registry
        )

    def text(self) -> bytes:
        return generate_latest(self._registry)


class TableMetrics(Collector):
    """The metrics of a table, collected on request."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table

    def collect(self) -> Iterator[Metric]:
        table = self._table
        rows = (
            ("lines", "Lines of the record.", len(table.game.entries)),
            ("questions", "Questions that wait for an answer.", len(table.questions())),
            ("source_seconds", "Time of the newest picture.", table.reader.time_s or 0.0),
            ("ended", "1 when nothing more comes from the source.", float(table.ended)),
            ("failed", "1 when the table cannot be watched.", float(table.problem is not None)),
        )
        for name, told, value in rows:
            yield GaugeMetricFamily(f"tilesight_{name}", told, value=value)


def add_metrics(app: FastAPI, server: ServerMetrics) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(server.text(), media_type=CONTENT_TYPE_LATEST)
