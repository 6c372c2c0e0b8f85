"""How text answers of models are judged, beside records of how they should be."""
