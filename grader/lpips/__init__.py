"""Everything of LPIPS: networks, weights, and the one process that measures for all workers."""
