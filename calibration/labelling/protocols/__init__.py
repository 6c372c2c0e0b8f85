"""What people are asked: two protocols of published studies, as files of the kind that a user writes too."""
