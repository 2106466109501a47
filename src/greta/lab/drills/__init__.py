"""Drills: faults that are staged in the running engine, from outside, to see if they are found.

    python -m greta.lab.drills rope_past_positions --requests 5 --answers 6

is the workload of an audit with one fault in it. Each file in `staged` is a drill, and
docs/write-a-drill.md says how to write one. The engine knows nothing of them, and what the recorder
sees is what it would see of a real fault.
"""
