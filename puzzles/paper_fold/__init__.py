"""Paper folds: a square sheet is folded some times and punched; which holes does it show once it is unfolded?"""
