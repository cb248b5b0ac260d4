"""What acts on bodies and scenes: what a user writes, and the energies that are made of it."""
