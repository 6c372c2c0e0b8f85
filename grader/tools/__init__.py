"""What a task may call on beside its own detectors: measures of likeness, and a detector of boxes."""
