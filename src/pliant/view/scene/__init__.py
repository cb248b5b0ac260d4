"""Scenes as pages are sent them."""
