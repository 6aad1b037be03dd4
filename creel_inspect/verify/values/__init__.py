"""Reading values as a person would: numbers and quantities, dates, texts."""
