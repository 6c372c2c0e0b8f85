"""Plans for lots: what of one is needed, and such as look at nothing."""
