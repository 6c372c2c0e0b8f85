"""From a request to a maze's floor plan: its cells, its form, its looks."""
