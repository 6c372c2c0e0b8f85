"""Pictures of chains on hinges: where each piece lies, by which angle each hinge turns, and what else is drawn."""
