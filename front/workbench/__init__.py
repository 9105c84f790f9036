"""What authors use: warnings, differences, drafts, texts, worksheets and what follows from them, reasons."""
