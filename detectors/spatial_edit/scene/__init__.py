"""How an edited picture of coloured boxes looks beside the one before: marks, traces, surfaces."""
