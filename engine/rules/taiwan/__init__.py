"""Taiwanese mahjong of sixteen tiles."""
