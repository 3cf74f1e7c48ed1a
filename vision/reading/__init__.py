"""Single tiles in one picture: where they lie, which side they show, which face, how sure."""
