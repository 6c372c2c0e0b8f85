"""Pictures of folded chains, right and wrong, under what happens to pictures: how often verdicts are right."""
