"""Material laws, by family."""
