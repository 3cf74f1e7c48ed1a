"""Which events may explain a change of the table, and what each costs."""
