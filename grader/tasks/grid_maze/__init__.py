"""The grid-maze task: an answer in words that says whether a goal can be reached, and by which shortest path."""
