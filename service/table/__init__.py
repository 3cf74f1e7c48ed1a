"""A table in play: its reader, its record, its pictures, and its listeners."""
