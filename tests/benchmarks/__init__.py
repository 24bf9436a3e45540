"""Speed, measured: `python -m tests.benchmarks` prints a table of figures beside their goals.

Nothing here passes or fails; the figures are for people to read and to compare on one machine.
"""
