"""Cameras of single seats: each sees one standing hand, for that seat alone."""
