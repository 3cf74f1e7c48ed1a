"""What a record says, for people: words, tables, pictures, reports."""
