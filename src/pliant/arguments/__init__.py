"""Arguments: checks, sentences for calls that do not fit, files."""
