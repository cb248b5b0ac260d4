"""Effects that users write, and the energies made of them."""
