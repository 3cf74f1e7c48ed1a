"""The rule sets that the engine plays."""
