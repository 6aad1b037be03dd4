"""The comparison as one HTML file, which needs no network and holds no other file."""
