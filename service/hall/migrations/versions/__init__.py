"""The upgrade steps; each names the one before it."""
