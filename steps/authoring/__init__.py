"""What a task author runs: the suite's lints and the authored cases that prove the graders (rows A, B1)."""
