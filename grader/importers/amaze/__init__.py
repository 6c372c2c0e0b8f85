"""AMAZE: mazes and Queens boards, with a model's outputs."""
