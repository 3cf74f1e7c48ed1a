"""Where pictures come from: cameras, films and files, and whether they are good enough."""
