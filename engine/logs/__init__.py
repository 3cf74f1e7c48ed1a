"""Public riichi logs: three formats are read, and two of them are written."""
