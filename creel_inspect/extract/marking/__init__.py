"""A candidate against the gold: a mark for everything either says, and the figures made of them."""
