"""Makes instances of our own, from recipes and looks."""
