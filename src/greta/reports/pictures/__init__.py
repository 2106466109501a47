"""Pictures as SVG. Colours come from the page's style, so that they follow light and dark."""
