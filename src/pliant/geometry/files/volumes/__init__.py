"""Formats of volumes: scans and segmentations."""
