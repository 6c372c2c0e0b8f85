"""What words mean to a reader of answers: data, by language, and one table of all of them."""
