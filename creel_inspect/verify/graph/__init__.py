"""Typed property multigraphs: their form, their alignment, and how alike two of them are."""
