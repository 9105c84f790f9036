"""What is written and drawn: the rulebook, the board as a map and as a picture, plots, tables of figures."""
