"""Question to query: a translation is judged by the reactions it returns, not its spelling."""
