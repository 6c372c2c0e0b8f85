"""Between the contract's messages and plain data where no task is meant; the list of faults."""
