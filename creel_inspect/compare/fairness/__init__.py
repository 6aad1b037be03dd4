"""What may be compared at all, and what of it."""
