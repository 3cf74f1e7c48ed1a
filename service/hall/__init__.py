"""A hall: one server that collects the records of many tables, shows them, and runs leagues."""
