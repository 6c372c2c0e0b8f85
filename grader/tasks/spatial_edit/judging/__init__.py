"""What was done to a scene, beside what was asked: to the object, to others, and to the background."""
