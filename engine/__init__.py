"""The rules of the table: events in, announcements out."""
