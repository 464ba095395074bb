"""Containers and the images they run: the only code that talks to Docker."""
