"""Objects, lists and tables as answers: keys and heads are words too, and say what their values are."""
