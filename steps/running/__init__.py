"""A batch: runner configuration, runs and attempts, collection, journal, receipt (rows D, E, F, J, K)."""
