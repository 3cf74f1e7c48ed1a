"""Reads a recorded film into a folder that can be gone on with."""
