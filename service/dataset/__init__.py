"""Labelled pictures for training and labelling programs."""
