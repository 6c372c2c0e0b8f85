"""Pictures of a folded or unfolded sheet: its holes, and what else was drawn. Where holes belong is not seen."""
