"""Rush hour and sliding puzzles as MentisOculi has them: recipes, looks and files."""
