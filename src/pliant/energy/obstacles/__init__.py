"""Contact with rigid obstacles: penalty and friction."""
