"""One file for each hypothesis; none imports another."""
