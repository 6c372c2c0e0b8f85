"""The paper-fold task: the pattern that a punched sheet shows once it is unfolded."""
