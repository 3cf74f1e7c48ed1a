"""Set-up of a table: choose a source, try it out, open the table."""
