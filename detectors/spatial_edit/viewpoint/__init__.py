"""Whether and how a camera turned between two pictures of a scene."""
