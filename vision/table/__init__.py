"""Where the table lies in the picture, and what moves on it."""
