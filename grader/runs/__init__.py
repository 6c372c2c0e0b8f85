"""Grades manifests into run folders, and reads them."""
