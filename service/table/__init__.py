"""A table in play: its reader, its record, its pictures, and the pages that follow it."""
