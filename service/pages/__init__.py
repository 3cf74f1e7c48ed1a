"""HTTP pages, sockets and the programming interface."""
