"""Lists compared as multisets, sets or sequences, and optimal assignment."""
