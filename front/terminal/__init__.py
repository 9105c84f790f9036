"""The table at the terminal: seats, screen, prompt, view, notebook. Whoever draws or asks here has a `Player`."""
