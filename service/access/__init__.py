"""Who may see and do what: keys, roles, seats, and limits on connections."""
