"""Pixels in, events out."""
