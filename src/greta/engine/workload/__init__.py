"""The workload of an audit: a child process that runs the engine again and again, as it is asked.

    python -m greta.engine.workload --model smollm2 --requests 5 --answers 6

It says hello, then reads one request a line from one descriptor and writes one answer a line to the
other. What is measured and what is recorded happens here; what is concluded, elsewhere.
"""
