"""Sichuan mahjong, fought to the end."""
