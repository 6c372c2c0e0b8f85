"""What commands have in common: options, what they print, how they end, completion, and the way to a server."""
