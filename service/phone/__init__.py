"""A phone as the camera: its page, its server, its certificate."""
