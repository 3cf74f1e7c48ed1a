"""Where and when to look: motion, regions to read, and looks whose tiles are still being read."""
