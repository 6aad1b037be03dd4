"""Reading what others wrote: YAML, JSON and text, bounded, with the line of every mistake."""
