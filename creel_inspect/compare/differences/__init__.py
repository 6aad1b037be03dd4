"""What the runs of one task did, and where they differ."""
