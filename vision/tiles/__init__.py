"""Tiles in one picture: the finder, the recogniser, and how sure a reading is."""
