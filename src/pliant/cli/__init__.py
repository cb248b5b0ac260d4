"""Command line: the command ``pliant``, one module for each word."""
