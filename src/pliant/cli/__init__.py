"""The command ``pliant``, a file for each of its words."""
