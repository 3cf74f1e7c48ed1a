"""One seat: its page, hints, drill and review."""
