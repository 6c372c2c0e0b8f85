"""What a candidate shows beside its board and the queens that were read: marks, second discs, gone lines, repaint."""
