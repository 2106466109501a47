"""The lab: repeat a workload, stage faults, keep what came of it, and say what it all shows."""
