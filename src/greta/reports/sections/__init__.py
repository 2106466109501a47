"""From what is reported to blocks, or None if there is nothing to show."""
