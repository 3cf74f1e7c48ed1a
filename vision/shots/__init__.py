"""What edited films show besides the table: other scenes, replays, dissolves."""
