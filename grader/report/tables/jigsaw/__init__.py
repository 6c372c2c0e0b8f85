"""Tables of jigsaw puzzles: a column a kind of question, what guessing gives, and what goes together."""
