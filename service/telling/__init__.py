"""What a record says, for people: in words, tables, pictures and reports."""
