"""The service: gRPC, processes that grade and are timed, settings."""
