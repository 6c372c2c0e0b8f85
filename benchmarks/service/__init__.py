"""The service under load, faults and attack: soak, fuzz, and figures of what it costs."""
