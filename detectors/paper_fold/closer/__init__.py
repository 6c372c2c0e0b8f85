"""A second look, closer, at sheets that seem right: what of them no ideal disc, line or paper explains."""
