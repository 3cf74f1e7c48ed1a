"""Sources of frames: cameras, streams, video files and pictures."""
