"""Dice on the table: where they lie, what they show, and when they were rolled."""
