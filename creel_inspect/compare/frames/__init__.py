"""From Inspect logs to tidy pandas frames."""
