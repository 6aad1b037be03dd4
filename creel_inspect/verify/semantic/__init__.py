"""Likeness of meaning: embedders, and the guard against what they cannot tell."""
