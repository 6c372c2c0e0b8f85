"""Pictures put together of four given pieces: which piece lies where, which way up, and what of it was altered."""
