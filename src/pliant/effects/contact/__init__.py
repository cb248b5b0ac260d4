"""Effects of contact between bodies and with obstacles."""
