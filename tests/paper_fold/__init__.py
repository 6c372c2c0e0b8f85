"""The paper_fold task."""
