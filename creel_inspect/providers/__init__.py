"""Models that need no network: the only part of the package that pretends to be one."""
