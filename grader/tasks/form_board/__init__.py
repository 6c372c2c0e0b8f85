"""The form-board task: the pieces that fill a silhouette."""
