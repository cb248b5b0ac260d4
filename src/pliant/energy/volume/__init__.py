"""Volume of whole elements, hourglass modes, mixed cells."""
