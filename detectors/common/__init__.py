"""What detectors of several tasks share: colours, light, and what a picture shows beside its puzzle."""
