"""One process that measures LPIPS for all workers of a server: its lanes, the queue before them, what is told of it."""
