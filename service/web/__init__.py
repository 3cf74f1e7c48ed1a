"""Keys, roles, seats, and limits on connections."""
