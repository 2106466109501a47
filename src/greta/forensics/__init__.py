"""Forensics: from what was recorded to a verdict that never outruns its evidence."""
