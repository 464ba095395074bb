"""Behaviour of one solution: the trusted parent is launched, its verdict accepted or refused (rows R-B1, K3)."""
