"""Where and when to look: motion, regions, and frames that wait to be read."""
