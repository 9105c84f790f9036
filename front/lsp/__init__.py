"""Rule files in an editor: what is wrong in them while one types, what may stand where, what it means."""
