"""What is left of a picture once everything that is known of it is taken away, and how much of that can be seen."""
