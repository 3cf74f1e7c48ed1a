"""``tilesight benchmark``: how fast this machine is, beside other ways."""
