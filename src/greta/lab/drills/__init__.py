"""Drills: faults that are staged in the running engine, from outside, to see if they are found.

docs/write-a-drill.md says how to write one.
"""
