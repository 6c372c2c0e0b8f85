"""Chains of pieces on hinges that fold into a silhouette."""
