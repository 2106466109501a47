"""Recordings and other tools' logs as one Trace: what was done, in which order it was asked for."""
