"""What all of the front needs: streams, folders, arguments, the game that was asked for, widths and wrapping."""
