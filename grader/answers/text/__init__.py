"""Text as it is read: normalised with the place of every character, without thoughts, as words with their meanings."""
