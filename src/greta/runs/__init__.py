"""Run folders: running a program under the recorder, keeping what ran, reading it again."""
