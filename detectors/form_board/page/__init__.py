"""What is drawn on the page beside the silhouette and what is given."""
