"""Find dice on the table, read them, and notice when they are rolled."""
