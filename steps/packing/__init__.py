"""Candidate sources -> archives -> the consumer that agents and graders see (rows C)."""
