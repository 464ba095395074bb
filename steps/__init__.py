"""One module per arrow of the data flow in dodo.py; shared modules are named for their topic."""
