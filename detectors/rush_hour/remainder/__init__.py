"""What a picture of a lot shows beside the lot and its vehicles."""
