"""The node and edge types that a graph may use, and what their attributes hold."""
