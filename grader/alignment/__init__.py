"""Brings a candidate into its puzzle's frame, says how, and how well."""
