"""What people touch: `common`, `paper`, `workbench`, `terminal`, `commands`, each using those before it."""
