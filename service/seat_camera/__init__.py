"""Cameras of single seats: each shows one standing hand, for that seat alone."""
