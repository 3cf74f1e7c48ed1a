"""Where the table lies in the picture, and whether the picture is good enough to read."""
