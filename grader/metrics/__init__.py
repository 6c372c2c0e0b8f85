"""Pure measures: pixels, cells, aggregates."""
