"""What people read and hear: one catalogue a language, and the sentences made from it."""
