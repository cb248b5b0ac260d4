"""What commands share: paths, options, terminal, checkpoints."""
