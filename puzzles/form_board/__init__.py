"""Form boards: silhouettes, pieces cut from them, pieces that complete nothing, and what fills a silhouette exactly."""
