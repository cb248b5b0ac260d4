"""Inputs of commands: scene files, shapes, scans, robots."""
