"""One file a provider: how its API is asked and its answers are read."""
