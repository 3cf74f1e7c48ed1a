"""``tilesight benchmark``: the speed of this machine, compared with other ways to do the same."""
