"""What is wrong with a corpus, told before anyone pays for a run."""
