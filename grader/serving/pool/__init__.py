"""What stands between a request and the process that grades it: a fair queue, slots with a worker each, spares."""
