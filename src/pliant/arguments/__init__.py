"""Arguments: checks, sentences for calls that do not fit, progress lines, files that appear whole."""
