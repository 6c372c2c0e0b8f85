"""How often verdicts are right on mazes without cells, whose floor is told by a mask."""
