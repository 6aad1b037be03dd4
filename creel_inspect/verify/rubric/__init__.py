"""A judge model that scores by a criterion in words, after G-Eval."""
