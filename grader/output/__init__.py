"""What long commands put out: files that appear whole, and how far they are."""
