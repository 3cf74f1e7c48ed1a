"""What is looked at in a frame, how soon and by which thread, and what a look gave."""
