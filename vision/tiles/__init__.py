"""Detect the tiles of one picture: the finder, the recogniser, and calibrated confidence."""
