"""What people ask of stored evidence: explain, regrade, review, compare, bundle. Nothing here makes evidence."""
