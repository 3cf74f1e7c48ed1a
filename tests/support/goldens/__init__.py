"""Everything that the program says, as files: two sets of them show what a change has changed.

``python -m tests.support.goldens write FOLDER`` writes them, ``compare BEFORE AFTER`` tells what
differs. Times, keys, folders and ports are the same each time, or left out.
"""
