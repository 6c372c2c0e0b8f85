"""Queens boards: rules, generator, solver, drawing."""
