"""Where pictures come from: cameras, films and files."""
