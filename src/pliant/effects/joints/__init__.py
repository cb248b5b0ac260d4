"""Effects of joints."""
