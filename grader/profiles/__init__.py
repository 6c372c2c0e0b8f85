"""Named, immutable settings: the package's own and the user's."""
