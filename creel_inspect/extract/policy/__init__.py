"""Which verifier compares which value, and where that is written."""
