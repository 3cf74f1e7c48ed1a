"""Few examples for the property tests of the suite; many with ``--hypothesis-profile=long``."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("short", CALM, max_examples=3, derandomize=True)
settings.register_profile("long", CALM, max_examples=300)
settings.load_profile("short")
