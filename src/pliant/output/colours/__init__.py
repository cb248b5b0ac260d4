"""Colours, letters, units and PNG."""
