"""The same soft beam in other simulators: each file stands alone and prints how far the tip has sunk."""
