"""The hinge-folding task: turns of hinges that fold a chain of pieces into a silhouette."""
