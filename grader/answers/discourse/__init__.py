"""What is said of plans, sentence after sentence, and which plan is left at the end."""
