"""Penalty contact: springs and friction between surfaces."""
