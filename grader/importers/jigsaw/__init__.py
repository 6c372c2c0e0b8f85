"""Questions that ``grader make jigsaw`` made, with models' answers."""
