"""Qualification: evidence is read as a value, derived again from bytes, and compared (rows I)."""
