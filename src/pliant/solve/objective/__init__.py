"""The objective of a step: its sum, residual, report."""
