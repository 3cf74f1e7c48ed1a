"""Announcements as sentences, in every language that they are translated into."""
