"""Static analysis of one solution by the project's own compiler (rows G, A3)."""
