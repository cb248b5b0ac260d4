"""Elements of sheets and of flat bodies."""
