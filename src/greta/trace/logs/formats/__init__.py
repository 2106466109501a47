"""One file for each format. A format reads lines into stories and says which lines were its own."""
