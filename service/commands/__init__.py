"""The commands of the console program, one file each."""
