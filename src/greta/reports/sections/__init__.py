"""One file a section: from the document to blocks, or None if there is nothing to show."""
