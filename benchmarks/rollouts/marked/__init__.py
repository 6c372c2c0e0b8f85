"""Series and clips of right plans on which something is drawn, and such on which nothing is, with what hides it."""
