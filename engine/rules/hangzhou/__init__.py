"""Hangzhou mahjong."""
