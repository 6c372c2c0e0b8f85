"""Rush hour in lots without a grid: rules, exact contact, solver, chance, generator and description."""
