"""Form boards: which pieces lie in a silhouette, how they were changed, and what else is drawn."""
