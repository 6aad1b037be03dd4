"""Rules without a gold value: JSON Schema, boolean expressions, and rules over graphs."""
