"""One file for each format, which reads lines into process logs and says which were its own."""
