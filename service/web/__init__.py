"""What is asked of the server and answered: pages, sockets and the interface for programs."""
