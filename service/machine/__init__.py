"""What the machine gives: files, memory, processes, weights."""
