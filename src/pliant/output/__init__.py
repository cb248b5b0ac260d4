"""Pictures, charts and files of runs."""
