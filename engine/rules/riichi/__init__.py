"""Riichi, with its presets."""
