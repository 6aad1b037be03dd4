"""What stands between a verifier and an Inspect score: values out of a sample, and words for it."""
