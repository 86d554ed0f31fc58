"""What users read: one output format a file. Nothing is decided here; texts are made of results alone."""
