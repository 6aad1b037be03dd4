"""What turns sources into a graph: a model, the creel engine, or a function of one's own."""
