"""A progress bar for work that turns out to take long, and silence for work that does not."""

from ..progress import track as track
