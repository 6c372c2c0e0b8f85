"""What an operator sees of the service: a log line a request, metrics, liveness and readiness over HTTP."""
