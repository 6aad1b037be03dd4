"""A corpus folder: its cases, their sources, gold, and where each value of it stands."""
