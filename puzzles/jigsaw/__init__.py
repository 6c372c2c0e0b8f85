"""Jigsaw puzzles cut from photographs: missing pieces, places, neighbours, anomalies and orders, with their answers."""
