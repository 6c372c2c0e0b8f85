"""Grades one job in this process. Knows neither gRPC nor protobuf."""
