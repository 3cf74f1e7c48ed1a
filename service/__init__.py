"""One table on the command line and on the web."""
