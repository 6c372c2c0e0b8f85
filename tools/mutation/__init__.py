"""Seeded mutations: small faults put into detectors and judges, to see whether a test tells them."""
