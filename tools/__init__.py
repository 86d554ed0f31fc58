"""What developers run by hand: generated pages and tables. Nothing here is shipped."""
