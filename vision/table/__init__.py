"""Where the table lies in the picture, what moves on it, and whether it is seen well enough."""
