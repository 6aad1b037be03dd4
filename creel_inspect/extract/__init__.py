"""Documents to a graph: corpora, extractors, policies, and what an extraction is worth."""
